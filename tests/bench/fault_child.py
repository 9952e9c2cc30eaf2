"""Child: polls a faulty network over and over into one catalogue.

Reports what was lost.
"""

import logging
import os
import socket
import struct
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from errno import ENETUNREACH
from functools import partial
from typing import Any

import memory
from bench_child import answer_parent
from bench_report import quantile
from datagram_flood import Flood

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.engine.masters.query_sources import QuerySources, parse_sources
from browser_app.engine.query.engine_clock import AncillaryData, EngineClock
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.round_trips import PacketTime
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.query.udp_sockets import UdpSocket
from browser_app.engine.server_poll import start_poll
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import parse_address

DRAIN_S = 0.05
LIMIT_S = 60.0
"""Limit of one poll, s."""
NO_NETWORK = os.strerror(ENETUNREACH)
SUSPENDED_S = 3
_NAMED = 5
_SO_MEMINFO, _DROPS = 55, 8
"""Linux: a socket's figures (asm-generic/socket.h), and which of them counts what had no room (linux/sock_diag.h)."""
JUMPS_NS = (3_600_000_000_000, -7_200_000_000_000, 500_000_000, 0)


@dataclass
class SystemFaults:
    """What is wrong with the machine at present."""

    down: bool = False
    jumped_ns: int = 0
    overflowed: int = 0
    """Datagrams for which closed sockets' receive buffers had no room."""
    flood: Flood | None = None


class FaultySystemSocket(UdpSocket):
    """A socket of a machine with `SystemFaults`; its timestamps follow the clock."""

    __slots__ = ("_faults", "_real")

    def __init__(self, family: Any, clock: EngineClock, system_faults: SystemFaults) -> None:
        super().__init__(family, clock)
        self._faults, self._real = system_faults, self.sock.sendto
        self.sendto = self._sendto

    def _sendto(self, data: bytes, address: Any) -> int:
        if self._faults.down:
            raise OSError(ENETUNREACH, "Network is unreachable")
        return self._real(data, address)

    def arrival_time(self, ancillary: AncillaryData) -> PacketTime:
        """Return the arrival time by the changed wall clock."""
        at = super().arrival_time(ancillary)
        return PacketTime(at.wall_ns + self._faults.jumped_ns, at.monotonic_ns, at.epoch) if at.wall_ns else at

    def close(self) -> None:
        """Count the datagrams that the kernel dropped, then close."""
        figures = self.sock.getsockopt(socket.SOL_SOCKET, _SO_MEMINFO, 4 * (_DROPS + 1))
        self._faults.overflowed += struct.unpack(f"{_DROPS + 1}I", figures)[_DROPS]
        super().close()


@dataclass
class FaultObservations:
    """What was observed in all polls of a case."""

    polls: int = 0
    queried: int = 0
    """Queries of healthy servers that do not flood themselves, one a poll."""
    unanswered: int = 0
    """Queries without an answer: three attempts were lost."""
    lost_in_buffer: int = 0
    """Unanswered queries in polls in which a receive buffer overflowed."""
    without_network: int = 0
    """Unanswered queries for which the network was down at the last attempt."""
    overflowed: int = 0
    """Datagrams that the kernel dropped because a receive buffer was full."""
    unresponsive: list[str] = field(default_factory=list)
    """Some of the unanswered servers, with their errors."""
    lost: list[str] = field(default_factory=list)
    """Healthy servers whose row is missing or wrong in the end."""
    errors: list[str] = field(default_factory=list)
    """Errors of the program: logged, or raised in a thread."""
    dropped: dict[str, int] = field(default_factory=dict)
    """Rejected datagrams by reason."""
    received: int = 0
    polling_s: float = 0.0
    processor_s: float = 0.0
    """CPU time of this process during the polls."""
    peak_mb: float = 0.0
    ping_error_ms: float = 0.0
    """p99 of the difference between the shown ping and the server's latency."""
    flooded: int = 0
    """Forged datagrams sent while polls ran."""

    @property
    def flooded_per_s(self) -> float:
        """Forged datagrams per second while polls ran."""
        return self.flooded / self.polling_s if self.flooded else 0.0


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Poll for `seconds`, at least `polls` times, under system faults.

    `system_faults` is `down`, `clock`, `suspend`, `flood`, or empty.
    """
    observed, system_faults = FaultObservations(), SystemFaults()
    games = load_games(resource_folder() / "games")
    sources = parse_sources(games, masters=request["masters"], servers=request["servers"])
    clock = EngineClock(lambda: time.time_ns() + system_faults.jumped_ns)
    catalogue = Catalogue(games)
    open_socket = partial(FaultySystemSocket, system_faults=system_faults)
    with recorded_errors(observed), Scanner(games, clock=clock, open_socket=open_socket) as scanner:
        with _system_faults(request["system_faults"], system_faults, request["healthy"]):
            memory.forget_peak()
            end_s = time.monotonic() + request["seconds"]
            while observed.polls < request["polls"] or time.monotonic() < end_s:
                before = observed.unanswered, system_faults.overflowed
                _poll(scanner, sources, request, catalogue, observed, system_faults)
                if system_faults.overflowed > before[1]:
                    observed.lost_in_buffer += observed.unanswered - before[0]
        observed.overflowed = system_faults.overflowed
        observed.peak_mb = memory.peak_mb()
    _check(observed, catalogue, request["healthy"])
    return asdict(observed)


@contextmanager
def _measured(observed: FaultObservations, system_faults: SystemFaults) -> Iterator[None]:
    """Record wall and CPU time of a poll, and how much of a flood it received."""
    sent = system_faults.flood.sent if system_faults.flood else 0
    at_s, processor_s = time.monotonic(), time.process_time()
    yield
    observed.flooded += system_faults.flood.sent - sent if system_faults.flood else 0
    observed.polling_s += time.monotonic() - at_s
    observed.processor_s += time.process_time() - processor_s


def _poll(
    scanner: Scanner,
    sources: QuerySources,
    request: dict[str, Any],
    catalogue: Catalogue,
    observed: FaultObservations,
    system_faults: SystemFaults,
) -> None:
    errors: dict[str, str | None] = {}
    with _measured(observed, system_faults):
        poll = start_poll(scanner, sources, pace=PACES["unlimited"], steam_key=lambda: request["key"])
        end_s, over = time.monotonic() + LIMIT_S, False
        while not over or poll.scan.results:
            over = poll.wait(DRAIN_S)
            answers: list[QueryResult] = [poll.scan.results.popleft() for _ in range(len(poll.scan.results))]
            catalogue.merge(answers)
            errors |= {
                str(each.target.address): None if each.status is QueryStatus.OK else each.error for each in answers
            }
            if time.monotonic() > end_s:
                observed.errors.append("a poll did not end")
                poll.cancel()
                break
    catalogue.rescore()
    observed.polls += 1
    observed.queried += len(request["queried"])
    unresponsive = [server for server in request["queried"] if errors.get(server, "no result") is not None]
    observed.unanswered += len(unresponsive)
    observed.without_network += sum(errors.get(server) == NO_NETWORK for server in unresponsive)
    observed.unresponsive += [
        f"{server}: {errors.get(server)}" for server in unresponsive[: _NAMED - len(observed.unresponsive)]
    ]
    progress = poll.progress
    observed.dropped = dict(Counter(observed.dropped) + Counter(progress.dropped))
    observed.received += progress.received


def _check(observed: FaultObservations, catalogue: Catalogue, healthy: dict[str, tuple[str, float]]) -> None:
    off = []
    for server, (name, latency_ms) in healthy.items():
        row = catalogue.row_of(parse_address(server))
        if row is None or catalogue.name[row] != name:
            observed.lost.append(server)
        elif catalogue.ping_ms[row] == catalogue.ping_ms[row]:
            off.append(abs(float(catalogue.ping_ms[row]) - latency_ms))
    observed.ping_error_ms = quantile(off, 0.99)


@contextmanager
def recorded_errors(observed: FaultObservations) -> Iterator[None]:
    """Record what is logged as a warning or worse, or raised in a thread."""

    class ErrorRecorder(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            observed.errors.append(record.getMessage())

    handler = ErrorRecorder(logging.WARNING)
    logging.getLogger().addHandler(handler)
    threading.excepthook = lambda given: observed.errors.append(repr(given.exc_value))
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        threading.excepthook = threading.__excepthook__


@contextmanager
def _system_faults(kind: str, system_faults: SystemFaults, healthy: dict[str, Any]) -> Iterator[None]:
    if kind == "flood":
        with Flood(healthy) as system_faults.flood:
            yield
        return
    stop = threading.Event()
    work = {"down": _interrupt_network, "clock": _set_clock, "suspend": _suspend}.get(kind)
    thread = threading.Thread(target=work, args=(system_faults, stop)) if work else None
    if thread:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        if thread:
            thread.join()


def _interrupt_network(system_faults: SystemFaults, stop: threading.Event) -> None:
    while not stop.wait(1.5):
        system_faults.down = True
        stop.wait(0.7)
        system_faults.down = False


def _set_clock(system_faults: SystemFaults, stop: threading.Event) -> None:
    turn = 0
    while not stop.wait(0.4):
        system_faults.jumped_ns = JUMPS_NS[turn % len(JUMPS_NS)]
        turn += 1


def _suspend(_faults: SystemFaults, stop: threading.Event) -> None:
    """Stop and continue this process by another, as closing a laptop does."""
    pid = os.getpid()
    script = f"sleep 0.5; kill -STOP {pid}; sleep {SUSPENDED_S}; kill -CONT {pid}"
    while not stop.wait(2.0):
        subprocess.run(["sh", "-c", script], check=False)


if __name__ == "__main__":
    answer_parent(measure)
