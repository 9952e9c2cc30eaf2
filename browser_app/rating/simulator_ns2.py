"""The world of the NS2 skill: outcomes are drawn from the logistic model itself."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from browser_app.rating.presence import Decaying
from browser_app.rating.record import Floats
from browser_app.rating.simulator import LineUp, Played, Spell


@dataclass(frozen=True, slots=True)
class NS2Truth:
    """How the true values are spread, in units of s.

    Attributes:
        k, theta: skills and commander skills are drawn from a Gamma distribution of this shape and scale.
        offset: standard deviation of the per-team offsets.
        drift: standard deviation of the step that a skill makes after each round of its player.
        bias: standard deviation of F over the maps. draws: share of rounds that end in a draw.
        median_round_s: of the time weights.
    """

    k: float = 4.0
    theta: float = 5.0
    offset: float = 0.0
    drift: float = 0.0
    bias: float = 0.0
    draws: float = 0.0
    median_round_s: float = 1200.0


class NS2World:
    """logit p = Σ T t (s + T o) / Σ t + Σ T c χ / Σ c + F(map): everybody's true values, and rounds from them.

    Two teams. Chair time is no field time. A term whose Σ is zero is absent.
    """

    def __init__(self, players: int, maps: int, truth: NS2Truth, rng: np.random.Generator) -> None:
        self._truth = truth
        self._weigh = Decaying(truth.median_round_s)
        self.skill = rng.gamma(truth.k, truth.theta, players)
        self.commander = rng.gamma(truth.k, truth.theta, players)
        self.offset = truth.offset * rng.standard_normal(players)
        self.bias = truth.bias * rng.standard_normal(maps)

    def play(self, line_up: LineUp, rng: np.random.Generator) -> Played:
        """Draw who wins."""
        field, chair = self._weights(line_up, line_up.stays), self._weights(line_up, line_up.chairs)
        field -= chair
        skill = self.skill[line_up.player]
        logit = float(self.bias[line_up.map])
        if field.sum() > 0.0:
            sides = field @ np.array([1.0, -1.0])
            logit += float(sides @ skill + field.sum(axis=1) @ self.offset[line_up.player]) / float(field.sum())
        if chair.sum() > 0.0:
            logit += float(chair @ np.array([1.0, -1.0]) @ self.commander[line_up.player]) / float(chair.sum())
        chance = 1.0 / (1.0 + math.exp(-logit))
        won = bool(rng.random() < chance)
        ranks = (1, 1) if rng.random() < self._truth.draws else (1, 2) if won else (2, 1)
        self.skill[line_up.player] += self._truth.drift * rng.standard_normal(len(line_up.player))
        return Played(ranks, chance, skill)

    def _weights(self, line_up: LineUp, spells: Sequence[Spell]) -> Floats:
        """Time weight of each seat (row) on each of the two teams."""
        weights = np.zeros((len(line_up.player), 2))
        if spells:
            seat, team, enter, leave = (np.array(column) for column in zip(*spells, strict=True))
            np.add.at(weights, (seat, team), self._weigh(enter, leave))
        return weights
