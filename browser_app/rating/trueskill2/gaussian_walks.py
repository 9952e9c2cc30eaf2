"""Gaussian random walks in time with forward and backward messages."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record.round_record import Floats, Ints


class WalkSteps(NamedTuple):
    """One row a link, in the order of time.

    Attributes:
        owner: whose variable it is. started, ended: of the match, seconds.
        mean, var: of a newcomer. growth: what the match adds to the mean, drift: to the variance.
        idle: variance that each second until the owner's next match adds.
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
    """A walk for each owner: from one of his matches to the next it grows, and a variance is added.

    Messages are kept as plain lists: from the past N(mean, var), from the match and the future precision and
    precision × mean, so that "nothing known" is 0.

    Attributes:
        after: the owner's next link, -1 for none.
    """

    def __init__(self, steps: WalkSteps) -> None:
        order = np.argsort(steps.owner, kind="stable")
        same = steps.owner[order[1:]] == steps.owner[order[:-1]]
        earlier, later = order[:-1][same], order[1:][same]
        drift = steps.drift.copy()
        drift[earlier] += steps.idle[earlier] * np.maximum(0.0, steps.started[later] - steps.ended[earlier])
        count = len(order)
        self.next_link = _neighbour_links(count, earlier, later)
        self._previous_link = _neighbour_links(count, later, earlier)
        self._drift: list[float] = drift.tolist()
        self._growth: list[float] = steps.growth.tolist()
        self._past_mean: list[float] = steps.mean.tolist()
        self._past_var: list[float] = steps.var.tolist()
        self._match_precision, self._match_pull = [0.0] * count, [0.0] * count
        self._future_precision, self._future_pull = [0.0] * count, [0.0] * count

    def cavity(self, link: int) -> tuple[float, float]:
        """Mean and variance from past and future."""
        var = self._past_var[link]
        share = 1.0 / (1.0 + var * self._future_precision[link])
        return (self._past_mean[link] + var * self._future_pull[link]) * share, var * share

    def set_round_message(self, link: int, precision: float, pull: float) -> None:
        """What the match says."""
        self._match_precision[link], self._match_pull[link] = precision, pull

    def pass_forward(self, link: int) -> None:
        """N(mean, var) of past and match, grown."""
        after = self.next_link[link]
        if after >= 0:
            var = self._past_var[link]
            share = 1.0 / (1.0 + var * self._match_precision[link])
            self._past_mean[after] = (self._past_mean[link] + var * self._match_pull[link]) * share + self._growth[link]
            self._past_var[after] = var * share + self._drift[link]

    def pass_backward(self, link: int) -> None:
        """Precision and pull of match and future, less what the link before grew."""
        before = self._previous_link[link]
        if before >= 0:
            precision = self._future_precision[link] + self._match_precision[link]
            pull = self._future_pull[link] + self._match_pull[link]
            share = 1.0 / (1.0 + self._drift[before] * precision)
            self._future_precision[before] = precision * share
            self._future_pull[before] = (pull - self._growth[before] * precision) * share

    def marginals(self) -> tuple[Floats, Floats]:
        """Means and variances of all links."""
        past_mean, past_var = np.array(self._past_mean), np.array(self._past_var)
        share = 1.0 / (1.0 + past_var * (np.array(self._future_precision) + np.array(self._match_precision)))
        pull = np.array(self._future_pull) + np.array(self._match_pull)
        return (past_mean + past_var * pull) * share, past_var * share


class SharedBaseWalk:
    """w·base + offset, with a walk each: eq. (20). Of the two only marginals are kept, as online."""

    def __init__(self, base: GaussianWalk, offset: GaussianWalk, w: list[float]) -> None:
        self.base, self.offset, self._w = base, offset, w

    def cavity(self, link: int) -> tuple[float, float]:
        """Both as independent."""
        w, (base, base_var), (offset, offset_var) = self._both(link)
        return w * base + offset, w * w * base_var + offset_var

    def set_round_message(self, link: int, precision: float, pull: float) -> None:
        """To each a measurement of the sum, blurred by what is not known of the other."""
        w, (base, base_var), (offset, offset_var) = self._both(link)
        share = 1.0 / (1.0 + precision * offset_var)
        self.base.set_round_message(link, w * w * precision * share, w * (pull - precision * offset) * share)
        share = 1.0 / (1.0 + precision * w * w * base_var)
        self.offset.set_round_message(link, precision * share, (pull - precision * w * base) * share)

    def pass_forward(self, link: int) -> None:
        """Both."""
        self.base.pass_forward(link)
        self.offset.pass_forward(link)

    def pass_backward(self, link: int) -> None:
        """Both."""
        self.base.pass_backward(link)
        self.offset.pass_backward(link)

    def marginals(self) -> tuple[Floats, Floats]:
        """Both as independent."""
        w, (base, base_var), (offset, offset_var) = np.array(self._w), self.base.marginals(), self.offset.marginals()
        return w * base + offset, w * w * base_var + offset_var

    def _both(self, link: int) -> tuple[float, tuple[float, float], tuple[float, float]]:
        return self._w[link], self.base.cavity(link), self.offset.cavity(link)


def _neighbour_links(count: int, links: NDArray[np.int64], theirs: NDArray[np.int64]) -> list[int]:
    neighbours = np.full(count, -1)
    neighbours[links] = theirs
    listed: list[int] = neighbours.tolist()
    return listed


def rank_within(owner: Ints) -> list[int]:
    """How many links of its owner come before each."""
    order = np.argsort(owner, kind="stable")
    starts = np.flatnonzero(np.diff(owner[order], prepend=np.iinfo(np.int32).min))
    lengths = np.diff(np.append(starts, len(owner)))
    rank = np.empty(len(owner), np.int64)
    rank[order] = np.arange(len(owner)) - np.repeat(starts, lengths)
    ranks: list[int] = rank.tolist()
    return ranks
