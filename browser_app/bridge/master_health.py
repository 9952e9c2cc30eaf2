"""How each master server fares: what came of the last round, kept from one run to the next, and trying one alone."""

import time
from dataclasses import asdict, dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.background import Background
from browser_app.bridge.live_list import LiveList
from browser_app.engine.masters import LIMIT_S, MasterPoll, MasterState
from browser_app.engine.secret_store import SteamKey
from browser_app.engine.sources import parse_master, without_keys
from browser_app.games.games import Games
from browser_app.storage.kept import Kept

_KEPT = "masters"
_MOST = 300
"""Masters whose health is kept."""


@dataclass(frozen=True, slots=True)
class Health:
    """What is known of one master."""

    answered_at: float | None = None
    """Unix time of its last list."""
    servers: int = 0
    """Length of that list."""
    error: str = ""
    """What went wrong the last time it was asked, in words for the user; empty if all was well."""


class MasterHealth(QObject):
    """Listens to every poll.

    Signals:
        changed: more is known.
        tried: a master's URL, after `try_alone`.
    """

    changed = Signal()
    tried = Signal(str)

    def __init__(self, live: LiveList, kept: Kept, background: Background, games: Games, steam_key: SteamKey) -> None:
        super().__init__()
        self._live, self._kept, self._background = live, kept, background
        self._games, self._steam_key = games, steam_key
        self._polls: set[MasterPoll] = set()
        stored = kept.get(_KEPT)
        pairs = stored.items() if isinstance(stored, dict) else ()
        self._by_url = {url: health for url, each in pairs if (health := _read(each)) is not None}
        live.running_changed.connect(self._poll_changed)

    def asked(self) -> tuple[str, ...]:
        """The masters of the poll in hand, or of the last one; any key in them is unreadable."""
        return () if self._live.poll is None else tuple(state.url for state in self._live.poll.masters)

    def of(self, url: str) -> Health | None:
        """What is known of a master; None for nothing."""
        return self._by_url.get(without_keys(url))

    def try_alone(self, url: str) -> None:
        """Ask one master for its list, which is only counted; `tried` follows, after 20 s at the latest."""
        self._background.run(lambda: self._ask(url), self._told)

    def close(self) -> None:
        """Break off what is being tried."""
        for poll in list(self._polls):
            poll.cancel()

    def _ask(self, url: str) -> MasterState:
        """Beside the window: the URL may name a file, and the master takes its time."""
        try:
            source = parse_master(url, self._games)
        except ValueError as error:
            return MasterState(without_keys(url), error=str(error), done=True)
        poll = MasterPoll([source], lambda _master, _targets: None, steam_key=self._steam_key)
        self._polls.add(poll)
        poll.start()
        poll.wait(LIMIT_S + 1)
        self._polls.discard(poll)
        return poll.states[0]

    def _told(self, state: MasterState) -> None:
        self._take(state)
        self._keep()
        self.tried.emit(state.url)

    def _poll_changed(self, running: bool) -> None:
        if not running and self._live.poll is not None:
            for state in self._live.poll.masters:
                self._take(state)
            self._keep()

    def _take(self, state: MasterState) -> None:
        before = self._by_url.pop(state.url, Health())
        answered_at, servers = (time.time(), state.servers) if state.ok else (before.answered_at, before.servers)
        self._by_url[state.url] = Health(answered_at, servers, state.error or "")

    def _keep(self) -> None:
        latest = list(self._by_url.items())[-_MOST:]
        self._kept.put(_KEPT, {url: asdict(health) for url, health in latest})
        self.changed.emit()


def _read(kept: Any) -> Health | None:
    match kept:
        case {"answered_at": int() | float() | None as answered_at, "servers": int(servers), "error": str(error)}:
            return Health(answered_at, servers, error)
    return None
