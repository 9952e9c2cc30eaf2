"""Identities, sources and folders of a user, with the controls that open their dialogs over an empty window."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from skill_services import KEY, running, steam, xonstat

from browser_app.application.skill_web_services import ServiceUrls
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.skill.folder_watcher import FolderWatcher
from browser_app.bridge.skill.round_importer import RoundImporter
from browser_app.bridge.skill.skill_service_poller import SkillServicePoller
from browser_app.paths import user_paths
from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.storage.user_session import UserSession
from browser_app.ui.skill.identity.identity_controller import IdentityController, RecordPlayers
from browser_app.ui.skill.sources.skill_sources_controller import SkillSourcesController
from browser_app.ui.widgets.theme import Theme

GAMES = {"ns2": "Natural Selection 2", "xonotic": "Xonotic", "tremulous": "Tremulous"}


class SkillRig:
    """All of it; `seen`: who is in the record of NS2."""

    def __init__(
        self, bot: QtBot, app: QApplication, session: UserSession, background: BackgroundTasks, bases: ServiceUrls
    ) -> None:
        self.bot, self.session = bot, session
        self.window = QWidget()
        bot.addWidget(self.window)
        self.window.resize(1000, 700)
        self.window.show()
        self.theme = Theme(app, "light")
        self.settings = LiveSettings(session.settings, background)
        self.key: str | None = KEY
        self.sources = SkillServicePoller(
            self.settings, session.identities, session.skill_samples, session.query_log, lambda: self.key, bases
        )
        self.imports = RoundImporter(session.round_store, session.column_maps)
        self.watch = FolderWatcher(session.watched_folders, self.imports)
        self.seen: RecordPlayers = ()
        self.who = IdentityController(
            self.theme,
            session.identities,
            self.sources,
            background,
            GAMES,
            session.ui_state,
            lambda game, then: then(self.seen if game == "ns2" else ()),
        )
        self.who.key_folders = lambda: (self.home / ".xonotic",)
        self.wherefrom = SkillSourcesController(
            self.theme,
            self.settings,
            self.sources,
            self.watch,
            self.imports,
            self.states,
            background,
            GAMES,
            session.ui_state,
        )
        self.wherefrom.find_suggested_folders = lambda: tuple(self.proposed)
        self.home = Path()
        self.proposed: list[Path] = []

    def states(self, game: str) -> tuple[SkillSourceState, ...]:
        record = SkillSourceState(
            SkillSourceKind.RECORD, game, is_enabled=True, rounds=642, own_rounds=214, folders=len(self.watch.folders)
        )
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
    background = BackgroundTasks()
    with running(steam) as steam_web, running(xonstat) as xonstat_web, UserSession(user_paths()) as session:
        rig = SkillRig(bot, app, session, background, ServiceUrls(steam_web.base, xonstat_web.base))
        yield rig
        rig.close()
    background.close()
