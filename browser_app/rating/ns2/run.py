"""The NS2 skill forward in time: a prediction before each round, one step along its gradient after it."""

from collections.abc import Mapping, Sequence
from math import exp, sqrt

import numpy as np

from browser_app.rating.ns2.bias import WinRates
from browser_app.rating.ns2.block import NOBODY, Block, Rows
from browser_app.rating.ns2.declared import Settings
from browser_app.rating.ns2.points import points
from browser_app.rating.ns2.rounds import Eligibility
from browser_app.rating.prediction import Prediction
from browser_app.rating.record import Record
from browser_app.rating.system import Rating, RatingRun


class NS2Run(RatingRun):
    """Skill s, offset o and commander skill χ of everybody, in units of s.

    logit p = Σ T t (s + T o) / Σ t + Σ T c χ / Σ c + F (seed 000; 003 has the first sum and F). A term whose Σ is
    zero is absent. Draws are not predicted; as an outcome one is half a win.
    """

    def __init__(self, record: Record, settings: Settings) -> None:
        super().__init__(record)
        players = len(record.player_ids)
        self._settings = settings
        self._skill = [settings.start] * players
        self._offset = [0.0] * players
        self._commander = [settings.start] * players
        self._skill_sum = [0.0] * players
        self._commander_sum = [0.0] * players
        self._eligibility = Eligibility(record, settings.shortest)
        self._learnt = bytearray(len(record))
        strength = settings.bias_strength
        self._win_rates = None if strength is None else WinRates(record, strength)

    def rating(self, player: int, mode: int) -> Rating:  # noqa: ARG002 (one skill for all modes)
        """The skill s, whatever the mode."""
        return Rating(self._skill[player])

    def team_rating(self, player: int, mode: int, team: int) -> float:  # noqa: ARG002 (one skill for all modes)
        """The skill s + o on the first team, s − o on the second (seed 000, "Per Team Skills")."""
        return self._skill[player] + (-self._offset[player] if team else self._offset[player])

    def players(self) -> Mapping[str, Mapping[str, object]]:
        """``skill, offset, commander``, the sums of their squared gradients, ``rounds`` and displayed ``points``."""
        rounds = self._rounds()
        return {
            name: {
                "skill": self._skill[player],
                "offset": self._offset[player],
                "commander": self._commander[player],
                "adagrad_sum": self._skill_sum[player],
                "commander_adagrad_sum": self._commander_sum[player],
                "rounds": rounds[player],
                "points": points(self._skill[player]),
            }
            for player, name in enumerate(self.record.player_ids)
            if rounds[player]
        }

    def _rounds(self) -> list[int]:
        """How many rated rounds each player was on a team in."""
        record = self.record
        there = np.zeros(len(record.player), np.bool_)
        there[record.stays.appearance] = True
        there &= np.frombuffer(self._learnt, np.bool_)[record.round_of_appearance]
        rounds: list[int] = np.bincount(record.player[there], minlength=len(record.player_ids)).tolist()
        return rounds

    def _prepare(self, first: int, last: int) -> None:
        self._block = Block(self.record, self._settings, self._eligibility, first, last)

    def _unrated(self, i: int) -> str | None:
        return self._block.reasons[i]

    def _prediction(self, i: int) -> Prediction:
        return Prediction.of_two(self._chance(*self._block.of(i)))

    def _forecast(self, i: int) -> Prediction | None:
        """Nobody in the chair, and the size that of all who are on a team."""
        field, two_sides, circumstance = self._block.expected
        return Prediction.of_two(self._chance(field.of(i), NOBODY, circumstance[i])) if two_sides[i] else None

    def _chance(self, field: Rows, chair: Rows, circumstance: int) -> float:
        """P(first-named team wins | no draw)."""
        skill, offset, commander = self._skill, self._offset, self._commander
        logit = 0.0 if self._win_rates is None else self._win_rates.logit(circumstance)
        for player, signed, whole in zip(*field, strict=True):
            logit += signed * skill[player] + whole * offset[player]
        for player, signed, _ in zip(*chair, strict=True):
            logit += signed * commander[player]
        return logistic(logit)

    def _update(self, i: int) -> None:
        """All gradients from one p; AdaGrad's rate from the sum that has this round in it (seed 000, "Learning Rate").

        Two slips of the seed are mended: g sums the squares of ∇s (it prints ∇s), and the offset moves by c ∇o from
        where it is (it prints o ← c ∇o).
        """
        settings, block = self._settings, self._block
        c, a, epsilon = settings.c, settings.a, settings.epsilon
        field, chair, circumstance = block.of(i)
        outcome = block.outcomes[i]
        error = outcome - self._chance(field, chair, circumstance)
        skill, offset, sums = self._skill, self._offset, self._skill_sum
        step = c * error if settings.per_team else 0.0
        for player, signed, whole in zip(*field, strict=True):
            gradient = error * signed
            sums[player] = total = sums[player] + gradient * gradient
            skill[player] += (c + a / sqrt(total + epsilon)) * gradient
            offset[player] += step * whole
        commander, sums = self._commander, self._commander_sum
        for player, signed, _ in zip(*chair, strict=True):
            gradient = error * signed
            sums[player] = total = sums[player] + gradient * gradient
            commander[player] += (c + a / sqrt(total + epsilon)) * gradient
        self._learnt[self._first + i] = True
        if self._win_rates is not None:
            self._win_rates.add(circumstance, outcome)

    def _ratings(self, i: int) -> Sequence[Rating]:
        record = self.record
        return [Rating(self._skill[player]) for player in record.player[record.appearances(self._first + i)].tolist()]


def logistic(logit: float) -> float:
    """1 / (1 + e^−logit), for any finite logit."""
    if logit >= 0.0:
        return 1.0 / (1.0 + exp(-logit))
    odds = exp(logit)
    return odds / (1.0 + odds)
