"""Which servers a network has: games, people, lines, faults. All of it follows from the seed."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from browser_app.demo.a2s_games import A2S_GAMES
from browser_app.demo.faults import Faults, Lie, can_have
from browser_app.demo.population import Population, found
from browser_app.demo.quake_games import QUAKE_GAMES
from browser_app.demo.sheet import GameSheet

GAMES: Final[Mapping[str, GameSheet]] = {sheet.id: sheet for sheet in (*A2S_GAMES, *QUAKE_GAMES)}
"""All games on stage, by profile id."""


@dataclass(slots=True)
class Part:
    """What one server is to be."""

    population: Population
    latency_ms: float
    line_seed: int
    challenge: bool
    """A2S: asks for a challenge before its info, too."""
    alive: bool = True
    lie: Lie | None = None


def cast(
    servers: int,
    latency_ms: tuple[float, float],
    *,
    dead: float,
    challenge: float,
    faults: Faults,
    games: Sequence[str],
    rng: random.Random,
) -> list[Part]:
    """The parts of all servers, in the order of their addresses.

    Shares (`dead`, `challenge`, those of `faults`) are met exactly, to the nearest whole server.
    """
    parts = [_part(population, latency_ms, rng) for population in _populations(servers, games, rng)]
    for part in rng.sample(parts, round(dead * servers)):
        part.alive = False
    for part in rng.sample(parts, round(challenge * servers)):
        part.challenge = True
    _give_lies(parts, faults, rng)
    return parts


def _populations(servers: int, games: Sequence[str], rng: random.Random) -> Iterator[Population]:
    sheets = list(_sheets(servers, [GAMES[game] for game in games]))
    rng.shuffle(sheets)
    ordinals = dict.fromkeys(games, 0)
    for number, sheet in enumerate(sheets):
        yield found(sheet, number, ordinals[sheet.id], rng)
        ordinals[sheet.id] += 1


def _sheets(servers: int, sheets: Sequence[GameSheet]) -> Iterator[GameSheet]:
    """Each sheet as often as its share says (cumulative rounding: the numbers add up)."""
    whole = sum(sheet.share for sheet in sheets)
    given, so_far = 0, 0.0
    for sheet in sheets:
        so_far += sheet.share
        upto = round(servers * so_far / whole)
        yield from [sheet] * (upto - given)
        given = upto


def _part(population: Population, latency_ms: tuple[float, float], rng: random.Random) -> Part:
    low, high = latency_ms
    return Part(population, low + (high - low) * rng.random() ** 1.5, rng.getrandbits(64), challenge=False)


def _give_lies(parts: Sequence[Part], faults: Faults, rng: random.Random) -> None:
    for lie in Lie:
        able = [part for part in parts if part.alive and can_have(part.population.sheet.protocol, lie)]
        free = [part for part in able if part.lie is None]
        for part in rng.sample(free, min(len(free), round(faults.share(lie) * len(able)))):
            part.lie = lie
