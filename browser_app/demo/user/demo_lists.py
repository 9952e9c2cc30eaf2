"""Lists of the demo user: favourites, friends, saved servers and others."""

from collections.abc import Iterable, Sequence
from typing import Final

from browser_app.catalogue.server_info import QueryTarget, SavedServer, ServerInfo
from browser_app.demo.demo_names import FRIEND_NAMES
from browser_app.demo.faults.demo_states import DemoState
from browser_app.demo.scenario import ServerSpec
from browser_app.player.demo_player import DemoFavourite, DemoLists
from browser_app.protocols.address import Address
from browser_app.protocols.coloured_text import plain_text

_FAVOURITES: Final = (DemoState.BOTS, DemoState.FRIENDS, DemoState.ALERT, DemoState.CLOSING, DemoState.SAVED)
_SAVED_AGE_S = 20 * 3600.0
_NOTE = "Good games from 20:00 on. Ask for the map vote."

PlannedServer = tuple[Address, ServerSpec]
"""A server's query address and its spec."""


def make_user_lists(servers: Iterable[PlannedServer], now: float) -> DemoLists:
    """Return the demo user's lists of a network at a Unix time, s."""
    by_state = {spec.state: (address, spec) for address, spec in servers if spec.state is not None}

    def in_states(*states: DemoState) -> list[PlannedServer]:
        return [by_state[state] for state in states if state in by_state]

    return DemoLists(
        favourites=[DemoFavourite(_target(each), _name(each)) for each in in_states(*_FAVOURITES)],
        friends=FRIEND_NAMES if by_state else (),
        blocked=_addresses(in_states(DemoState.BLOCKED)),
        friend_alerts=_addresses(in_states(DemoState.ALERT)),
        player_alerts=[(address, spec.server.human_count + 1) for address, spec in in_states(DemoState.ALERT)],
        notes=[(address, _NOTE) for address in _addresses(in_states(DemoState.ALERT))],
        saved_servers=[_saved_server(each, now - _SAVED_AGE_S) for each in in_states(DemoState.SAVED)],
    )


def _addresses(servers: Sequence[PlannedServer]) -> list[Address]:
    return [address for address, _spec in servers]


def _target(server: PlannedServer) -> QueryTarget:
    address, spec = server
    return QueryTarget(address, spec.server.game.protocol, spec.server.game.id)


def _name(server: PlannedServer) -> str:
    state = server[1].server
    return plain_text(state.name, state.game.colours)


def _saved_server(server: PlannedServer, answered_at: float) -> SavedServer:
    address, spec = server
    state = spec.server
    info = ServerInfo(
        game=state.game.id,
        name=_name(server),
        map=state.map,
        connect=Address(address.host, address.port - state.game.profile.query_port_offset),
        players=state.human_count,
        bots=state.bot_count,
        spectators=0,
        max_players=state.max_players,
        mode=state.mode,
        password=state.has_password,
    )
    return SavedServer(_target(server), info, spec.latency_ms, answered_at)
