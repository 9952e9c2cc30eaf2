"""TrueSkill 2 online: skills as they stand, forward in time, one update a round."""

import math
from collections.abc import Mapping, Sequence

from browser_app.rating.explanation import Explanation
from browser_app.rating.prediction import Prediction
from browser_app.rating.record import Record
from browser_app.rating.seats import Seats
from browser_app.rating.system import Rating, RatingRun
from browser_app.rating.trueskill2.explained import explain
from browser_app.rating.trueskill2.inference.one_match import learn
from browser_app.rating.trueskill2.lineup import Lineups
from browser_app.rating.trueskill2.rounds import Rounds
from browser_app.rating.trueskill2.setting import Setting
from browser_app.rating.trueskill2.shared_skills import SharedSkills
from browser_app.rating.trueskill2.skills import Skills
from browser_app.rating.trueskill2.standings import standings
from browser_app.rating.trueskill2.two_teams import chances
from browser_app.rating.viewpoint import View


class TrueSkillRun(RatingRun):
    """The paper's algorithm: look up, add τ² for the idle time, infer, add γ² and the experience offset, store.

    Two teams without counts and quits have a closed form; all else is the general inference of one match.
    """

    def __init__(self, setting: Setting, *, over_modes: bool, skills: Skills | None = None) -> None:
        super().__init__(setting.record)
        self._setting = setting
        self._over_modes = over_modes
        if skills is None:
            skills = Skills(setting) if setting.newcomer.base is None else SharedSkills(setting)
        self._skills = skills

    def rating(self, player: int, mode: int) -> Rating:
        """Mean and sd of the skill in a mode; a newcomer's where he never played it."""
        mean, var = self._skills.in_mode(player, mode)
        return Rating(mean, math.sqrt(var))

    def knows(self, player: int, mode: int) -> bool:
        """Whether he has any rated round in the mode."""
        slot = self._setting.slots.find(player, mode)
        return slot is not None and self._skills.rounds[slot] > 0

    def players(self) -> Mapping[str, Mapping[str, object]]:
        """``mean``, ``sd``, ``rounds``, and ``modes`` with the same of each."""
        return standings(self._setting, self._skills, over_modes=self._over_modes)

    def _prepare(self, first: int, last: int) -> None:
        self._rounds = Rounds(self._setting, first, last)
        self._reasons = self._rounds.unrated()
        self._expected: Lineups | None = None

    def _unrated(self, i: int) -> str | None:
        return self._reasons[i]

    def _forecast(self, i: int) -> Prediction | None:
        if self._expected is None:
            self._expected = self._rounds.forecast()
        return self._chances(i, self._expected) if self._expected.manned[i] >= 2 else None

    def _prediction(self, i: int) -> Prediction:
        return self._chances(i, self._rounds.played)

    def _chances(self, i: int, lineups: Lineups) -> Prediction:
        rounds, skills = self._rounds, self._skills
        model, started = rounds.model(i), rounds.started[i]
        rows = slice(lineups.start[i], lineups.start[i + 1])
        if rounds.teams[i] == 2:
            t, c2, _ = skills.gap(started, lineups.slot[rows], lineups.net[rows])
            t += lineups.net_shift[i]
            return chances(t, c2 + model.beta2 * lineups.net_square[i], model.draw_margin)
        before = [skills.before(slot, started) for slot in lineups.slot[rows]]
        return rounds.several_chances(i, lineups, [mean for mean, _ in before], [var for _, var in before])

    def _update(self, i: int) -> None:
        rounds, skills, played = self._rounds, self._skills, self._rounds.played
        times = started, _ = rounds.started[i], rounds.ended[i]
        rows = slice(played.start[i], played.start[i + 1])
        slots = played.slot[rows]
        if rounds.closed[i]:
            added = played.net_shift[i], rounds.model(i).beta2 * played.net_square[i]
            skills.learn(times, slots, played.net[rows], added, rounds.outcome[i])
            return
        before = [skills.before(slot, started) for slot in slots]
        posterior = learn(
            [mean for mean, _ in before],
            [var for _, var in before],
            played.shifts(i),
            rounds.model(i).beta2,
            rounds.evidence(i),
        )
        for slot, mean, variance in zip(slots, posterior.mean, posterior.var, strict=True):
            skills.after(slot, times, mean, variance)

    def _ratings(self, i: int) -> Sequence[Rating]:
        appearances = self.record.appearances(self._first + i)
        slots: list[int] = self._setting.slots.of_appearance[appearances].tolist()
        return [Rating(mean, math.sqrt(var)) for mean, var in map(self._skills.skill, slots)]

    def _explain(self, i: int, view: View) -> Explanation:
        name = "trueskill2" if self._over_modes else "trueskill"
        return explain(name, view, self._rounds, i, self._skills, self._prediction(i), self.tried)

    def _seated(self, record: Record, seats: Seats) -> "TrueSkillRun":
        setting = Setting(record, self._setting.parameters)
        return TrueSkillRun(setting, over_modes=self._over_modes, skills=self._skills.seated(setting, seats))
