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
from typing import Any

import memory
from bench_child import answer_parent
from bench_report import quantile
from storm_flood import Flood

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
"""Of one poll."""
AWAY = os.strerror(ENETUNREACH)
SUSPENDED_S = 3
_NAMED = 5
_SO_MEMINFO, _DROPS = 55, 8
"""Linux: a socket's figures (asm-generic/socket.h), and which of them counts what had no room (linux/sock_diag.h)."""
JUMPS_NS = (3_600_000_000_000, -7_200_000_000_000, 500_000_000, 0)


@dataclass
class Weather:
    """What the machine does to the engine just now."""

    down: bool = False
    jumped_ns: int = 0
    overflowed: int = 0
    """Datagrams for which closed sockets' receive buffers had no room."""
    flood: Flood | None = None


class WeatherSocket(UdpSocket):
    """A socket of a machine whose network fails and whose wall clock jumps.

    Its receive timestamps follow.
    """

    __slots__ = ("_real", "_weather")

    def __init__(self, family: Any, clock: EngineClock, weather: Weather) -> None:
        super().__init__(family, clock)
        self._weather, self._real = weather, self.sock.sendto
        self.sendto = self._sendto

    def _sendto(self, data: bytes, address: Any) -> int:
        if self._weather.down:
            raise OSError(ENETUNREACH, "Network is unreachable")
        return self._real(data, address)

    def arrival_time(self, ancillary: AncillaryData) -> PacketTime:
        """As the clock stands now."""
        at = super().arrival_time(ancillary)
        return PacketTime(at.wall_ns + self._weather.jumped_ns, at.monotonic_ns, at.epoch) if at.wall_ns else at

    def close(self) -> None:
        """Look before what the kernel had to throw away."""
        figures = self.sock.getsockopt(socket.SOL_SOCKET, _SO_MEMINFO, 4 * (_DROPS + 1))
        self._weather.overflowed += struct.unpack(f"{_DROPS + 1}I", figures)[_DROPS]
        super().close()


@dataclass
class Storm:
    """What was seen."""

    polls: int = 0
    asked: int = 0
    """Questions to healthy servers that do not shout themselves down, one a poll."""
    unanswered: int = 0
    """Those without an answer in that poll: three attempts were lost."""
    crowded_out: int = 0
    """Those of them in polls in which the receive buffer overflowed."""
    shut_out: int = 0
    """Those of them for which the network was away at the last of all attempts."""
    overflowed: int = 0
    """Datagrams that the kernel threw away because the receive buffer was full."""
    silent: list[str] = field(default_factory=list)
    """Some of the unanswered, with what was told of them."""
    lost: list[str] = field(default_factory=list)
    """Healthy servers that are no row of the catalogue in the end, or a wrong one."""
    faults: list[str] = field(default_factory=list)
    """Errors of ours: logged, or escaped from a thread."""
    dropped: dict[str, int] = field(default_factory=dict)
    """Datagrams that were refused, by reason."""
    received: int = 0
    polling_s: float = 0.0
    processor_s: float = 0.0
    """What the polls took of a processor, all that belongs to this process."""
    peak_mb: float = 0.0
    ping_off_ms: float = 0.0
    """p99 of the difference between the shown ping and the server's latency."""
    flooded: int = 0
    """Forged datagrams sent while polls ran."""

    @property
    def flooded_per_s(self) -> float:
        """The flood as it was."""
        return self.flooded / self.polling_s if self.flooded else 0.0


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Poll for `seconds`, at least `polls` times, in a weather.

    It is down, clock, suspend, flood, or none.
    """
    storm, weather = Storm(), Weather()
    games = load_games(resource_folder() / "games")
    sources = parse_sources(games, masters=request["masters"], servers=request["servers"])
    clock = EngineClock(lambda: time.time_ns() + weather.jumped_ns)
    catalogue = Catalogue(games)
    with noting(storm), Scanner(games, clock=clock, open_socket=lambda f, c: WeatherSocket(f, c, weather)) as scanner:
        with _bad_weather(request["weather"], weather, request["healthy"]):
            memory.forget_peak()
            end_s = time.monotonic() + request["seconds"]
            while storm.polls < request["polls"] or time.monotonic() < end_s:
                before = storm.unanswered, weather.overflowed
                _poll(scanner, sources, request, catalogue, storm, weather)
                if weather.overflowed > before[1]:
                    storm.crowded_out += storm.unanswered - before[0]
        storm.overflowed = weather.overflowed
        storm.peak_mb = memory.peak_mb()
    _judge(storm, catalogue, request["healthy"])
    return asdict(storm)


@contextmanager
def _weighed(storm: Storm, weather: Weather) -> Iterator[None]:
    """Record how long a poll took and how much of a flood it received.

    Wall time and processor time.
    """
    sent, at_s, processor_s = weather.flood.sent if weather.flood else 0, time.monotonic(), time.process_time()
    yield
    storm.flooded += weather.flood.sent - sent if weather.flood else 0
    storm.polling_s += time.monotonic() - at_s
    storm.processor_s += time.process_time() - processor_s


def _poll(
    scanner: Scanner,
    sources: QuerySources,
    request: dict[str, Any],
    catalogue: Catalogue,
    storm: Storm,
    weather: Weather,
) -> None:
    told: dict[str, str | None] = {}
    with _weighed(storm, weather):
        poll = start_poll(scanner, sources, pace=PACES["unlimited"], steam_key=lambda: request["key"])
        end_s, over = time.monotonic() + LIMIT_S, False
        while not over or poll.scan.results:
            over = poll.wait(DRAIN_S)
            answers: list[QueryResult] = [poll.scan.results.popleft() for _ in range(len(poll.scan.results))]
            catalogue.merge(answers)
            told |= {
                str(each.target.address): None if each.status is QueryStatus.OK else each.error for each in answers
            }
            if time.monotonic() > end_s:
                storm.faults.append("a poll did not end")
                poll.cancel()
                break
    catalogue.rescore()
    storm.polls += 1
    storm.asked += len(request["asked"])
    silent = [server for server in request["asked"] if told.get(server, "nothing was told") is not None]
    storm.unanswered += len(silent)
    storm.shut_out += sum(told.get(server) == AWAY for server in silent)
    storm.silent += [f"{server}: {told.get(server)}" for server in silent[: _NAMED - len(storm.silent)]]
    progress = poll.progress
    storm.dropped = dict(Counter(storm.dropped) + Counter(progress.dropped))
    storm.received += progress.received


def _judge(storm: Storm, catalogue: Catalogue, healthy: dict[str, tuple[str, float]]) -> None:
    off = []
    for server, (name, latency_ms) in healthy.items():
        row = catalogue.row_of(parse_address(server))
        if row is None or catalogue.name[row] != name:
            storm.lost.append(server)
        elif catalogue.ping_ms[row] == catalogue.ping_ms[row]:
            off.append(abs(float(catalogue.ping_ms[row]) - latency_ms))
    storm.ping_off_ms = quantile(off, 0.99)


@contextmanager
def noting(storm: Storm) -> Iterator[None]:
    """Write down what is logged as a warning or worse, and what escapes from a thread."""

    class Noting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            storm.faults.append(record.getMessage())

    handler = Noting(logging.WARNING)
    logging.getLogger().addHandler(handler)
    threading.excepthook = lambda given: storm.faults.append(repr(given.exc_value))
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        threading.excepthook = threading.__excepthook__


@contextmanager
def _bad_weather(kind: str, weather: Weather, healthy: dict[str, Any]) -> Iterator[None]:
    if kind == "flood":
        with Flood(healthy) as weather.flood:
            yield
        return
    stop = threading.Event()
    work = {"down": _come_and_go, "clock": _jump, "suspend": _suspend}.get(kind)
    thread = threading.Thread(target=work, args=(weather, stop)) if work else None
    if thread:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        if thread:
            thread.join()


def _come_and_go(weather: Weather, stop: threading.Event) -> None:
    while not stop.wait(1.5):
        weather.down = True
        stop.wait(0.7)
        weather.down = False


def _jump(weather: Weather, stop: threading.Event) -> None:
    turn = 0
    while not stop.wait(0.4):
        weather.jumped_ns = JUMPS_NS[turn % len(JUMPS_NS)]
        turn += 1


def _suspend(_weather: Weather, stop: threading.Event) -> None:
    """Have this process stopped and continued by another, as a laptop's lid does."""
    pid = os.getpid()
    script = f"sleep 0.5; kill -STOP {pid}; sleep {SUSPENDED_S}; kill -CONT {pid}"
    while not stop.wait(2.0):
        subprocess.run(["sh", "-c", script], check=False)


if __name__ == "__main__":
    answer_parent(measure)
