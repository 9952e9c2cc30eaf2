"""Server specs of a demo network, derived from its seed."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from browser_app.catalogue.places.geography import min_round_trip_ms
from browser_app.demo.demo_names import CITIES, USER_COUNTRY
from browser_app.demo.faults.demo_states import DemoState, assign_states
from browser_app.demo.faults.network_faults import NetworkFaults, ServerFault, can_have_fault
from browser_app.demo.games.block_games import BLOCK_GAMES
from browser_app.demo.games.cube_games import CUBE_GAMES
from browser_app.demo.games.doom_and_quake_games import DOOM_AND_QUAKE_GAMES
from browser_app.demo.games.free_games import FREE_GAMES, SPACE_STATION_GAME
from browser_app.demo.games.game_spec import GameSpec
from browser_app.demo.games.gamespy_games import GAMESPY_GAMES
from browser_app.demo.games.listed_games import LISTED_GAMES
from browser_app.demo.games.open_world_games import OPEN_WORLD_GAMES
from browser_app.demo.games.quake3_games import QUAKE3_GAMES
from browser_app.demo.games.source_games import A2S_GAMES
from browser_app.demo.games.teeworlds_games import TEEWORLDS_GAMES
from browser_app.demo.population import DemoServerState, make_server_state
from browser_app.protocols.coloured_text import plain_text
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS

GAME_SPECS: Final[Mapping[str, GameSpec]] = {
    spec.id: spec
    for spec in (
        *A2S_GAMES,
        *QUAKE3_GAMES,
        *TEEWORLDS_GAMES,
        *BLOCK_GAMES,
        *OPEN_WORLD_GAMES,
        SPACE_STATION_GAME,
        *LISTED_GAMES,
        *CUBE_GAMES,
        *DOOM_AND_QUAKE_GAMES,
        *GAMESPY_GAMES,
        *FREE_GAMES,
    )
}
"""Games of the demo network, by profile ID."""
QUERIED_GAMES: Final = tuple(game.id for game in GAME_SPECS.values() if game not in LISTED_GAMES)
"""Those whose servers answer queries."""
_NEAR: Final = ("DE", "NL", "FR", "GB", "PL", "AT", "SE", "CZ", "FI", "DK", "ES", "IT")
_FAR: Final = ("US", "CA", "US", "BR", "US", "FI", "ES", "SG", "JP")
_FAR_LATENCY_MS = 80.0
"""Servers whose names contain no city are overseas from this latency on."""


@dataclass(slots=True)
class ServerSpec:
    """Specification of one server."""

    server: DemoServerState
    latency_ms: float
    link_seed: int
    challenge_info: bool
    """A2S: needs a challenge for info, too."""
    country: str
    """Two-letter code of the country that its address is in."""
    is_alive: bool = True
    fault: ServerFault | None = None
    state: DemoState | None = None


def make_server_specs(
    servers: int,
    latency_ms: tuple[float, float],
    *,
    dead: float,
    challenge_info: float,
    faults: NetworkFaults,
    games: Sequence[str],
    rng: random.Random,
    states: bool = False,
) -> list[ServerSpec]:
    """Return the specs of all servers, in the order of their addresses.

    Shares (`dead`, `challenge_info`, those of `faults`) are met exactly, to the nearest whole server. `states` puts
    one server in each `DemoState`.
    """
    specs = [_make_spec(state, latency_ms, rng) for state in _make_server_states(servers, games, rng)]
    for spec in rng.sample(specs, round(dead * servers)):
        spec.is_alive = False
    for spec in rng.sample(specs, round(challenge_info * servers)):
        spec.challenge_info = True
    _assign_faults(specs, faults, rng)
    if states:
        assign_states(specs)
    return specs


def _make_server_states(servers: int, games: Sequence[str], rng: random.Random) -> Iterator[DemoServerState]:
    server_games = list(_games_by_share(servers, [GAME_SPECS[game] for game in games]))
    rng.shuffle(server_games)
    ordinals = dict.fromkeys(games, 0)
    for number, game in enumerate(server_games):
        yield make_server_state(game, number, ordinals[game.id], rng)
        ordinals[game.id] += 1


def _games_by_share(servers: int, games: Sequence[GameSpec]) -> Iterator[GameSpec]:
    """Return each game as often as its share requires, by cumulative rounding."""
    whole = sum(spec.share for spec in games)
    given, so_far = 0, 0.0
    for spec in games:
        so_far += spec.share
        upto = round(servers * so_far / whole)
        yield from [spec] * (upto - given)
        given = upto


def _make_spec(server: DemoServerState, latency_ms: tuple[float, float], rng: random.Random) -> ServerSpec:
    low, high = latency_ms
    name = plain_text(server.name, server.game.colours)
    country, latency = assign_country(name, server.number, low + (high - low) * rng.random() ** 1.5, high)
    if QUERY_PROTOCOLS[server.game.protocol].is_stream:  # connecting, which may be its ping, takes no time here
        country, _ = assign_country(name, server.number, 0.0, 0.0)
    return ServerSpec(server, latency, rng.getrandbits(64), challenge_info=False, country=country)


def assign_country(name: str, number: int, latency_ms: float, max_latency_ms: float) -> tuple[str, float]:
    """Return a server's country and latency, at least the round trip of light.

    The city in its name decides, unless every latency up to `max_latency_ms` is too low for it; else latency and
    number do.
    """
    named = next((CITIES[word] for word in re.findall(r"\w+", name) if word in CITIES), None)
    if named is not None and (least := min_round_trip_ms(USER_COUNTRY, named)) <= max_latency_ms:
        return named, max(latency_ms, least)
    countries = _FAR if latency_ms >= _FAR_LATENCY_MS else _NEAR
    reachable = [each for each in countries if min_round_trip_ms(USER_COUNTRY, each) <= latency_ms]
    return (reachable[number % len(reachable)] if reachable else USER_COUNTRY), latency_ms


def _assign_faults(specs: Sequence[ServerSpec], faults: NetworkFaults, rng: random.Random) -> None:
    for fault in ServerFault:
        able = [spec for spec in specs if spec.is_alive and can_have_fault(spec.server.game.protocol, fault)]
        free = [spec for spec in able if spec.fault is None]
        for spec in rng.sample(free, min(len(free), round(faults.servers.get(fault, 0.0) * len(able)))):
            spec.fault = fault
