"""Readers of BZFlag's replies and of its list."""

from collections.abc import Iterable, Iterator

from browser_app.catalogue.reply_readers.reply_fields import describe_server, find_mode_name, find_profile
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import DescribedServer, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.bzflag import OPTIONS, TEAMS, BzflagReply
from browser_app.protocols.master_lists.bzflag_list import parse_bzflag_list
from browser_app.protocols.query_protocols import BZFLAG
from browser_app.protocols.query_session import QueryParts


def read_bzflag_reply(reply: BzflagReply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read a reply, whose observers are spectators.

    Only lists name the server, and nothing names its map.
    """
    profile = find_profile(games, target, {"protocol": reply.protocol})
    mode = str(reply.style)
    if profile is not None:
        mode = profile.mode_codes.get(mode, mode)
    *playing, observers = reply.counts
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=clean_text(reply.name),
        map="",
        connect=target.address,
        players=sum(playing),
        bots=None,
        spectators=observers,
        max_players=min(reply.max_players, sum(reply.limits[:-1])) or None,
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=reply.protocol,
        tags=tuple(tag for bit, tag in OPTIONS.items() if reply.options & bit),
        rules=PlainRules(_rules(reply)) if parts & QueryParts.RULES else None,
    )


def _rules(reply: BzflagReply) -> dict[str, str]:
    teams = {
        team: f"{count}/{limit}" for team, count, limit in zip(TEAMS, reply.counts, reply.limits, strict=True) if limit
    }
    values = {"shots": reply.shots, "max_score": reply.max_score, "time_limit_s": reply.time_limit_s}
    return {**{key: str(value) for key, value in values.items() if value}, **teams}


def read_bzflag_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read the list server's text; see `parse_bzflag_list`."""
    return (describe_server(each, BZFLAG, read_bzflag_reply, games) for each in parse_bzflag_list(chunks))
