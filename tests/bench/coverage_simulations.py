"""Simulated rounds with known true skills, for the coverage of stated intervals.

Shares no code with the rating systems: time weights, chances and ranks are computed here.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.game_round import Player, Round, Stint

Floats = NDArray[np.float64]
TEAMS = ("marines", "aliens")
_HALF_LIFE_S = 600.0  # of NS2's time weight: half of the median round of 1,200 s
_PAUSE_S = 2400.0


@dataclass(frozen=True)
class PlayerPool:
    """Players of a simulation; the n-th plays 1 / √n as often as the first.

    Attributes:
        sizes: minimum and maximum players on a team.
        late, early: shares who join late, who leave early.
    """

    players: int = 60
    rounds: int = 600
    sizes: tuple[int, int] = (3, 7)
    late: float = 0.3
    early: float = 0.3


@dataclass(frozen=True)
class RoundPlayer:
    """A player's team and times in one round."""

    player: int
    side: int
    enter: float
    leave: float


Outcome = tuple[tuple[int, int], list[Player]]
"""Ranks of the two teams, and the players as the round file has them."""


def play_rounds(
    pool: PlayerPool, rng: np.random.Generator, play: Callable[[list[RoundPlayer], float], Outcome]
) -> Iterator[Round]:
    """Draw line-ups and yield the rounds as `play` decides them.

    Line-ups are given by round_players and length in seconds.
    """
    activity = np.arange(1, pool.players + 1) ** -0.5
    activity /= activity.sum()
    for number in range(pool.rounds):
        length = 1200.0 * math.exp(0.3 * rng.standard_normal())
        first, second = (int(size) for size in rng.integers(*pool.sizes, 2, endpoint=True))
        round_players = []
        for index, player in enumerate(rng.choice(pool.players, first + second, replace=False, p=activity)):
            enter = length * rng.random() if rng.random() < pool.late else 0.0
            leave = enter + (length - enter) * rng.random() if rng.random() < pool.early else length
            round_players.append(RoundPlayer(int(player), int(index >= first), float(enter), float(leave)))
        ranks, players = play(round_players, length)
        started = 1.5e9 + number * (1200.0 + _PAUSE_S)
        yield Round(f"r{number}", TEAMS, players, started, length, ranks, game="xonotic", mode="ctf")


@dataclass
class LogisticSimulation:
    """NS2's model with Gamma-distributed skills.

    A round is a draw when log-odds and luck are within a margin.

    Attributes:
        skill, commander: true values by player, in units of s.
    """

    pool: PlayerPool
    rng: np.random.Generator
    k: float = 4.0
    theta: float = 5.0
    has_commanders: bool = False
    draw_margin: float = 0.0

    def __post_init__(self) -> None:
        self.skill, self.commander = self.rng.gamma(self.k, self.theta, (2, self.pool.players))

    def rounds(self) -> Iterator[Round]:
        """Play all rounds."""
        return play_rounds(self.pool, self.rng, self._play)

    def _play(self, round_players: list[RoundPlayer], length: float) -> Outcome:  # noqa: ARG002 (as every simulation)
        field = field_time = command = command_time = 0.0
        players, has_commander = [], set[int]()
        for round_player in round_players:
            sign, up_to = 1.0 - 2.0 * round_player.side, round_player.enter
            if self.has_commanders and round_player.side not in has_commander:
                has_commander.add(round_player.side)
                up_to += (round_player.leave - round_player.enter) * (0.5 + 0.5 * self.rng.random())
            in_command, on_field = _weight(round_player.enter, up_to), _weight(up_to, round_player.leave)
            field, field_time = field + sign * on_field * self.skill[round_player.player], field_time + on_field
            command, command_time = (
                command + sign * in_command * self.commander[round_player.player],
                command_time + in_command,
            )
            commanding = [Stint(TEAMS[round_player.side], round_player.enter, up_to)] if in_command else []
            players.append(Player(f"p{round_player.player}", [_stay(round_player)], commanding))
        log_odds = field / field_time + (command / command_time if command_time else 0.0)
        return _ranks(log_odds + self.rng.logistic(), self.draw_margin), players


@dataclass
class GaussianSimulation:
    """TrueSkill's model: performances by share of the round, drifting skills.

    Skills change after each round.

    Attributes:
        skill: true values by player, after all rounds.
        quits: chance that a player quits whose performance is more than a unit, give or take one, below what they
            faced: the opponents' performances over the time of the own team.
    """

    pool: PlayerPool
    rng: np.random.Generator
    v0: float = 0.4
    gamma2: float = 1e-3
    draw_margin: float = 1e-3
    quits: float = 0.0

    def __post_init__(self) -> None:
        self.skill = 1.0 + math.sqrt(self.v0) * self.rng.standard_normal(self.pool.players)

    def rounds(self) -> Iterator[Round]:
        """Play all rounds."""
        return play_rounds(self.pool, self.rng, self._play)

    def _play(self, round_players: list[RoundPlayer], length: float) -> Outcome:
        performance = np.array(
            [self.skill[round_player.player] for round_player in round_players]
        ) + self.rng.standard_normal(len(round_players))
        share = np.array([(round_player.leave - round_player.enter) / length for round_player in round_players])
        side = np.array([round_player.side for round_player in round_players])
        of_side = [float((performance * share)[side == team].sum()) for team in (0, 1)]
        faced = [of_side[1 - team] / float(share[side == team].sum()) for team in (0, 1)]
        players = []
        for round_player, own in zip(round_players, performance.tolist(), strict=True):
            quit_ = bool(
                own - faced[round_player.side] + self.rng.standard_normal() < -1.0 and self.rng.random() < self.quits
            )
            players.append(Player(f"p{round_player.player}", [_stay(round_player)], quit=quit_ if self.quits else None))
        drift = math.sqrt(self.gamma2) * self.rng.standard_normal(len(round_players))
        self.skill[[round_player.player for round_player in round_players]] += drift
        return _ranks(of_side[0] - of_side[1], self.draw_margin), players


@dataclass
class ScoreSimulation:
    """Scores by performance about the skill, in points as XonStat's.

    The time in a round does not matter.

    Attributes:
        skill: true values by player.
    """

    pool: PlayerPool
    rng: np.random.Generator
    spread: float = 350.0
    beta: float = 175.0

    def __post_init__(self) -> None:
        self.skill = 1500.0 + self.spread * self.rng.standard_normal(self.pool.players)

    def rounds(self) -> Iterator[Round]:
        """Play all rounds."""
        return play_rounds(self.pool, self.rng, self._play)

    def _play(self, round_players: list[RoundPlayer], length: float) -> Outcome:  # noqa: ARG002 (as every simulation)
        # the difference of two Gumbel variables is logistic
        noise = self.rng.gumbel(0.0, math.sqrt(2.0) * self.beta, len(round_players))
        score = np.array([self.skill[round_player.player] for round_player in round_players]) + noise
        players = [
            Player(f"p{round_player.player}", [_stay(round_player)], score=own, name=f"p{round_player.player}")
            for round_player, own in zip(round_players, score.tolist(), strict=True)
        ]
        of_side = [
            sum(own for round_player, own in zip(round_players, score.tolist(), strict=True) if round_player.side == t)
            for t in (0, 1)
        ]
        return _ranks(of_side[0] - of_side[1], 0.0), players


def _weight(enter: float, leave: float) -> float:
    return float(0.5 ** (enter / _HALF_LIFE_S) - 0.5 ** (leave / _HALF_LIFE_S))


def _stay(round_player: RoundPlayer) -> Stint:
    return Stint(TEAMS[round_player.side], round_player.enter, round_player.leave)


def _ranks(lead: float, draw_margin: float) -> tuple[int, int]:
    return (1, 1) if abs(lead) <= draw_margin else (1, 2) if lead > 0.0 else (2, 1)
