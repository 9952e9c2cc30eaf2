"""Identities, sources and folders of a user, with the controls that open their dialogs over an empty window."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from skill_services import KEY, running, steam, xonstat

from browser_app.bridge.background import Background
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.skill.folder_watch import FolderWatch
from browser_app.bridge.skill.imports import Imports
from browser_app.bridge.skill.sources import SkillSources
from browser_app.bridge.skill.web_sources import Bases
from browser_app.paths import user_paths
from browser_app.player.sources import SourceKind, SourceState
from browser_app.storage.session import Session
from browser_app.ui.skill.identity_control import IdentityControl, Seen
from browser_app.ui.skill.sources_control import SourcesControl
from browser_app.ui.theme import Theme

GAMES = {"ns2": "Natural Selection 2", "xonotic": "Xonotic", "tremulous": "Tremulous"}


class SkillRig:
    """All of it; `seen`: who is in the record of NS2."""

    def __init__(self, bot: QtBot, app: QApplication, session: Session, background: Background, bases: Bases) -> None:
        self.bot, self.session = bot, session
        self.window = QWidget()
        bot.addWidget(self.window)
        self.window.resize(1000, 700)
        self.window.show()
        self.theme = Theme(app, "light")
        self.settings = LiveSettings(session.settings, background)
        self.key: str | None = KEY
        self.sources = SkillSources(
            self.settings, session.identities, session.skill_samples, session.asked, lambda: self.key, bases
        )
        self.imports = Imports(session.rounds, session.column_maps)
        self.watch = FolderWatch(session.watched_folders, self.imports)
        self.seen: Seen = ()
        self.who = IdentityControl(
            self.theme,
            session.identities,
            self.sources,
            background,
            GAMES,
            session.kept,
            lambda game, then: then(self.seen if game == "ns2" else ()),
        )
        self.who.folders = lambda: (self.home / ".xonotic",)
        self.wherefrom = SourcesControl(
            self.theme,
            self.settings,
            self.sources,
            self.watch,
            self.imports,
            self.states,
            background,
            GAMES,
            session.kept,
        )
        self.wherefrom.proposals = lambda: tuple(self.proposed)
        self.home = Path()
        self.proposed: list[Path] = []

    def states(self, game: str) -> tuple[SourceState, ...]:
        record = SourceState(SourceKind.RECORD, game, on=True, rounds=642, mine=214, folders=len(self.watch.folders))
        return (record, *self.sources.states(game))

    def close(self) -> None:
        for each in (self.who, self.wherefrom):
            if each.dialog is not None:
                each.dialog.close()
        self.watch.close()
        self.imports.close()
        self.sources.close()
        self.settings.close()


@contextmanager
def skill_rig(bot: QtBot, app: QApplication) -> Iterator[SkillRig]:
    """With services on loopback."""
    background = Background()
    with running(steam) as steam_web, running(xonstat) as xonstat_web, Session(user_paths()) as session:
        rig = SkillRig(bot, app, session, background, Bases(steam_web.base, xonstat_web.base))
        yield rig
        rig.close()
    background.close()
