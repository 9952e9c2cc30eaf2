"""The whole record at once: TrueSkill Through Time with all of TrueSkill 2 in each match.

P. Dangauthier, R. Herbrich, T. Minka, T. Graepel, "TrueSkill Through Time" (NIPS 2007), with one skill variable a
player and match, as TrueSkill 2's paper has it: what happens later moves what was believed of earlier matches.
"""

import numpy as np

from browser_app.rating.record import Floats, Ints
from browser_app.rating.trueskill2.inference.one_match import Evidence, learn
from browser_app.rating.trueskill2.model import MINUTE_S
from browser_app.rating.trueskill2.rounds import Rounds
from browser_app.rating.trueskill2.setting import Setting
from browser_app.rating.trueskill2.skills import experience
from browser_app.rating.trueskill2.two_teams import lesson
from browser_app.rating.trueskill2.walks import OwnWalk, SharedWalk, Steps, rank_within

TOLERANCE = 1e-6
"""Sweeps end when no mean and no standard deviation of a skill in any match moves by more, in units of β."""
MOST_SWEEPS = 1000


class Smoothing:
    """Expectation propagation between all matches: ``sweep`` until it moves nothing.

    A link of the walks is a row of the line-ups. Each match is inferred exactly as online; only what is known of its
    players comes from both past and future.

    Attributes:
        rated: the rounds that are. own: skills in the modes, or with a base skill the offsets. base: it, or None.
    """

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self.rounds = rounds = Rounds(setting, 0, len(setting.record))
        self.rated = [i for i, reason in enumerate(rounds.unrated()) if reason is None]
        self._of_link = setting.record.round_of_appearance[rounds.played.row]
        self._mode = setting.record.mode[self._of_link]
        self.own = self._own_walk()
        self.base = self._base_walk()
        self._walk: OwnWalk | SharedWalk = self.own
        if self.base is not None:
            w = self._by_mode([model.base.w if model.base else 0.0 for model in setting.models])
            self._walk = SharedWalk(self.base, self.own, w.tolist())
        self._evidence: dict[int, Evidence] = {}

    def run(self) -> tuple[int, float]:
        """Sweep until nothing moves; how many sweeps that took, and by how much the last one moved anything, in β."""
        beta = np.sqrt(self._by_mode([model.beta2 for model in self._setting.models]))
        mean, var = self.skills()
        moved = 0.0
        for sweep in range(1, MOST_SWEEPS + 1):
            self.sweep()
            old_mean, old_var = mean, var
            mean, var = self.skills()
            change = np.maximum(np.abs(mean - old_mean), np.abs(np.sqrt(var) - np.sqrt(old_var))) / beta
            moved = float(np.max(change, initial=0.0))
            if moved <= TOLERANCE:
                return sweep, moved
        return MOST_SWEEPS, moved

    def sweep(self) -> None:
        """Once forward and once backward in time."""
        walk, start = self._walk, self.rounds.played.start
        for i in self.rated:
            self._visit(i)
            for link in range(start[i], start[i + 1]):
                walk.pass_on(link)
        for i in reversed(self.rated):
            self._visit(i)
            for link in range(start[i], start[i + 1]):
                walk.pass_back(link)

    def skills(self) -> tuple[Floats, Floats]:
        """Mean and variance of every player's skill in every match."""
        return self._walk.beliefs()

    def _visit(self, i: int) -> None:
        """Infer a match from what is known of its players without it, and tell their walks what it says."""
        start = self.rounds.played.start
        links = range(start[i], start[i + 1])
        known = [self._walk.without_match(link) for link in links]
        if self.rounds.closed[i]:
            self._visit_closed(i, links, known)
            return
        if i not in self._evidence:
            self._evidence[i] = self.rounds.evidence(i)
        shifts, beta2 = self.rounds.played.shifts(i), self.rounds.model(i).beta2
        posterior = learn([m for m, _ in known], [v for _, v in known], shifts, beta2, self._evidence[i])
        for link, (m, v), new_m, new_v in zip(links, known, posterior.mean, posterior.var, strict=True):
            # A quit may leave less known than before; a message of negative precision could unhinge the walk.
            precision = max(0.0, 1.0 / new_v - 1.0 / v) if v > 0.0 else 0.0
            pull = m * precision + (new_m - m) * (precision + 1.0 / v) if v > 0.0 else 0.0
            self._walk.take(link, precision, pull)

    def _visit_closed(self, i: int, links: range, known: list[tuple[float, float]]) -> None:
        """Two teams: the message is ``lesson`` at the skill without its own variance, so that nothing cancels."""
        played, model = self.rounds.played, self.rounds.model(i)
        net = played.net[links.start : links.stop]
        t, c2 = played.net_shift[i], model.beta2 * played.net_square[i]
        for a, (m, v) in zip(net, known, strict=True):
            t += a * m
            c2 += a * a * v
        push, shrink = lesson(t, c2, model.draw_margin, self.rounds.outcome[i])
        for link, a, (m, v) in zip(links, net, known, strict=True):
            left = 1.0 - a * a * v * shrink
            precision = a * a * shrink / left
            self._walk.take(link, precision, m * precision + a * push / left)

    def _own_walk(self) -> OwnWalk:
        models, slots = self._setting.models, np.array(self.rounds.played.slot, np.int32)
        ranks = rank_within(slots)
        gains = [experience(models[mode], rank) for mode, rank in zip(self._mode.tolist(), ranks, strict=True)]
        m0, v0, gamma2, tau2 = (
            self._by_mode([getattr(model, name) for model in models]) for name in ("m0", "v0", "gamma2", "tau2")
        )
        return OwnWalk(self._steps(slots, m0, v0, np.array(gains, np.float64), gamma2, tau2))

    def _base_walk(self) -> OwnWalk | None:
        base, rows = self._setting.newcomer.base, self.rounds.played.row
        if base is None:
            return None
        zero = np.zeros(len(rows))
        players = self._setting.record.player[rows]
        return OwnWalk(self._steps(players, zero, zero + base.v, zero, zero + base.gamma2, zero + base.tau2))

    def _steps(self, owner: Ints, mean: Floats, var: Floats, growth: Floats, gamma2: Floats, tau2: Floats) -> Steps:
        """Rows of rounds that are not rated are walks of their own."""
        record, rounds = self._setting.record, self._of_link
        rated = np.zeros(len(record), np.bool_)
        rated[self.rated] = True
        owner = np.where(rated[rounds], owner, -1 - np.arange(len(owner)))
        started, ended = record.started[rounds], (record.started + record.duration)[rounds]
        return Steps(owner, started, ended, mean, var, growth, gamma2, tau2 / MINUTE_S)

    def _by_mode(self, values: list[float]) -> Floats:
        """A value of each mode as one a link."""
        return np.array(values, np.float64)[self._mode]
