"""UDP scanner that queries game servers on one background thread."""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.engine.query.engine_loop import EngineLoop, SocketFactory
from browser_app.engine.query.host_budget import HostBudget
from browser_app.engine.query.query_scheduler import ReplyReader
from browser_app.engine.query.query_timing import Pace, QueryTiming
from browser_app.engine.query.scan import Scan
from browser_app.engine.query.udp_sockets import UdpSocket
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import QueryParts

CodePages = Callable[[], Mapping[Address, str]]


class Scanner:
    """Queries servers, in any number of concurrent scans.

    They share one thread, a few sockets per address family and one schedule. The thread starts with the first scan and
    ends with `close`. Thread-safe.
    """

    def __init__(
        self,
        games: GameRegistry,
        *,
        read_reply: ReplyReader | None = None,
        code_pages: CodePages = dict,
        open_socket: SocketFactory = UdpSocket,
        clock: EngineClock | None = None,
    ) -> None:
        """Create a scanner without opening sockets or starting its thread.

        `code_pages` returns those of servers' texts, by query address; it is called for each reply.
        """
        self._games_needing_rules = frozenset(game for game, profile in games.items() if profile.wants_rules)
        self._read_reply = read_reply or _bind_reply_reader(games, code_pages)
        self._open_socket = open_socket
        self._clock = clock or EngineClock()
        self.host_budget = HostBudget(self._clock)
        """Shared by everything in this process that sends packets to hosts which others name."""
        self._lock = threading.Lock()
        self._loop: EngineLoop | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def scan(
        self,
        targets: Iterable[QueryTarget] = (),
        *,
        pace: Pace,
        parts: QueryParts = QueryParts.INFO,
        timing: QueryTiming | None = None,
        urgent: bool = False,
        own_ports: bool = False,
    ) -> Scan:
        """Start a scan.

        It accepts more targets until its `seal` is called, and never ends before.

        Args:
            targets: first servers to query; hosts must be IP addresses, names are never resolved.
            pace: send rate; concurrent scans share one schedule.
            parts: parts to request. Results also have those that cost no further packet, such as the players of Quake
                III servers. Servers whose info lacks the skill are asked for rules if their game's profile wants that.
            timing: attempts and timeouts.
            urgent: its packets go before those of scans that are not.
            own_ports: each query leaves from a new random port, which no other server knows, and waits for no query of
                another scan. For a few servers, before the user joins one.

        Raises:
            ValueError: the pace is for servers on this machine, and a target is not.
            RuntimeError: the scanner is closed.
        """
        loop = self._ensure_loop()
        scan = Scan(
            pace,
            parts,
            timing or QueryTiming(),
            urgent=urgent,
            own_ports=own_ports,
            games_needing_rules=self._games_needing_rules,
            on_changed=loop.notify_changed,
        )
        scan.add(targets)
        return scan

    def _ensure_loop(self) -> EngineLoop:
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the scanner is closed")
            if self._loop is None or self._thread is None or not self._thread.is_alive():  # none, or an error ended it
                self._loop = EngineLoop(self._read_reply, self._open_socket, self._clock, self.host_budget)
                self._thread = threading.Thread(target=self._loop.run, name="scanner", daemon=True)
                self._thread.start()
            return self._loop

    def close(self) -> None:
        """End all scans and the thread; return when it has ended."""
        with self._lock:
            self._is_closed = True
            loop, thread = self._loop, self._thread
        if loop is not None and thread is not None:
            loop.stop()
            thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _bind_reply_reader(games: GameRegistry, code_pages: CodePages) -> ReplyReader:
    def read(reply: Any, target: QueryTarget, want: QueryParts) -> ServerInfo:
        if pages := code_pages():
            page = pages.get(target.named_address) or pages.get(target.address, "")
            target = target._replace(code_page=page)
        return read_reply(reply, target, games, want)

    return read
