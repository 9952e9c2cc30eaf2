"""Readers of lists on the web that are all that is known of a game's servers.

The games are OpenRA, BeamMP, Vintage Story and Northstar. Their servers are never queried, and so have no ping.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from browser_app.catalogue.places.languages import language_codes_of_tags
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import DescribedServer, PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.json_parser import count_or_none, flag_or_none, text_or_empty
from browser_app.protocols.master_lists.described_list import (
    iterate_list_entries,
    parse_host_port,
    parse_listed_address,
)
from browser_app.protocols.query_protocols import LISTED
from browser_app.protocols.server_code import code_address

MAX_LISTED_PLAYERS: Final = 255
_MAX_TAGS = 16
_DIGITS = re.compile(r"[0-9]{1,6}")
_BEAMMP_CODES = re.compile(r"\^[0-9a-flmnopr]")
"""Formatting codes in names."""
_BEAMMP_MAP = re.compile(r"/?levels/([^/]+)(?:/.*)?")
_OPENRA_WAITING = 1

Entry = Mapping[str, object]


def read_openra_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read OpenRA's list (`master.openra.net/games?protocol=2&type=json`).

    `mod` names the game, one of several on the engine.

    Raises:
        DescribedListError: the document is not such a list.
    """
    return _read_entries(chunks, (), lambda entry: _describe_openra(entry, games))


def read_beammp_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read BeamMP's list (`backend.beammp.com/servers-info`).

    Raises:
        DescribedListError: the document is not such a list.
    """
    return _read_entries(chunks, (), lambda entry: _describe_beammp(entry, games))


def read_vintage_story_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read Vintage Story's list (`masterserver.vintagestory.at/api/v1/servers/list`).

    Raises:
        DescribedListError: the document is not such a list.
    """
    return _read_entries(chunks, ("data",), lambda entry: _describe_vintage_story(entry, games))


def read_northstar_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read Northstar's list (`northstar.tf/client/servers`).

    It names servers by ids instead of addresses.

    Raises:
        DescribedListError: the document is not such a list.
    """
    return _read_entries(chunks, (), lambda entry: _describe_northstar(entry, games))


def _read_entries(
    chunks: Iterable[bytes], path: tuple[str, ...], describe: Callable[[Entry], ServerInfo | None]
) -> Iterator[DescribedServer | None]:
    for entry in iterate_list_entries(chunks, path):
        info = None if entry is None else describe(entry)
        yield None if info is None else DescribedServer(QueryTarget(info.connect, LISTED, info.game), info)


def _describe_openra(entry: Entry, games: GameRegistry) -> ServerInfo | None:
    address = parse_listed_address(entry.get("address"))
    if address is None:
        return None
    state, players = count_or_none(entry.get("state")), count_or_none(entry.get("players"))
    clients = entry.get("clients")
    return ServerInfo(
        game=_known_game(games, f"openra-{text_or_empty(entry.get('mod'))}"),
        name=_text(entry, "name"),
        map="",  # the list has only its checksum
        connect=address,
        players=players,
        bots=count_or_none(entry.get("bots")),
        spectators=count_or_none(entry.get("spectators")),
        max_players=count_or_none(entry.get("maxplayers")) or None,
        closed=None if state is None else state != _OPENRA_WAITING,
        version=_text(entry, "version") or None,
        password=flag_or_none(entry.get("protected")),
        player_list=tuple(_openra_players(clients)) if isinstance(clients, list) and (clients or not players) else None,
        rules=_rules(entry, "modtitle", "location", "map", "started"),
    )


def _openra_players(clients: Sequence[object]) -> Iterator[PlayerInfo]:
    for client in clients[:MAX_LISTED_PLAYERS]:
        if isinstance(client, dict):
            bot, spectator = flag_or_none(client.get("isbot")), flag_or_none(client.get("isspectator"))
            yield PlayerInfo(_text(client, "name"), None, None, None, None, bot, spectator)


def _describe_beammp(entry: Entry, games: GameRegistry) -> ServerInfo | None:
    address = parse_host_port(entry.get("ip"), _count(entry.get("port")))
    if address is None:
        return None
    level = _text(entry, "map")
    match = _BEAMMP_MAP.fullmatch(level)
    tags = tuple(filter(None, map(clean_text, text_or_empty(entry.get("tags")).split(",")[:_MAX_TAGS])))
    players = _count(entry.get("players"))
    names = [name for name in text_or_empty(entry.get("playerslist")).split(";") if name][:MAX_LISTED_PLAYERS]
    return ServerInfo(
        game=_known_game(games, "beammp"),
        name=clean_text(_BEAMMP_CODES.sub("", text_or_empty(entry.get("sname")))),
        map=match[1] if match else level,
        connect=address,
        players=players,
        bots=None,
        spectators=None,
        max_players=_count(entry.get("maxplayers")) or None,
        version=_text(entry, "version") or None,
        password=flag_or_none(entry.get("password")),
        tags=tags,
        language=language_codes_of_tags(tags),
        player_list=(
            tuple(PlayerInfo(clean_text(name), None, None, None, None, None) for name in names)
            if names or players == 0
            else None
        ),
        rules=_rules(entry, "owner", "sdesc", "modlist"),
    )


def _describe_vintage_story(entry: Entry, games: GameRegistry) -> ServerInfo | None:
    address = parse_listed_address(entry.get("serverIP"))
    if address is None:
        return None
    style = entry.get("playstyle")
    mode = _text(style, "id") if isinstance(style, dict) else ""
    return ServerInfo(
        game=_known_game(games, "vintagestory"),
        name=_text(entry, "serverName"),
        map="",
        connect=address,
        players=_count(entry.get("players")),
        bots=None,
        spectators=None,
        max_players=_count(entry.get("maxPlayers")) or None,
        mode=mode or None,
        mode_name=mode or None,
        version=_text(entry, "gameVersion") or None,
        password=flag_or_none(entry.get("hasPassword")),
        tags=("whitelisted",) if flag_or_none(entry.get("whitelisted")) else (),
        rules=_rules(entry, "gameDescription"),
    )


def _describe_northstar(entry: Entry, games: GameRegistry) -> ServerInfo | None:
    try:
        address = code_address("northstar", text_or_empty(entry.get("id")))
    except ValueError:
        return None
    mode = _text(entry, "playlist")
    return ServerInfo(
        game=_known_game(games, "northstar"),
        name=_text(entry, "name"),
        map=_text(entry, "map"),
        connect=address,
        players=count_or_none(entry.get("playerCount")),
        bots=None,
        spectators=None,
        max_players=count_or_none(entry.get("maxPlayers")) or None,
        mode=mode or None,
        mode_name=mode or None,
        password=flag_or_none(entry.get("hasPassword")),
        rules=_rules(entry, "description", "region"),
    )


def _known_game(games: GameRegistry, game: str) -> str | None:
    return game if game in games else None


def _text(entry: Entry, key: str) -> str:
    return clean_text(text_or_empty(entry.get(key)))


def _count(value: object) -> int | None:
    """Return a count, which some lists write as text."""
    return count_or_none(int(value) if isinstance(value, str) and _DIGITS.fullmatch(value) else value)


def _rules(entry: Entry, *keys: str) -> PlainRules:
    """Return texts of an entry, as they are sent."""
    return PlainRules({key: text for key in keys if (text := text_or_empty(entry.get(key)))})
