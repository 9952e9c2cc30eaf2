"""The scale on which a rating stands: NS2's tiers, or the quarters of the record's ranked players."""

import math
from itertools import pairwise
from typing import NamedTuple

from browser_app.language import gettext as _
from browser_app.player.now import Now
from browser_app.player.tiers import TIERS
from browser_app.ui.skill.now_words import quarter_of, quarter_titles
from browser_app.ui.skill.numbers import decimals_of, points_words

_TIERS_END = 4600.0
"""The highest tier has no bound of its own; the scale ends here, or where the rating does."""
_TICKS = 24


class Band(NamedTuple):
    """A part of the scale; `mine` is where the rating counts as standing."""

    title: str
    low: float
    high: float
    mine: bool


class Scale(NamedTuple):
    """What is drawn; all numbers are in the system's displayed units.

    Attributes:
        low, high: the ends.
        bands: without a gap, from the lowest.
        value: where the needle stands. range_low, range_high: 9 times in 10 between; None where unknown.
        counted: what the game counts for the tier, where that is in another band than the needle; else None.
        step: between two ticks. decimals: of the numbers.
    """

    low: float
    high: float
    bands: tuple[Band, ...]
    value: float
    range_low: float | None
    range_high: float | None
    counted: float | None
    step: float
    decimals: int

    def share(self, value: float) -> float:
        """Where a value stands between the ends, 0…1."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    @property
    def spoken(self) -> str:
        """The scale in words."""
        mine = next((band for band in self.bands if band.mine), None)
        parts = [points_words(self.value, self.decimals)]
        if mine is not None:
            low, high = (points_words(each, self.decimals) for each in (mine.low, mine.high))
            parts.append(_("{band}, from {low} to {high}").format(band=mine.title, low=low, high=high))
        if self.range_low is not None and self.range_high is not None:
            low, high = (points_words(each, self.decimals) for each in (self.range_low, self.range_high))
            parts.append(_("9 times in 10 between {low} and {high}").format(low=low, high=high))
        return "; ".join(parts)


def scale_of(now: Now, system: str) -> Scale | None:
    """The scale of a rating; None where there is nothing to hold it against."""
    if now.value is None:
        return None
    if now.tier is not None:
        return _tier_scale(now, now.value)
    return _quarter_scale(now, now.value, decimals_of(system)) if len(now.quantiles) == 5 else None


def _tier_scale(now: Now, value: float) -> Scale:
    far = max(value, now.high or value)
    low, high, step = 0.0, _TIERS_END if far <= _TIERS_END else math.ceil(far / 200) * 200.0, 200.0
    bands = tuple(
        Band(_(tier.name), low if tier.above is None else tier.above, high if tier.up_to is None else tier.up_to, False)
        for tier in TIERS
    )
    number = (now.tier.number if now.tier else 1) - 1
    shown = tuple(band._replace(mine=place == number) for place, band in enumerate(bands))
    apart = now.effective is not None and not shown[number].low < value <= shown[number].high
    return Scale(low, high, shown, value, now.low, now.high, now.effective if apart else None, step, 0)


def _quarter_scale(now: Now, value: float, decimals: int) -> Scale:
    points = [each for each in (*now.quantiles, value, now.low, now.high) if each is not None]
    step = round_step((max(points) - min(points)) / _TICKS)
    low, high = math.floor(min(points) / step) * step, math.ceil(max(points) / step) * step
    inner = now.quantiles[1:-1]
    mine = quarter_of(value, now.quantiles)
    bands = tuple(
        Band(title, left, right, place == mine)
        for place, (title, (left, right)) in enumerate(
            zip(quarter_titles(), pairwise((low, *inner, max(high, low + step))), strict=True)
        )
    )
    return Scale(low, max(high, low + step), bands, value, now.low, now.high, None, step, decimals)


def round_step(least: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 … that is not smaller."""
    if least <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next((each * power for each in (1, 2, 5) if each * power >= least), 10 * power)
