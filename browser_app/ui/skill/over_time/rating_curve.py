"""A rating over time as columns, split at gaps and thinned for drawing."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from browser_app.player.own_history import OwnHistory
from browser_app.rating.record.round_record import Floats, Offsets

DAY_S = 86400.0
_MIN_GAP_S, _MAX_GAP_S = 14 * DAY_S, 28 * DAY_S
_GAP_FACTOR = 3.0
_LEAST_BAND_SHARE = 1 / 3
"""At least this share of the uncertainty is shown above and below the values."""


@dataclass(frozen=True)
class RatingCurve:
    """A rating over time: n points in chronological order.

    Attributes:
        time: start of the round, Unix time in seconds.
        value: the rating after the round.
        low, high: its 90 % interval, NaN if the uncertainty is unknown.
        history_row: row of the history.
        outcome: 1 won, ½ drawn, 0 lost.
    """

    time: Floats
    value: Floats
    low: Floats
    high: Floats
    history_row: Offsets
    outcome: Floats

    def __len__(self) -> int:
        """Return the number of points."""
        return len(self.time)

    @property
    def time_range(self) -> tuple[float, float]:
        """Times of the first and the last point; there must be one."""
        return float(self.time[0]), float(self.time[-1])

    @cached_property
    def segment_starts(self) -> Offsets:
        """First points of the segments between gaps, including point 0."""
        return np.concatenate(([0], np.flatnonzero(np.diff(self.time) >= self._gap_s) + 1)) if len(self) else _NO_POINTS

    @cached_property
    def gaps(self) -> tuple[tuple[float, float], ...]:
        """Start and end time of each gap."""
        return tuple((float(self.time[start - 1]), float(self.time[start])) for start in self.segment_starts[1:])

    @cached_property
    def _gap_s(self) -> float:
        """Three times the median pause between days with rounds.

        It is limited to two to four weeks.
        """
        pauses = np.diff(np.unique(self.time // DAY_S)) * DAY_S
        median = float(np.median(pauses)) if len(pauses) else 0.0
        return min(max(_MIN_GAP_S, _GAP_FACTOR * median), _MAX_GAP_S)

    def slice_between(self, first: float, last: float) -> slice:
        """Return the points from a time to another."""
        return slice(int(np.searchsorted(self.time, first)), int(np.searchsorted(self.time, last, side="right")))

    def value_range(self, first: float, last: float) -> tuple[float, float] | None:
        """Return the range of all values in a time span.

        It is widened by the median uncertainty. None without values. The median keeps a new player's large uncertainty
        from flattening the curve. Of a band much wider than the range of values only a part is included, so that the
        changes remain visible.
        """
        points = self.slice_between(first, last)
        value = self.value[points]
        if not len(value):
            return None
        uncertainty = self.high[points] - value
        median = float(np.nanmedian(uncertainty)) if not np.isnan(uncertainty).all() else 0.0
        shown = min(median, max(float(np.ptp(value)), _LEAST_BAND_SHARE * median))
        return float(value.min()) - shown, float(value.max()) + shown

    def interval_range(self, points: slice) -> tuple[float, float] | None:
        """Return the lowest and the highest end of the 90 % intervals.

        None if all are unknown.
        """
        low, high = self.low[points], self.high[points]
        if not len(low) or np.isnan(high).all():
            return None
        return float(np.nanmin(low)), float(np.nanmax(high))

    def segments(self, points: slice) -> list[slice]:
        """Return the points and one neighbour on either side, split at gaps.

        Neighbours are in the same segment.
        """
        points = slice(max(points.start - 1, 0), min(points.stop + 1, len(self)))
        inside = self.segment_starts[
            (self.segment_starts > points.start) & (self.segment_starts < points.stop)
        ].tolist()
        edges = [points.start, *inside, points.stop]
        return [slice(begin, end) for begin, end in pairwise(edges) if begin < end]


_NO_POINTS: Offsets = np.empty(0, np.int64)


def create_rating_curve(history: OwnHistory, mode: str | None = None) -> RatingCurve:
    """Return the curve of a history; of one mode if each mode has its own rating.

    Rounds without an outcome are left out: they are fixtures or were never finished.
    """
    shown = ~np.isnan(history.after) & ~np.isnan(history.outcome)
    if mode is not None:
        shown &= np.isin(history.mode, [number for number, name in enumerate(history.modes) if name == mode])
    rows = np.flatnonzero(shown)
    return RatingCurve(
        history.started[rows], history.after[rows], history.low[rows], history.high[rows], rows, history.outcome[rows]
    )


def most_played_mode(history: OwnHistory) -> str | None:
    """Return the mode with most rounds, None unless there are several modes."""
    counts = np.bincount(history.mode[history.mode >= 0], minlength=len(history.modes))
    return history.modes[int(counts.argmax())] if np.count_nonzero(counts) > 1 else None


@dataclass(frozen=True, slots=True)
class CurveColumns:
    """Neighbouring points merged for drawing without losing extremes.

    Attributes:
        time: centre of the column.
        first, last: first and last value in it.
        lowest, highest: extreme values in it.
        low, high: widest interval in it.
    """

    time: Floats
    first: Floats
    last: Floats
    lowest: Floats
    highest: Floats
    low: Floats
    high: Floats


def thin_curve(curve: RatingCurve, points: slice, step_s: float) -> CurveColumns:
    """Merge points in the same span of `step_s` seconds into one column.

    Spans are counted from 1970, not from the visible range, so the drawing does not flicker while it is moved.
    """
    number = np.floor(curve.time[points] / step_s)
    begins = np.flatnonzero(np.diff(number, prepend=-np.inf))
    ends = np.append(begins[1:], len(number)) - 1
    value = curve.value[points]
    return CurveColumns(
        (number[begins] + 0.5) * step_s,
        value[begins],
        value[ends],
        np.minimum.reduceat(value, begins),
        np.maximum.reduceat(value, begins),
        np.fmin.reduceat(curve.low[points], begins),
        np.fmax.reduceat(curve.high[points], begins),
    )
