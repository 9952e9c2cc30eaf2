"""Online run of the NS2 rating."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import ClassVar

import numpy as np

from browser_app.rating.circumstances import CircumstanceAdvantage, LearnedAdvantage
from browser_app.rating.ns2.ns2_explanation import explain_ns2_round
from browser_app.rating.ns2.ns2_parameters import NS2Settings
from browser_app.rating.ns2.ns2_points import POINTS_PER_UNIT, compute_confident_points, to_points
from browser_app.rating.ns2.ns2_rounds import NO_ROWS, NS2RoundBlock, RoundEligibility, TermRows
from browser_app.rating.ns2.ns2_skills import NS2Skills, find_late_commander_reports, first_skills
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
        self._late_reports = find_late_commander_reports(record, settings, self._eligibility.is_rated)
        self._is_learned = bytearray(len(record))
        self.advantage = _create_advantage(record, settings) if advantage is None else advantage

    def rating(self, player: int, mode: int) -> Rating:  # noqa: ARG002 (one skill for all modes)
        """Return the skill s, whatever the mode."""
        return Rating(self._skills.skill[player])

    def team_rating(self, player: int, mode: int, team: int) -> float:  # noqa: ARG002 (one skill for all modes)
        """Return s + o on the first team, s − o on the second ("Per Team Skills")."""
        offset = self._skills.offset[player]
        return self._skills.skill[player] + (-offset if team else offset)

    @property
    def rates_commanders(self) -> bool:
        """Whether commanding is a skill of its own."""
        return self._settings.commander_weight is not None

    def commander_rating(self, player: int) -> Rating:
        """Return the commander skill χ of a player."""
        return Rating(self._skills.commander[player])

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
        return Prediction.two_teams(self._log_odds(self._skills_before(i), *self._block.inputs_of_round(i)))

    def _forecast(self, i: int) -> Prediction | None:
        """Forecast with the commanders that the round names, and all players on a team."""
        expected = self._block.expected
        if not expected.has_two_sides[i]:
            return None
        field, commanders = expected.field.rows_of_round(i), expected.commander.rows_of_round(i)
        return Prediction.two_teams(self._log_odds(self._skills_before(i), field, commanders, expected.circumstance[i]))

    def _skills_before(self, i: int) -> NS2Skills:
        """Return the skills before a round, with late reports of that round."""
        reports = self._late_reports.get(self._first + i)
        return self._skills if reports is None else self._skills.with_commanders(reports, self._settings)

    def _log_odds(self, skills: NS2Skills, field: TermRows, commanders: TermRows, circumstance: int) -> float:
        """Return the first-named team's log-odds without a draw."""
        skill, offset = skills.skill, skills.offset
        log_odds = 0.0 if self.advantage is None else self.advantage.log_odds(circumstance)
        for player, signed, whole in zip(*field, strict=True):
            log_odds += signed * skill[player] + whole * offset[player]
        if commanders is not NO_ROWS:
            commander = skills.commander
            for player, signed, _ in zip(*commanders, strict=True):
                log_odds += signed * commander[player]
        return log_odds

    def _update(self, i: int) -> None:
        """Apply all gradients from one p.

        AdaGrad's rate includes this round (the article, "Learning Rate"). Two mistakes of the article are corrected: g
        sums the squares of ∇s (it prints ∇s), and the offset moves by c ∇o from its value (it prints o ← c ∇o).
        """
        block, skills = self._block, self._skills_before(i)
        self._skills = skills
        field, commanders, circumstance = block.inputs_of_round(i)
        outcome = block.outcomes[i]
        chance = logistic(self._log_odds(skills, field, commanders, circumstance))
        error = outcome - chance
        self._apply_gradients(field, error, skills.skill, skills.skill_sum)
        if self._settings.per_team:
            offset, offset_step = skills.offset, self._settings.c * error
            for player, _, whole in zip(*field, strict=True):
                offset[player] += offset_step * whole
        if commanders is not NO_ROWS:
            self._apply_gradients(commanders, error, skills.commander, skills.commander_sum)
        self._is_learned[self._first + i] = True
        if self.advantage is not None:
            self.advantage.learn(circumstance, outcome, chance)

    def _apply_gradients(self, rows: TermRows, error: float, values: list[float], sums: list[float]) -> None:
        """Move the values of one term by their gradients, and update the sums."""
        c, a, epsilon = self._settings.c, self._settings.a, self._settings.epsilon
        for player, signed, _ in zip(*rows, strict=True):
            gradient = error * signed
            sums[player] = total = sums[player] + gradient * gradient
            values[player] += (c + a / sqrt(total + epsilon)) * gradient

    def _new_inference(self) -> RatingRun | None:
        from browser_app.rating.ns2.ns2_inference import NS2InferenceRun

        return NS2InferenceRun(self.record, self._settings)

    def _ratings(self, i: int) -> Sequence[Rating]:
        record, skill = self.record, self._skills.skill
        return [Rating(skill[player]) for player in record.player[record.appearances(self._first + i)].tolist()]

    def _explain(self, i: int, view: PlayerViewpoint) -> RatingExplanation:
        advantage = None if self.advantage is None else self.advantage.log_odds(self._block.inputs_of_round(i)[2])
        return explain_ns2_round(view, self._settings, self._skills_before(i), advantage)

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
