"""The NS2 skill forward in time: a prediction before each round, one step along its gradient after it."""

from collections.abc import Mapping, Sequence
from math import exp, sqrt
from typing import NamedTuple, TypeAlias

import numpy as np

from browser_app.rating.ns2.bias import WinRates, circumstances, sizes
from browser_app.rating.ns2.declared import Settings
from browser_app.rating.ns2.points import points
from browser_app.rating.ns2.rounds import Eligibility, outcomes
from browser_app.rating.ns2.terms import Terms, chair_terms, expected_terms, field_terms
from browser_app.rating.prediction import Prediction
from browser_app.rating.record import Record
from browser_app.rating.system import Rating, RatingRun

_Rows: TypeAlias = tuple[list[int], list[float], list[float]]
"""One term of one round: who, his signed part and his whole part."""


class _TermLists:
    """Terms as plain lists, cut into rounds when asked: so many small lists at a time would busy the collector."""

    def __init__(self, terms: Terms) -> None:
        self._start: list[int] = terms.start.tolist()
        self._player: list[int] = terms.player.tolist()
        self._signed: list[float] = terms.signed.tolist()
        self._whole: list[float] = terms.whole.tolist()

    def of(self, i: int) -> _Rows:
        a, b = self._start[i], self._start[i + 1]
        return self._player[a:b], self._signed[a:b], self._whole[a:b]


_NOBODY: _Rows = ([], [], [])


class _Expected(NamedTuple):
    """What forecasts need of the rounds of the block."""

    terms: _TermLists
    two_sides: list[bool]
    circumstance: list[int]


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
        record, settings = self.record, self._settings
        self._reasons = self._eligibility.reasons(first, last)
        self._outcomes = outcomes(record, first, last).tolist()
        self._field = _TermLists(field_terms(record, settings, first, last))
        self._chair = _TermLists(chair_terms(record, settings, first, last))
        if self._win_rates is None:
            self._circumstances = [0] * (last - first)
        else:
            self._circumstances = circumstances(record, sizes(record, first, last), first, last).tolist()
        self._expected: _Expected | None = None

    def _unrated(self, i: int) -> str | None:
        return self._reasons[i]

    def _prediction(self, i: int) -> Prediction:
        return Prediction.of_two(self._chance(self._field.of(i), self._chair.of(i), self._circumstances[i]))

    def _forecast(self, i: int) -> Prediction | None:
        """Nobody in the chair, and the size that of all who are on a team."""
        if self._expected is None:
            self._expected = self._expect(self._first, self._last)
        terms, two_sides, circumstance = self._expected
        return Prediction.of_two(self._chance(terms.of(i), _NOBODY, circumstance[i])) if two_sides[i] else None

    def _expect(self, first: int, last: int) -> "_Expected":
        record = self.record
        terms = expected_terms(record, first, last)
        players = np.diff(terms.start)
        within = np.repeat(np.arange(last - first), players)
        of_first = np.bincount(within, terms.signed > 0.0, last - first)
        two_sides = (record.team_count[first:last] == 2) & (of_first > 0) & (of_first < players)
        known = circumstances(record, players.astype(np.int32), first, last)
        return _Expected(_TermLists(terms), two_sides.tolist(), known.tolist())

    def _chance(self, field: _Rows, chair: _Rows, circumstance: int) -> float:
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
        settings, outcome = self._settings, self._outcomes[i]
        c, a, epsilon = settings.c, settings.a, settings.epsilon
        field, chair, circumstance = self._field.of(i), self._chair.of(i), self._circumstances[i]
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
