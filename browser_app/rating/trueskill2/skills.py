"""Everybody's skill as it stands, online: marginals only, one slot a player and mode."""

import math
from collections.abc import Sequence
from typing import Self

from browser_app.rating.seats import NEW, Seats
from browser_app.rating.trueskill2.model import MINUTE_S, Model
from browser_app.rating.trueskill2.setting import Setting
from browser_app.rating.trueskill2.two_teams import lesson


class Skills:
    """Skill in each mode on its own, eqs. (1)-(3) and (8).

    Attributes:
        mean, var: after the last match, with γ² and the experience offset.
        end: when that match ended, seconds; infinite before the first. rounds: how many matches.
    """

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._models = models = setting.models
        self._mode: list[int] = setting.slots.mode.tolist()
        self.mean: list[float] = [models[mode].m0 for mode in self._mode]
        self.var: list[float] = [models[mode].v0 for mode in self._mode]
        self.end = [math.inf] * len(self._mode)
        self.rounds = [0] * len(self._mode)
        self._drift: list[float] = [model.tau2 / MINUTE_S for model in models]

    def seated(self, setting: Setting, seats: Seats) -> Self:
        """The same of the players of another record; who is not known is a newcomer."""
        theirs = type(self)(setting)
        for slot, known in enumerate(seats.slots(self._setting.slots, setting.slots)):
            if known != NEW:
                theirs.mean[slot], theirs.var[slot] = self.mean[known], self.var[known]
                theirs.end[slot], theirs.rounds[slot] = self.end[known], self.rounds[known]
        return theirs

    def in_mode(self, player: int, mode: int) -> tuple[float, float]:
        """Mean and variance of a player's skill in a mode as they stand; the first ones where he never played it."""
        slot = self._setting.slots.find(player, mode)
        model = self._models[mode]
        return (model.m0, model.v0) if slot is None else self.skill(slot)

    def skill(self, slot: int) -> tuple[float, float]:
        """Mean and variance as they stand."""
        return self.mean[slot], self.var[slot]

    def before(self, slot: int, started: float) -> tuple[float, float]:
        """Mean and variance at the start of a match: the idle time since the end of the last one is added, eq. (3)."""
        return self.mean[slot], self._idled(slot, started)

    def after(self, slot: int, times: tuple[float, float], mean: float, var: float) -> None:
        """Take a match's posterior, then let skill drift, eqs. (2) and (8)."""
        self.mean[slot], self.var[slot] = mean, var
        self._grow(slot, times[1])

    def gap(self, started: float, slots: Sequence[int], net: Sequence[float]) -> tuple[float, float, list[float]]:
        """Σ net·skill before a match: its mean and variance, and each player's variance."""
        mean, var, end, drift = self.mean, self.var, self.end, self._drift[self._mode[slots[0]]]
        t = c2 = 0.0
        variances = []
        for slot, a in zip(slots, net, strict=True):
            v = var[slot]
            idle = started - end[slot]
            if idle > 0.0:
                v += drift * idle
            variances.append(v)
            t += a * mean[slot]
            c2 += a * a * v
        return t, c2, variances

    def learn(
        self,
        times: tuple[float, float],
        slots: Sequence[int],
        net: Sequence[float],
        added: tuple[float, float],
        outcome: int,
    ) -> None:
        """Take the result of two teams, see ``lesson``, then drift.

        Args:
            times: start and end of the match.
            slots: who was there.
            net: his share in the gap.
            added: mean and variance of the gap that are not the skills' own: squads and performances.
            outcome: 1 the first-named team won, -1 the other one, 0 a draw.
        """
        mean, var, end, rounds = self.mean, self.var, self.end, self.rounds
        model, (started, ended) = self._models[self._mode[slots[0]]], times
        t, c2, variances = self.gap(started, slots, net)
        push, shrink = lesson(t + added[0], c2 + added[1], model.draw_margin, outcome)
        gamma2 = model.gamma2
        if model.experience_offset:
            for slot in slots:
                mean[slot] += experience(model, rounds[slot])
        for slot, a, v in zip(slots, net, variances, strict=True):
            lever = a * v
            mean[slot] += lever * push
            var[slot] = v - lever * lever * shrink + gamma2
            end[slot] = ended
            rounds[slot] += 1

    def average(self, slots: Sequence[int]) -> tuple[float, float]:
        """Mean and variance of one player's skill over modes, weighted by rounds."""
        total = sum(self.rounds[slot] for slot in slots)
        weights = [self.rounds[slot] / total for slot in slots]
        mean = sum(weight * self.skill(slot)[0] for weight, slot in zip(weights, slots, strict=True))
        return mean, sum(weight * weight * self.var[slot] for weight, slot in zip(weights, slots, strict=True))

    def _grow(self, slot: int, ended: float) -> None:
        model = self._models[self._mode[slot]]
        self.mean[slot] += experience(model, self.rounds[slot])
        self.var[slot] += model.gamma2
        self.end[slot] = ended
        self.rounds[slot] += 1

    def _idled(self, slot: int, started: float) -> float:
        """The slot's own variance at the start of a match; matches that overlap leave no idle time."""
        idle = started - self.end[slot]
        return self.var[slot] + self._drift[self._mode[slot]] * idle if idle > 0.0 else self.var[slot]


def experience(model: Model, matches: int) -> float:
    """Eq. (8): what skill gains by a match after so many in its mode; the last entry holds beyond."""
    offsets = model.experience_offset
    return offsets[min(matches, len(offsets) - 1)] if offsets else 0.0
