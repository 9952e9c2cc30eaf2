"""Readers of SuperTuxKart's replies and of its list."""

from collections.abc import Iterable, Iterator

from browser_app.catalogue.reply_readers.reply_fields import describe_server, find_mode_name, find_profile
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import DescribedServer, PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.supertuxkart_list import parse_supertuxkart_list
from browser_app.protocols.query_protocols import LISTED, SUPERTUXKART
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.supertuxkart import SuperTuxKartReply

_DIFFICULTIES = ("novice", "intermediate", "expert", "supertux")
_GRAND_PRIX_MODES = (0, 1)
"""In these nobody can join a race that goes on."""


def read_supertuxkart_reply(
    reply: SuperTuxKartReply, target: QueryTarget, games: GameRegistry, parts: QueryParts
) -> ServerInfo:
    """Read a reply.

    Spectators are not distinguished from players, and karts of the computer are not counted.
    """
    code = "" if reply.mode is None else str(reply.mode)
    profile = find_profile(games, target._replace(protocol=SUPERTUXKART), {"mode": code})
    mode = (code if profile is None else profile.mode_codes.get(code, code)) or None
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=clean_text(reply.name),
        map=clean_text(reply.track),
        connect=Address(target.address.host, reply.game_port),
        players=reply.players,
        bots=None,
        spectators=None,
        max_players=reply.max_players or None,
        closed=reply.is_started is True and reply.mode in _GRAND_PRIX_MODES,
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        password=reply.password,
        tags=() if reply.difficulty is None else _DIFFICULTIES[reply.difficulty : reply.difficulty + 1],
        player_list=_player_list(reply) if parts & QueryParts.PLAYERS else None,
        rules=PlainRules(_rules(reply)) if parts & QueryParts.RULES else None,
    )


def _rules(reply: SuperTuxKartReply) -> dict[str, str]:
    return {} if reply.is_started is None else {"game_started": "yes" if reply.is_started else "no"}


def _player_list(reply: SuperTuxKartReply) -> tuple[PlayerInfo, ...] | None:
    if reply.names is None or len(reply.names) != reply.players:
        return None
    return tuple(PlayerInfo(clean_text(name), None, None, None, None, None) for name in reply.names)


def read_supertuxkart_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read the list of Internet servers; see `parse_supertuxkart_list`.

    They answer no queries.
    """
    servers = parse_supertuxkart_list(chunks)
    return (describe_server(each, LISTED, read_supertuxkart_reply, games, QueryParts.ALL) for each in servers)
