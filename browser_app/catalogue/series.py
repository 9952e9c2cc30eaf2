"""What was seen of one server over time."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from browser_app.catalogue.columns import Floats, Rows


@dataclass(frozen=True, slots=True)
class Series:
    """Samples of one server, ascending in time; each stands for the span from `time` on.

    Attributes:
        time: Unix time, s. span: s; the finer ones are the newer ones.
        answered: share of the questions that were answered, 0…1.
        players, low, high: humans playing, the mean and the range of the span; NaN where it never answered.
        bots, ping_ms: means; NaN where unknown.
    """

    time: Floats
    span: Floats
    answered: Floats
    players: Floats
    low: Floats
    high: Floats
    bots: Floats
    ping_ms: Floats

    def __len__(self) -> int:
        """How many samples."""
        return len(self.time)

    @property
    def days(self) -> float:
        """Days from the first sample to the end of the last."""
        return float(self.time[-1] + self.span[-1] - self.time[0]) / 86400 if len(self) else 0.0

    def gathered(self, since: float, span_s: float) -> Self:
        """From a time on, with finer samples gathered into spans of `span_s`; coarser ones are left out."""
        kept = (self.time >= since) & (self.span <= span_s)
        starts, place = np.unique(self.time[kept] // span_s, return_inverse=True)
        many = len(starts)
        asked = np.bincount(place, minlength=many)
        low, high = np.full(many, np.nan), np.full(many, np.nan)
        np.fmin.at(low, place, self.low[kept])
        np.fmax.at(high, place, self.high[kept])
        players, bots, ping_ms = (_means(place, many, each[kept]) for each in (self.players, self.bots, self.ping_ms))
        answered = np.bincount(place, self.answered[kept], many) / asked
        spans = np.full(many, float(span_s))
        return type(self)(starts * span_s, spans, answered, players, low, high, bots, ping_ms)

    @classmethod
    def of_rows(cls, rows: "list[tuple[float | None, ...]]") -> "Series":
        """From rows of (time, span, answered, players, low, high, bots, ping_ms); None is unknown."""
        columns = np.array(rows, np.float64).reshape(-1, 8).T  # None becomes NaN
        return cls(*columns)


def _means(place: Rows, many: int, values: Floats) -> Floats:
    """The mean of what is known in each of `many` places; NaN where nothing is."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.bincount(place[known], values[known], many) / np.bincount(place[known], minlength=many)
