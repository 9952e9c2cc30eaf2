"""Readers of Armagetron's replies."""

from browser_app.catalogue.reply_readers.reply_fields import find_coloured_name, find_profile, known_slots
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.armagetron import MAX_SLOTS, ArmagetronReply
from browser_app.protocols.query_session import QueryParts

_DIALECT = "armagetron"


def read_armagetron_reply(
    reply: ArmagetronReply, target: QueryTarget, games: GameRegistry, parts: QueryParts
) -> ServerInfo:
    """Read a reply.

    It names no map, and does not distinguish bots and spectators from players.
    """
    profile = find_profile(games, target, {"release": reply.release})
    name = clean_text(reply.name, _DIALECT)
    has_names = len(reply.names) == reply.players and bool(parts & QueryParts.PLAYERS)
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map="",
        connect=target.address,  # not by the reported port: another one may be forwarded to it
        players=reply.players,
        bots=None,
        spectators=None,
        max_players=known_slots(reply.max_players, MAX_SLOTS),
        version=clean_text(reply.release.partition(" ")[0]) or None,
        coloured_name=find_coloured_name(reply.name, name),
        player_list=tuple(
            PlayerInfo(clean_text(player, _DIALECT), None, None, None, None, None) for player in reply.names
        )
        if has_names
        else None,
        rules=PlainRules(_rules(reply), _DIALECT) if parts & QueryParts.RULES else None,
    )


def _rules(reply: ArmagetronReply) -> dict[str, str]:
    rules = {"options": reply.options, "url": reply.url, "release": reply.release}
    return {key: text for key, text in rules.items() if text}
