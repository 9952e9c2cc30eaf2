"""Backend of My Skill: round imports, skill services and ratings."""

import time
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Qt, Signal

from browser_app.application.demo_player_setup import set_up_identity, store_player_rounds, store_player_samples
from browser_app.application.own_skill.skill_web_services import PUBLIC_SERVICES, ServiceUrls, in_game_state
from browser_app.bridge.background_tasks import SerialExecutor
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.skill.folder_watcher import FolderWatcher
from browser_app.bridge.skill.round_importer import RoundImporter
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.bridge.skill.skill_service_poller import SkillServicePoller
from browser_app.engine.masters.steam.steam_key_request import SteamKeyGetter
from browser_app.games.game_profile import GameProfile
from browser_app.player.demo_player import DemoPlayer
from browser_app.player.player_identities import Identity, parse_identities
from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.storage.setting_declarations import OWN_SKILL
from browser_app.storage.user_storage import UserStorage


class SkillBackend(QObject):
    """Owns the round importer, the service poller and the skill model.

    Nothing is read or queried before `start`.

    Signals:
        record_ready: the record was read, and contains all rounds of the start.
    """

    record_ready = Signal()
    _demo_rounds_stored = Signal()

    def __init__(
        self,
        storage: UserStorage,
        settings: LiveSettings,
        games: Mapping[str, GameProfile],
        entered_skill: Callable[[], Mapping[str, float]],
        steam_key: SteamKeyGetter,
        demo_player: DemoPlayer | None = None,
    ) -> None:
        """Create all parts.

        `entered_skill` returns the skills that the user entered, by game; `steam_key` may block. `demo_player` takes
        the user's place; then no service on the Internet is queried.
        """
        super().__init__()
        self._storage, self._demo_player = storage, demo_player
        self._is_complete = demo_player is None
        self._executor = SerialExecutor("demo player")
        if demo_player is not None:
            set_up_identity(demo_player, storage.identities)
        urls = (
            PUBLIC_SERVICES
            if demo_player is None
            else ServiceUrls(demo_player.services_url, demo_player.services_url, is_demo=True)
        )
        self.importer = RoundImporter(storage.round_store, storage.column_maps)
        self.folder_watcher = FolderWatcher(storage.watched_folders, self.importer)
        self.service_poller = SkillServicePoller(
            settings, storage.identities, storage.skill_samples, storage.request_log, steam_key, urls
        )
        self.model = SkillModel(
            storage.database,
            storage.ui_state,
            games,
            self.importer,
            self.identities,
            entered_skill,
            self._in_game_skill,
        )
        self._demo_rounds_stored.connect(self._show_demo_rounds, Qt.ConnectionType.QueuedConnection)
        for signal in (self.model.changed, self.model.error_reported):
            signal.connect(self._report_ready)
        self.service_poller.changed.connect(self.model.check_own_skill)
        settings.changed.connect(lambda key: self.model.check_own_skill() if key == OWN_SKILL.key else None)

    def start(self) -> None:
        """Load stored answers, scan the watched folders, and query the enabled services."""
        self.service_poller.start(self._store_demo_samples if self._demo_player is not None else None)
        self.folder_watcher.start()
        if self._demo_player is not None:
            self._executor.run(self._store_demo_rounds)

    def _store_demo_samples(self) -> None:
        if self._demo_player is not None:
            store_player_samples(self._demo_player, self._storage.skill_samples, time.time())

    def _store_demo_rounds(self) -> None:
        if self._demo_player is not None:
            store_player_rounds(self._demo_player, self._storage.round_store, time.time())
            self._executor.emit(self._demo_rounds_stored)

    def _show_demo_rounds(self) -> None:
        self._is_complete = True
        self.model.refresh()

    def _report_ready(self) -> None:
        if self._is_complete:
            self.record_ready.emit()

    def identities(self) -> tuple[Identity, ...]:
        """Return the user's identities in all games."""
        return parse_identities(self._storage.identities)

    def source_states(self, game: str) -> tuple[SkillSourceState, ...]:
        """Return the states of a game's skill sources, its record first."""
        known = next((each for each in self.model.games if each.id == game), None)
        state = self.model.state
        record = SkillSourceState(
            SkillSourceKind.RECORD,
            game,
            is_enabled=True,
            read_at=state.rated_at if state is not None else None,
            rounds=known.rounds if known is not None else None,
            own_rounds=known.own_rounds if known is not None else None,
            folders=len(self.folder_watcher.folders),
        )
        return (record, *self.service_poller.states(game))

    def close(self) -> None:
        """End all work; no signal follows."""
        self._demo_rounds_stored.disconnect(self._show_demo_rounds)
        self.importer.close()  # first: an import would slow down what the others wait for
        self._executor.close()
        self.model.close()
        self.folder_watcher.close()
        self.service_poller.close()

    def _in_game_skill(self, game: str) -> SkillSourceState | None:
        return in_game_state(self.service_poller.states(game))
