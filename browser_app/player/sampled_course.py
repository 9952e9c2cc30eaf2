"""What a service said of somebody's skill as time went by: values that were read, with no rounds behind them."""

from dataclasses import dataclass

import numpy as np

from browser_app.player.sources import SourceKind
from browser_app.rating.record import Floats


@dataclass(frozen=True)
class SampledCourse:
    """One number of one identity; n values, at least one, in the order in which they were first read.

    A value holds until another one is read: when it changed in between is not known. After the last reading nothing
    is known.

    Attributes:
        source: who said it. identity: of whom, as the source calls him. mode: "" where there is one number for all.
        since, until: when each value was read first and last, seconds since 1970.
        points: the values. sd: the source's own doubt, NaN where it tells none.
    """

    source: SourceKind
    identity: str
    mode: str
    since: Floats
    until: Floats
    points: Floats
    sd: Floats

    def __len__(self) -> int:
        """How many values."""
        return len(self.since)

    @property
    def ends(self) -> tuple[float, float]:
        """The moments of the first and the last reading."""
        return float(self.since[0]), float(self.until[-1])

    def span(self, first: float, last: float) -> slice:
        """The values that hold at some moment from `first` to `last`."""
        if first > self.until[-1]:
            return slice(0, 0)
        begin = max(int(np.searchsorted(self.since, first, side="right")) - 1, 0)
        return slice(begin, max(begin, int(np.searchsorted(self.since, last, side="right"))))

    def reach(self, first: float, last: float) -> tuple[float, float] | None:
        """The least and the greatest value that hold in a span of time; None where none does."""
        points = self.points[self.span(first, last)]
        return (float(points.min()), float(points.max())) if len(points) else None
