"""Child: one scan by Ready Room's engine, beside a chosen load."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from typing import Any

import memory
from bench_child import answer_parent
from scan_result import ScanResult

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.query_sources import QuerySources
from browser_app.engine.query.query_timing import PACES, Pace
from browser_app.engine.query.scan import Scan
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import ServerPoll, start_poll
from browser_app.games import load_games
from browser_app.games.game_registry import GameRegistry
from browser_app.paths import resource_folder
from browser_app.protocols.address import parse_address
from browser_app.protocols.query_protocols import A2S

LIMIT_S = 60.0
DRAIN_S = 0.05


class ScanEndTimer(threading.Thread):
    """Records the exact time when a scan ends, whatever the main thread does."""

    def __init__(self, scan: Scan) -> None:
        super().__init__(daemon=True)
        self.scan = scan
        self.at_s = float("inf")
        self.start()

    def run(self) -> None:
        """Wait for the end of the scan."""
        if self.scan.wait(LIMIT_S):
            self.at_s = time.perf_counter()


class ScanTimer:
    """Starts a scan and measures it until its end."""

    def __init__(self, scanner: Scanner, targets: tuple[QueryTarget, ...], pace: Pace) -> None:
        self._start_poll = partial(start_poll, scanner, QuerySources(servers=targets), pace=pace)
        self.scan: Scan
        self._end_timer: ScanEndTimer
        self._began_s = 0.0
        self._cpu_s = 0.0

    def start(self) -> ServerPoll:
        """Start the scan."""
        self._cpu_s, self._began_s = time.process_time(), time.perf_counter()
        poll = self._start_poll()
        self.scan = poll.scan
        self._end_timer = ScanEndTimer(poll.scan)
        return poll

    def result(self, catalogue: Catalogue, before_mb: float) -> ScanResult:
        """Return the figures, after the scan and before the scanner is closed."""
        self._end_timer.join()
        cpu_s, engine_cpu_s = time.process_time() - self._cpu_s, _cpu_of_thread("scanner")
        grown_mb = memory.peak_mb() - before_mb
        pings = zip(catalogue.targets, catalogue.ping_ms.tolist(), strict=True)
        return ScanResult(
            {str(target.address): ping for target, ping in pings if ping == ping},
            self._end_timer.at_s - self._began_s,
            cpu_s,
            engine_cpu_s,
            grown_mb,
            dropped=dict(self.scan.progress.dropped),
        )


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Scan `servers` at `pace` with a `load` beside it.

    The load is none, a busy `thread`, or the `window`.

    Servers are URLs, or addresses of A2S servers.
    """
    games = load_games(resource_folder() / "games")
    targets = tuple(map(_target, request["servers"]))
    with Scanner(games) as scanner:
        timer = ScanTimer(scanner, targets, PACES[request["pace"]])
        if request["load"] == "window":
            return asdict(_in_window(games, timer))
        busy = request["load"] == "thread"
        with _busy_thread(running=busy):
            result = _in_main_thread(games, timer)
        if busy:
            result.cpu_s = float("nan")  # includes the load
        return asdict(result)


def _target(server: str) -> QueryTarget:
    protocol, _, address = server.rpartition("://")
    return QueryTarget(parse_address(address), protocol or A2S, None)


def _in_main_thread(games: GameRegistry, timer: ScanTimer) -> ScanResult:
    """Drain results as the command line does."""
    memory.forget_peak()
    before_mb, catalogue = memory.resident_mb(), Catalogue(games)
    scan, over = timer.start().scan, False
    while not over or scan.results:
        over = scan.wait(DRAIN_S)
        catalogue.merge([scan.results.popleft() for _ in range(len(scan.results))])
    catalogue.rescore()
    return timer.result(catalogue, before_mb)


def _in_window(games: GameRegistry, timer: ScanTimer) -> ScanResult:
    """Let the window's timers drain, score, sort and paint the results."""
    from measured_window import MeasuredWindow

    with MeasuredWindow(games, lambda _known: timer.start()) as measured:
        memory.forget_peak()
        before_mb = memory.resident_mb()
        measured.run_poll()
        return timer.result(measured.catalogue, before_mb)


@contextmanager
def _busy_thread(*, running: bool) -> Iterator[None]:
    """Run a second Python thread that never sleeps."""
    stop = threading.Event()

    def spin() -> None:
        number = 0
        while not stop.is_set():
            number += 1

    thread = threading.Thread(target=spin, daemon=True)
    if running:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        if running:
            thread.join()


def _cpu_of_thread(name: str) -> float:
    """CPU time of a thread of this process, s."""
    thread = next(thread for thread in threading.enumerate() if thread.name == name)
    assert thread.ident is not None
    return time.clock_gettime(time.pthread_getcpuclockid(thread.ident))


if __name__ == "__main__":
    answer_parent(measure)
