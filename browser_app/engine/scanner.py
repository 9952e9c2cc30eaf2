"""The UDP scanner: asks game servers and tells who answered, how fast, and what."""

import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

from browser_app.catalogue.facts import Facts, Target
from browser_app.catalogue.reading import read_reply
from browser_app.engine.engine_loop import EngineLoop, OpenSocket
from browser_app.engine.pacing import Pace
from browser_app.engine.questioner import Reader
from browser_app.engine.scan import Scan
from browser_app.engine.timestamps import Clock
from browser_app.engine.timing import Timing
from browser_app.engine.udp_sockets import UdpSocket
from browser_app.games.games import Games
from browser_app.protocols.conversation import Want


class Scanner:
    """Asks servers, any number of scans at once on one thread, one socket a family and one schedule.

    The thread starts with the first scan and ends with `close`. Methods may be called from any thread.
    """

    def __init__(
        self,
        games: Games,
        *,
        read: Reader | None = None,
        open_socket: OpenSocket = UdpSocket,
        clock: Clock | None = None,
    ) -> None:
        """Nothing is opened or started yet.

        Args:
            games: what replies are read with.
            read: makes facts of a reply instead of the catalogue.
            open_socket: opens the sockets (for tests).
            clock: the time (for tests).
        """
        self._rules_wanted = frozenset(game for game, profile in games.items() if profile.wants_rules)
        self._read = read or _catalogue_reader(games)
        self._open_socket = open_socket
        self._clock = clock or Clock()
        self._lock = threading.Lock()
        self._loop: EngineLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def scan(
        self,
        targets: Iterable[Target] = (),
        *,
        pace: Pace,
        want: Want = Want.INFO,
        timing: Timing | None = None,
        urgent: bool = False,
    ) -> Scan:
        """Begin to ask. The scan takes more targets until its `seal` is called, and never ends before.

        Args:
            targets: the first servers to ask; addresses must be IP addresses, host names are never looked up.
            pace: how fast its packets may leave; scans at once share one schedule.
            want: what to ask for.
            timing: attempts and waits.
            urgent: its packets go before those of scans that are not.

        Raises:
            ValueError: the pace is for servers on this machine, and a target is not.
            RuntimeError: the scanner is closed.
        """
        loop = self._running()
        scan = Scan(
            pace,
            want,
            timing or Timing(),
            urgent=urgent,
            rules_wanted=self._rules_wanted,
            changed=loop.look_at,
        )
        scan.add(targets)
        return scan

    def _running(self) -> EngineLoop:
        with self._lock:
            if self._closed:
                raise RuntimeError("the scanner is closed")
            if self._loop is None:
                self._loop = EngineLoop(self._read, self._open_socket, self._clock)
                self._thread = threading.Thread(target=self._loop.run, name="scanner", daemon=True)
                self._thread.start()
            return self._loop

    def close(self) -> None:
        """End all scans and the thread; return when nothing of it is left."""
        with self._lock:
            self._closed = True
            loop, thread = self._loop, self._thread
        if loop is not None and thread is not None:
            loop.stop()
            thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _catalogue_reader(games: Games) -> Reader:
    def read(reply: Any, target: Target, want: Want) -> Facts:
        return read_reply(reply, target, games, want)

    return read
