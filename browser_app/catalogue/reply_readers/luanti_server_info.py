"""Conversion of Luanti's greetings and list entries to `ServerInfo`."""

from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.luanti import LuantiGreeting
from browser_app.protocols.query_session import QueryParts


def server_info_from_greeting(
    _reply: LuantiGreeting, target: QueryTarget, _games: GameRegistry, _parts: QueryParts
) -> ServerInfo:
    """Return what a greeting tells: nothing but that a server is there."""
    return ServerInfo(
        game=target.game,
        name="",
        map="",
        connect=target.address,
        players=None,
        bots=None,
        spectators=None,
        max_players=None,
    )
