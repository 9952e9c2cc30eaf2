"""Server specs of a demo network, derived from its seed."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from browser_app.demo.demo_countries import place_server
from browser_app.demo.faults.demo_states import DemoState, assign_states
from browser_app.demo.faults.network_faults import NetworkFaults, ServerFault, can_have_fault
from browser_app.demo.games.arena_games import QUAKE_GAMES
from browser_app.demo.games.block_games import BLOCK_GAMES
from browser_app.demo.games.classic_games import CLASSIC_GAMES
from browser_app.demo.games.cube_games import CUBE_GAMES
from browser_app.demo.games.free_games import FREE_GAMES
from browser_app.demo.games.game_spec import GameSpec
from browser_app.demo.games.gamespy_games import GAMESPY_GAMES
from browser_app.demo.games.listed_games import LISTED_GAMES
from browser_app.demo.games.mindustry_games import MINDUSTRY_GAMES
from browser_app.demo.games.open_world_games import OPEN_WORLD_GAMES
from browser_app.demo.games.source_games import A2S_GAMES
from browser_app.demo.games.station_games import STATION_GAMES
from browser_app.demo.games.teeworlds_games import TEEWORLDS_GAMES
from browser_app.demo.population import DemoServerState, make_server_state
from browser_app.protocols.coloured_text import plain_text
from browser_app.protocols.query_protocols import LISTED, QUERY_PROTOCOLS

GAME_SPECS: Final[Mapping[str, GameSpec]] = {
    spec.id: spec
    for spec in (
        *A2S_GAMES,
        *QUAKE_GAMES,
        *TEEWORLDS_GAMES,
        *BLOCK_GAMES,
        *OPEN_WORLD_GAMES,
        *STATION_GAMES,
        *LISTED_GAMES,
        *CUBE_GAMES,
        *CLASSIC_GAMES,
        *GAMESPY_GAMES,
        *MINDUSTRY_GAMES,
        *FREE_GAMES,
    )
}
"""Games of the demo network, by profile ID."""
QUERIED_GAMES: Final = tuple(game.id for game in GAME_SPECS.values() if game.protocol != LISTED)
"""Those whose servers answer queries."""


@dataclass(slots=True)
class ServerSpec:
    """What one server will be."""

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
    parts = [_make_spec(population, latency_ms, rng) for population in _make_servers(servers, games, rng)]
    for part in rng.sample(parts, round(dead * servers)):
        part.is_alive = False
    for part in rng.sample(parts, round(challenge_info * servers)):
        part.challenge_info = True
    _assign_faults(parts, faults, rng)
    if states:
        assign_states(parts)
    return parts


def _make_servers(servers: int, games: Sequence[str], rng: random.Random) -> Iterator[DemoServerState]:
    specs = list(_games_by_share(servers, [GAME_SPECS[game] for game in games]))
    rng.shuffle(specs)
    ordinals = dict.fromkeys(games, 0)
    for number, spec in enumerate(specs):
        yield make_server_state(spec, number, ordinals[spec.id], rng)
        ordinals[spec.id] += 1


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
    country, latency = place_server(name, server.number, low + (high - low) * rng.random() ** 1.5, high)
    if QUERY_PROTOCOLS[server.game.protocol].is_stream:  # connecting, which may be its ping, takes no time here
        country, _ = place_server(name, server.number, 0.0, 0.0)
    return ServerSpec(server, latency, rng.getrandbits(64), challenge_info=False, country=country)


def _assign_faults(specs: Sequence[ServerSpec], faults: NetworkFaults, rng: random.Random) -> None:
    for fault in ServerFault:
        able = [part for part in specs if part.is_alive and can_have_fault(part.server.game.protocol, fault)]
        free = [part for part in able if part.fault is None]
        for part in rng.sample(free, min(len(free), round(faults.servers.get(fault, 0.0) * len(able)))):
            part.fault = fault
