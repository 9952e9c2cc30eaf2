"""Skill in a mode as base skill + offset: what a player learns in one mode moves him in all."""

import math
from collections.abc import Sequence
from typing import Self

from browser_app.rating.seats import NEW, Seats
from browser_app.rating.trueskill2.model import MINUTE_S, BaseModel
from browser_app.rating.trueskill2.setting import Setting
from browser_app.rating.trueskill2.skills import Skills
from browser_app.rating.trueskill2.two_teams import lesson


class SharedSkills(Skills):
    """Skill in a mode = w·base + the mode's offset, eqs. (14)-(20); of the two only the marginals are kept.

    ``mean``, ``var`` and ``end`` are those of the offset: the base idles since any match, the offset since its mode's.

    Attributes:
        base_mean, base_var, base_end: the same of each player's base.
    """

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        players = len(setting.record.player_ids)
        self._player: list[int] = setting.slots.player.tolist()
        base = setting.newcomer.base or BaseModel(0.0, 0.0, 0.0, 0.0)
        self._base_gamma2, self._base_drift = base.gamma2, base.tau2 / MINUTE_S  # one for all modes, but for w
        self._w = [model.base.w if model.base else 0.0 for model in self._models]
        self.base_mean, self.base_var, self.base_end = [0.0] * players, [base.v] * players, [math.inf] * players

    def seated(self, setting: Setting, seats: Seats) -> Self:
        """Their base skills too."""
        theirs = super().seated(setting, seats)
        for player, known in enumerate(seats.players):
            if known != NEW:
                theirs.base_mean[player], theirs.base_var[player] = self.base_mean[known], self.base_var[known]
                theirs.base_end[player] = self.base_end[known]
        return theirs

    def in_mode(self, player: int, mode: int) -> tuple[float, float]:
        """In a mode that he never played: w·base + a newcomer's offset."""
        mean, var = super().in_mode(player, mode)
        if self._setting.slots.find(player, mode) is not None:
            return mean, var
        return self._with_base(player, self._w[mode], mean, var)

    def skill(self, slot: int) -> tuple[float, float]:
        """w·base + offset, taken as independent."""
        return self._with_base(self._player[slot], self._w[self._mode[slot]], self.mean[slot], self.var[slot])

    def before(self, slot: int, started: float) -> tuple[float, float]:
        """Both have idled, each since its own last match."""
        player, w = self._player[slot], self._w[self._mode[slot]]
        mean = w * self.base_mean[player] + self.mean[slot]
        return mean, w * w * self._base_idled(player, started) + self._idled(slot, started)

    def after(self, slot: int, times: tuple[float, float], mean: float, var: float) -> None:
        """What the skill learned goes to base and offset by their shares w·v_base/V and v_offset/V in its variance."""
        player, w, started = self._player[slot], self._w[self._mode[slot]], times[0]
        base_var, own_var = self._base_idled(player, started), self._idled(slot, started)
        v = w * w * base_var + own_var
        base_gain, own_gain = (w * base_var / v, own_var / v) if v > 0.0 else (0.0, 0.0)
        change = mean - w * self.base_mean[player] - self.mean[slot]
        self.base_mean[player] += base_gain * change
        self.mean[slot] += own_gain * change
        self.base_var[player] = base_var - base_gain * base_gain * (v - var) + self._base_gamma2
        self.var[slot] = own_var - own_gain * own_gain * (v - var)
        self.base_end[player] = times[1]
        self._grow(slot, times[1])

    def gap(self, started: float, slots: Sequence[int], net: Sequence[float]) -> tuple[float, float, list[float]]:
        """As of own skills."""
        t = c2 = 0.0
        variances = []
        for slot, a in zip(slots, net, strict=True):
            mean, v = self.before(slot, started)
            variances.append(v)
            t += a * mean
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
        """As of own skills."""
        t, c2, variances = self.gap(times[0], slots, net)
        margin = self._models[self._mode[slots[0]]].draw_margin
        push, shrink = lesson(t + added[0], c2 + added[1], margin, outcome)
        for slot, a, v in zip(slots, net, variances, strict=True):
            mean, lever = self.before(slot, times[0])[0], a * v
            self.after(slot, times, mean + lever * push, v - lever * lever * shrink)

    def average(self, slots: Sequence[int]) -> tuple[float, float]:
        """The base is in all of them: its variance counts with (Σ weight·w)²."""
        mean, var = super().average(slots)
        total = sum(self.rounds[slot] for slot in slots)
        w = sum(self.rounds[slot] * self._w[self._mode[slot]] for slot in slots) / total
        return mean, w * w * self.base_var[self._player[slots[0]]] + var

    def _with_base(self, player: int, w: float, mean: float, var: float) -> tuple[float, float]:
        return w * self.base_mean[player] + mean, w * w * self.base_var[player] + var

    def _base_idled(self, player: int, started: float) -> float:
        idle = started - self.base_end[player]
        return self.base_var[player] + self._base_drift * idle if idle > 0.0 else self.base_var[player]
