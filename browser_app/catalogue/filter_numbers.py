"""What filters ask of columns of numbers, in which NaN is unknown and passes nothing."""

import operator
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from browser_app.catalogue.columns import Bools, Floats

_COMPARE: Mapping[str, Callable[[Floats, float], Bools]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": lambda column, value: (column != value) & ~np.isnan(column),
    ">=": operator.ge,
    ">": operator.gt,
}


def compared(column: Floats, sign: str, number: float) -> Bools:
    """Which values stand so to a number; `sign` is one of ``< <= = != >= >``."""
    return _COMPARE[sign](column, number)


def within(column: Floats, ranges: Sequence[tuple[float | None, float | None]]) -> Bools:
    """Which values are in one of the ranges, whose ends belong to them; None is no end."""
    mask = np.zeros(len(column), np.bool_)
    for low, high in ranges:
        mask |= (column >= (-np.inf if low is None else low)) & (column <= (np.inf if high is None else high))
    return mask
