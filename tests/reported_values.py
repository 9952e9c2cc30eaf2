"""Values that demo servers report in replies and lists, from their states."""

from browser_app.demo.population import DemoServerState
from browser_app.protocols.coloured_text import plain_text
from browser_app.protocols.query_protocols import (
    ASE,
    CHOCOLATE_DOOM,
    HEXENWORLD,
    MUMBLE,
    ODAMEX,
    RED_ECLIPSE,
    SAMP,
    SAUERBRATEN,
    SRB2,
    TEEWORLDS06,
    TEEWORLDS07,
)

NO_MTA_MAP = "None"


def shown_name(state: DemoServerState) -> str:
    """Return the server's name without colour codes; empty if nothing tells it."""
    return "" if state.game.protocol == MUMBLE else plain_text(state.name, state.game.colours)


def reported_map(state: DemoServerState, *, with_rules: bool = False) -> str:
    """Return the map, empty if there is none or it is in rules left out."""
    if state.game.protocol == SAMP and not with_rules:
        return ""
    return "" if state.game.protocol == ASE and state.map == NO_MTA_MAP else state.map


def reported_slots(state: DemoServerState) -> int | None:
    """Return the slots of players, None if the reply counts spectators' too."""
    return None if state.game.protocol == RED_ECLIPSE else state.max_players


def reported_bots(state: DemoServerState, *, with_players: bool = False) -> int | None:
    """Return the number of bots, None if it is not reported or is in players left out."""
    if state.game.has_bots or state.game.protocol == TEEWORLDS07:
        return state.bot_count
    has_none = state.game.protocol in (CHOCOLATE_DOOM, HEXENWORLD, ODAMEX)
    has_none |= state.game.protocol == SAUERBRATEN and with_players
    has_none |= state.game.protocol == SRB2 and state.game.id == "ringracers"
    has_none |= state.game.protocol == TEEWORLDS06 and not state.players
    return 0 if has_none else None
