"""Controllers of the identity and source dialogs over an empty window.

The services are on loopback.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fake_skill_services import KEY, run_service, steam, xonstat
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from browser_app.application.own_skill.skill_web_services import ServiceUrls
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.skill.folder_watcher import FolderWatcher
from browser_app.bridge.skill.round_importer import RoundImporter
from browser_app.bridge.skill.skill_service_poller import SkillServicePoller
from browser_app.paths import user_paths
from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.storage.user_storage import UserStorage
from browser_app.ui.skill.identity.identity_controller import IdentityController, RecordPlayers
from browser_app.ui.skill.sources.skill_sources_controller import SkillSourcesController
from browser_app.ui.widgets.theme import Theme

GAMES = {"ns2": "Natural Selection 2", "xonotic": "Xonotic", "tremulous": "Tremulous"}


class SkillDialogs:
    """The controllers with their stores.

    `record_players` are the players of the NS2 record.
    """

    def __init__(
        self, bot: QtBot, app: QApplication, storage: UserStorage, background: BackgroundTasks, bases: ServiceUrls
    ) -> None:
        self.bot, self.storage = bot, storage
        self.window = QWidget()
        bot.addWidget(self.window)
        self.window.resize(1000, 700)
        self.window.show()
        self.theme = Theme(app, "light")
        self.settings = LiveSettings(storage.settings, background)
        self.steam_key: str | None = KEY
        self.service_poller = SkillServicePoller(
            self.settings, storage.identities, storage.skill_samples, storage.request_log, lambda: self.steam_key, bases
        )
        self.importer = RoundImporter(storage.round_store, storage.column_maps)
        self.folder_watcher = FolderWatcher(storage.watched_folders, self.importer)
        self.record_players: RecordPlayers = ()
        self.identity_controller = IdentityController(
            self.theme,
            storage.identities,
            self.service_poller,
            background,
            GAMES,
            storage.ui_state,
            lambda game, then: then(self.record_players if game == "ns2" else ()),
        )
        self.identity_controller.key_folders = lambda: (self.home_folder / ".xonotic",)
        self.sources_controller = SkillSourcesController(
            self.theme,
            self.settings,
            self.service_poller,
            self.folder_watcher,
            self.importer,
            self.source_states,
            background,
            GAMES,
            storage.ui_state,
        )
        self.sources_controller.find_suggested_folders = lambda: tuple(self.suggested_folders)
        self.home_folder = Path()
        self.suggested_folders: list[Path] = []

    def source_states(self, game: str) -> tuple[SkillSourceState, ...]:
        record = SkillSourceState(
            SkillSourceKind.RECORD,
            game,
            is_enabled=True,
            rounds=642,
            own_rounds=214,
            folders=len(self.folder_watcher.folders),
        )
        return (record, *self.service_poller.states(game))

    def close(self) -> None:
        for each in (self.identity_controller, self.sources_controller):
            if each.dialog is not None:
                each.dialog.close()
        self.folder_watcher.close()
        self.importer.close()
        self.service_poller.close()
        self.settings.close()


@contextmanager
def open_skill_dialogs(bot: QtBot, app: QApplication) -> Iterator[SkillDialogs]:
    """Yield the controllers with services on loopback."""
    background = BackgroundTasks()
    with run_service(steam) as steam_web, run_service(xonstat) as xonstat_web, UserStorage(user_paths()) as storage:
        dialogs = SkillDialogs(bot, app, storage, background, ServiceUrls(steam_web.base, xonstat_web.base))
        yield dialogs
        dialogs.close()
    background.close()
