"""Outcomes of rounds between players with known true skills."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from browser_app.rating.record.round_record import Floats, Ints
from browser_app.rating.record.team_presence import DecayingWeight


class SimulatedStint(NamedTuple):
    """Stint on a team or as commander: indices of seat and team, seconds from start."""

    seat: int
    team: int
    enter: float
    leave: float


class SimulatedLineup(NamedTuple):
    """A round before its outcome.

    Attributes:
        started: seconds.
        length: seconds.
        mode, map: indices of the simulation's.
        teams: number of teams.
        player: the player of each seat.
        team: the first team of each seat.
        squad: equal for players who joined together, -1 alone.
        stays, commander_stints: stints on teams and as commander.
    """

    started: float
    length: float
    mode: int
    map: int
    teams: int
    player: Ints
    team: Ints
    squad: Ints
    stays: Sequence[SimulatedStint]
    commander_stints: Sequence[SimulatedStint]


class SimulatedOutcome(NamedTuple):
    """Outcome of a line-up.

    Attributes:
        ranks: one per team.
        chance: true P(the first of two teams wins | no draw), with presence as it turned out.
        skill: true skill of each seat in this round, in the model's units.
        kills, deaths, quit: one per seat; None where the model has none.
    """

    ranks: Sequence[int]
    chance: float | None
    skill: Floats
    kills: Sequence[float] | None = None
    deaths: Sequence[float] | None = None
    quit: Sequence[bool] | None = None


@dataclass(frozen=True, slots=True)
class NS2SimulationSettings:
    """Distribution of the true values, in units of s.

    Attributes:
        k, theta: skills and commander skills are drawn from a Gamma distribution of this shape and scale.
        offset: standard deviation of the per-team offsets.
        drift: standard deviation of the step of a skill after each of its player's rounds.
        advantage: standard deviation of F over the maps.
        draws: share of rounds that end in a draw.
        median_round_s: of the time weights.
    """

    k: float = 4.0
    theta: float = 5.0
    offset: float = 0.0
    drift: float = 0.0
    advantage: float = 0.0
    draws: float = 0.0
    median_round_s: float = 1200.0


class NS2OutcomeModel:
    """Two teams: logit p = Σ T t (s + T o) / Σ t + Σ T c χ / Σ c + F(map).

    Commander time is not field time. A term whose Σ is zero is absent.
    """

    def __init__(self, players: int, maps: int, truth: NS2SimulationSettings, rng: np.random.Generator) -> None:
        self._truth = truth
        self._weigh = DecayingWeight(truth.median_round_s)
        self.skill = rng.gamma(truth.k, truth.theta, players)
        self.commander = rng.gamma(truth.k, truth.theta, players)
        self.offset = truth.offset * rng.standard_normal(players)
        self.advantage = truth.advantage * rng.standard_normal(maps)

    def play(self, lineup: SimulatedLineup, rng: np.random.Generator) -> SimulatedOutcome:
        """Draw the winner."""
        field, command = self._weights(lineup, lineup.stays), self._weights(lineup, lineup.commander_stints)
        field -= command
        skill = self.skill[lineup.player]
        log_odds = float(self.advantage[lineup.map])
        if field.sum() > 0.0:
            sides = field @ np.array([1.0, -1.0])
            log_odds += float(sides @ skill + field.sum(axis=1) @ self.offset[lineup.player]) / float(field.sum())
        if command.sum() > 0.0:
            log_odds += float(command @ np.array([1.0, -1.0]) @ self.commander[lineup.player]) / float(command.sum())
        chance = 1.0 / (1.0 + math.exp(-log_odds))
        won = bool(rng.random() < chance)
        ranks = (1, 1) if rng.random() < self._truth.draws else (1, 2) if won else (2, 1)
        self.skill[lineup.player] += self._truth.drift * rng.standard_normal(len(lineup.player))
        return SimulatedOutcome(ranks, chance, skill)

    def _weights(self, lineup: SimulatedLineup, stints: Sequence[SimulatedStint]) -> Floats:
        weights = np.zeros((len(lineup.player), 2))
        if stints:
            seat, team, enter, leave = (np.array(column) for column in zip(*stints, strict=True))
            np.add.at(weights, (seat, team), self._weigh(enter, leave))
        return weights
