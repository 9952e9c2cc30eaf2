"""Registry of the conversions from a protocol's reply to a `ServerInfo`."""

from browser_app.catalogue.a2s_server_info import server_info_from_a2s
from browser_app.catalogue.quake3_server_info import server_info_from_quake3
from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.a2s import A2SReply
from browser_app.protocols.quake3 import Quake3Reply
from browser_app.protocols.query_session import QueryParts


def server_info_from_reply(
    reply: A2SReply | Quake3Reply, target: QueryTarget, games: GameRegistry, parts: QueryParts = QueryParts.ALL
) -> ServerInfo:
    """What a reply says of the server that `target` names.

    The game is the one that the reply shows; the target's where the reply cannot tell. A player list or rules that
    came without being wanted are left out (of lists of thousands of servers nobody reads the rules).
    """
    if isinstance(reply, A2SReply):
        return server_info_from_a2s(reply, target, games, parts)
    return server_info_from_quake3(reply, target, games, parts)
