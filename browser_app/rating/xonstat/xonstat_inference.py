"""True skills of the model of `xonstat-go`, inferred online."""

import math
from itertools import pairwise
from typing import Self

from browser_app.rating.rating_system import Rating
from browser_app.rating.record.player_slots import RecordMapping
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.skill_inference import SharedError
from browser_app.rating.trueskill2.inference.team_ranking import ranking_derivatives
from browser_app.rating.xonstat.xonstat_go import XonStatGoRun

_PROBIT_VARIANCE = 8.0 / math.pi
"""Variance at which a normal distribution function is like the logistic one (MacKay's approximation)."""
_SWEEPS = 2  # over the ranking; more change coverage by less than 0.1 %


class XonStatInferenceRun(XonStatGoRun):
    """Posterior mean and standard deviation of skills, given the rounds so far.

    The chance of one player against another at known skills is 1 / (1 + e^((μ_b − μ_a)/(β√2))): that of two normal
    performances of variance 8 β² / π. The ranking of a round by score is one observation of all performances, so a
    round of many players counts no more than it tells. Who played a share of the round has a performance of as much
    more variance. If performances are no normal variables, the differences of players who met often are taken as better
    known than they are.

    Rounds tell nothing about the level of a mode's players: given any rounds, their mean skill has the prior's mean
    and a variance of σ₀² / n, and so has its covariance with each skill. The means are shifted to that, and the
    variances are at least that.
    """

    def _prepare_record(self) -> None:
        super()._prepare_record()
        modes = len(self.record.modes)
        self._players = [0] * modes
        self._drift = [0.0] * modes  # sum of the means less that of newcomers

    def rating(self, player: int, mode: int) -> Rating:
        """Return the posterior mean and standard deviation of a skill in a mode."""
        mean, sd = super().rating(player, mode)[:2]
        players = self._players[mode]
        if not players or sd is None:
            return Rating(mean, sd)
        prior = self._slot_ratings.initial_values[mode][1] ** 2
        level = SharedError(players, players * prior)
        return Rating(mean - self._drift[mode] / players, math.sqrt(level.add_to(sd * sd, prior)))

    def _update(self, i: int) -> None:
        """Learn from the ranking alone; an advantage of teams is nothing to it."""
        at, rated, mode = self._rated.rows(i), self._rated, self._mode[i]
        rows = sorted(zip(rated.score[at], rated.slot[at], rated.alive[at], strict=True), reverse=True)
        noise = _PROBIT_VARIANCE * self._noise[rows[0][1]] / 2.0
        means = [self._mean[slot] for _, slot, _ in rows]
        variances = [self._sd[slot] ** 2 for _, slot, _ in rows]
        performances = [var + noise / alive for var, (_, _, alive) in zip(variances, rows, strict=True)]
        ties = [before[0] == after[0] for before, after in pairwise(rows)]
        derivatives = zip(*ranking_derivatives(means, performances, ties, 0.0, max_sweeps=_SWEEPS), strict=True)
        for (_, slot, _), var, (gradient, curvature) in zip(rows, variances, derivatives, strict=True):
            self._players[mode] += not self._rounds[slot]
            self._rounds[slot] += 1
            self._mean[slot] += var * gradient
            self._drift[mode] += var * gradient
            self._sd[slot] = math.sqrt(var - var * var * curvature)

    def _transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> Self:
        """Return a copy: an inference stays with its record (`RatingRun.transfer_to`)."""
        run = super()._transfer_to(record, mapping)
        run._players, run._drift = self._players.copy(), self._drift.copy()  # noqa: SLF001 (of the same class)
        return run

    def _new_inference(self) -> None:
        """Return None: this is one."""
