"""One scan: its targets, its results and its progress."""

import threading
import time
from collections import deque
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass

from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget
from browser_app.engine.query.query_timing import Pace, QueryTiming, RetransmitTimer
from browser_app.engine.query.udp_sockets import is_loopback
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import QueryParts


@dataclass(frozen=True, slots=True)
class ScanProgress:
    """Counts at one moment."""

    targets: int
    """Different servers that were given."""
    finished: int
    """Those whose answer, whatever it is, is there."""
    answered: int
    """Those of them that are OK."""
    sent: int
    """Datagrams of every kind."""
    received: int
    """Datagrams, also those that were dropped."""
    dropped: Mapping[str, int]
    """Datagrams that were refused, by reason."""
    elapsed_s: float
    """Since the scan began, until it ended."""
    is_network_down: bool
    """The system cannot send: nothing of late went out, and nothing ever came in. One thing that came proves a network,
    and what cannot be sent is to servers that it does not reach, such as IPv6 ones."""


class ScanCounters:
    """The counts of one scan, written by the engine's thread only and readable from every thread."""

    __slots__ = (
        "_began_s",
        "_ended_s",
        "answered",
        "dropped",
        "finished",
        "received",
        "send_errors_in_a_row",
        "sent",
        "targets",
    )

    _ERRORS_MEANING_DOWN = 8

    def __init__(self) -> None:
        self.targets = 0
        self.finished = 0
        self.answered = 0
        self.sent = 0
        self.received = 0
        self.dropped: dict[str, int] = {}
        self.send_errors_in_a_row = 0
        self._began_s = time.monotonic()
        self._ended_s: float | None = None

    def count_dropped(self, reason: str) -> None:
        """One datagram was refused."""
        self.dropped[reason] = self.dropped.get(reason, 0) + 1

    def stop_clock(self) -> None:
        """The scan is over."""
        self._ended_s = time.monotonic()

    def progress(self) -> ScanProgress:
        """A copy."""
        ended_s = self._ended_s if self._ended_s is not None else time.monotonic()
        return ScanProgress(
            targets=self.targets,
            finished=self.finished,
            answered=self.answered,
            sent=self.sent,
            received=self.received,
            dropped=dict(self.dropped),
            elapsed_s=ended_s - self._began_s,
            is_network_down=not self.received
            and self.send_errors_in_a_row >= max(1, min(self._ERRORS_MEANING_DOWN, self.targets)),
        )


class ProtocolCandidates:
    """Each server is asked under the protocol that came first and, once that failed, under one other that was named."""

    def __init__(self) -> None:
        self._first_protocol: dict[Address, str] = {}
        self._alternatives: dict[Address, QueryTarget] = {}
        self._failed: set[Address] = set()
        self._exhausted: set[Address] = set()

    def __len__(self) -> int:
        """How many servers were named."""
        return len(self._first_protocol)

    def register(self, target: QueryTarget) -> bool:
        """Take in a target; whether it is to be asked now."""
        address = target.address
        first = self._first_protocol.get(address)
        if first is None:
            self._first_protocol[address] = target.protocol
            return True
        if first == target.protocol or address in self._exhausted:
            return False
        if address not in self._failed:
            self._alternatives.setdefault(address, target)
            return False
        self._exhausted.add(address)
        return True

    def next_after_failure(self, address: Address) -> QueryTarget | None:
        """A server failed under its first protocol; what is to be asked instead, if that is known already."""
        self._failed.add(address)
        other = self._alternatives.pop(address, None)
        if other is not None:
            self._exhausted.add(address)
        return other


class Scan:
    """Questions to a list of servers that may still grow. Every method may be called from every thread.

    Each server brings one `QueryResult`, except those that were still open when the scan was cancelled. A server that
    is
    given twice is asked once; where it was given with two protocols and fails under the first, it is asked under the
    other too, and brings a second `QueryResult` if that succeeds.

    Attributes:
        answers: what came, oldest first; drained by one consumer with `popleft`.
        finished: set when no answer will come any more.
    """

    def __init__(
        self,
        pace: Pace,
        parts: QueryParts,
        timing: QueryTiming,
        *,
        urgent: bool,
        games_needing_rules: Container[str | None],
        on_changed: Callable[["Scan"], None],
    ) -> None:
        """Made by `Scanner.scan`.

        Args:
            pace: how fast its packets may leave.
            parts: what every server is asked for.
            timing: attempts and waits.
            urgent: its packets go before those of other scans.
            games_needing_rules: games whose servers are asked for their rules too.
            on_changed: tells the engine to look at it.
        """
        self.results: deque[QueryResult] = deque()
        self.finished = threading.Event()
        self.pace = pace
        self.parts = parts
        self._parts_with_rules = parts | QueryParts.RULES
        self.urgent = urgent
        self.is_sealed = False
        self.is_cancelled = False
        self.gap_ns = pace.gap_ns
        self.burst = pace.burst
        self.spacing_ns = round(pace.host_spacing_s * 1e9)
        self.counters = ScanCounters()
        self.retransmit_timer = RetransmitTimer(timing)
        self.incoming: deque[QueryTarget] = deque()
        self.open_queries = 0
        self.finished_addresses: set[tuple[str, int]] = set()
        self._games_needing_rules = games_needing_rules
        self._on_changed = on_changed
        self._lock = threading.Lock()
        self._candidates = ProtocolCandidates()

    def add(self, targets: Iterable[QueryTarget]) -> None:
        """More servers to ask. Without effect once the scan was cancelled.

        Raises:
            ValueError: the pace is for servers on this machine, and one of them is not; none was added.
            RuntimeError: the scan is sealed.
        """
        targets = list(targets)
        if self.pace.loopback_only:
            for target in targets:
                if not is_loopback(target.address.host):
                    raise ValueError(f"pace {self.pace.name}: {target.address} is not on this machine")
        with self._lock:
            if self.is_cancelled:
                return
            if self.is_sealed:
                raise RuntimeError("a sealed scan takes no more targets")
            self.incoming.extend([target for target in targets if self._candidates.register(target)])
            self.counters.targets = len(self._candidates)
        self._on_changed(self)

    def seal(self) -> None:
        """No more targets come: the scan ends with the last answer. A scan that is not sealed never ends by itself."""
        with self._lock:
            self.is_sealed = True
        self._on_changed(self)

    def cancel(self) -> None:
        """End it soon, whatever is open; `finished` is set when nothing happens any more."""
        with self._lock:
            self.is_cancelled = True
        self._on_changed(self)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over, at most `timeout` seconds; whether it is."""
        return self.finished.wait(timeout)

    # For the engine's thread

    def parts_for(self, target: QueryTarget) -> QueryParts:
        """What to ask this server for."""
        return self._parts_with_rules if target.game in self._games_needing_rules else self.parts

    def needs_rules(self, game: str | None) -> bool:
        """Servers of this game are asked for their rules too."""
        return game in self._games_needing_rules

    def add_result(self, answer: QueryResult) -> None:
        """A target's answer is there."""
        self.open_queries -= 1
        address = answer.target.address
        under_other_protocol = address in self.finished_addresses
        if answer.info is None and under_other_protocol:
            return  # nothing new
        self.results.append(answer)
        counters = self.counters
        if not under_other_protocol:
            self.finished_addresses.add(address)
            counters.finished += 1
        if answer.info is None:
            self._try_other_protocol(address)
        else:
            counters.answered += 1
            if answer.ping_ms is not None and not answer.ping_estimated:
                self.retransmit_timer.add_ping(answer.ping_ms)

    def _try_other_protocol(self, address: Address) -> None:
        with self._lock:
            other = self._candidates.next_after_failure(address)
            if other is not None:
                self.incoming.append(other)

    def reject_target(self, target: QueryTarget, error: str) -> None:
        """A target that cannot be asked at all."""
        self.open_queries += 1
        self.add_result(QueryResult(target, QueryStatus.NO_ANSWER, None, error, None, False, 0, time.time()))

    @property
    def is_complete(self) -> bool:
        """Everything that was given is answered, and nothing more comes."""
        return self.is_sealed and not self.open_queries and not self.incoming

    def finish(self) -> None:
        """Nothing happens any more."""
        self.counters.stop_clock()
        self.finished.set()

    @property
    def progress(self) -> ScanProgress:
        """How far it is. Cheap."""
        return self.counters.progress()
