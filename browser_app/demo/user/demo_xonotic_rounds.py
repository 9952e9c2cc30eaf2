"""Generated Xonotic rounds of the demo user."""

import base64
import hashlib
import random
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from browser_app.demo.demo_names import USER_NAME, USER_XONOTIC_FINGERPRINT, make_player_names
from browser_app.demo.games.quake3_games import XONOTIC
from browser_app.demo.user.demo_schedule import DAY_S, SCHEDULE_DAYS, RoundSlot, RoundTiming, make_evenings
from browser_app.rating.record.round_record import Floats
from browser_app.rounds.iso_time import format_iso_time
from browser_app.rounds.xonotic_common import XONOTIC_GAME, XONOTIC_TEAMS, build_outcome_fields, rank_by_result

XONOTIC_ROUND_COUNT: Final = 87

_Counts: TypeAlias = NDArray[np.int64]

_OTHER_PLAYER_COUNT, _ACTIVITY_EXPONENT = 60, 1.0
"""A player's activity falls as 1 / rank to this power."""
_ROUND_TIMING = RoundTiming(length_s=640.0, spread=0.2, pause_s=(30.0, 120.0))
_STRENGTH_DEVIATION, _USER_STRENGTH_RANGE = 0.4, (-0.15, 0.35)
"""Standard deviation of the others' strengths; the user's at first and now (natural logarithms)."""
_FRAGS_A_MINUTE, _CAPTURES_PER_ROUND, _POINTS_A_CAPTURE = 1.7, 2.2, 12
_LEAVE_PROBABILITY = 0.08
"""Probability that a player leaves before the end."""
_RED, _BLUE = XONOTIC_TEAMS[5], XONOTIC_TEAMS[14]


class _XonoticServer(NamedTuple):
    server: str
    mode: str
    share: float
    """Share of the evenings."""
    player_range: tuple[int, int]
    """Fewest and most players of a round."""


_PLAYED_SERVERS: Final = (
    _XonoticServer("Copper Lanes CTF", "ctf", 0.45, (6, 12)),
    _XonoticServer("Warehouse Duel One", "duel", 0.3, (2, 2)),
    _XonoticServer("Solarium Sunrise", "dm", 0.25, (4, 9)),
)


def make_xonotic_rounds(monday: float, seed: int) -> list[dict[str, Any]]:
    """Return the rounds before the week of `monday` (Unix time, s) as file objects."""
    rng = np.random.default_rng((abs(seed), XONOTIC.profile.default_port))
    simulation = _XonoticSimulation(monday, seed, rng)
    evenings = make_evenings(XONOTIC_ROUND_COUNT, XONOTIC_ROUND_COUNT, monday, _ROUND_TIMING, rng)
    server_indices = rng.choice(len(_PLAYED_SERVERS), len(evenings), p=[server.share for server in _PLAYED_SERVERS])
    return [
        each
        for evening, index in zip(evenings, server_indices.tolist(), strict=True)
        for each in simulation.simulate_evening(evening, _PLAYED_SERVERS[index])
    ]


class _XonoticSimulation:
    """Players with true strengths, who play rounds; player 0 is the user."""

    def __init__(self, monday: float, seed: int, rng: np.random.Generator) -> None:
        self._monday, self._rng = monday, rng
        self._names = [USER_NAME, *make_player_names(_OTHER_PLAYER_COUNT, random.Random(seed + 1))]  # noqa: S311 (simulation, not cryptography)
        self._ids = [USER_XONOTIC_FINGERPRINT, *(_fingerprint(name) for name in self._names[1:])]
        self._strength = _STRENGTH_DEVIATION * rng.standard_normal(len(self._names))
        activity = np.arange(1, _OTHER_PLAYER_COUNT + 1) ** -_ACTIVITY_EXPONENT
        self._attendance = activity / activity.sum()
        self._ping = np.maximum(8.0, np.round(rng.lognormal(3.9, 0.5, len(self._names))))

    def simulate_evening(self, slots: Sequence[RoundSlot], server: _XonoticServer) -> Iterator[dict[str, Any]]:
        """Return an evening's rounds on one server, never twice in a row on one map."""
        maps = self._rng.permutation(XONOTIC.modes[server.mode].maps).tolist()
        for number, slot in enumerate(slots):
            progress = 1.0 - (self._monday - slot.started) / (SCHEDULE_DAYS * DAY_S)
            self._strength[0] = np.interp(progress, (0.0, 1.0), _USER_STRENGTH_RANGE)
            yield self._simulate_round(slot, server, maps[number % len(maps)])

    def _simulate_round(self, slot: RoundSlot, server: _XonoticServer, game_map: str) -> dict[str, Any]:
        rng = self._rng
        seats = int(rng.integers(*server.player_range, endpoint=True))
        people = [0, *(1 + rng.choice(_OTHER_PLAYER_COUNT, seats - 1, replace=False, p=self._attendance)).tolist()]
        stayed = np.where(rng.random(seats) < _LEAVE_PROBABILITY, rng.uniform(0.3, 0.9, seats), 1.0)
        stayed[0] = 1.0
        seconds = np.floor(slot.length_s * stayed)
        kills, deaths = self._draw_frags(self._strength[people], seconds / 60.0)
        scores = kills - rng.poisson(0.2, seats)
        sides = [self._ids[each] for each in people]
        results = {side: -float(score) for side, score in zip(sides, scores.tolist(), strict=True)}
        if server.mode == "ctf":
            sides = [(_RED, _BLUE)[seat % 2] for seat in range(seats)]
            results, scores = self._draw_captures(self._strength[people], sides, kills)
        return {
            "id": f"{XONOTIC_GAME} {server.server} {slot.started:.0f}",
            "game": XONOTIC_GAME,
            "map": game_map,
            "mode": server.mode,
            "started": format_iso_time(slot.started),
            "duration": slot.length_s,
            "teams": list(results),
            **build_outcome_fields(rank_by_result({side: (result,) for side, result in results.items()})),
            "approximate": True,
            "server": server.server,
            "players": [
                self._player_object(each, sides[seat], seconds[seat], (kills[seat], deaths[seat], scores[seat]))
                | {"quit": bool(seconds[seat] < slot.length_s)}
                for seat, each in enumerate(people)
            ],
        }

    def _player_object(self, number: int, side: str, seconds: float, counts: Sequence[int]) -> dict[str, Any]:
        return {
            "id": self._ids[number],
            "name": self._names[number],
            "stays": [{"team": side, "enter": 0.0, "leave": float(seconds)}],
            **dict(zip(("kills", "deaths", "score"), map(int, counts), strict=True)),
            "ping": float(self._ping[number]),
        }

    def _draw_frags(self, strength: Floats, minutes: Floats) -> tuple[_Counts, _Counts]:
        """Draw kills by strength; weaker players, and those present longer, die more."""
        kills = self._rng.poisson(_FRAGS_A_MINUTE * minutes * np.exp(strength - strength.mean()))
        victims = minutes * np.exp(-strength)
        return kills, self._rng.multinomial(int(kills.sum()), victims / victims.sum())

    def _draw_captures(
        self, strength: Floats, sides: Sequence[str], kills: _Counts
    ) -> tuple[dict[str, float], _Counts]:
        """Draw the teams' captures, most first; flag points go to those who carried them."""
        scores = kills.copy()
        results = {}
        for side in (_RED, _BLUE):
            team = np.flatnonzero([each == side for each in sides])
            ahead = strength[team].mean() - np.delete(strength, team).mean()
            captures = int(self._rng.poisson(_CAPTURES_PER_ROUND * np.exp(2.0 * ahead)))
            carried = np.exp(strength[team])
            scores[team] += _POINTS_A_CAPTURE * self._rng.multinomial(captures, carried / carried.sum())
            results[side] = -float(captures)
        return results, scores


def _fingerprint(name: str) -> str:
    """Return a made-up fingerprint for a name, shaped like a real one."""
    return base64.b64encode(hashlib.sha256(name.encode()).digest()).decode("ascii")
