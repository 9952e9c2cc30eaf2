"""Looking for servers that were named by an address, beside the window; no search ends another."""

import threading
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Qt, Signal

from browser_app.bridge.live_list import LiveList
from browser_app.engine.find_server import Found, find_server
from browser_app.engine.scanner import Scanner
from browser_app.engine.stop import Stop
from browser_app.games.profile import GameProfile
from browser_app.protocols.server_link import ServerLink

Then = Callable[[int], object]
"""Called with the server's row, -1 where its host is unknown or there is no room."""


class ServerSearch(QObject):
    """Puts the servers that links name into the live list."""

    _ended = Signal(object, object, object)

    def __init__(self, live: LiveList, scanner: Scanner, games: Mapping[str, GameProfile]) -> None:
        super().__init__(live)
        self._live, self._scanner, self._games = live, scanner, games
        self._searches: dict[Stop, threading.Thread] = {}
        self._ended.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def search(self, link: ServerLink, then: Then) -> Stop:
        """Ask for it, and call `then` when that has ended; not after the word that is returned was given."""
        stop = Stop()

        def work() -> None:
            self._ended.emit(stop, find_server(self._scanner, self._games, link, stop), then)

        self._searches[stop] = threading.Thread(target=work, name="server search", daemon=True)
        self._searches[stop].start()
        return stop

    def close(self) -> None:
        """Nobody is looked for any more."""
        for stop in self._searches:
            stop.set()
        for thread in self._searches.values():
            thread.join()  # it looks at the word every 0.1 s at the latest
        self._searches.clear()

    def _take(self, stop: Stop, found: Found | None, then: Then) -> None:
        thread = self._searches.pop(stop, None)
        if thread is not None:
            thread.join()  # this was its last word
        if found is None or stop.is_set:
            return
        if found.target is None:
            then(-1)
            return
        (server,) = self._live.catalogue.add([found.target]).tolist()
        if found.answer is not None and server >= 0:
            self._live.take([found.answer])
        self._live.rescore()
        then(server)
