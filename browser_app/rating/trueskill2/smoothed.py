"""TrueSkill 2 with a full history: every skill as past and future matches together have it."""

import math
from collections.abc import Mapping, Sequence

from browser_app.rating.explanation import Explanation, untaught
from browser_app.rating.system import Rating
from browser_app.rating.trueskill2.run import TrueSkillRun
from browser_app.rating.trueskill2.setting import Setting
from browser_app.rating.trueskill2.shared_skills import SharedSkills
from browser_app.rating.trueskill2.skills import Skills
from browser_app.rating.trueskill2.smoothing import Smoothing
from browser_app.rating.viewpoint import View


class SmoothedRun(TrueSkillRun):
    """Everybody with the skill of his last match; what drifts after it is not in it.

    Rounds teach nothing more: ``update`` changes nothing. ``ratings`` of a rated round are the skills in that round;
    predictions are made with those of the last matches.
    """

    def __init__(self, setting: Setting, *, over_modes: bool) -> None:
        super().__init__(setting, over_modes=over_modes)
        smoothing = Smoothing(setting)
        self._sweeps, self._moved = smoothing.run()
        mean, var = smoothing.skills()
        self._mean, self._var = mean.tolist(), var.tolist()
        self._row_start = smoothing.rounds.played.start
        self._row = smoothing.rounds.played.row
        self._rated = frozenset(smoothing.rated)
        _settle(self._skills, setting, smoothing)

    def summary(self) -> Mapping[str, object]:
        """``sweeps``, how often all matches were gone through, and ``moved``, the last one's greatest change in β."""
        return {"sweeps": self._sweeps, "moved": self._moved}

    def _update(self, i: int) -> None:
        pass

    def _ratings(self, i: int) -> Sequence[Rating]:
        ratings, k = list(super()._ratings(i)), self._first + i
        if k in self._rated:
            first = self.record.appearances(k).start
            for link in range(self._row_start[k], self._row_start[k + 1]):
                ratings[int(self._row[link]) - first] = Rating(self._mean[link], math.sqrt(self._var[link]))
        return ratings

    def _explain(self, i: int, view: View) -> Explanation:
        return untaught(super()._explain(i, view))


def _settle(skills: Skills, setting: Setting, smoothing: Smoothing) -> None:
    """Skills as they are in everybody's last match."""
    played, ended = smoothing.rounds.played, smoothing.rounds.ended
    mean, var = (values.tolist() for values in smoothing.own.beliefs())
    for i in smoothing.rated:
        for link in range(played.start[i], played.start[i + 1]):
            slot = played.slot[link]
            skills.mean[slot], skills.var[slot], skills.end[slot] = mean[link], var[link], ended[i]
            skills.rounds[slot] += 1
    if smoothing.base is None or not isinstance(skills, SharedSkills):
        return
    mean, var = (values.tolist() for values in smoothing.base.beliefs())
    player = setting.record.player[played.row].tolist()
    for i in smoothing.rated:
        for link in range(played.start[i], played.start[i + 1]):
            who = player[link]
            skills.base_mean[who], skills.base_var[who], skills.base_end[who] = mean[link], var[link], ended[i]
