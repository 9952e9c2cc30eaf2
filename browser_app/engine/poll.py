"""A poll: masters asked for servers, and all servers asked as soon as they are known."""

import threading
import time
from collections.abc import Callable, Iterable, Sequence

from browser_app.catalogue.facts import Answer, Status, Target
from browser_app.engine.delivery import grouped_by_name, preferred
from browser_app.engine.host_room import HostRoom
from browser_app.engine.loopback_pace import refusal, refuse_elsewhere
from browser_app.engine.masters import MasterPoll, MasterState
from browser_app.engine.pacing import Pace
from browser_app.engine.progress import Progress
from browser_app.engine.resolve import is_ip, resolve_all
from browser_app.engine.scan import Scan
from browser_app.engine.scanner import Scanner
from browser_app.engine.secret_store import SteamKey
from browser_app.engine.sources import Sources
from browser_app.engine.stop import Stop
from browser_app.engine.timing import Timing
from browser_app.protocols.address import Address
from browser_app.protocols.conversation import Want

_PORTION = 200
"""Known servers handed over at once: more would hold up a window, whose thread shares the interpreter."""
_PAUSE_S = 0.004
"""Between two portions."""


class Poll:
    """One round to masters and servers. Every method may be called from every thread.

    Attributes:
        scan: the questions to servers; its `answers` are drained by one consumer, and hold one for each server whose
            host is unknown too.
        refused: why the poll was broken off, where a server turned out to be elsewhere than the pace is meant for.
    """

    def __init__(self, scan: Scan, sources: Sources, known: Sequence[Target], steam_key: SteamKey) -> None:
        """Made by `start_poll`."""
        self.scan = scan
        self.refused: str | None = None
        self._hosts = HostRoom()
        self._masters = MasterPoll(
            sources.masters,
            lambda _, targets: self._found(targets),
            steam_key=steam_key,
            on_done=self._part_done,
            hosts=self._hosts,
        )
        self._servers = sources.servers
        self._known = tuple(known)
        self._stop = Stop()
        self._lock = threading.Lock()
        self._open_parts = 2  # the masters, and the servers whose names are looked up

    def start(self) -> None:
        """Called by `start_poll`, once; returns at once, however many servers are known."""
        if len(self._known) > _PORTION:
            threading.Thread(target=self._begin, name="known servers", daemon=True).start()
        else:
            self._begin()

    def _begin(self) -> None:
        self._hand_over_known()
        self._found([target for target in self._servers if is_ip(target.address.host)])
        by_name = grouped_by_name(self._servers)
        if by_name:
            threading.Thread(target=self._look_up, args=(by_name,), name="server names", daemon=True).start()
        else:
            self._part_done()
        self._masters.start()

    def _hand_over_known(self) -> None:
        for first in range(0, len(self._known), _PORTION):
            if first:
                time.sleep(_PAUSE_S)
            if self._stop.is_set:
                return
            portion = self._known[first : first + _PORTION]
            self._hosts.know(target.address for target in portion)
            self.scan.add(portion)

    @property
    def masters(self) -> tuple[MasterState, ...]:
        """How far each master is, in the order given."""
        return self._masters.states

    @property
    def progress(self) -> Progress:
        """How far the questions to servers are."""
        return self.scan.progress

    @property
    def finished(self) -> bool:
        """Nothing more comes; `scan.answers` may still hold some."""
        return self._masters.done and self.scan.finished.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is finished, at most `timeout` seconds; whether it is."""
        began = time.monotonic()
        if not self.scan.wait(timeout):
            return False
        return self._masters.wait(None if timeout is None else max(0.0, began + timeout - time.monotonic()))

    def cancel(self) -> None:
        """Break everything off."""
        self._stop.set()
        self._masters.cancel()
        self.scan.cancel()

    def _found(self, targets: Iterable[Target]) -> None:
        """Ask these servers."""
        targets = list(targets)
        self.refused = self.refused or refusal(self.scan.pace, targets)
        if self.refused:
            self.cancel()
        else:
            self.scan.add(targets)

    def _look_up(self, by_name: dict[str, list[Target]]) -> None:
        """Ask servers under their addresses; one whose name has none is answered here, under its name."""
        try:
            for host, addresses in resolve_all(by_name, self._stop):
                if addresses:
                    ip = preferred(addresses)
                    named = by_name.pop(host)
                    self._found(target._replace(address=Address(ip, target.address.port)) for target in named)
            for host, named in by_name.items():
                self.scan.answers.extend(_unknown_host(target, host) for target in named)
        finally:
            self._part_done()

    def _part_done(self) -> None:
        with self._lock:
            self._open_parts -= 1
            last = self._open_parts == 0
        if last:
            self.scan.seal()


def _unknown_host(target: Target, host: str) -> Answer:
    return Answer(target, Status.NO_ANSWER, None, f"unknown host {host}", None, False, 0, time.time())


def start_poll(
    scanner: Scanner,
    sources: Sources,
    *,
    pace: Pace,
    want: Want = Want.INFO,
    timing: Timing | None = None,
    steam_key: Callable[[], str | None] = lambda: None,
    known: Sequence[Target] = (),
) -> Poll:
    """Ask masters and servers.

    Args:
        scanner: asks the servers.
        sources: whom to ask.
        pace: how fast packets to servers may leave.
        want: what servers are asked for; games whose profile wants rules are asked for these too.
        timing: attempts and waits for servers.
        steam_key: the user's Steam Web API key; called in another thread.
        known: servers of earlier polls, asked at once and before all others.

    Raises:
        ValueError: the pace is for servers on this machine, and not all that is named is there. What is known only
            later sets `Poll.refused`.
    """
    if pace.loopback_only:
        refuse_elsewhere(sources, known, pace)
    poll = Poll(scanner.scan(pace=pace, want=want, timing=timing), sources, known, steam_key)
    poll.start()
    return poll
