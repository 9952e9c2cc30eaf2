"""Online run of the NS2 rating."""

from collections.abc import Mapping, Sequence
from math import pi, sqrt
from typing import ClassVar

import numpy as np

from browser_app.rating.circumstances import CircumstanceAdvantage, LearnedAdvantage
from browser_app.rating.ns2.ns2_explanation import explain_ns2_round
from browser_app.rating.ns2.ns2_parameters import NS2Settings
from browser_app.rating.ns2.ns2_points import POINTS_PER_UNIT, compute_confident_points, to_points
from browser_app.rating.ns2.ns2_rounds import NO_ROWS, NS2RoundBlock, RoundEligibility, TermRows
from browser_app.rating.ns2.ns2_skills import NS2Skills, first_skills
from browser_app.rating.ns2.ns2_win_rates import CircumstanceWinRates
from browser_app.rating.rating_explanation import RatingExplanation
from browser_app.rating.rating_system import Rating, RatingRun
from browser_app.rating.record.player_slots import RecordMapping
from browser_app.rating.record.player_viewpoint import PlayerViewpoint
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.round_prediction import Prediction, logistic


class NS2Run(RatingRun):
    """Skill s, offset o and commander skill χ of all players, in units of s.

    logit p = Σ T t (s + T o) / Σ t + Σ T c χ / Σ c + F (the article; the proposal has the first sum and F). A term
    whose Σ is zero is absent. Draws are not predicted; as an outcome one is half a win.
    """

    points_per_unit: ClassVar[float] = POINTS_PER_UNIT

    def __init__(
        self,
        record: RoundRecord,
        settings: NS2Settings,
        skills: NS2Skills | None = None,
        advantage: CircumstanceAdvantage | None = None,
    ) -> None:
        super().__init__(record)
        self._settings = settings
        self._eligibility = RoundEligibility(record, settings.min_duration_s)
        self._skills = first_skills(record, settings, self._eligibility.is_rated) if skills is None else skills
        self._is_learned = bytearray(len(record))
        self.advantage = _create_advantage(record, settings) if advantage is None else advantage

    def rating(self, player: int, mode: int) -> Rating:  # noqa: ARG002 (one skill for all modes)
        """Return the skill s, whatever the mode."""
        return Rating(self._skills.skill[player])

    def estimated_sd(self, player: int, mode: int) -> float | None:  # noqa: ARG002 (one skill for all modes)
        """Return the root of the skill's error variance, as `_update` propagates it."""
        return sqrt(self._skills.variance[player])

    def team_rating(self, player: int, mode: int, team: int) -> float:  # noqa: ARG002 (one skill for all modes)
        """Return s + o on the first team, s − o on the second ("Per Team Skills")."""
        offset = self._skills.offset[player]
        return self._skills.skill[player] + (-offset if team else offset)

    @property
    def rates_commanders(self) -> bool:
        """Whether commanding is a skill of its own."""
        return self._settings.commander_weight is not None

    def commander_rating(self, player: int) -> Rating:
        """Return the commander skill χ of a player, with an estimated deviation."""
        skills = self._skills
        return Rating(skills.commander[player], sqrt(skills.commander_variance[player]))

    def confident_points(self, player: int) -> float | None:
        """Return the points that decide the tier of a player.

        As in the game, nothing is deducted where the sum of squared gradients is unknown.
        """
        skills = self._skills
        points = to_points(skills.skill[player])
        return compute_confident_points(points, skills.skill_sum[player]) if skills.is_sum_known[player] else points

    def is_rated(self, player: int, mode: int) -> bool:  # noqa: ARG002 (one skill for all modes)
        """Return whether the player was on a team in any rated round."""
        return self._count_rounds()[player] > 0

    def rated_players(self) -> Mapping[str, Mapping[str, object]]:
        """Return skills, sums of squared gradients, rounds and points of rated players.

        `anchored` is whether the first skill was the game's own.
        """
        rounds, skills = self._count_rounds(), self._skills
        return {
            name: {
                "skill": skills.skill[player],
                "offset": skills.offset[player],
                "commander": skills.commander[player],
                "adagrad_sum": skills.skill_sum[player],
                "commander_adagrad_sum": skills.commander_sum[player],
                "rounds": rounds[player],
                "anchored": skills.anchored[player],
                "points": to_points(skills.skill[player]),
            }
            for player, name in enumerate(self.record.player_ids)
            if rounds[player]
        }

    def _count_rounds(self) -> list[int]:
        record = self.record
        present = np.zeros(len(record.player), np.bool_)
        present[record.stays.appearance] = True
        present &= np.frombuffer(self._is_learned, np.bool_)[record.round_of_appearance]
        here = np.bincount(record.player[present], minlength=len(record.player_ids))
        rounds: list[int] = (here + np.array(self._skills.rounds, np.int64)).tolist()
        return rounds

    def _prepare_block(self, first: int, last: int) -> None:
        self._block = NS2RoundBlock(self.record, self._settings, self._eligibility, first, last)

    def _skip_reason(self, i: int) -> str | None:
        return self._block.reasons[i]

    def _prediction(self, i: int) -> Prediction:
        return Prediction.two_teams(self._log_odds(*self._block.inputs_of_round(i))[0])

    def _forecast(self, i: int) -> Prediction | None:
        """Forecast with the commanders that the round names, and all players on a team."""
        expected = self._block.expected
        if not expected.has_two_sides[i]:
            return None
        field, commanders = expected.field.rows_of_round(i), expected.commander.rows_of_round(i)
        return Prediction.two_teams(self._log_odds(field, commanders, expected.circumstance[i])[0])

    def _log_odds(self, field: TermRows, commanders: TermRows, circumstance: int) -> tuple[float, float]:
        """Return the first-named team's log-odds without a draw, and error variance."""
        skills = self._skills
        skill, offset, variance = skills.skill, skills.offset, skills.variance
        log_odds, total = 0.0 if self.advantage is None else self.advantage.log_odds(circumstance), 0.0
        for player, signed, whole in zip(*field, strict=True):
            log_odds += signed * skill[player] + whole * offset[player]
            total += signed * signed * variance[player]
        if commanders is not NO_ROWS:
            commander, variance = skills.commander, skills.commander_variance
            for player, signed, _ in zip(*commanders, strict=True):
                log_odds += signed * commander[player]
                total += signed * signed * variance[player]
        return log_odds, total

    def _update(self, i: int) -> None:
        """Apply all gradients from one p.

        AdaGrad's rate includes this round (the article, "Learning Rate"). Two mistakes of the article are corrected: g
        sums the squares of ∇s (it prints ∇s), and the offset moves by c ∇o from its value (it prints o ← c ∇o).

        The error variance P of a skill that moves by α ∇ with ∇ = a (G − p) becomes P − 2 α a² I P + α² a² E[(G − p)²],
        as for a filter with a given gain: a is the coefficient of the skill in the log-odds, and a I P the covariance
        of its error and G − p, with I as `_error_moments` returns it.
        """
        block, skills = self._block, self._skills
        field, commanders, circumstance = block.inputs_of_round(i)
        outcome = block.outcomes[i]
        log_odds, log_odds_variance = self._log_odds(field, commanders, circumstance)
        chance = logistic(log_odds)
        error = outcome - chance
        moments = _error_moments(log_odds, chance, log_odds_variance)
        self._apply_gradients(field, error, moments, skills.skill, skills.skill_sum, skills.variance)
        if self._settings.per_team:
            offset, offset_step = skills.offset, self._settings.c * error
            for player, _, whole in zip(*field, strict=True):
                offset[player] += offset_step * whole
        if commanders is not NO_ROWS:
            values, sums, variance = skills.commander, skills.commander_sum, skills.commander_variance
            self._apply_gradients(commanders, error, moments, values, sums, variance)
        self._is_learned[self._first + i] = True
        if self.advantage is not None:
            self.advantage.learn(circumstance, outcome, chance)

    def _apply_gradients(
        self,
        rows: TermRows,
        error: float,
        moments: tuple[float, float],
        values: list[float],
        sums: list[float],
        variance: list[float],
    ) -> None:
        """Move the values of one term by their gradients, and update sums and variances."""
        c, a, epsilon = self._settings.c, self._settings.a, self._settings.epsilon
        twice_slope, square = 2.0 * moments[0], moments[1]
        for player, signed, _ in zip(*rows, strict=True):
            gradient = error * signed
            sums[player] = total = sums[player] + gradient * gradient
            rate = c + a / sqrt(total + epsilon)
            values[player] += rate * gradient
            gain = rate * signed
            variance[player] += gain * (gain * square - twice_slope * signed * variance[player])

    def _ratings(self, i: int) -> Sequence[Rating]:
        record, skill = self.record, self._skills.skill
        return [Rating(skill[player]) for player in record.player[record.appearances(self._first + i)].tolist()]

    def _explain(self, i: int, view: PlayerViewpoint) -> RatingExplanation:
        advantage = None if self.advantage is None else self.advantage.log_odds(self._block.inputs_of_round(i)[2])
        return explain_ns2_round(view, self._settings, self._skills, advantage)

    def _transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> "NS2Run":
        rated = RoundEligibility(record, self._settings.min_duration_s).is_rated
        newcomers = first_skills(record, self._settings, rated)
        skills = self._skills.transfer_to(mapping.players, newcomers, self._count_rounds())
        advantage = None if self.advantage is None else self.advantage.transfer_to(record, mapping)
        return NS2Run(record, self._settings, skills, advantage)


def _create_advantage(record: RoundRecord, settings: NS2Settings) -> CircumstanceAdvantage | None:
    if settings.bias_strength is not None:
        return CircumstanceWinRates(record, settings.bias_strength)
    return None if settings.bias_variance is None else LearnedAdvantage(record, settings.bias_variance)


def _error_moments(log_odds: float, chance: float, variance: float) -> tuple[float, float]:
    """Return I and E[(G − p)²] of a round whose log-odds have an error variance V.

    By MacKay's approximation the chance is p' of κ times the log-odds, κ = 1 / √(1 + π V / 8) (D. J. C. MacKay, "The
    evidence framework applied to classification networks", Neural Computation 4, 1992), and κ p' (1 − p') the mean
    slope of the chance: by Stein's lemma, the covariance of G − p and a normal error in the log-odds is the slope times
    the error's variance. That alone would be too much, as errors of teammates are negatively correlated, and fast
    learning makes estimates too extreme. Over √(1 + p (1 − p) V), the root of Var (G − p) over p (1 − p), it is what
    errors in simulated rounds of other seeds than the bench's agree with.

    The expected square stands in for the actual one, which says little before the first surprise. P stays above 0, as
    a² P is at most V.
    """
    moderation = 1.0 / sqrt(1.0 + pi / 8.0 * variance)
    moderated = logistic(moderation * log_odds)
    noise = moderated * (1.0 - moderated)
    slope = moderation * noise / sqrt(1.0 + chance * (1.0 - chance) * variance)
    return slope, noise + (moderated - chance) ** 2
