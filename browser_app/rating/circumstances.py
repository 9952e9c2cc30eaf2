"""Circumstances of two-team rounds and the advantage of the first-named team.

A circumstance is a number that encodes the first team's race, the map, the mode and the size of a round.
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.model_extra import ModelExtra, set_to
from browser_app.rating.rating_parameters import Parameter, ParameterSet
from browser_app.rating.record.player_slots import NOT_FOUND, RecordMapping
from browser_app.rating.record.round_record import Ints, RoundRecord
from browser_app.rating.record.team_presence import compute_presence, count_team_players, stint_seconds
from browser_app.rating.translatable import N_

_SIZE_LIMITS = np.array([6, 11, 16])  # most players of a small, medium and large round; more are the fourth size
SIZE_CLASSES = len(_SIZE_LIMITS) + 1

BIAS_PARAMETER = Parameter(
    "bias",
    N_("Side and map"),
    N_("advantage of the first team by race, map, mode and size: none, or learned from the results"),
    "none",
    choices=("none", "learnt"),
    fit="choice",
)
BIAS_VARIANCE_PARAMETER = Parameter(
    "bias_v",
    N_("Side and map, variance"),
    N_("with bias=learnt: how far each effect may be from 0, a variance of log-odds"),
    0.01,
    low=0.0,
    high=100.0,
    fit="log",
)
"""Simulated, 1,000 rounds: log loss + 0.0005 where no circumstance matters, - 0.01 where sides are 0.4 apart."""
BIAS_PARAMETERS = (BIAS_PARAMETER, BIAS_VARIANCE_PARAMETER)
BIAS_EXTRA = ModelExtra("bias", BIAS_PARAMETER.title, set_to(bias="none"))


def learned_bias_variance(parameters: ParameterSet) -> float | None:
    """Return `bias_v`, or None unless `bias` is `learnt`."""
    return parameters.number("bias_v") if parameters.default["bias"] == "learnt" else None


def count_lasting_players(record: RoundRecord, first: int, last: int) -> Ints:
    """Count the players of rounds first to last - 1 present for half of them or more."""
    start = int(record.appearance_start[first])
    present = compute_presence(record, record.stays, stint_seconds, first, last)
    stayed = np.bincount(present.appearance - start, present.amount, int(record.appearance_start[last]) - start)
    within = record.round_of_appearance[start : start + len(stayed)] - first
    long = stayed >= record.duration[first:last][within] / 2
    return np.bincount(within[long], minlength=last - first).astype(np.int32)


class Circumstance(NamedTuple):
    """Parts of a circumstance.

    Race, map and mode are the record's indices + 1, or 0 for none; size is a class, from 0 to `SIZE_CLASSES` - 1.
    """

    race: int
    map: int
    size: int
    mode: int


NO_CIRCUMSTANCE = -1
"""Circumstance of a round without sides (`RoundRecord.has_sides`), in which nothing favours the first-named team."""


class CircumstanceCode:
    """Encoding of a record's circumstances, ascending by race, map, size and mode."""

    def __init__(self, record: RoundRecord) -> None:
        self._maps, self.modes = len(record.maps) + 1, len(record.modes) + 1
        self._has_name = np.array([bool(mode) for mode in record.modes], np.bool_)

    def encode(self, record: RoundRecord, players: Ints, first: int, last: int) -> NDArray[np.int64]:
        """Return the circumstances of rounds first to last - 1.

        `players` is the number of players in each. A round without sides gets NO_CIRCUMSTANCE.
        """
        race = record.team_race[record.team_start[first:last]].astype(np.int64) + 1
        map_, mode = record.map[first:last] + 1, record.mode[first:last]
        size = np.searchsorted(_SIZE_LIMITS, players)
        circumstance: NDArray[np.int64] = (race * self._maps + map_) * SIZE_CLASSES + size
        circumstance = circumstance * self.modes + np.where(self._has_name[mode], mode + 1, 0)
        return np.where(record.has_sides[first:last], circumstance, NO_CIRCUMSTANCE)

    def decode(self, circumstance: int) -> Circumstance:
        """Return the parts of a circumstance."""
        rest, mode = divmod(circumstance, self.modes)
        rest, size = divmod(rest, SIZE_CLASSES)
        return Circumstance(*divmod(rest, self._maps), size, mode)

    def encode_parts(self, parts: Circumstance) -> int:
        """Return the circumstance of some parts."""
        return ((parts.race * self._maps + parts.map) * SIZE_CLASSES + parts.size) * self.modes + parts.mode


def encode_circumstances(record: RoundRecord) -> NDArray[np.int64]:
    """Return the circumstances of all rounds, by size of all who were on a team."""
    players = np.add.reduceat(count_team_players(record), record.team_start[:-1]) if len(record) else np.zeros(0)
    return CircumstanceCode(record).encode(record, players.astype(np.int32), 0, len(record))


class PartMapping:
    """Translation of the parts of circumstances from one record to another."""

    def __init__(self, mapping: RecordMapping) -> None:
        self._races, self._maps, self._modes = map(_numbers_from_1, (mapping.races, mapping.maps, mapping.modes))

    def translate(self, parts: Circumstance) -> Circumstance | None:
        """Return the parts in the second record; None if it lacks one of the names."""
        if parts.race in self._races and parts.map in self._maps and parts.mode in self._modes:
            return Circumstance(self._races[parts.race], self._maps[parts.map], parts.size, self._modes[parts.mode])
        return None


def _numbers_from_1(known: list[int]) -> Mapping[int, int]:
    return {0: 0} | {old + 1: new + 1 for new, old in enumerate(known) if old != NOT_FOUND}


class CircumstanceAdvantage(Protocol):
    """F, the advantage of the first-named team by circumstances, in log-odds."""

    def log_odds(self, circumstance: int) -> float:
        """Return F in a circumstance."""

    def learn(self, circumstance: int, outcome: float, chance: float) -> None:
        """Learn from the outcome of a round.

        The outcome is 1 if the first team won, 0 if it lost and ½ for a draw; `chance` was the first team's chance.
        """

    def transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> Self:
        """Return the advantage for another record's races, maps and modes."""


class _Effect:
    """Normal belief in one effect, log-odds."""

    __slots__ = ("mean", "var")

    def __init__(self, mean: float, var: float) -> None:
        self.mean, self.var = mean, var


_EffectKey: TypeAlias = tuple[str, Circumstance]
"""Kind of an effect, and the parts that matter to it; the others are 0."""


class LearnedAdvantage:
    """F as a sum of effects of side, race, map (of a race), mode and size.

    The side is that of the first-named team. Effects have the prior N(0, v). After a round all its effects move by
    their variance × the gradient of the round's log-likelihood, so that F is shrunk towards the value of coarser
    circumstances. An unknown name has no effect. The correlations between effects that the result induces are not
    stored.
    """

    def __init__(self, record: RoundRecord, variance: float) -> None:
        self._code, self._variance = CircumstanceCode(record), variance
        self._effects: dict[_EffectKey, _Effect] = {}
        self._effects_in: dict[int, tuple[_Effect, ...]] = {}

    def advantage(self, circumstance: int) -> tuple[float, float]:
        """Return mean and variance of F in a circumstance."""
        mean = var = 0.0
        for effect in self._effects_of(circumstance):
            mean += effect.mean
            var += effect.var
        return mean, var

    def log_odds(self, circumstance: int) -> float:
        """Return the mean of F in a circumstance."""
        return self.advantage(circumstance)[0]

    def learn(self, circumstance: int, outcome: float, chance: float) -> None:
        """Learn from a round by one Newton step on its logistic log-likelihood."""
        curvature = chance * (1.0 - chance)
        share = 1.0 / (1.0 + curvature * self.advantage(circumstance)[1])
        self.apply_derivatives(circumstance, (outcome - chance) * share, curvature * share)

    def apply_derivatives(self, circumstance: int, gradient: float, curvature: float) -> None:
        """Learn from derivatives of a round's log-likelihood by the mean of F.

        `gradient` is the first derivative, `curvature` the negative second one.
        """
        for effect in self._effects_of(circumstance):
            var = effect.var
            effect.mean += var * gradient
            effect.var = var - var * var * curvature

    def transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> "LearnedAdvantage":
        """Return the effects for the races, maps and modes that another record has."""
        moved, parts = LearnedAdvantage(record, self._variance), PartMapping(mapping)
        for (kind, own), effect in self._effects.items():
            theirs = parts.translate(own)
            if theirs is not None:
                moved._effects[kind, theirs] = _Effect(effect.mean, effect.var)
        return moved

    def _effects_of(self, circumstance: int) -> tuple[_Effect, ...]:
        known = self._effects_in.get(circumstance)
        if known is None:
            if circumstance == NO_CIRCUMSTANCE:
                return ()
            keys = _effect_keys(self._code.decode(circumstance))
            known = tuple(self._effects.setdefault(key, _Effect(0.0, self._variance)) for key in keys)
            self._effects_in[circumstance] = known
        return known


_ANY = Circumstance(0, 0, 0, 0)


def _effect_keys(parts: Circumstance) -> list[_EffectKey]:
    keys = [("side", _ANY), ("size", _ANY._replace(size=parts.size))]
    if parts.race:
        keys.append(("race", _ANY._replace(race=parts.race)))
    if parts.map:
        keys.append(("map", _ANY._replace(race=parts.race, map=parts.map)))
    if parts.mode:
        keys.append(("mode", _ANY._replace(mode=parts.mode)))
    return keys
