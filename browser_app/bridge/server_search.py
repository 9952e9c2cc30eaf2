"""Searches for servers by address and on the local network."""

import enum
import threading
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Qt, Signal

from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.server_info import QueryResult, QueryTarget
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.masters.lan_discovery import LanMaster
from browser_app.engine.masters.master_poll import MasterPoll
from browser_app.engine.network.host_resolver import has_unknown_address, is_ip_address
from browser_app.engine.query.scan import build_failed_result
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_search import ServerSearchResult, find_server
from browser_app.games.game_profile import GameProfile
from browser_app.protocols.server_link import ServerLink


class LanSearch(QObject):
    """Searches the local network, one search at a time.

    Signals:
        search_finished: the servers that answered, as a list of `QueryTarget`; empty for none.
    """

    search_finished = Signal(object)
    _poll_done = Signal(object)

    def __init__(self, source: Callable[[], LanMaster]) -> None:
        """Create the search.

        `source` is called at the start of each search and returns what to search for, and where.
        """
        super().__init__()
        self._source = source
        self._poll: MasterPoll | None = None
        self._closed = False
        self._emit_lock = threading.Lock()
        self._poll_done.connect(self._finish, Qt.ConnectionType.QueuedConnection)

    @property
    def is_running(self) -> bool:
        """Whether a search is in progress."""
        return self._poll is not None

    def start(self) -> None:
        """Start a search unless one is in progress. Does nothing after `close`."""
        if self.is_running or self._closed:
            return
        found: list[object] = []

        def finish() -> None:
            with self._emit_lock:
                if not self._closed:  # Qt may have shut down by now
                    self._poll_done.emit(found)

        self._poll = MasterPoll((self._source(),), found.extend, on_done=finish)
        self._poll.start()

    def close(self) -> None:
        """Cancel the search; no signal follows."""
        with self._emit_lock:
            self._closed = True
        if self._poll is not None:
            self._poll.cancel()

    def _finish(self, found: object) -> None:
        self._poll = None
        if not self._closed:
            self.search_finished.emit(found)


class SearchFailure(enum.Enum):
    """Why a server could not be added."""

    UNKNOWN_HOST = "unknown host"
    NO_NAME_SERVER = "no connection to a name server"
    LIST_FULL = "server list full"


ServerCallback = Callable[[int | SearchFailure], object]
"""Called with the server's row, or with why there is none."""


class ServerSearch(QObject):
    """Adds the servers that links name to the server list."""

    _search_finished = Signal(object, object, object, object)

    def __init__(self, server_list: ServerListController, scanner: Scanner, games: Mapping[str, GameProfile]) -> None:
        super().__init__(server_list)
        self._server_list, self._scanner, self._games = server_list, scanner, games
        self._searches: dict[CancelToken, threading.Thread] = {}
        self._named_targets: list[QueryTarget] = []
        """Servers known by their host names alone that are to be searched for, the next one last."""
        self._current_named: CancelToken | None = None
        self._search_finished.connect(self._finish_search, Qt.ConnectionType.QueuedConnection)
        server_list.search_requested.connect(self._search_named)

    def search(self, link: ServerLink, callback: ServerCallback) -> CancelToken:
        """Query the server of a link and call `callback` at the end.

        It is not called if the returned token is cancelled before.
        """
        token = CancelToken()

        def work() -> None:
            found = find_server(self._scanner, self._games, link, token)
            self._search_finished.emit(token, link, found, callback)

        self._searches[token] = threading.Thread(target=work, name="server search", daemon=True)
        self._searches[token].start()
        return token

    def search_target(self, target: QueryTarget, callback: ServerCallback) -> CancelToken:
        """Query a server of the list by its host name; see `search`."""
        return self.search(ServerLink(target.address, target.protocol, target.game, is_query=True), callback)

    def _search_named(self, server: int) -> None:
        """Search for a server by its host name.

        One such search runs at a time; the server requested last is searched for next.
        """
        target = self._server_list.catalogue.targets[server]
        self._named_targets = [*(each for each in self._named_targets if each != target), target]
        self._search_next_named()

    def _search_next_named(self) -> None:
        if self._current_named in self._searches or not self._named_targets:
            return
        self._current_named = self.search_target(self._named_targets.pop(), lambda _found: self._search_next_named())

    def close(self) -> None:
        """Cancel all searches."""
        for token in self._searches:
            token.cancel()
        for thread in self._searches.values():
            thread.join()  # it checks its token every 0.1 s at the latest
        self._searches.clear()

    def _finish_search(
        self, token: CancelToken, link: ServerLink, found: ServerSearchResult | None, callback: ServerCallback
    ) -> None:
        thread = self._searches.pop(token, None)
        if thread is not None:
            thread.join()  # it has emitted its last signal
        if found is None or token.is_cancelled:
            return
        if found.target is None:
            failure = SearchFailure.UNKNOWN_HOST if found.is_host_unknown else SearchFailure.NO_NAME_SERVER
            self._mark_unresponsive(link, failure.value)
            callback(failure)
            return
        callback(self._add_found(link, found.target, found.result))

    def _mark_unresponsive(self, link: ServerLink, error: str) -> int | None:
        """Mark the server that is listed by the host name of a link, and return it."""
        catalogue = self._server_list.catalogue
        row = catalogue.row_of(link.address)
        if row is None or not has_unknown_address(catalogue.targets[row]):
            return None
        self._server_list.merge_results([build_failed_result(catalogue.targets[row], error)])
        return row

    def _add_found(self, link: ServerLink, target: QueryTarget, result: QueryResult | None) -> int | SearchFailure:
        if result is None and (row := self._mark_unresponsive(link, "no answer")) is not None:
            return row
        if result is not None:
            self._server_list.merge_results(
                [result], {} if is_ip_address(link.address.host) else {link.address: target}
            )
        (server,) = self._server_list.catalogue.rows.add([target]).tolist()
        self._server_list.rescore()
        return server if server >= 0 else SearchFailure.LIST_FULL
