"""What was seen of one server over time."""

from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.columns import Floats


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

    @classmethod
    def of_rows(cls, rows: "list[tuple[float | None, ...]]") -> "Series":
        """From rows of (time, span, answered, players, low, high, bots, ping_ms); None is unknown."""
        columns = np.array(rows, np.float64).reshape(-1, 8).T  # None becomes NaN
        return cls(*columns)
