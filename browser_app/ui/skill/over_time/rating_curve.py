"""A rating over time as columns, split at gaps and thinned for drawing."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from browser_app.player.own_history import OwnHistory
from browser_app.player.skill_summary import Z90
from browser_app.rating.record.round_record import Floats, Offsets

DAY_S = 86400.0
_MIN_GAP_S, _MAX_GAP_S = 14 * DAY_S, 28 * DAY_S
_GAP_FACTOR = 3.0


@dataclass(frozen=True)
class RatingCurve:
    """What a plot knows of a rating; n points in the order of their time.

    Attributes:
        time: when the round began, seconds since 1970. value: the rating after it.
        low, high: nine in ten lie between; NaN where the system tells no doubt.
        row: where the point stands in its history. outcome: 1, 0 or ½.
    """

    time: Floats
    value: Floats
    low: Floats
    high: Floats
    history_row: Offsets
    outcome: Floats

    def __len__(self) -> int:
        """How many points."""
        return len(self.time)

    @property
    def time_range(self) -> tuple[float, float]:
        """The moments of the first and the last point, of which there must be some."""
        return float(self.time[0]), float(self.time[-1])

    @cached_property
    def segment_starts(self) -> Offsets:
        """The first point of each stretch that was played without a gap; the first of all among them."""
        return np.concatenate(([0], np.flatnonzero(np.diff(self.time) >= self._gap_s) + 1)) if len(self) else _NO_POINTS

    @cached_property
    def gaps(self) -> tuple[tuple[float, float], ...]:
        """From when until when nothing was played."""
        return tuple((float(self.time[start - 1]), float(self.time[start])) for start in self.segment_starts[1:])

    @cached_property
    def _gap_s(self) -> float:
        """Three times what usually lies between days on which somebody plays; two to four weeks."""
        pauses = np.diff(np.unique(self.time // DAY_S)) * DAY_S
        usual = float(np.median(pauses)) if len(pauses) else 0.0
        return min(max(_MIN_GAP_S, _GAP_FACTOR * usual), _MAX_GAP_S)

    def slice_between(self, first: float, last: float) -> slice:
        """The points from a moment to another."""
        return slice(int(np.searchsorted(self.time, first)), int(np.searchsorted(self.time, last, side="right")))

    def value_range(self, first: float, last: float) -> tuple[float, float] | None:
        """Of a span of time every value and of the doubt what is usual there; None where there is nothing.

        What a newcomer's doubt is does not flatten all the rest.
        """
        points = self.slice_between(first, last)
        value = self.value[points]
        if not len(value):
            return None
        doubt = self.high[points] - value
        usual = float(np.nanmedian(doubt)) if not np.isnan(doubt).all() else 0.0
        return float(value.min()) - usual, float(value.max()) + usual

    def segments(self, points: slice) -> list[slice]:
        """The points, one more on either side, in pieces without a gap; those one more are of the same pieces."""
        points = slice(max(points.start - 1, 0), min(points.stop + 1, len(self)))
        inside = self.segment_starts[
            (self.segment_starts > points.start) & (self.segment_starts < points.stop)
        ].tolist()
        edges = [points.start, *inside, points.stop]
        return [slice(begin, end) for begin, end in pairwise(edges) if begin < end]


_NO_POINTS: Offsets = np.empty(0, np.int64)


def create_rating_curve(history: OwnHistory, mode: str | None = None) -> RatingCurve:
    """The rounds of a history after which there was a rating; those of one mode where that has a rating of its own.

    Those without an outcome are left out: they are to come, or were never finished.
    """
    shown = ~np.isnan(history.after) & ~np.isnan(history.outcome)
    if mode is not None:
        shown &= np.isin(history.mode, [number for number, name in enumerate(history.modes) if name == mode])
    rows = np.flatnonzero(shown)
    doubt = Z90 * history.sd[rows]
    value = history.after[rows]
    return RatingCurve(history.started[rows], value, value - doubt, value + doubt, rows, history.outcome[rows])


def most_played_mode(history: OwnHistory) -> str | None:
    """The mode of most rounds, where there are several."""
    counts = np.bincount(history.mode[history.mode >= 0], minlength=len(history.modes))
    return history.modes[int(counts.argmax())] if np.count_nonzero(counts) > 1 else None


@dataclass(frozen=True, slots=True)
class CurveColumns:
    """Neighbouring points drawn as one: no extreme is lost, whatever lies between them.

    Attributes:
        time: the middle of the column. first, last: of the values in it. least, most: their extremes.
        low, high: the widest doubt in it.
    """

    time: Floats
    first: Floats
    last: Floats
    lowest: Floats
    highest: Floats
    low: Floats
    high: Floats


def thin_curve(curve: RatingCurve, points: slice, step_s: float) -> CurveColumns:
    """Points that fall into the same span of ``step_s`` seconds as one column.

    The spans are counted from 1970, not from what is seen: the picture does not shimmer while it is moved.
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
