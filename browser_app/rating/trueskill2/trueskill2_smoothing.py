"""Batch smoothing of TrueSkill 2 over a whole record."""

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence

import numpy as np

from browser_app.rating.rating_explanation import RatingExplanation, without_learning
from browser_app.rating.rating_system import Rating
from browser_app.rating.record.player_viewpoint import PlayerViewpoint
from browser_app.rating.record.round_record import Floats, Ints
from browser_app.rating.trueskill2.gap_advantage import GapAdvantage
from browser_app.rating.trueskill2.gaussian_walks import (
    GaussianWalk,
    SharedBaseWalk,
    SweepExtrapolation,
    WalkSteps,
    count_earlier_links,
)
from browser_app.rating.trueskill2.inference.team_ranking import RankingSites
from browser_app.rating.trueskill2.modelled_record import ModelledRecord
from browser_app.rating.trueskill2.team_chances import result_derivatives
from browser_app.rating.trueskill2.trueskill2_model import MINUTE_S
from browser_app.rating.trueskill2.trueskill2_rounds import TrueSkillRoundBlock
from browser_app.rating.trueskill2.trueskill2_run import TrueSkillRun
from browser_app.rating.trueskill2.trueskill2_skills import ModeSkills, SharedBaseSkills, experience_gain

TOLERANCE = 1e-6
"""Sweeps end when no mean and no standard deviation of a skill in any round moves by more, in units of β."""
MAX_SWEEPS = 1000


class BatchSmoother:
    """Expectation propagation between all rounds: `sweep` until nothing moves.

    A link of the walks is a row of the line-ups. Each round is inferred exactly as online, but with skills from both
    past and future. The advantage by circumstances does not change.

    Attributes:
        rounds: the rounds as one block.
        rated: indices of the rated ones.
        mode_walk: skills in the modes, or with a base skill the offsets.
        base_walk: base skills; None without a base skill.
    """

    def __init__(self, modelled: ModelledRecord, advantage: GapAdvantage | None = None) -> None:
        self._modelled, self._advantage = modelled, advantage
        self.rounds = rounds = TrueSkillRoundBlock(modelled, 0, len(modelled.record), keep_evidence=True)
        self.rated = [i for i, reason in enumerate(rounds.skip_reasons()) if reason is None]
        self._round_of_link = modelled.record.round_of_appearance[rounds.played.row]
        self._mode = modelled.record.mode[self._round_of_link]
        self.mode_walk = self._build_mode_walk()
        self.base_walk = self._build_base_walk()
        self._walk: GaussianWalk | SharedBaseWalk = self.mode_walk
        if self.base_walk is not None:
            w = self._value_of_links([model.base.w if model.base else 0.0 for model in modelled.models])
            self._walk = SharedBaseWalk(self.base_walk, self.mode_walk, w.tolist())
        self._ranking_sites: dict[int, RankingSites] = {}

    def run(self) -> tuple[int, float]:
        """Sweep until nothing moves; return sweeps and the last largest movement, in β."""
        beta = np.sqrt(self._value_of_links([model.beta2 for model in self._modelled.models]))
        mean, var = self.skills()
        extrapolation, moved = SweepExtrapolation(self._walk), 0.0
        for sweep in range(1, MAX_SWEEPS + 1):
            self.sweep()
            old_mean, old_var = mean, var
            mean, var = self.skills()
            change = np.maximum(np.abs(mean - old_mean), np.abs(np.sqrt(var) - np.sqrt(old_var))) / beta
            moved = float(np.max(change, initial=0.0))
            if moved <= TOLERANCE:
                return sweep, moved
            if extrapolation.apply(mean - old_mean):
                mean, var = self.skills()
        return MAX_SWEEPS, moved

    def sweep(self) -> None:
        """Pass once forward and once backward in time."""
        walk, start = self._walk, self.rounds.played.start
        for i in self.rated:
            self._infer_round(i)
            for link in range(start[i], start[i + 1]):
                walk.pass_forward(link)
        for i in reversed(self.rated):
            self._infer_round(i)
            for link in range(start[i], start[i + 1]):
                walk.pass_backward(link)

    def skills(self) -> tuple[Floats, Floats]:
        """Return mean and variance of every player's skill in every round."""
        return self._walk.marginals()

    def _infer_round(self, i: int) -> None:
        """Infer a round from the skills without it, and send their walks its message."""
        start = self.rounds.played.start
        links = range(start[i], start[i + 1])
        known = [self._walk.cavity(link) for link in links]
        if self.rounds.has_closed_form[i]:
            self._infer_closed_form(i, links, known)
            return
        if self.rounds.is_ranking[i]:
            self._infer_ranking(i, links, known)
            return
        posterior = self.rounds.infer_skills(i, known, self._advantage_in(i))
        for link, (m, v), (new_m, new_v) in zip(links, known, posterior, strict=True):
            # A quit may increase the variance; a message of negative precision could make the walk diverge.
            precision = max(0.0, 1.0 / new_v - 1.0 / v) if v > 0.0 else 0.0
            precision_mean = m * precision + (new_m - m) * (precision + 1.0 / v) if v > 0.0 else 0.0
            self._walk.set_round_message(link, precision, precision_mean)

    def _infer_closed_form(self, i: int, links: range, known: list[tuple[float, float]]) -> None:
        """Infer two teams; the message is free of the skill's variance: nothing cancels."""
        played, model = self.rounds.played, self.rounds.model(i)
        net = played.net[links.start : links.stop]
        mean, var = self._advantage_in(i) or (0.0, 0.0)
        t, c2 = played.net_shift[i] + mean, model.beta2 * played.net_square[i] + var
        for a, (m, v) in zip(net, known, strict=True):
            t += a * m
            c2 += a * a * v
        gradient, curvature = result_derivatives(t, c2, model.draw_margin, self.rounds.outcome[i])
        for link, a, (m, v) in zip(links, net, known, strict=True):
            left = 1.0 - a * a * v * curvature
            precision = a * a * curvature / left
            self._walk.set_round_message(link, precision, m * precision + a * gradient / left)

    def _infer_ranking(self, i: int, links: range, known: list[tuple[float, float]]) -> None:
        """Infer several teams by their ranks; factors are matched once per pass."""
        sites = self._ranking_sites.setdefault(i, RankingSites(self.rounds.played.occupied_teams[i] - 1))
        derivatives = self.rounds.ranking_derivatives(i, known, sites)
        for link, (m, v), (gradient, curvature) in zip(links, known, derivatives, strict=True):
            left = 1.0 - v * curvature
            precision = curvature / left
            self._walk.set_round_message(link, precision, m * precision + gradient / left)

    def _advantage_in(self, i: int) -> tuple[float, float] | None:
        """Return mean and variance that circumstances add to a round's gap, if any."""
        if self._advantage is None or self.rounds.teams[i] != 2:
            return None
        return self._advantage.in_gap(i, self.rounds.model(i).beta2 * self.rounds.played.net_square[i])

    def _build_mode_walk(self) -> GaussianWalk:
        models, slots = self._modelled.models, np.array(self.rounds.played.slot, np.int32)
        ranks = count_earlier_links(slots)
        gains = [experience_gain(models[mode], rank) for mode, rank in zip(self._mode.tolist(), ranks, strict=True)]
        m0, v0, gamma2, tau2 = (
            self._value_of_links([getattr(model, name) for model in models]) for name in ("m0", "v0", "gamma2", "tau2")
        )
        return GaussianWalk(self._steps(slots, m0, v0, np.array(gains, np.float64), gamma2, tau2))

    def _build_base_walk(self) -> GaussianWalk | None:
        base, rows = self._modelled.default_model.base, self.rounds.played.row
        if base is None:
            return None
        zero = np.zeros(len(rows))
        players = self._modelled.record.player[rows]
        return GaussianWalk(self._steps(players, zero, zero + base.v, zero, zero + base.gamma2, zero + base.tau2))

    def _steps(self, owner: Ints, mean: Floats, var: Floats, growth: Floats, gamma2: Floats, tau2: Floats) -> WalkSteps:
        """Return the steps of the walks; rows of unrated rounds are walks of their own."""
        record, rounds = self._modelled.record, self._round_of_link
        rated = np.zeros(len(record), np.bool_)
        rated[self.rated] = True
        owner = np.where(rated[rounds], owner, -1 - np.arange(len(owner)))
        started, ended = record.started[rounds], (record.started + record.duration)[rounds]
        return WalkSteps(owner, started, ended, mean, var, growth, gamma2, tau2 / MINUTE_S)

    def _value_of_links(self, values: list[float]) -> Floats:
        return np.array(values, np.float64)[self._mode]


class SmoothedTrueSkillRun(TrueSkillRun):
    """Run with all players at the skill of their last round, without drift after it.

    `update` changes nothing. `ratings` of a rated round are the skills in that round; predictions use those of the
    last rounds. The advantage by circumstances is that after an online run over the record.
    """

    def __init__(self, modelled: ModelledRecord, *, over_modes: bool) -> None:
        super().__init__(modelled, over_modes=over_modes)
        if self.advantage is not None:
            online = TrueSkillRun(modelled, over_modes=over_modes)
            online.update_range(0, len(modelled.record))
            self.advantage = online.advantage
        smoothing = BatchSmoother(modelled, self.advantage)
        self._sweeps, self._last_change = smoothing.run()
        mean, var = smoothing.skills()
        self._mean, self._var = mean.tolist(), var.tolist()
        self._row_start = smoothing.rounds.played.start
        self._row = smoothing.rounds.played.row
        self._rated = frozenset(smoothing.rated)
        _copy_final_skills(self._skills, modelled, smoothing)

    def rating_in_round(self, k: int, appearance: int) -> Rating:
        """Return the skill of an appearance in a rated round."""
        if k not in self._rated:
            return super().rating_in_round(k, appearance)
        link = bisect_left(self._row, appearance, self._row_start[k], self._row_start[k + 1])
        return Rating(self._mean[link], math.sqrt(self._var[link]))

    def summary(self) -> Mapping[str, object]:
        """Return the number of `sweeps` and what `moved` most in the last one, in β."""
        return {"sweeps": self._sweeps, "moved": self._last_change}

    def _update(self, i: int) -> None:
        pass

    def _ratings(self, i: int) -> Sequence[Rating]:
        ratings, k = list(super()._ratings(i)), self._first + i
        if k in self._rated:
            first = self.record.appearances(k).start
            for link in range(self._row_start[k], self._row_start[k + 1]):
                ratings[int(self._row[link]) - first] = Rating(self._mean[link], math.sqrt(self._var[link]))
        return ratings

    def _explain(self, i: int, view: PlayerViewpoint) -> RatingExplanation:
        return without_learning(super()._explain(i, view))


def _copy_final_skills(skills: ModeSkills, modelled: ModelledRecord, smoothing: BatchSmoother) -> None:
    played, ended = smoothing.rounds.played, smoothing.rounds.ended
    mean, var = (values.tolist() for values in smoothing.mode_walk.marginals())
    for i in smoothing.rated:
        for link in range(played.start[i], played.start[i + 1]):
            slot = played.slot[link]
            skills.mean[slot], skills.var[slot], skills.end[slot] = mean[link], var[link], ended[i]
            skills.rounds[slot] += 1
    if smoothing.base_walk is None or not isinstance(skills, SharedBaseSkills):
        return
    mean, var = (values.tolist() for values in smoothing.base_walk.marginals())
    player = modelled.record.player[played.row].tolist()
    for i in smoothing.rated:
        for link in range(played.start[i], played.start[i + 1]):
            who = player[link]
            skills.base_mean[who], skills.base_var[who], skills.base_end[who] = mean[link], var[link], ended[i]
