"""Health of each master server, and a test of a single one."""

import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.source_listings import source_id
from browser_app.engine.masters.master_kinds import parse_master_source
from browser_app.engine.masters.master_poll import MASTER_TIMEOUT_S, MasterPoll, MasterState
from browser_app.engine.masters.steam.steam_key_request import SteamKeyGetter
from browser_app.engine.network.url_redaction import redact_url
from browser_app.games.game_registry import GameRegistry
from browser_app.storage.ui_state import UiState

_MASTERS_STATE_KEY = "masters"
_MAX_MASTERS = 300
"""Most masters whose health is stored."""


@dataclass(frozen=True, slots=True)
class MasterHealthEntry:
    """Health of one master server."""

    answered_at: float | None = None
    """Unix time of its last list."""
    servers: int = 0
    """Length of that list."""
    error: str = ""
    """Error of the last poll, in words for the user; "" for none."""
    asked_at: float | None = None
    """Unix time of the end of the last poll."""


class MasterHealthMonitor(QObject):
    """Records the health of masters after every poll.

    Signals:
        changed: an entry has changed, or polls began or ended.
        master_polled: a master's URL, redacted, after `poll_master`.
    """

    changed = Signal()
    master_polled = Signal(str)

    def __init__(
        self,
        server_list: ServerListController,
        ui_state: UiState,
        background: BackgroundTasks,
        games: GameRegistry,
        steam_key: SteamKeyGetter,
        unpolled_masters: Callable[[], Collection[str]],
        poll_master: Callable[[str], bool],
    ) -> None:
        """Create the monitor.

        `unpolled_masters`: URLs of those that are not polled because of their games, as the settings were read.
        `poll_master` adds what a master lists to the server list; it returns False for one that is not in use.
        """
        super().__init__()
        self._server_list, self._ui_state, self._background = server_list, ui_state, background
        self._games, self._steam_key, self.unpolled_masters = games, steam_key, unpolled_masters
        self._poll_master = poll_master
        self._polls: set[MasterPoll] = set()
        self._requested: set[str] = set()
        """Redacted URLs of masters that the user wants polled."""
        stored = ui_state.get(_MASTERS_STATE_KEY)
        pairs = stored.items() if isinstance(stored, dict) else ()
        self._by_url = {url: health for url, each in pairs if (health := _parse_health_entry(each)) is not None}
        server_list.masters_polled.connect(self._on_masters_polled)
        server_list.running_changed.connect(self.changed)

    def polled_masters(self) -> tuple[str, ...]:
        """Return the masters that are polled, with any key in their URLs made unreadable."""
        return tuple(state.url for state in self._server_list.master_states)

    def health(self, url: str) -> MasterHealthEntry | None:
        """Return what is known of a master; None for nothing."""
        return self._by_url.get(redact_url(url))

    def forget_requests(self) -> None:
        """Expect no result of requested masters any more.

        Has no effect while a poll is under way, which polls them.
        """
        if not self._server_list.is_running:
            self._requested.clear()
            self.changed.emit()

    def listed_games(self, url: str) -> tuple[str, ...]:
        """Return the ids of the games whose servers a master lists.

        The master is known by its redacted URL. The game with most servers comes first.
        """
        catalogue = self._server_list.catalogue
        rows = catalogue.rows.listings.rows_of(source_id(url)).tolist()
        games = Counter(catalogue.game[row] for row in rows)
        return tuple(game for game, _number in games.most_common() if game)

    def is_polling(self, url: str) -> bool:
        """Return whether a master, by its redacted URL, is being polled."""
        return url in self._requested or any(
            state.url == url and not state.is_done for state in self._server_list.master_states
        )

    def poll_master(self, url: str) -> None:
        """Poll one master for its list.

        The servers of one that is in use are listed; those of another are only counted. `master_polled` follows.
        """
        self._requested.add(redact_url(url))
        if not self._poll_master(redact_url(url)):
            self._background.run(lambda: self._poll_unused_master(url), self._on_unused_polled)

    def close(self) -> None:
        """Cancel the polls of masters that are not in use."""
        for poll in list(self._polls):
            poll.cancel()

    def _poll_unused_master(self, url: str) -> MasterState:
        """Poll a master in a background thread.

        Its URL may name a file, and it may answer slowly.
        """
        try:
            source = parse_master_source(url, self._games)
        except ValueError as error:
            return MasterState(redact_url(url), error=str(error), is_done=True)
        poll = MasterPoll([source], lambda _targets: None, steam_key=self._steam_key)
        self._polls.add(poll)
        poll.start()
        poll.wait(MASTER_TIMEOUT_S + 1)
        self._polls.discard(poll)
        return poll.states[0]

    def _on_unused_polled(self, state: MasterState) -> None:
        self._on_masters_polled([state])

    def _on_masters_polled(self, states: Sequence[MasterState]) -> None:
        for state in states:
            self._update_entry(state)
        polled = [state.url for state in states if state.url in self._requested]
        self._requested.difference_update(polled)
        self._save()
        for url in polled:
            self.master_polled.emit(url)

    def _update_entry(self, state: MasterState) -> None:
        previous = self._by_url.pop(state.url, MasterHealthEntry())
        now = time.time()
        answered_at, servers = (now, state.servers) if state.ok else (previous.answered_at, previous.servers)
        self._by_url[state.url] = MasterHealthEntry(answered_at, servers, state.error or "", now)

    def _save(self) -> None:
        latest = list(self._by_url.items())[-_MAX_MASTERS:]
        self._ui_state.set(_MASTERS_STATE_KEY, {url: asdict(health) for url, health in latest})
        self.changed.emit()


def _parse_health_entry(stored: Any) -> MasterHealthEntry | None:
    match stored:
        case {"answered_at": int() | float() | None as answered_at, "servers": int(servers), "error": str(error)}:
            asked_at = stored.get("asked_at")
            return MasterHealthEntry(
                answered_at, servers, error, asked_at if isinstance(asked_at, int | float) else None
            )
    return None
