"""The demo player's rounds of Xonotic, as match reports tell them: scores by true strengths, his own growing."""

import base64
import hashlib
import random
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from browser_app.demo.evenings import DAY_S, DAYS, Pace, Slot, evenings
from browser_app.demo.players import FINGERPRINT, NAME, others
from browser_app.demo.quake_games import XONOTIC
from browser_app.rating.record import Floats
from browser_app.rounds.places import place_by, ranks_or_winner
from browser_app.rounds.times import iso_8601
from browser_app.rounds.xonstat import GAME, TEAMS

ROUNDS: Final = 87

_Counts: TypeAlias = NDArray[np.int64]

_OTHERS, _ACTIVITY = 60, 1.0
"""How often somebody comes falls as 1 / his rank to this power."""
_PACE = Pace(length_s=640.0, spread=0.2, between_s=(30.0, 120.0))
_STRENGTH, _GROWN = 0.4, (-0.15, 0.35)
"""Standard deviation of the others' strengths, and the player's own in the beginning and now: natural logarithms."""
_FRAGS_A_MINUTE, _CAPTURES, _POINTS_A_CAPTURE = 1.7, 2.2, 12
_LEAVES = 0.08
"""Chance that somebody does not play to the end."""
_RED, _BLUE = TEAMS[5], TEAMS[14]


class _Place(NamedTuple):
    """A server on which he plays."""

    server: str
    mode: str
    part: float
    """Of the evenings."""
    people: tuple[int, int]
    """The fewest and the most in a round."""


_PLACES: Final = (
    _Place("Copper Lanes CTF", "ctf", 0.45, (6, 12)),
    _Place("Warehouse Duel One", "duel", 0.3, (2, 2)),
    _Place("Solarium Sunrise", "dm", 0.25, (4, 9)),
)


def xonotic_rounds(monday: float, seed: int) -> list[dict[str, Any]]:
    """The rounds before a week that begins at `monday` (Unix time, s), as objects of the round file."""
    rng = np.random.default_rng((abs(seed), XONOTIC.port))
    world = _World(monday, seed, rng)
    nights = evenings(ROUNDS, ROUNDS, monday, _PACE, rng)
    places = rng.choice(len(_PLACES), len(nights), p=[place.part for place in _PLACES])
    return [
        each
        for night, place in zip(nights, places.tolist(), strict=True)
        for each in world.evening(night, _PLACES[place])
    ]


class _World:
    """Everybody's true strength; player 0 is the demo's own."""

    def __init__(self, monday: float, seed: int, rng: np.random.Generator) -> None:
        self._monday, self._rng = monday, rng
        self._names = [NAME, *others(_OTHERS, random.Random(seed + 1))]  # noqa: S311 (a stage, no secret)
        self._ids = [FINGERPRINT, *(_fingerprint(name) for name in self._names[1:])]
        self._strength = _STRENGTH * rng.standard_normal(len(self._names))
        comes = np.arange(1, _OTHERS + 1) ** -_ACTIVITY
        self._comes = comes / comes.sum()
        self._ping = np.maximum(8.0, np.round(rng.lognormal(3.9, 0.5, len(self._names))))

    def evening(self, slots: Sequence[Slot], place: _Place) -> Iterator[dict[str, Any]]:
        """The rounds of an evening on one server, each on another map than the one before."""
        maps = self._rng.permutation(XONOTIC.modes[place.mode].maps).tolist()
        for number, slot in enumerate(slots):
            grown = 1.0 - (self._monday - slot.started) / (DAYS * DAY_S)
            self._strength[0] = np.interp(grown, (0.0, 1.0), _GROWN)
            yield self._round(slot, place, maps[number % len(maps)])

    def _round(self, slot: Slot, place: _Place, game_map: str) -> dict[str, Any]:
        rng = self._rng
        seats = int(rng.integers(*place.people, endpoint=True))
        people = [0, *(1 + rng.choice(_OTHERS, seats - 1, replace=False, p=self._comes)).tolist()]
        stayed = np.where(rng.random(seats) < _LEAVES, rng.uniform(0.3, 0.9, seats), 1.0)
        stayed[0] = 1.0
        seconds = np.floor(slot.length * stayed)
        kills, deaths = self._frags(self._strength[people], seconds / 60.0)
        scores = kills - rng.poisson(0.2, seats)
        sides = [self._ids[each] for each in people]
        results = {side: -float(score) for side, score in zip(sides, scores.tolist(), strict=True)}
        if place.mode == "ctf":
            sides = [(_RED, _BLUE)[seat % 2] for seat in range(seats)]
            results, scores = self._captures(self._strength[people], sides, kills)
        return {
            "id": f"{GAME} {place.server} {slot.started:.0f}",
            "game": GAME,
            "map": game_map,
            "mode": place.mode,
            "started": iso_8601(slot.started),
            "duration": slot.length,
            "teams": list(results),
            **ranks_or_winner(place_by({side: (result,) for side, result in results.items()})),
            "approximate": True,
            "server": place.server,
            "players": [
                self._player(each, sides[seat], seconds[seat], (kills[seat], deaths[seat], scores[seat]))
                | {"quit": bool(seconds[seat] < slot.length)}
                for seat, each in enumerate(people)
            ],
        }

    def _player(self, number: int, side: str, seconds: float, counts: Sequence[int]) -> dict[str, Any]:
        return {
            "id": self._ids[number],
            "name": self._names[number],
            "stays": [{"team": side, "enter": 0.0, "leave": float(seconds)}],
            **dict(zip(("kills", "deaths", "score"), map(int, counts), strict=True)),
            "ping": float(self._ping[number]),
        }

    def _frags(self, strength: Floats, minutes: Floats) -> tuple[_Counts, _Counts]:
        """Kills by own strength; who dies of them is the weaker, and whoever is there for longer."""
        kills = self._rng.poisson(_FRAGS_A_MINUTE * minutes * np.exp(strength - strength.mean()))
        victims = minutes * np.exp(-strength)
        return kills, self._rng.multinomial(int(kills.sum()), victims / victims.sum())

    def _captures(self, strength: Floats, sides: Sequence[str], kills: _Counts) -> tuple[dict[str, float], _Counts]:
        """What the teams achieved, the most first; the flags' points go to those who carried them."""
        scores = kills.copy()
        results = {}
        for side in (_RED, _BLUE):
            team = np.flatnonzero([each == side for each in sides])
            ahead = strength[team].mean() - np.delete(strength, team).mean()
            captures = int(self._rng.poisson(_CAPTURES * np.exp(2.0 * ahead)))
            carried = np.exp(strength[team])
            scores[team] += _POINTS_A_CAPTURE * self._rng.multinomial(captures, carried / carried.sum())
            results[side] = -float(captures)
        return results, scores


def _fingerprint(name: str) -> str:
    """Of the shape of a key's, from a name."""
    return base64.b64encode(hashlib.sha256(name.encode()).digest()).decode("ascii")
