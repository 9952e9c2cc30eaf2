"""Per-player and per-mode skills of a TrueSkill 2 run."""

import math
from collections.abc import Mapping, Sequence
from typing import Self

from browser_app.rating.record.player_slots import NOT_FOUND, RecordMapping
from browser_app.rating.trueskill2.modelled_record import ModelledRecord
from browser_app.rating.trueskill2.team_chances import result_derivatives
from browser_app.rating.trueskill2.trueskill2_model import MINUTE_S, BaseSkillModel, ModeModel


class ModeSkills:
    """Independent skills in each mode, eqs. (1)-(3) and (8).

    Attributes:
        mean, var: after the last round, with γ² and the experience offset.
        end: end of that round, seconds; infinite before the first.
        rounds: number of rounds.
    """

    def __init__(self, modelled: ModelledRecord) -> None:
        self._modelled = modelled
        self._models = models = modelled.models
        self._mode: list[int] = modelled.slots.mode.tolist()
        self.mean: list[float] = [models[mode].m0 for mode in self._mode]
        self.var: list[float] = [models[mode].v0 for mode in self._mode]
        self.end = [math.inf] * len(self._mode)
        self.rounds = [0] * len(self._mode)
        self._drift: list[float] = [model.tau2 / MINUTE_S for model in models]

    def transfer_to(self, modelled: ModelledRecord, mapping: RecordMapping) -> Self:
        """Return the skills of another record's players; unknown ones are newcomers."""
        theirs = type(self)(modelled)
        for slot, known in enumerate(mapping.map_slots(self._modelled.slots, modelled.slots)):
            if known != NOT_FOUND:
                theirs.mean[slot], theirs.var[slot] = self.mean[known], self.var[known]
                theirs.end[slot], theirs.rounds[slot] = self.end[known], self.rounds[known]
        return theirs

    def skill_in_mode(self, player: int, mode: int) -> tuple[float, float]:
        """Return mean and variance of a skill in a mode, a newcomer's if never played."""
        slot = self._modelled.slots.find(player, mode)
        model = self._models[mode]
        return (model.m0, model.v0) if slot is None else self.skill(slot)

    def skill(self, slot: int) -> tuple[float, float]:
        """Return current mean and variance."""
        return self.mean[slot], self.var[slot]

    def skill_before(self, slot: int, started: float) -> tuple[float, float]:
        """Return mean and variance at the start of a round, with idle time, eq. (3)."""
        return self.mean[slot], self._idle_variance(slot, started)

    def apply_posterior(self, slot: int, times: tuple[float, float], mean: float, var: float) -> None:
        """Store a round's posterior with the drift of the skill, eqs. (2) and (8)."""
        self.mean[slot], self.var[slot] = mean, var
        self._add_drift(slot, times[1])

    def predict_gap(
        self, started: float, slots: Sequence[int], net: Sequence[float]
    ) -> tuple[float, float, list[float]]:
        """Return mean and variance of Σ net·skill before a round, and each variance."""
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

    def apply_result(
        self,
        times: tuple[float, float],
        slots: Sequence[int],
        net: Sequence[float],
        added: tuple[float, float],
        outcome: int,
    ) -> tuple[float, float]:
        """Apply the result of two teams, then drift; return the `result_derivatives`.

        Args:
            times: start and end of the round.
            slots: the players.
            net: their shares in the gap.
            added: mean and variance of the gap that are not the skills': squads, performances, circumstances.
            outcome: 1 the first-named team won, -1 the other one, 0 a draw.
        """
        mean, var, end, rounds = self.mean, self.var, self.end, self.rounds
        model, (started, ended) = self._models[self._mode[slots[0]]], times
        t, c2, variances = self.predict_gap(started, slots, net)
        gradient, curvature = result_derivatives(t + added[0], c2 + added[1], model.draw_margin, outcome)
        gamma2 = model.gamma2
        if model.experience_offset:
            for slot in slots:
                mean[slot] += experience_gain(model, rounds[slot])
        for slot, a, v in zip(slots, net, variances, strict=True):
            covariance = a * v
            mean[slot] += covariance * gradient
            var[slot] = v - covariance * covariance * curvature + gamma2
            end[slot] = ended
            rounds[slot] += 1
        return gradient, curvature

    def average_skill(self, slots: Sequence[int]) -> tuple[float, float]:
        """Return mean and variance of one player's skill over modes, weighted by rounds."""
        total = sum(self.rounds[slot] for slot in slots)
        weights = [self.rounds[slot] / total for slot in slots]
        mean = sum(weight * self.skill(slot)[0] for weight, slot in zip(weights, slots, strict=True))
        return mean, sum(weight * weight * self.var[slot] for weight, slot in zip(weights, slots, strict=True))

    def _add_drift(self, slot: int, ended: float) -> None:
        model = self._models[self._mode[slot]]
        if model.experience_offset:
            self.mean[slot] += experience_gain(model, self.rounds[slot])
        self.var[slot] += model.gamma2
        self.end[slot] = ended
        self.rounds[slot] += 1

    def _idle_variance(self, slot: int, started: float) -> float:
        """Return the slot's own variance at the start of a round.

        Overlapping rounds have no idle time between them.
        """
        idle = started - self.end[slot]
        return self.var[slot] + self._drift[self._mode[slot]] * idle if idle > 0.0 else self.var[slot]


def experience_gain(model: ModeModel, rounds: int) -> float:
    """Return what skill gains by a round after `rounds` others in its mode, eq. (8)."""
    offsets = model.experience_offset
    return offsets[min(rounds, len(offsets) - 1)] if offsets else 0.0


def skill_table(modelled: ModelledRecord, skills: ModeSkills, *, over_modes: bool) -> dict[str, Mapping[str, object]]:
    """Return mean, sd and rounds by id, and as `modes` the same of each mode.

    The top values are those of the mode with most rounds; with `over_modes` the skill over modes, weighted by rounds,
    and the sum of rounds.
    """

    def in_mode(slot: int) -> dict[str, object]:
        mean, var = skills.skill(slot)
        return {"mean": mean, "sd": math.sqrt(var), "rounds": skills.rounds[slot]}

    table = modelled.slots.player_table(skills.rounds, in_mode)
    if not over_modes:
        return table
    own: dict[str, list[int]] = {}
    for slot, player in enumerate(modelled.slots.player.tolist()):
        if skills.rounds[slot]:
            own.setdefault(modelled.record.player_ids[player], []).append(slot)
    for player_id, slots in own.items():
        mean, var = skills.average_skill(slots)
        rounds = sum(skills.rounds[slot] for slot in slots)
        table[player_id] = {**table[player_id], "mean": mean, "sd": math.sqrt(var), "rounds": rounds}
    return table


class SharedBaseSkills(ModeSkills):
    """Skill in a mode = w·base + offset, eqs. (14)-(20), both stored as marginals.

    `mean`, `var` and `end` are those of the offset. The base idles since the last round of any mode, the offset
    since that of its mode.

    Attributes:
        base_mean, base_var, base_end: the same of each player's base.
    """

    def __init__(self, modelled: ModelledRecord) -> None:
        super().__init__(modelled)
        players = len(modelled.record.player_ids)
        self._player: list[int] = modelled.slots.player.tolist()
        base = modelled.default_model.base or BaseSkillModel(0.0, 0.0, 0.0, 0.0)
        self._base_gamma2, self._base_drift = base.gamma2, base.tau2 / MINUTE_S  # the same for all modes, unlike w
        self._w = [model.base.w if model.base else 0.0 for model in self._models]
        self.base_mean, self.base_var, self.base_end = [0.0] * players, [base.v] * players, [math.inf] * players

    def transfer_to(self, modelled: ModelledRecord, mapping: RecordMapping) -> Self:
        """Return the skills of the players of another record, base skills included."""
        theirs = super().transfer_to(modelled, mapping)
        for player, known in enumerate(mapping.players):
            if known != NOT_FOUND:
                theirs.base_mean[player], theirs.base_var[player] = self.base_mean[known], self.base_var[known]
                theirs.base_end[player] = self.base_end[known]
        return theirs

    def skill_in_mode(self, player: int, mode: int) -> tuple[float, float]:
        """Return the skill in a mode, with a newcomer's offset if never played."""
        mean, var = super().skill_in_mode(player, mode)
        if self._modelled.slots.find(player, mode) is not None:
            return mean, var
        return self._with_base(player, self._w[mode], mean, var)

    def skill(self, slot: int) -> tuple[float, float]:
        """Return w·base + offset, taken as independent."""
        return self._with_base(self._player[slot], self._w[self._mode[slot]], self.mean[slot], self.var[slot])

    def skill_before(self, slot: int, started: float) -> tuple[float, float]:
        """Return the skill at the start of a round, base and offset each with idle time."""
        player, w = self._player[slot], self._w[self._mode[slot]]
        mean = w * self.base_mean[player] + self.mean[slot]
        return mean, w * w * self._idle_base_variance(player, started) + self._idle_variance(slot, started)

    def apply_posterior(self, slot: int, times: tuple[float, float], mean: float, var: float) -> None:
        """Distribute the posterior to base (gain w·v_base/V) and offset (v_offset/V)."""
        player, w, started = self._player[slot], self._w[self._mode[slot]], times[0]
        base_var, own_var = self._idle_base_variance(player, started), self._idle_variance(slot, started)
        v = w * w * base_var + own_var
        base_gain, own_gain = (w * base_var / v, own_var / v) if v > 0.0 else (0.0, 0.0)
        change = mean - w * self.base_mean[player] - self.mean[slot]
        self.base_mean[player] += base_gain * change
        self.mean[slot] += own_gain * change
        self.base_var[player] = base_var - base_gain * base_gain * (v - var) + self._base_gamma2
        self.var[slot] = own_var - own_gain * own_gain * (v - var)
        self.base_end[player] = times[1]
        self._add_drift(slot, times[1])

    def predict_gap(
        self, started: float, slots: Sequence[int], net: Sequence[float]
    ) -> tuple[float, float, list[float]]:
        """Return mean and variance of Σ net·skill before a round, and each variance."""
        t = c2 = 0.0
        variances = []
        for slot, a in zip(slots, net, strict=True):
            mean, v = self.skill_before(slot, started)
            variances.append(v)
            t += a * mean
            c2 += a * a * v
        return t, c2, variances

    def apply_result(
        self,
        times: tuple[float, float],
        slots: Sequence[int],
        net: Sequence[float],
        added: tuple[float, float],
        outcome: int,
    ) -> tuple[float, float]:
        """Apply the result of two teams, then drift; return the `result_derivatives`."""
        t, c2, variances = self.predict_gap(times[0], slots, net)
        margin = self._models[self._mode[slots[0]]].draw_margin
        gradient, curvature = result_derivatives(t + added[0], c2 + added[1], margin, outcome)
        for slot, a, v in zip(slots, net, variances, strict=True):
            mean, covariance = self.skill_before(slot, times[0])[0], a * v
            self.apply_posterior(slot, times, mean + covariance * gradient, v - covariance * covariance * curvature)
        return gradient, curvature

    def average_skill(self, slots: Sequence[int]) -> tuple[float, float]:
        """Return the average over modes; the base's variance counts with (Σ weight·w)²."""
        mean, var = super().average_skill(slots)
        total = sum(self.rounds[slot] for slot in slots)
        w = sum(self.rounds[slot] * self._w[self._mode[slot]] for slot in slots) / total
        return mean, w * w * self.base_var[self._player[slots[0]]] + var

    def _with_base(self, player: int, w: float, mean: float, var: float) -> tuple[float, float]:
        return w * self.base_mean[player] + mean, w * w * self.base_var[player] + var

    def _idle_base_variance(self, player: int, started: float) -> float:
        idle = started - self.base_end[player]
        return self.base_var[player] + self._base_drift * idle if idle > 0.0 else self.base_var[player]
