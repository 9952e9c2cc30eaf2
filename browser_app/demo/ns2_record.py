"""The demo player's rounds of Natural Selection 2, as his servers and the other players' NS2+ kept them."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from browser_app.demo.a2s_games import NS2
from browser_app.demo.evenings import DAY_S, Pace, Slot, evenings
from browser_app.demo.ns2_crowd import Crowd
from browser_app.demo.players import ACCOUNTS, NAME, others
from browser_app.demo.wording import NICKNAMES
from browser_app.rating.simulator import LineUp, Played, Spell
from browser_app.rounds.ns2_sides import GAME, RACES, TEAMS, in_the_chair, one_after_another, spell
from browser_app.rounds.times import iso_8601

ROUNDS: Final = 642
MINE: Final = 214

_SECOND_UNTIL = 96.0
"""Until so many days before today he used the second account."""
_PASSERS_BY = 120
_SALT = 280
"""Of many worlds the one in which seed 1 has ups and downs worth looking at."""
_FIRST_ACCOUNT, _ACCOUNT_STEP = 4_200_000_000, 104_729
_PACE = Pace(length_s=1200.0, spread=0.35, between_s=(60.0, 240.0))
_PAUSE = range(54, 76)
"""Days, counted from the first, on which he did not play."""
_KILLS_A_MINUTE, _KILLS_PER_SKILL = 0.55, 0.04


class _Place(NamedTuple):
    """A server on which he plays."""

    server: str
    mode: str
    part: float
    """Of the evenings."""
    join_times: bool = True
    """False: NS2+ kept its rounds, which tells only how long somebody played."""


_PLACES: Final = (
    _Place("Lanternfish Veil EU", "ns2", 0.36),
    _Place("Third Hive Frankfurt", "ns2", 0.28),
    _Place("Sunday Overflow", "ns2", 0.22, join_times=False),
    _Place("Siege after work", "siege", 0.14),
)
_MAPS: Final = [name for mode in NS2.modes.values() for name in mode.maps]


def ns2_rounds(monday: float, seed: int) -> list[dict[str, Any]]:
    """The rounds before a week that begins at `monday` (Unix time, s), as objects of the round file."""
    rng = np.random.default_rng((abs(seed), _SALT))
    regulars = len(NICKNAMES)
    names = [NAME, *others(regulars + _PASSERS_BY, random.Random(seed))]  # noqa: S311 (a stage, no secret)
    crowd = Crowd(regulars, _PASSERS_BY, len(_MAPS), rng)
    nights = evenings(ROUNDS, MINE, monday, _PACE, rng, _PAUSE)
    places = rng.choice(len(_PLACES), len(nights), p=[place.part for place in _PLACES])
    teller = _Teller(names, monday, rng)
    return [
        teller.round(slot, _PLACES[place], line_up, played)
        for night, place in zip(nights, places.tolist(), strict=True)
        for slot, line_up, played in _play(crowd, night, _PLACES[place], monday, rng)
    ]


def _play(
    crowd: Crowd, night: Sequence[Slot], place: _Place, monday: float, rng: np.random.Generator
) -> Iterator[tuple[Slot, LineUp, Played]]:
    """An evening's rounds, each on another map than the one before."""
    here = crowd.who_comes()
    maps = rng.permutation(NS2.modes[place.mode].maps).tolist()
    for number, slot in enumerate(night):
        crowd.learn((monday - slot.started) / DAY_S)
        line_up = crowd.line_up(slot.length, _MAPS.index(maps[number % len(maps)]), here, mine=slot.mine)
        yield slot, line_up, crowd.play(line_up)


class _Teller:
    """Makes objects of the round file."""

    def __init__(self, names: Sequence[str], monday: float, rng: np.random.Generator) -> None:
        self._names, self._monday, self._rng = names, monday, rng

    def round(self, slot: Slot, place: _Place, line_up: LineUp, played: Played) -> dict[str, Any]:
        """One round."""
        first, second = played.ranks
        return {
            "id": f"{GAME} {place.server} {slot.started:.0f}",
            "game": GAME,
            "map": _MAPS[line_up.map],
            "mode": place.mode,
            "started": iso_8601(slot.started),
            "duration": slot.length,
            "teams": list(TEAMS),
            "races": dict(RACES),
            "winner": None if first == second else TEAMS[first > second],
            **({} if place.join_times else {"approximate": True}),
            "server": place.server,
            "players": self._players(slot, line_up, played, join_times=place.join_times),
        }

    def _players(self, slot: Slot, line_up: LineUp, played: Played, *, join_times: bool) -> list[dict[str, Any]]:
        seats = len(line_up.player)
        stays, chairs = (_by_seat(spells, seats) for spells in (line_up.stays, line_up.chairs))
        minutes = np.array([sum(each["leave"] - each["enter"] for each in spells) for spells in stays]) / 60.0
        ahead = _KILLS_PER_SKILL * (played.skill - played.skill.mean())
        kills, deaths = self._rng.poisson(_KILLS_A_MINUTE * minutes * np.exp((ahead, -ahead))).tolist()
        if not join_times:
            stays, chairs = _only_lengths(stays, chairs)
        return [
            {
                "id": self._id(player, slot),
                "name": self._names[player],
                "stays": stays[seat],
                "commanding": chairs[seat],
                "kills": kills[seat],
                "deaths": deaths[seat],
                "score": 10 * kills[seat] + int(2 * minutes[seat]),
            }
            for seat, player in enumerate(line_up.player.tolist())
        ]

    def _id(self, player: int, slot: Slot) -> str:
        if player == 0:
            return str(ACCOUNTS[slot.started < self._monday - _SECOND_UNTIL * DAY_S])
        return str(_FIRST_ACCOUNT + player * _ACCOUNT_STEP)


def _by_seat(spells: Sequence[Spell], seats: int) -> list[list[dict[str, Any]]]:
    """The spells of everybody as entries of the round file."""
    entries: list[list[dict[str, Any]]] = [[] for _ in range(seats)]
    for each in spells:
        entries[each.seat].append(spell(TEAMS[each.team], each.enter, each.leave))
    return entries


def _only_lengths(
    stays: Sequence[Sequence[dict[str, Any]]], chairs: Sequence[Sequence[dict[str, Any]]]
) -> tuple[list[list[dict[str, Any]]], list[list[dict[str, Any]]]]:
    """The same as NS2+ keeps it: one stay after the other, from the start."""
    lengths = [[(each["team"], each["leave"] - each["enter"]) for each in spells] for spells in stays]
    known = [one_after_another(each) for each in lengths]
    in_chair = [
        [part for each in spells for part in in_the_chair(mine, each["team"], each["leave"] - each["enter"])]
        for mine, spells in zip(known, chairs, strict=True)
    ]
    return known, in_chair
