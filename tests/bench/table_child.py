"""Child: the cost of the table, operation by operation.

Also its frames while a worker thread brings answers.
"""

import statistics
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import memory
import numpy as np
from bench_child import answer_parent
from bench_report import quantile
from measured_window import FeedPoll, FeedScan, MeasuredWindow, timed_ms
from proxy_table import ProxyTable
from PySide6.QtCore import QEventLoop, Qt, QTimer
from table_data import answers, targets

from browser_app import runtime_tuning
from browser_app.bridge.server_list_controller import DRAIN_BATCH_SIZE
from browser_app.catalogue.server_info import QueryResult
from browser_app.games import load_games
from browser_app.paths import resource_folder

FILTERS = ("lantern", "", "players>=8 ping<80", "-siege map:ns2", "")
"""A word, a comparison, a mixture; and back to all rows."""
FRAME_MS = 16
TICK_S = 0.0005


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Measure with `rows` rows, `rounds` times each.

    Frames for `seconds` at `per_s` answers a second.
    """
    feed = FeedScan(request["rows"])
    poll = FeedPoll(feed)
    with MeasuredWindow(load_games(resource_folder() / "games"), lambda _known: poll) as measured:
        return _measure(measured, feed, request)


def _measure(measured: MeasuredWindow, feed: FeedScan, request: dict[str, Any]) -> dict[str, Any]:
    rows, rounds = request["rows"], request["rounds"]
    new = _drain_new(measured, rows)
    measured.live.rescore()
    found: dict[str, Any] = {
        "drain_new": new,
        "sort": _sort(measured, rounds),
        "sort_by_name": _sort_by_name(measured, rounds),
        "rescore": _rescore(measured, rounds),
        "paint": _paint(measured, measured.table.viewport().repaint, rounds),
        "paint_window": _paint(measured, measured.window.grab, rounds),
        "drain": _drain(measured, rows, rounds),
        "filter": _filter(measured, rounds),
    }
    measured.window.servers_view.filter_controller.clear_filters()
    found["frames"] = {"0": _frames(measured, AnswerFeed(feed.results, [], 0), request["seconds"])}
    measured.live.refresh()
    per_s = request["per_s"]
    stock = answers(measured.catalogue.targets[: int(per_s * request["seconds"])], seed=99)
    runs = [
        _frames(measured, AnswerFeed(feed.results, stock, per_s), request["seconds"])
        for _ in range(request["frame_rounds"])
    ]
    found["frames"][str(per_s)] = {key: statistics.median(each[key] for each in runs) for key in runs[0]}
    found["memory_mb"] = memory.peak_mb()
    found["proxy"] = _proxy(measured, request["proxy_rounds"])
    return found


def _drain_new(measured: MeasuredWindow, rows: int) -> list[float]:
    """Drain answers of unknown servers until there are `rows`.

    The window drains as many at once.
    """
    firsts = range(0, rows, DRAIN_BATCH_SIZE)
    batches = [answers(targets(DRAIN_BATCH_SIZE, first), seed=-1 - first, first=first) for first in firsts]
    times = list[float]()
    for batch in batches:
        times.append(timed_ms(partial(measured.live.merge_results, batch)))
        measured.app.processEvents()
    return times


def _sort(measured: MeasuredWindow, rounds: int) -> list[float]:
    """All scores new, a full sort, all signals; the time of painting is not in it."""
    rng, times = np.random.default_rng(1), list[float]()
    for _ in range(rounds):
        measured.catalogue.score[:] = rng.random(len(measured.catalogue))
        times.append(timed_ms(measured.window.servers_view.server_order.reorder))
        measured.app.processEvents()
    return times


def _sort_by_name(measured: MeasuredWindow, rounds: int) -> list[float]:
    """Sort by name after some names have changed.

    Their ranks are computed anew.
    """
    times = list[float]()
    measured.window.servers_view.server_order.sort_by("name")
    for number in range(rounds):
        measured.live.merge_results(answers(measured.catalogue.targets[:DRAIN_BATCH_SIZE], seed=1000 + number))
        times.append(timed_ms(measured.window.servers_view.server_order.reorder))
        measured.app.processEvents()
    measured.window.servers_view.server_order.sort_by("score")
    return times


def _rescore(measured: MeasuredWindow, rounds: int) -> list[float]:
    """Do what the window does every third of a second while answers come.

    Scores, order, side list, inspector.
    """
    times = list[float]()
    for number in range(rounds):
        measured.live.merge_results(answers(measured.catalogue.targets[:DRAIN_BATCH_SIZE], seed=2000 + number))
        times.append(timed_ms(measured.live.rescore))
        measured.app.processEvents()
    return times


def _paint(measured: MeasuredWindow, paint: Callable[[], object], rounds: int) -> list[float]:
    """The same each time, with everything else done before."""
    times = list[float]()
    for _ in range(rounds):
        times.append(timed_ms(paint))
        measured.app.processEvents()
    return times


def _drain(measured: MeasuredWindow, rows: int, rounds: int) -> list[float]:
    """New answers of known servers, as many as the window takes at once."""
    times = list[float]()
    for number in range(rounds):
        first = number * DRAIN_BATCH_SIZE % (rows - DRAIN_BATCH_SIZE + 1)
        batch = answers(measured.catalogue.targets[first : first + DRAIN_BATCH_SIZE], seed=number + 2, first=first)
        times.append(timed_ms(partial(measured.live.merge_results, batch)))
        measured.app.processEvents()
    return times


def _filter(measured: MeasuredWindow, rounds: int) -> dict[str, list[float]]:
    """From each filter to the next, shown rows and signals included."""
    times: dict[str, list[float]] = {}
    for number in range(max(len(FILTERS), rounds)):
        text = FILTERS[number % len(FILTERS)]
        times.setdefault(text or "(all)", []).append(
            timed_ms(partial(measured.window.servers_view.filter_controller.set_filter, "text", text))
        )
        measured.app.processEvents()
    return times


def _proxy(measured: MeasuredWindow, rounds: int) -> dict[str, list[float]]:
    """The same sort and filter the usual way."""
    catalogue, rng = measured.catalogue, np.random.default_rng(2)
    ids = np.arange(len(catalogue))
    texts = [catalogue.text_column(name).texts_of(ids) for name in ("name", "map", "mode", "game", "country")]
    columns = (catalogue.score, catalogue.ping_ms, catalogue.players, catalogue.bots, catalogue.server_skill)
    numbers = [column.tolist() for column in columns]
    table = ProxyTable([*map(list, texts), *numbers])
    measured.app.processEvents()
    fresh = [rng.random(len(catalogue)).tolist() for _ in range(rounds)]
    found = {"sort": [timed_ms(partial(table.resort, 5, values)) for values in fresh]}
    found["filter"] = [timed_ms(partial(table.filter, "Lantern"))]
    found["paint"] = [timed_ms(table.view.viewport().repaint) for _ in range(10)]
    return found


class AnswerFeed(threading.Thread):
    """Brings answers at an even rate.

    Wakes for each and uses a short switch interval, as the engine's thread does.
    """

    def __init__(self, into: deque[QueryResult], stock: list[QueryResult], per_s: int) -> None:
        super().__init__(daemon=True)
        self.given = 0
        self.stop = False
        self._into, self._stock, self._per_s = into, stock, per_s

    def run(self) -> None:
        """Until told to stop."""
        runtime_tuning.shorten_switch_interval()
        began_s = time.perf_counter()
        while not self.stop:
            due = min(int((time.perf_counter() - began_s) * self._per_s), len(self._stock))
            self._into.extend(self._stock[self.given : due])
            self.given = due
            time.sleep(TICK_S)
        runtime_tuning.restore_switch_interval()


def _frames(measured: MeasuredWindow, feed: AnswerFeed, seconds: float) -> dict[str, float]:
    """Scroll one row per frame while answers come; measure the frame gaps."""
    bar, frames = measured.table.verticalScrollBar(), list[float]()
    bar.setValue(0)

    def frame() -> None:
        bar.setValue(bar.value() + measured.table.verticalHeader().defaultSectionSize())
        measured.table.viewport().repaint()
        frames.append(time.perf_counter())

    clock, loop = QTimer(), QEventLoop()
    clock.setTimerType(Qt.TimerType.PreciseTimer)
    clock.setInterval(FRAME_MS)
    clock.timeout.connect(frame)
    clock.start()
    feed.start()
    QTimer.singleShot(int(seconds * 1000), loop.quit)
    loop.exec()
    clock.stop()
    feed.stop = True
    feed.join()
    gaps = (np.diff(frames) * 1e3).tolist()
    return {
        "fps": len(gaps) / (frames[-1] - frames[0]),
        "p50": quantile(gaps, 0.5),
        "p95": quantile(gaps, 0.95),
        "p99": quantile(gaps, 0.99),
        "max": max(gaps),
        "answers_per_s": feed.given / seconds,
    }


if __name__ == "__main__":
    answer_parent(measure)
