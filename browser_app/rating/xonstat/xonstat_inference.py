"""True skills of the model of `xonstat-go`, inferred online."""

import math
from itertools import pairwise
from typing import Self

from browser_app.rating.rating_system import Rating
from browser_app.rating.record.player_slots import RecordMapping
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.skill_inference import SharedError
from browser_app.rating.xonstat.plackett_luce import plackett_luce_derivatives
from browser_app.rating.xonstat.xonstat_go import XonStatGoRun

_GUMBEL_VARIANCE = math.pi**2 / 6.0
"""Variance of a Gumbel variable of scale 1."""


class XonStatInferenceRun(XonStatGoRun):
    """Posterior mean and standard deviation of skills, given the rounds so far.

    The chance of one player against another at known skills is 1 / (1 + e^((μ_b − μ_a)/(β√2))): that of two
    performances with Gumbel noise of scale β√2. The ranking of a round by score is one observation of all performances
    (`plackett_luce_derivatives`), so a round of many players counts no more than it tells. Who played a share of the
    round has a performance of as much more variance.

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
        scale = math.sqrt(self._noise[rows[0][1]])
        means = [self._mean[slot] / scale for _, slot, _ in rows]
        variances = [self._sd[slot] ** 2 for _, slot, _ in rows]
        performances = [
            var / scale**2 + _GUMBEL_VARIANCE * (1.0 / alive - 1.0)
            for var, (_, _, alive) in zip(variances, rows, strict=True)
        ]
        ties = [before[0] == after[0] for before, after in pairwise(rows)]
        derivatives = zip(*plackett_luce_derivatives(means, performances, ties), strict=True)
        for (_, slot, _), var, (gradient, curvature) in zip(rows, variances, derivatives, strict=True):
            self._players[mode] += not self._rounds[slot]
            self._rounds[slot] += 1
            moved = var * gradient / scale
            self._mean[slot] += moved
            self._drift[mode] += moved
            self._sd[slot] = math.sqrt(var - (var / scale) ** 2 * curvature)

    def _transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> Self:
        """Return a copy: an inference stays with its record (`RatingRun.transfer_to`)."""
        run = super()._transfer_to(record, mapping)
        run._players, run._drift = self._players.copy(), self._drift.copy()  # noqa: SLF001 (of the same class)
        return run

    def _new_inference(self) -> None:
        """Return None: this is one."""
