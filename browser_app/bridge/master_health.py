"""Health of each master server, and a test of a single one."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.engine.masters.master_kinds import parse_master_source
from browser_app.engine.masters.master_poll import MASTER_TIMEOUT_S, MasterPoll, MasterState
from browser_app.engine.masters.steam_key_request import SteamKeyGetter
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
    """Error of the last query, in words for the user; "" for none."""


class MasterHealthMonitor(QObject):
    """Records the health of masters after every poll.

    Signals:
        changed: an entry has changed.
        master_tested: a master's URL, after `test_master`.
    """

    changed = Signal()
    master_tested = Signal(str)

    def __init__(
        self,
        server_list: ServerListController,
        ui_state: UiState,
        background: BackgroundTasks,
        games: GameRegistry,
        steam_key: SteamKeyGetter,
    ) -> None:
        super().__init__()
        self._server_list, self._ui_state, self._background = server_list, ui_state, background
        self._games, self._steam_key = games, steam_key
        self._polls: set[MasterPoll] = set()
        stored = ui_state.get(_MASTERS_STATE_KEY)
        pairs = stored.items() if isinstance(stored, dict) else ()
        self._by_url = {url: health for url, each in pairs if (health := _parse_health_entry(each)) is not None}
        server_list.masters_polled.connect(self._on_masters_polled)

    def polled_masters(self) -> tuple[str, ...]:
        """Return the masters that are polled, with any key in their URLs made unreadable."""
        return tuple(state.url for state in self._server_list.master_states)

    def health(self, url: str) -> MasterHealthEntry | None:
        """Return what is known of a master; None for nothing."""
        return self._by_url.get(redact_url(url))

    def test_master(self, url: str) -> None:
        """Query one master for its list, which is only counted.

        `master_tested` follows within 21 s.
        """
        self._background.run(lambda: self._query_master(url), self._on_tested)

    def close(self) -> None:
        """Cancel running tests."""
        for poll in list(self._polls):
            poll.cancel()

    def _query_master(self, url: str) -> MasterState:
        """Query a master in a background thread.

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

    def _on_tested(self, state: MasterState) -> None:
        self._update_entry(state)
        self._save()
        self.master_tested.emit(state.url)

    def _on_masters_polled(self, states: Sequence[MasterState]) -> None:
        for state in states:
            self._update_entry(state)
        self._save()

    def _update_entry(self, state: MasterState) -> None:
        previous = self._by_url.pop(state.url, MasterHealthEntry())
        answered_at, servers = (time.time(), state.servers) if state.ok else (previous.answered_at, previous.servers)
        self._by_url[state.url] = MasterHealthEntry(answered_at, servers, state.error or "")

    def _save(self) -> None:
        latest = list(self._by_url.items())[-_MAX_MASTERS:]
        self._ui_state.set(_MASTERS_STATE_KEY, {url: asdict(health) for url, health in latest})
        self.changed.emit()


def _parse_health_entry(stored: Any) -> MasterHealthEntry | None:
    match stored:
        case {"answered_at": int() | float() | None as answered_at, "servers": int(servers), "error": str(error)}:
            return MasterHealthEntry(answered_at, servers, error)
    return None
