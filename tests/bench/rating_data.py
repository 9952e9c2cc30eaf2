"""Seeded records: pick-up rounds and free-for-alls.

Six against six of some thousand people, a few of whom play most of the rounds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.record.round_record import Floats, Ints

PLAYERS = 5000
SIDE = 6
_START_S = 1_500_000_000.0
_BLOCK = 4096
_LATE = 0.15  # share of people who come after the start
_MODES = ("ctf", "tdm")


@dataclass(frozen=True)
class PickupRound:
    """Twelve people, the first six on the first-named team; times in seconds."""

    number: int
    who: Sequence[int]
    enter: Sequence[float]
    kills: Sequence[int]
    deaths: Sequence[int]
    duration: float
    first_won: bool

    @property
    def teams(self) -> tuple[Sequence[int], Sequence[int]]:
        """People by team."""
        return self.who[:SIDE], self.who[SIDE:]


def rounds(count: int, seed: int = 1) -> Iterator[PickupRound]:
    """Return rounds, won by chance, more often by the better team."""
    return islice(_endless(seed), count)


def _endless(seed: int) -> Iterator[PickupRound]:
    drawn = np.random.default_rng(seed)
    skill = drawn.normal(0.0, 1.0, PLAYERS)
    activity = drawn.pareto(1.2, PLAYERS) + 1.0
    number = 0
    while True:
        who = _distinct(drawn, np.cumsum(activity) / activity.sum())
        gap = skill[who[:, :SIDE]].sum(axis=1) - skill[who[:, SIDE:]].sum(axis=1)
        won = gap + drawn.normal(0.0, np.sqrt(2 * SIDE), len(gap)) > 0
        duration = drawn.uniform(300.0, 1500.0, len(gap)).round(1)
        enter = np.where(drawn.random(who.shape) < _LATE, drawn.uniform(0.0, 0.8, who.shape), 0.0)
        enter = (enter * duration[:, None]).round(1)
        kills = drawn.poisson(np.exp(0.3 * skill[who]) * 12.0)
        deaths = drawn.poisson(np.exp(-0.3 * skill[who]) * 12.0)
        columns = (who, enter, kills, deaths, duration, won)
        for row in zip(*(column.tolist() for column in columns), strict=True):
            yield PickupRound(number, *row)
            number += 1


CLUB = 200


@dataclass(frozen=True)
class FreeForAllRound:
    """A round of everybody against everybody; `ranks` from 1, one per person."""

    number: int
    who: Sequence[int]
    ranks: Sequence[int]


def free_for_all(people: int, count: int, seed: int = 1) -> Iterator[FreeForAllRound]:
    """Yield rounds of a club's members; the better ones are mostly in front."""
    drawn = np.random.default_rng(seed)
    skill, activity = drawn.normal(0.0, 0.6, CLUB), drawn.pareto(1.2, CLUB) + 1.0
    for number in range(count):
        who = drawn.choice(CLUB, people, replace=False, p=activity / activity.sum())
        order = np.argsort(-skill[who] - drawn.normal(0.0, 1.0, people))
        ranks = np.empty(people, np.int64)
        ranks[order] = np.arange(1, people + 1)
        yield FreeForAllRound(number, who.tolist(), ranks.tolist())


def free_for_all_match(played: FreeForAllRound) -> Round:
    """The round as the systems take it."""
    teams = [f"team {place}" for place in range(len(played.who))]
    players = [Player(f"p{who}", (Stint(team, 0.0, 600.0),)) for who, team in zip(played.who, teams, strict=True)]
    return Round(f"r{played.number}", teams, players, _START_S + played.number * 700.0, 600.0, tuple(played.ranks))


def _distinct(drawn: np.random.Generator, shares: Floats) -> Ints:
    """Draw twelve different people per round, each by their activity.

    A round in which somebody was drawn twice is drawn again.
    """
    who = np.zeros((_BLOCK, 2 * SIDE), np.int32)
    again = np.arange(_BLOCK)
    while len(again):
        who[again] = np.minimum(np.searchsorted(shares, drawn.random((len(again), 2 * SIDE))), PLAYERS - 1)
        ordered = np.sort(who[again], axis=1)
        again = again[(ordered[:, 1:] == ordered[:, :-1]).any(axis=1)]
    return who


def match(played: PickupRound) -> Round:
    """The round as the systems take it."""
    people = zip(played.who, played.enter, played.kills, played.deaths, strict=True)
    players = [
        Player(
            f"p{who}",
            (Stint(_team(place), enter, played.duration),),
            kills=kills,
            deaths=deaths,
            score=kills,
        )
        for place, (who, enter, kills, deaths) in enumerate(people)
    ]
    ranks = (1, 2) if played.first_won else (2, 1)
    started = _START_S + played.number * 60.0
    mode = _MODES[played.number % len(_MODES)]
    return Round(f"r{played.number}", "AB", players, started, played.duration, ranks, mode=mode)


def line(played: PickupRound) -> str:
    """The round as a line of the round file, without counts."""
    players = ",".join(
        f'{{"id":"p{who}","stays":[{{"team":"{_team(place)}","enter":{enter},"leave":{played.duration}}}]}}'
        for place, (who, enter) in enumerate(zip(played.who, played.enter, strict=True))
    )
    day, second = divmod(played.number * 60, 86400)
    started = f"{np.datetime64('2018-01-01') + day}T{second // 3600:02}:{second // 60 % 60:02}:00Z"
    return (
        f'{{"id":"r{played.number}","game":"bench","map":"lantern","mode":"{_MODES[played.number % len(_MODES)]}",'
        f'"started":"{started}","duration":{played.duration},"teams":["A","B"],'
        f'"winner":"{"A" if played.first_won else "B"}","players":[{players}]}}\n'
    )


def _team(place: int) -> str:
    return "A" if place < SIDE else "B"
