"""Online run of TrueSkill 2."""

import math
from collections.abc import Mapping, Sequence

from browser_app.rating.circumstances import LearnedAdvantage, learned_bias_variance
from browser_app.rating.rating_explanation import RatingExplanation
from browser_app.rating.rating_system import Rating, RatingRun
from browser_app.rating.record.player_slots import RecordMapping
from browser_app.rating.record.player_viewpoint import PlayerViewpoint
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.trueskill2.gap_advantage import GapAdvantage
from browser_app.rating.trueskill2.modelled_record import ModelledRecord
from browser_app.rating.trueskill2.round_lineups import RoundLineups
from browser_app.rating.trueskill2.team_chances import result_derivatives, two_team_chances
from browser_app.rating.trueskill2.trueskill2_explanation import explain_trueskill2_round
from browser_app.rating.trueskill2.trueskill2_parameters import count_finishing
from browser_app.rating.trueskill2.trueskill2_rounds import TrueSkillRoundBlock
from browser_app.rating.trueskill2.trueskill2_skills import ModeSkills, SharedBaseSkills, skill_table


class TrueSkillRun(RatingRun):
    """Online run of the paper's algorithm.

    For each round: add τ² for the idle time, infer, add γ² and the experience offset. Two teams without counts and
    quits have a closed form; rankings of more teams and counts of two teams have an inference of their own, in linear
    time; all else is the general one. The advantage by circumstances learns from the result alone.
    """

    def __init__(
        self,
        modelled: ModelledRecord,
        *,
        over_modes: bool,
        skills: ModeSkills | None = None,
        advantage: GapAdvantage | None = None,
    ) -> None:
        super().__init__(modelled.record)
        self._modelled = modelled
        self._over_modes = over_modes
        if skills is None:
            skills = ModeSkills(modelled) if modelled.default_model.base is None else SharedBaseSkills(modelled)
        self._skills = skills
        variance = learned_bias_variance(modelled.parameters)
        if advantage is None and variance is not None:
            advantage = GapAdvantage(modelled.record, LearnedAdvantage(modelled.record, variance))
        self.advantage = advantage

    def rating(self, player: int, mode: int) -> Rating:
        """Return the skill in a mode, a newcomer's if the player never played it."""
        mean, var = self._skills.skill_in_mode(player, mode)
        return Rating(mean, math.sqrt(var))

    def overall_rating(self, player: int) -> Rating:
        """Return the skill over all modes, weighted by rounds."""
        find, rounds = self._modelled.slots.find, self._skills.rounds
        slots = [slot for mode in range(len(self.record.modes)) if (slot := find(player, mode)) is not None]
        mean, var = self._skills.average_skill([slot for slot in slots if rounds[slot]])
        return Rating(mean, math.sqrt(var))

    def is_rated(self, player: int, mode: int) -> bool:
        """Return whether the player has any rated round in the mode."""
        slot = self._modelled.slots.find(player, mode)
        return slot is not None and self._skills.rounds[slot] > 0

    def rated_players(self) -> Mapping[str, Mapping[str, object]]:
        """Return `mean`, `sd`, `rounds`, and `modes` with the same of each mode."""
        return skill_table(self._modelled, self._skills, over_modes=self._over_modes)

    def _prepare_block(self, first: int, last: int) -> None:
        self._block = TrueSkillRoundBlock(self._modelled, first, last)
        self._reasons = self._block.skip_reasons()
        self._forecast_lineups: RoundLineups | None = None

    def _skip_reason(self, i: int) -> str | None:
        return self._reasons[i]

    def _forecast(self, i: int) -> Prediction | None:
        if self._forecast_lineups is None:
            self._forecast_lineups = self._block.forecast_lineups()
        return self._chances(i, self._forecast_lineups) if self._forecast_lineups.occupied_teams[i] >= 2 else None

    def _prediction(self, i: int) -> Prediction:
        return self._chances(i, self._block.played)

    def _chances(self, i: int, lineups: RoundLineups) -> Prediction:
        rounds, skills = self._block, self._skills
        model, started = rounds.model(i), rounds.started[i]
        rows = slice(lineups.start[i], lineups.start[i + 1])
        if rounds.teams[i] == 2:
            t, c2, _ = skills.predict_gap(started, lineups.slot[rows], lineups.net[rows])
            added, noise = self._added_to_gap(i, lineups)
            return two_team_chances(t + added, c2 + noise, model.draw_margin)
        before = [skills.skill_before(slot, started) for slot in lineups.slot[rows]]
        return rounds.many_team_chances(i, lineups, [mean for mean, _ in before], [var for _, var in before])

    def _update(self, i: int) -> None:
        derivatives: tuple[float, float] | None = None
        if self._block.has_closed_form[i]:
            derivatives = self._apply_result(i)
        elif self._block.is_ranking[i]:
            self._apply_ranking(i)
        else:
            derivatives = self._infer_skills(i)
        if self.advantage is not None and derivatives is not None:
            self.advantage.learn(self._first + i, self._performance_noise(i, self._block.played), *derivatives)

    def _apply_result(self, i: int) -> tuple[float, float]:
        """Learn from the result of two teams; return its derivatives by the gap."""
        rounds, played = self._block, self._block.played
        rows, times = slice(played.start[i], played.start[i + 1]), (rounds.started[i], rounds.ended[i])
        added = self._added_to_gap(i, played)
        return self._skills.apply_result(times, played.slot[rows], played.net[rows], added, rounds.outcome[i])

    def _apply_ranking(self, i: int) -> None:
        """Learn from the ranks of several teams, which have no gap."""
        rounds, skills, played = self._block, self._skills, self._block.played
        times = started, _ = rounds.started[i], rounds.ended[i]
        slots = played.slot[played.start[i] : played.start[i + 1]]
        before = [skills.skill_before(slot, started) for slot in slots]
        derivatives = rounds.ranking_derivatives(i, before)
        for slot, (mean, var), (gradient, curvature) in zip(slots, before, derivatives, strict=True):
            skills.apply_posterior(slot, times, mean + var * gradient, var - var * var * curvature)

    def _infer_skills(self, i: int) -> tuple[float, float] | None:
        """Learn from all evidence; return the derivatives that the advantage learns from."""
        rounds, skills, played = self._block, self._skills, self._block.played
        times = started, _ = rounds.started[i], rounds.ended[i]
        rows, model = slice(played.start[i], played.start[i + 1]), rounds.model(i)
        slots, advantage, derivatives = played.slot[rows], None, None
        if self.advantage is not None and rounds.teams[i] == 2:
            added, spread = self._added_to_gap(i, played)
            t, c2, _ = skills.predict_gap(started, slots, played.net[rows])
            derivatives = result_derivatives(t + added, c2 + spread, model.draw_margin, rounds.outcome[i])
            advantage = self.advantage.in_gap(self._first + i, self._performance_noise(i, played))
        before = [skills.skill_before(slot, started) for slot in slots]
        for slot, (mean, var) in zip(slots, rounds.infer_skills(i, before, advantage), strict=True):
            skills.apply_posterior(slot, times, mean, var)
        return derivatives

    def _added_to_gap(self, i: int, lineups: RoundLineups) -> tuple[float, float]:
        """Return mean and variance that squads, performances and circumstances add."""
        shift, noise = lineups.net_shift[i], self._performance_noise(i, lineups)
        if self.advantage is None:
            return shift, noise
        mean, var = self.advantage.in_gap(self._first + i, noise)
        return shift + mean, noise + var

    def _performance_noise(self, i: int, lineups: RoundLineups) -> float:
        """Return β² Σ net², the variance of round i's gap for given skills."""
        return self._block.model(i).beta2 * lineups.net_square[i]

    def _new_inference(self) -> RatingRun | None:
        """Return a run that learns from finished rounds, too, if this one does not.

        Quits alone are biased evidence: who finishes shows that they did not underperform.
        """
        if not any(model.quits is not None and not model.quits.finishing_counts for model in self._modelled.models):
            return None
        modelled = ModelledRecord(self.record, count_finishing(self._modelled.parameters))
        return type(self)(modelled, over_modes=self._over_modes)

    def _ratings(self, i: int) -> Sequence[Rating]:
        appearances = self.record.appearances(self._first + i)
        slots: list[int] = self._modelled.slots.appearance_slot[appearances].tolist()
        return [Rating(mean, math.sqrt(var)) for mean, var in map(self._skills.skill, slots)]

    def _explain(self, i: int, view: PlayerViewpoint) -> RatingExplanation:
        name = "trueskill2" if self._over_modes else "trueskill"
        noise = self._performance_noise(i, self._block.played)
        advantage = None if self.advantage is None else self.advantage.in_gap(view.k, noise)
        return explain_trueskill2_round(
            name, view, self._block, i, self._skills, advantage, self._prediction(i), self.simulate_single_round
        )

    def _transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> "TrueSkillRun":
        modelled = ModelledRecord(record, self._modelled.parameters)
        skills = self._skills.transfer_to(modelled, mapping)
        advantage = None if self.advantage is None else self.advantage.transfer_to(record, mapping)
        return TrueSkillRun(modelled, over_modes=self._over_modes, skills=skills, advantage=advantage)
