"""Gaussian random walks in time with forward and backward messages."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record.round_record import Floats, Ints


class WalkSteps(NamedTuple):
    """Steps of Gaussian walks, one row per link, in the order of time.

    Attributes:
        owner: index of the variable.
        started, ended: when the round started and ended (Unix time, s).
        mean, var: mean and variance of a newcomer, in units of the skill.
        growth: what the round adds to the mean.
        drift: what the round adds to the variance.
        idle: variance added by each second until the owner's next round.
    """

    owner: Ints
    started: Floats
    ended: Floats
    mean: Floats
    var: Floats
    growth: Floats
    drift: Floats
    idle: Floats


class GaussianWalk:
    """One walk per owner; from round to round the mean grows, and variance is added.

    Messages are stored as plain lists: from the past N(mean, var), from the round and the future precision and
    precision × mean, so that "nothing known" is 0.

    Attributes:
        next_link: the owner's next link, -1 for none.
    """

    def __init__(self, steps: WalkSteps) -> None:
        order = np.argsort(steps.owner, kind="stable")
        same = steps.owner[order[1:]] == steps.owner[order[:-1]]
        earlier, later = order[:-1][same], order[1:][same]
        drift = steps.drift.copy()
        drift[earlier] += steps.idle[earlier] * np.maximum(0.0, steps.started[later] - steps.ended[earlier])
        count = len(order)
        self.next_link = _list_neighbour_links(count, earlier, later)
        self._previous_link = _list_neighbour_links(count, later, earlier)
        self._drift: list[float] = drift.tolist()
        self._growth: list[float] = steps.growth.tolist()
        self._past_mean: list[float] = steps.mean.tolist()
        self._past_var: list[float] = steps.var.tolist()
        self._round_precision, self._round_precision_mean = [0.0] * count, [0.0] * count
        self._future_precision, self._future_precision_mean = [0.0] * count, [0.0] * count

    def cavity(self, link: int) -> tuple[float, float]:
        """Return mean and variance from past and future."""
        var = self._past_var[link]
        share = 1.0 / (1.0 + var * self._future_precision[link])
        return (self._past_mean[link] + var * self._future_precision_mean[link]) * share, var * share

    def set_round_message(self, link: int, precision: float, precision_mean: float) -> None:
        """Set the message from the round, precision and precision × mean."""
        self._round_precision[link], self._round_precision_mean[link] = precision, precision_mean

    def pass_forward(self, link: int) -> None:
        """Pass N(mean, var) of past and round to the next link, with its growth."""
        after = self.next_link[link]
        if after >= 0:
            var = self._past_var[link]
            share = 1.0 / (1.0 + var * self._round_precision[link])
            self._past_mean[after] = (
                self._past_mean[link] + var * self._round_precision_mean[link]
            ) * share + self._growth[link]
            self._past_var[after] = var * share + self._drift[link]

    def pass_backward(self, link: int) -> None:
        """Pass precision and precision × mean of round and future back, less the growth."""
        before = self._previous_link[link]
        if before >= 0:
            precision = self._future_precision[link] + self._round_precision[link]
            precision_mean = self._future_precision_mean[link] + self._round_precision_mean[link]
            share = 1.0 / (1.0 + self._drift[before] * precision)
            self._future_precision[before] = precision * share
            self._future_precision_mean[before] = (precision_mean - self._growth[before] * precision) * share

    def marginals(self) -> tuple[Floats, Floats]:
        """Return means and variances of all links."""
        past_mean, past_var = np.array(self._past_mean), np.array(self._past_var)
        share = 1.0 / (1.0 + past_var * (np.array(self._future_precision) + np.array(self._round_precision)))
        precision_mean = np.array(self._future_precision_mean) + np.array(self._round_precision_mean)
        return (past_mean + past_var * precision_mean) * share, past_var * share

    @property
    def means(self) -> Floats:
        """Messages about the means: a row of means from the past, two of precision × mean."""
        return np.array((self._past_mean, self._future_precision_mean, self._round_precision_mean))

    @means.setter
    def means(self, rows: Floats) -> None:
        self._past_mean, self._future_precision_mean, self._round_precision_mean = rows.tolist()


class SharedBaseWalk:
    """w·base + offset, eq. (20), with one walk each; only their marginals are stored."""

    def __init__(self, base: GaussianWalk, offset: GaussianWalk, w: list[float]) -> None:
        self.base, self.offset, self._w = base, offset, w

    def cavity(self, link: int) -> tuple[float, float]:
        """Return mean and variance of the sum, base and offset taken as independent."""
        w, (base, base_var), (offset, offset_var) = self._both(link)
        return w * base + offset, w * w * base_var + offset_var

    def set_round_message(self, link: int, precision: float, precision_mean: float) -> None:
        """Send each part the message of the sum, with the other part's variance added."""
        w, (base, base_var), (offset, offset_var) = self._both(link)
        share = 1.0 / (1.0 + precision * offset_var)
        self.base.set_round_message(link, w * w * precision * share, w * (precision_mean - precision * offset) * share)
        share = 1.0 / (1.0 + precision * w * w * base_var)
        self.offset.set_round_message(link, precision * share, (precision_mean - precision * w * base) * share)

    def pass_forward(self, link: int) -> None:
        """Pass both messages forward."""
        self.base.pass_forward(link)
        self.offset.pass_forward(link)

    def pass_backward(self, link: int) -> None:
        """Pass both messages backward."""
        self.base.pass_backward(link)
        self.offset.pass_backward(link)

    def marginals(self) -> tuple[Floats, Floats]:
        """Return means and variances of the sums, both parts taken as independent."""
        w, (base, base_var), (offset, offset_var) = np.array(self._w), self.base.marginals(), self.offset.marginals()
        return w * base + offset, w * w * base_var + offset_var

    @property
    def means(self) -> Floats:
        """Rows of `GaussianWalk.means` of the base, then those of the offset."""
        return np.concatenate([self.base.means, self.offset.means])

    @means.setter
    def means(self, rows: Floats) -> None:
        self.base.means, self.offset.means = np.split(rows, 2)

    def _both(self, link: int) -> tuple[float, tuple[float, float], tuple[float, float]]:
        return self._w[link], self.base.cavity(link), self.offset.cavity(link)


_MIN_ALIGNMENT = 0.98  # cosine of the angle between two changes
_MAX_RATE = 0.98


class SweepExtrapolation:
    """Extrapolation of the means to the limit of the sweeps (L. A. Lyusternik, 1947).

    It assumes that each sweep's change is the last one times a factor. Where only the ranks within rounds are known,
    the level of all players settles slowly, by such a factor; without jumps that takes three to four times as many
    sweeps.
    """

    def __init__(self, walk: GaussianWalk | SharedBaseWalk) -> None:
        self._walk, self._means = walk, walk.means
        self._last_change: Floats | None = None

    def apply(self, change: Floats) -> bool:
        """Extrapolate if the last two sweeps changed the means alike; return whether.

        `change` is that of the mean of each skill by the last sweep.
        """
        before, means, last = self._means, self._walk.means, self._last_change
        self._means, self._last_change = means, change
        if last is None:
            return False
        squares, product = float(last @ last), float(change @ last)
        rate = product / squares if squares > 0.0 else 0.0
        if not 0.0 < rate < _MAX_RATE or product < _MIN_ALIGNMENT * math.sqrt(squares * float(change @ change)):
            return False
        self._walk.means = self._means = means + rate / (1.0 - rate) * (means - before)
        self._last_change = None
        return True


def _list_neighbour_links(count: int, links: NDArray[np.int64], theirs: NDArray[np.int64]) -> list[int]:
    neighbours = np.full(count, -1)
    neighbours[links] = theirs
    listed: list[int] = neighbours.tolist()
    return listed


def count_earlier_links(owner: Ints) -> list[int]:
    """Return how many links of the same owner come before each link."""
    order = np.argsort(owner, kind="stable")
    starts = np.flatnonzero(np.diff(owner[order], prepend=np.iinfo(np.int32).min))
    lengths = np.diff(np.append(starts, len(owner)))
    rank = np.empty(len(owner), np.int64)
    rank[order] = np.arange(len(owner)) - np.repeat(starts, lengths)
    ranks: list[int] = rank.tolist()
    return ranks
