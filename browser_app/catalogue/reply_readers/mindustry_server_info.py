"""Readers of Mindustry's replies and lists."""

import re
from collections.abc import Iterable, Iterator

from browser_app.catalogue.reply_readers.reply_fields import find_mode_name, find_profile
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.master_lists.mindustry_list import parse_mindustry_list
from browser_app.protocols.mindustry import MindustryReply
from browser_app.protocols.query_protocols import MINDUSTRY
from browser_app.protocols.query_session import QueryParts

_COLOURS = re.compile(r"\[(?:#[0-9A-Fa-f]{1,8}|[A-Za-z]{0,20})\]")
"""Colour tags in names, also the empty one that ends a colour."""


def read_mindustry_reply(
    reply: MindustryReply, target: QueryTarget, games: GameRegistry, parts: QueryParts
) -> ServerInfo:
    """Read a reply, which names no players. There are no passwords."""
    profile = find_profile(games, target, {"mode": reply.mode})
    mode = clean_text(_COLOURS.sub("", reply.mode_name)) or reply.mode or None
    values = {"wave": str(reply.wave), "description": _COLOURS.sub("", reply.description)}
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=clean_text(_COLOURS.sub("", reply.name)),
        map=clean_text(_COLOURS.sub("", reply.map)),
        connect=target.named_address,
        players=reply.players,
        bots=None,
        spectators=None,
        max_players=reply.max_players,
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=clean_text(reply.version) or None,
        password=False,
        rules=PlainRules({key: text for key, text in values.items() if text}) if parts & QueryParts.RULES else None,
    )


def read_mindustry_list(chunks: Iterable[bytes], _games: GameRegistry) -> Iterator[QueryTarget | None]:
    """Read a list, which holds only addresses; see `parse_mindustry_list`."""
    for address in parse_mindustry_list(chunks):
        yield None if address is None else QueryTarget(address, MINDUSTRY, "mindustry")
