"""Child: frames of the window with My Skill while 100,000 rounds are rated."""

import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from bench_child import answer_parent
from bench_report import quantile
from measured_window import FeedPoll, FeedScan, MeasuredWindow
from processor_wait import ProcessorWait
from PySide6.QtCore import QEventLoop, Qt, QTimer

from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.rating_worker.rating_jobs import RateJob
from browser_app.ui.skill.skill_pages import SKILL_PAGES

FRAME_MS = 16
REST_S = 2.0
LIMIT_S = 120.0
TAIL_S = 0.5
"""After the ratings have come: what is shown of them is painted in it, and work on their doubt has begun."""


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Measure the frames of each page, idle and while ratings are computed.

    The rounds in `home` are rated with other parameters.
    """
    poll = FeedPoll(FeedScan())
    with MeasuredWindow(
        load_games(resource_folder() / "games"), lambda _known: poll, Path(request["home"])
    ) as measured:
        gc.freeze()  # as the program does before its window opens
        pages = Pages(measured)
        return {page.key: pages.frames(page.key, number) for number, page in enumerate(SKILL_PAGES)}


class Pages:
    """My skill in the window, with all that it has in the background done."""

    def __init__(self, measured: MeasuredWindow) -> None:
        self._scene, self._panel = measured, measured.skill.model
        measured.window.show_skill(SKILL_PAGES[0].key)
        measured.skill.start()
        self._until(lambda: self._is_settled() and not measured.window.skill_view.is_working)

    def frames(self, page: str, number: int) -> dict[str, dict[str, float]]:
        """At rest and at work; the first look at the page is done before."""
        window = self._scene.window
        window.show_skill(page)
        self._until(lambda: not window.skill_view.is_working)
        found = {"rest": self._painted(lambda began_s: time.perf_counter() - began_s > REST_S)}
        self._panel.set_parameters(
            resolve_parameters(RATING_SYSTEMS["ns2"].declared_parameters, explicit={"c": 2.1 + 0.1 * number})
        )
        settled_s: list[float] = []

        def is_over(_began_s: float) -> bool:
            if not settled_s and self._is_settled():
                settled_s.append(time.perf_counter())
            return bool(settled_s) and time.perf_counter() - settled_s[0] > TAIL_S

        found["work"] = self._painted(is_over)
        return found

    def _painted(self, is_over: Callable[[float], bool]) -> dict[str, float]:
        """The whole view painted every 16 ms, and how evenly frames follow each other.

        That is more than users have painted, for whom only what has changed is: hardly more than the progress while
        ratings are calculated, all of it when they have come or while a page is scrolled.

        The time in which the window's thread was ready but had no processor is reported separately: beside other
        programs it says little about ours.
        """
        frames, loop, clock, queue = list[float](), QEventLoop(), QTimer(), ProcessorWait()
        waits = list[float]()
        began_s = time.perf_counter()

        def frame() -> None:
            self._scene.window.skill_view.repaint()
            frames.append(time.perf_counter())
            waits.append(queue.waited_s())
            if is_over(began_s) or frames[-1] - began_s > LIMIT_S:
                loop.quit()

        clock.setTimerType(Qt.TimerType.PreciseTimer)
        clock.setInterval(FRAME_MS)
        clock.timeout.connect(frame)
        clock.start()
        loop.exec()
        clock.stop()
        queue.close()
        gaps, queued = np.diff(frames) * 1e3, np.diff(waits) * 1e3
        return {
            "fps": len(gaps) / (frames[-1] - frames[0]),
            **{f"p{share}": quantile(gaps.tolist(), share / 100) for share in (50, 95, 99)},
            "max": float(gaps.max()),
            "own_p99": quantile((gaps - queued).tolist(), 0.99),
            "own_max": float((gaps - queued).max()),
            "seconds": frames[-1] - began_s,
        }

    def _until(self, holds: Callable[[], bool]) -> None:
        end_s = time.perf_counter() + LIMIT_S
        while not holds():
            self._scene.app.processEvents()
            time.sleep(0.001)
            if time.perf_counter() > end_s:
                raise TimeoutError(f"nothing came within {LIMIT_S:g} s")

    def _is_settled(self) -> bool:
        return bool(self._panel.state and self._panel._loaded) and not self._panel._workers.is_busy(RateJob.kind)


if __name__ == "__main__":
    answer_parent(measure)
