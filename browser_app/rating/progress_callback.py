"""Progress callbacks of long computations."""

from collections.abc import Callable
from typing import TypeAlias

ProgressCallback: TypeAlias = Callable[[int, int], None]
"""Called from time to time with the amount of work done and the total.

An exception that it raises ends the work; this is how work is cancelled.
"""


def ignore_progress(done: int, total: int) -> None:
    """Ignore the progress."""


def subtask_progress(report: ProgressCallback, index: int, count: int) -> ProgressCallback:
    """Return the progress callback of one of several equal parts, counted from 0."""

    def report_part(done: int, total: int) -> None:
        report(index * total + done, count * total)

    return report_part
