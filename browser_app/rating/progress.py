"""How long work tells how far it is, and how it is stopped."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""Called now and then with how much is done, and of how much. What it raises ends the work: so one cancels."""


def untold(done: int, total: int) -> None:
    """For nobody to hear."""


def part(progress: Progress, number: int, parts: int) -> Progress:
    """For one of several pieces of work of equal size, counted from 0."""

    def told(done: int, total: int) -> None:
        progress(number * total + done, parts * total)

    return told
