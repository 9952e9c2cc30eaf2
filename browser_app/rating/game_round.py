"""Rounds of a game, their players and the players' stints on teams."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Stint:
    """Uninterrupted time on a team, in seconds from the start of the round.

    0 ≤ enter ≤ leave.
    """

    team: str
    enter: float
    leave: float


@dataclass(frozen=True, slots=True)
class Player:
    """One player in one round; None where the record has no information.

    `stays` covers all time on a team, `commanding` the part of it spent as commander. A player without stays is not
    on a team (yet). `kills`, `deaths`, `score`, `assists` and `objectives` are of the whole round, `ping`
    is in ms, `squad` names players who joined together, `quit` is true for players who left early, `ranked` is
    whether the player wants to be rated where that can be chosen (XonStat). The game's own numbers of the player, as
    they stood before the round:
    `skill`, `offset` and `commander_skill` in displayed points, `adagrad_sum` and `commander_adagrad_sum`
    (sums of squared gradients) as the game has them. Used to balance teams: `locked` players stay on their team,
    `prefers` names a team, `friends` are ids of players.
    """

    id: str
    stays: Sequence[Stint] = ()
    commanding: Sequence[Stint] = ()
    name: str | None = None
    kills: float | None = None
    deaths: float | None = None
    score: float | None = None
    squad: str | None = None
    ping: float | None = None
    quit: bool | None = None
    ranked: bool | None = None
    assists: float | None = None
    objectives: float | None = None
    skill: float | None = None
    offset: float | None = None
    commander_skill: float | None = None
    adagrad_sum: float | None = None
    commander_adagrad_sum: float | None = None
    locked: bool = False
    prefers: str | None = None
    friends: Sequence[str] = ()


class MinimalPlayer:
    """Base of a player with an id and stays only.

    The class has the values of all other fields of `Player`.
    """

    __slots__ = ()
    commanding: ClassVar[Sequence[Stint]] = ()
    name: ClassVar[None] = None
    kills: ClassVar[None] = None
    deaths: ClassVar[None] = None
    score: ClassVar[None] = None
    squad: ClassVar[None] = None
    ping: ClassVar[None] = None
    quit: ClassVar[None] = None
    ranked: ClassVar[None] = None
    assists: ClassVar[None] = None
    objectives: ClassVar[None] = None
    skill: ClassVar[None] = None
    offset: ClassVar[None] = None
    commander_skill: ClassVar[None] = None
    adagrad_sum: ClassVar[None] = None
    commander_adagrad_sum: ClassVar[None] = None
    locked: ClassVar[bool] = False
    prefers: ClassVar[None] = None
    friends: ClassVar[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """One round, played or upcoming.

    `teams` keeps the side order of the game (marines before aliens): offsets and first-team probabilities depend on
    it. `ranks` has one rank per team, lower is better, equal is a tie: a win is (1, 2) or (2, 1), a draw (1, 1); None
    without an outcome. `started` is in seconds since 1970 (UTC), `duration` in seconds; only a round without an
    outcome may lack them. `races` is empty or has one name (or None) per team.
    """

    id: str
    teams: Sequence[str]
    players: Sequence[Player]
    started: float | None
    duration: float | None = None
    ranks: Sequence[int] | None = None
    game: str = ""
    map: str = ""
    mode: str = ""
    races: Sequence[str | None] = field(default=())
