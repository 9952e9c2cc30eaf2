"""Readers of Mumble's replies."""

from collections.abc import Iterable, Iterator

from browser_app.catalogue.reply_readers.reply_fields import find_profile
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import DescribedServer, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.master_lists.mumble_list import parse_mumble_list
from browser_app.protocols.mumble import MumbleReply
from browser_app.protocols.query_protocols import MUMBLE
from browser_app.protocols.query_session import QueryParts


def read_mumble_reply(reply: MumbleReply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read a reply, which counts the people on a voice server and names nothing."""
    profile = find_profile(games, target, {"version": reply.version})
    rules = {"bandwidth": f"{reply.bandwidth // 1000} kbit/s"} if reply.bandwidth else {}
    return ServerInfo(
        game=None if profile is None else profile.id,
        name="",
        map="",
        connect=target.address,
        players=reply.users,
        bots=None,
        spectators=None,
        max_players=reply.max_users or None,
        version=reply.version,
        rules=PlainRules(rules) if parts & QueryParts.RULES else None,
    )


def read_mumble_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read the list of public servers, which names them; see `parse_mumble_list`."""
    profile = games.identify_info(MUMBLE, {"version": ""})
    for server in parse_mumble_list(chunks):
        if server is None:
            yield None
            continue
        info = ServerInfo(
            game=None if profile is None else profile.id,
            name=clean_text(server.name),
            map="",
            connect=server.address,
            players=None,
            bots=None,
            spectators=None,
            max_players=None,
        )
        yield DescribedServer(QueryTarget(server.address, MUMBLE, info.game), info)
