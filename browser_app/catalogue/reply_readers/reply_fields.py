"""Fields of `ServerInfo` that all protocols fill in the same way."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from browser_app.catalogue.reply_readers.server_info_text import MAX_COLOURED_LENGTH
from browser_app.catalogue.server_info import DescribedServer, QueryTarget, ServerInfo
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.master_lists.described_list import ListedReply
from browser_app.protocols.query_session import QueryParts

Reply = TypeVar("Reply")
ServerInfoReader = Callable[[Reply, QueryTarget, GameRegistry, QueryParts], ServerInfo]
"""Reads a reply of one type; parts that are not wanted may be left out."""


def describe_server(
    server: ListedReply[Reply] | None,
    protocol: str,
    read_reply: ServerInfoReader[Reply],
    games: GameRegistry,
    parts: QueryParts = QueryParts.INFO,
) -> DescribedServer | None:
    """Return a server as a list describes it; None for an entry without a server."""
    if server is None:
        return None
    target = QueryTarget(server.address, protocol, None)
    info = read_reply(server.reply, target, games, parts)
    return DescribedServer(target._replace(game=info.game), info)


def find_profile(games: GameRegistry, target: QueryTarget, values: Mapping[str, str]) -> GameProfile | None:
    """Return the game that the values of a reply fit, else that of the target."""
    return games.identify_info(target.protocol, values) or (games.get(target.game) if target.game else None)


def find_mode_name(profile: GameProfile | None, mode: str | None) -> str | None:
    """Return the profile's name for a mode; None if it has none."""
    return None if profile is None or mode is None else profile.modes.get(mode)


def find_coloured_name(raw: str, name: str) -> str:
    """Return a name as sent; empty if it does not differ from the plain `name`."""
    return raw[:MAX_COLOURED_LENGTH] if raw != name else ""


def guess_game_port(target: QueryTarget, profile: GameProfile | None) -> int:
    """Return the game port that the query port and the profile suggest."""
    port = target.address.port - (0 if profile is None else profile.query_port_offset)
    return port if 0 < port < 65536 else target.address.port


def parse_count(text: str | None) -> int | None:
    """Return a number of people or slots; None if the text cannot be one."""
    return int(text) if text and len(text) < 6 and text.isascii() and text.isdigit() else None


def known_slots(slots: int | None, max_slots: int, min_slots: int = 1) -> int | None:
    """Return a number of slots; None if the engine allows fewer or more.

    Without slots a server would count as full, and a false maximum would raise the score.
    """
    return slots if slots is not None and min_slots <= slots <= max_slots else None


def parse_slots(text: str | None, max_slots: int, min_slots: int = 1) -> int | None:
    """Return a number of slots in a text; see `known_slots`."""
    return known_slots(parse_count(text), max_slots, min_slots)


def known_ping(ping_ms: float | None) -> float | None:
    """Return a player's ping; None if it is below 0, as some servers send it."""
    return ping_ms if ping_ms is not None and ping_ms >= 0 else None


def ping_only_info(target: QueryTarget, profile: GameProfile | None) -> ServerInfo:
    """Return the info of a reply that only shows that a server is there."""
    return ServerInfo(
        game=target.game if profile is None else profile.id,
        name="",
        map="",
        connect=target.address,
        players=None,
        bots=None,
        spectators=None,
        max_players=None,
        is_ping_only=True,
    )
