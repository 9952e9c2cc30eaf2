"""Checks of numbers in files and replies."""

from typing import TypeGuard


def is_number(value: object, low: float, high: float) -> TypeGuard[float]:
    """Return whether a value is a number in a range; NaN and Booleans are not.

    An integer in a range of floats can be converted, however many digits others have.
    """
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


def is_whole_number(value: object, low: int, high: int) -> TypeGuard[int]:
    """Return whether a value is an integer in a range; Booleans are not."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
