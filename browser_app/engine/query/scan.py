"""One scan: its targets, its results and its progress."""

import math
import operator
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import astuple, dataclass

from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.engine.query.query_timing import Pace, QueryTiming, RetransmitTimer
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import QueryParts


@dataclass(frozen=True, slots=True)
class PacketCounts:
    """Numbers of datagrams."""

    sent: int = 0
    received: int = 0
    """Includes dropped ones."""
    dropped: int = 0
    disconnects: int = 0
    """Disconnect packets sent, which get no reply."""

    def __add__(self, other: "PacketCounts") -> "PacketCounts":
        return PacketCounts(*map(operator.add, astuple(self), astuple(other)))

    def __sub__(self, other: "PacketCounts") -> "PacketCounts":
        return PacketCounts(*map(operator.sub, astuple(self), astuple(other)))

    @property
    def lost_share(self) -> float:
        """The share of requests without a reply; NaN if nothing was requested."""
        requests = self.sent - self.disconnects
        return max(0, requests - self.received) / requests if requests else math.nan


@dataclass(frozen=True, slots=True)
class ScanProgress:
    """Counts of a scan at one moment."""

    targets: int
    """Distinct servers added."""
    finished: int
    """Servers with a result of any status."""
    answered: int
    """Servers with status OK."""
    sent: int
    """Datagrams of every kind."""
    received: int
    """Datagrams, including dropped ones."""
    dropped: Mapping[str, int]
    """Rejected datagrams by reason."""
    elapsed_s: float
    """Time from the start of the scan until its end or now."""
    is_network_down: bool
    """The last sends failed and nothing was ever received. After the first received packet, send errors mean
    unreachable servers (such as IPv6 ones), not a lost network.
    """
    disconnects: int = 0
    """Disconnect packets sent, which get no reply."""

    @property
    def packets(self) -> PacketCounts:
        """The datagrams in all."""
        return PacketCounts(self.sent, self.received, sum(self.dropped.values()), self.disconnects)


class ScanCounters:
    """Counters of one scan.

    Written only by the engine's thread and readable from any thread.
    """

    _ERRORS_MEANING_DOWN = 8

    def __init__(self) -> None:
        self.targets = 0
        self.finished = 0
        self.answered = 0
        self.sent = 0
        self.disconnects = 0
        self.received = 0
        self.dropped: dict[str, int] = {}
        self.send_errors_in_a_row = 0
        self._began_s = time.monotonic()
        self._ended_s: float | None = None

    def count_dropped(self, reason: str) -> None:
        """Count one rejected datagram."""
        self.dropped[reason] = self.dropped.get(reason, 0) + 1

    def stop_clock(self) -> None:
        """Stop counting the elapsed time."""
        self._ended_s = time.monotonic()

    def progress(self) -> ScanProgress:
        """Return a copy of the counts."""
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
            disconnects=self.disconnects,
        )


def build_failed_result(target: QueryTarget, error: str) -> QueryResult:
    """Return the result of a target that could not be queried at all."""
    return QueryResult(target, QueryStatus.NO_ANSWER, None, error, None, False, 0, time.time())


class ProtocolCandidates:
    """Protocols to try per server: the first one given and, if that fails, one other."""

    def __init__(self) -> None:
        self._first_protocol: dict[Address, str] = {}
        self._alternatives: dict[Address, QueryTarget] = {}
        self._failed: set[Address] = set()
        self._exhausted: set[Address] = set()

    def __len__(self) -> int:
        """Return the number of servers."""
        return len(self._first_protocol)

    def register(self, target: QueryTarget) -> bool:
        """Record a target; return whether to query it now."""
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
        """Record that a server's first protocol failed.

        Returns the target to query instead, if already known.
        """
        self._failed.add(address)
        other = self._alternatives.pop(address, None)
        if other is not None:
            self._exhausted.add(address)
        return other


class Scan:
    """Queries to a list of servers that may still grow. Thread-safe.

    Each server gets one `QueryResult`, except those still open when the scan is cancelled. A server added twice is
    queried once; if it was added with two protocols and fails with the first, it is queried with the other too, and
    gets a second `QueryResult` if that succeeds.

    Attributes:
        results: results, oldest first; drained by one consumer with `popleft`.
        finished: set when no more results will follow.
    """

    def __init__(
        self,
        pace: Pace,
        parts: QueryParts,
        timing: QueryTiming,
        *,
        urgent: bool,
        own_ports: bool,
        games_needing_rules: Container[str | None],
        on_changed: Callable[["Scan"], None],
    ) -> None:
        """Create a scan; called by `Scanner.scan`."""
        self.results: deque[QueryResult] = deque()
        self.finished = threading.Event()
        self.pace = pace
        self.parts = parts
        self.urgent = urgent
        self.own_ports = own_ports
        self.is_sealed = False
        self.is_cancelled = False
        self.gap_ns = pace.gap_ns
        self.burst = pace.burst
        self.counters = ScanCounters()
        self.retransmit_timer = RetransmitTimer(timing)
        self.incoming: deque[QueryTarget] = deque()
        self.open_queries = 0
        self.finished_protocols: dict[tuple[str, int], str] = {}
        """Protocol of each server with a result."""
        self.disconnect_counts: Counter[tuple[str, int]] = Counter()
        """Disconnect packets sent, by server."""
        self._games_needing_rules = games_needing_rules
        self._on_changed = on_changed
        self._lock = threading.Lock()
        self._candidates = ProtocolCandidates()

    def add(self, targets: Iterable[QueryTarget]) -> None:
        """Add servers; those that are never queried are left out.

        Has no effect after the scan is cancelled.

        Raises:
            ValueError: the pace is for servers on this machine and one of them is not; none was added.
            RuntimeError: the scan is sealed.
        """
        targets = [target for target in targets if target.is_queryable]
        self.pace.check_targets(targets)
        with self._lock:
            if self.is_cancelled:
                return
            if self.is_sealed:
                raise RuntimeError("a sealed scan takes no more targets")
            self.incoming.extend([target for target in targets if self._candidates.register(target)])
            self.counters.targets = len(self._candidates)
        self._on_changed(self)

    def seal(self) -> None:
        """Accept no more targets: the scan ends with the last result.

        An unsealed scan never ends by itself.
        """
        with self._lock:
            self.is_sealed = True
        self._on_changed(self)

    def cancel(self) -> None:
        """End the scan soon; `finished` is set when it has ended."""
        with self._lock:
            self.is_cancelled = True
        self._on_changed(self)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the scan has finished, at most `timeout` seconds.

        Returns whether it has.
        """
        return self.finished.wait(timeout)

    # For the engine's thread

    def needs_rules(self, target: QueryTarget, info: ServerInfo) -> bool:
        """Return whether a server is also to be queried for its rules.

        Only they may contain the skill of its players.
        """
        if info.rules is not None or info.server_skill is not None or info.players == 0:
            return False
        return target.game in self._games_needing_rules or info.game in self._games_needing_rules

    def add_result(self, result: QueryResult) -> None:
        """Add the result of a target."""
        self.open_queries -= 1
        address = result.target.address
        under_other_protocol = address in self.finished_protocols
        if result.info is None and under_other_protocol:
            return  # no new information
        self.results.append(result)
        self.finished_protocols[address] = result.target.protocol
        counters = self.counters
        if not under_other_protocol:
            counters.finished += 1
        if result.info is None:
            self._try_other_protocol(address)
        else:
            counters.answered += 1
            if result.ping_ms is not None and not result.ping_estimated:
                self.retransmit_timer.add_ping(result.ping_ms)

    def _try_other_protocol(self, address: Address) -> None:
        with self._lock:
            other = self._candidates.next_after_failure(address)
            if other is not None:
                self.incoming.append(other)

    def reject_target(self, target: QueryTarget, error: str) -> None:
        """Add a failed result for a target that cannot be queried at all."""
        self.open_queries += 1
        self.add_result(build_failed_result(target, error))

    @property
    def is_complete(self) -> bool:
        """Whether every target has a result and no more can be added."""
        return self.is_sealed and not self.open_queries and not self.incoming

    def finish(self) -> None:
        """Mark the scan as finished."""
        self.counters.stop_clock()
        self.finished.set()

    @property
    def progress(self) -> ScanProgress:
        """Current counts. Cheap."""
        return self.counters.progress()
