"""Progress callbacks of long computations."""

from collections.abc import Callable
from typing import TypeAlias

ProgressCallback: TypeAlias = Callable[[int, int], None]
"""Called now and then with how much is done, and of how much. What it raises ends the work: so one cancels."""


def ignore_progress(done: int, total: int) -> None:
    """For nobody to hear."""


def subtask_progress(report: ProgressCallback, index: int, count: int) -> ProgressCallback:
    """For one of several pieces of work of equal size, counted from 0."""

    def told(done: int, total: int) -> None:
        report(index * total + done, count * total)

    return told
