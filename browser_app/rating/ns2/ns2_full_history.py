"""NS2 rating solved over the full history."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.circumstances import CircumstanceAdvantage, CircumstanceCode, count_lasting_players
from browser_app.rating.ns2.ns2_covariance import MAX_EXACT_SKILLS, compute_covariance
from browser_app.rating.ns2.ns2_intervals import compute_intervals, compute_prior_intervals
from browser_app.rating.ns2.ns2_parameters import NS2Settings
from browser_app.rating.ns2.ns2_posterior import PosteriorPoint, SkillPosterior, SparseMatrix
from browser_app.rating.ns2.ns2_prior import SkillPrior
from browser_app.rating.ns2.ns2_rounds import (
    LogOddsTerms,
    compute_commander_terms,
    compute_field_terms,
    first_team_outcomes,
)
from browser_app.rating.ns2.ns2_run import NS2Run
from browser_app.rating.ns2.ns2_solver import maximise, scaled_gradient
from browser_app.rating.rating_explanation import RatingExplanation, without_learning
from browser_app.rating.rating_system import Rating
from browser_app.rating.record.player_slots import unique_with_inverse
from browser_app.rating.record.player_viewpoint import PlayerViewpoint
from browser_app.rating.record.round_record import Floats, RoundRecord


class FullHistorySolution(NamedTuple):
    """The most probable skills of a record.

    Attributes:
        posterior: the function that they maximise.
        point: its maximum.
        column_skill: the skill of each column, as a player's index p; the commander skill of a player is len(players) +
            p, the offset 2 len(players) + p.
    """

    posterior: SkillPosterior
    point: PosteriorPoint
    column_skill: NDArray[np.int64]


def solve_full_history(
    record: RoundRecord, settings: NS2Settings, rated: NDArray[np.bool_], advantage: CircumstanceAdvantage | None
) -> FullHistorySolution:
    """Return the maximum of the posterior, searched from the prior's mean.

    `rated` flags the rounds that count; `advantage` of the whole record is None if circumstances are ignored.
    """
    count, players = len(record), len(record.player_ids)
    field = compute_field_terms(record, settings, 0, count)
    commander = compute_commander_terms(record, settings, 0, count)
    parts = [_matrix_entries(field, field.signed, 0), _matrix_entries(commander, commander.signed, players)]
    if settings.solves_offsets:
        parts.append(_matrix_entries(field, field.whole, 2 * players))
    row, skill, value = (np.concatenate(column) for column in zip(*parts, strict=True))
    kept = rated[row] & (value != 0.0)
    rounds, row = unique_with_inverse(row[kept], count)
    skills, column = unique_with_inverse(skill[kept], 3 * players)
    advantages = np.zeros(count) if advantage is None else _advantages(record, advantage)
    outcome = first_team_outcomes(record, 0, count)
    matrix = SparseMatrix(row, column, value[kept])
    prior = SkillPrior(settings.k, settings.theta, settings.offset_sd, skills >= 2 * players)
    posterior = SkillPosterior(matrix, outcome[rounds], advantages[rounds], prior)
    return FullHistorySolution(posterior, maximise(posterior, prior.start()), skills)


def _advantages(record: RoundRecord, advantage: CircumstanceAdvantage) -> Floats:
    count = len(record)
    keys = CircumstanceCode(record).encode(record, count_lasting_players(record, 0, count), 0, count)
    distinct, which = np.unique(keys, return_inverse=True)
    return np.array([advantage.log_odds(circumstance) for circumstance in distinct.tolist()], np.float64)[which]


def _matrix_entries(
    terms: LogOddsTerms, coefficients: Floats, first: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    row = np.repeat(np.arange(len(terms.start) - 1), np.diff(terms.start))
    return row, terms.player.astype(np.int64) + first, coefficients


PlayerValues: TypeAlias = tuple[list[float], list[float], list[float]]
"""A value of every player's skill, commander skill and offset."""

_SKILL, _COMMANDER = 0, 1


class PlayerIntervals(NamedTuple):
    """Intervals (`SkillIntervals`) by player."""

    mean: PlayerValues
    sd: PlayerValues
    low: PlayerValues
    high: PlayerValues


class NS2FullHistoryRun(NS2Run):
    """The most probable s, and χ with commanders, under a Gamma prior.

    Offsets are 0, or with `offsets=yes` the most probable ones under a normal prior. `update` changes nothing.
    Players without rated rounds are at the mode of the prior, (k − 1) θ. The sums of squared gradients are those at the
    solution. F is that after an online run over the record. There is no first rating here, so the skills that the game
    reported (`anchors`) are not used: the prior is the same for everybody.

    Attributes:
        gradient_norm: max |s_i ∂f/∂s_i| over all solved skills and |σ ∂f/∂o_i| over all solved offsets, at most 1e-7.
    """

    def __init__(self, record: RoundRecord, settings: NS2Settings) -> None:
        unknown = (settings.k - 1.0) * settings.theta
        super().__init__(record, replace(settings, start=unknown, anchors=False))
        rated = self._eligibility.is_rated
        self._is_learned[:] = rated.tobytes()
        if self.advantage is not None:
            online = NS2Run(record, settings)
            online.update_range(0, len(record))
            self.advantage = online.advantage
        self._solution = solve_full_history(record, settings, rated, self.advantage)
        point = self._solution.point
        self.gradient_norm = scaled_gradient(self._solution.posterior, point)
        squares = self._solution.posterior.matrix.squares_transposed_times(point.error**2)
        skills = self._skills
        skills.skill, skills.commander, _ = self._by_player(point.x, unknown)
        skills.skill_sum, skills.commander_sum, _ = self._by_player(squares, 0.0)
        *_, skills.offset = self._by_player(point.x, 0.0)

    def rating(self, player: int, mode: int) -> Rating:  # noqa: ARG002 (one skill for all modes)
        """Return the skill s with √(H⁻¹)_ii and the 90 % interval of its posterior."""
        return self._rating(self._skills.skill, _SKILL, player)

    def commander_rating(self, player: int) -> Rating:
        """Return the same of the commander skill, of the prior if they never commanded."""
        return self._rating(self._skills.commander, _COMMANDER, player)

    def confident_points(self, player: int) -> None:
        """Return None: the level is that of the prior, which the tiers do not know."""

    def rated_players(self) -> Mapping[str, Mapping[str, object]]:
        """Return the online run's fields, with sd, mean and interval of both skills.

        `sd` is √(H⁻¹)_ii at the most probable skills; for k = 1, where these may be at the bound 0, it is that of the
        posterior. `mean`, `low` and `high` are the mean and the 90 % interval of the posterior
        (`compute_intervals`). All are in units of s; those of the commander skill begin with `commander_`.
        """
        index = {name: player for player, name in enumerate(self.record.player_ids)}
        return {
            name: {
                **fields,
                **self._posterior_fields("", _SKILL, index[name]),
                **self._posterior_fields("commander_", _COMMANDER, index[name]),
            }
            for name, fields in super().rated_players().items()
        }

    def summary(self) -> Mapping[str, object]:
        """Return `gradient_norm` and, as `sd_exact`, whether `sd` is exact."""
        return {"gradient_norm": self.gradient_norm, "sd_exact": len(self._solution.point.x) <= MAX_EXACT_SKILLS}

    def _rating(self, skills: Sequence[float], kind: int, player: int) -> Rating:
        intervals = self._intervals
        return Rating(
            skills[player], self._deviations[kind][player], (intervals.low[kind][player], intervals.high[kind][player])
        )

    def _posterior_fields(self, prefix: str, kind: int, player: int) -> Mapping[str, float]:
        intervals = self._intervals
        return {
            f"{prefix}sd": self._deviations[kind][player],
            f"{prefix}mean": intervals.mean[kind][player],
            f"{prefix}low": intervals.low[kind][player],
            f"{prefix}high": intervals.high[kind][player],
        }

    @cached_property
    def _deviations(self) -> PlayerValues:
        k, theta, solution = self._settings.k, self._settings.theta, self._solution
        if k == 1.0:
            return self._intervals.sd
        variance = compute_covariance(solution.posterior, solution.point).variance
        return self._by_player(np.sqrt(variance), theta * np.sqrt(k - 1.0))

    @cached_property
    def _intervals(self) -> PlayerIntervals:
        prior = compute_prior_intervals(self._settings.k, self._settings.theta)
        solved = compute_intervals(self._solution.posterior)
        return PlayerIntervals(*map(self._by_player, solved, [float(each[0]) for each in prior]))

    def _new_inference(self) -> None:
        """Return None: the solution is one."""

    def _explain(self, i: int, view: PlayerViewpoint) -> RatingExplanation:
        return without_learning(super()._explain(i, view))

    def _by_player(self, column_values: Floats, unknown: float) -> PlayerValues:
        """Return values of columns as those of every player; `unknown` without a column."""
        players = len(self.record.player_ids)
        values = np.full(3 * players, unknown)
        values[self._solution.column_skill] = column_values
        skill, commander, offset = values.reshape(3, players).tolist()
        return skill, commander, offset

    def _update(self, i: int) -> None:
        pass

    def _ratings(self, i: int) -> list[Rating]:
        rows = self.record.appearances(self._first + i)
        return [self.rating(player, 0) for player in self.record.player[rows].tolist()]
