"""Readers of Luanti's greetings and list entries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from browser_app.catalogue.reply_readers.reply_fields import find_mode_name, ping_only_info
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import DescribedServer, PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.json_parser import count_or_none, flag_or_none, text_or_empty
from browser_app.protocols.luanti import LuantiGreeting
from browser_app.protocols.master_lists.described_list import iterate_list_entries, parse_host_port
from browser_app.protocols.query_protocols import LUANTI
from browser_app.protocols.query_session import QueryParts

_MAX_LISTED_PLAYERS = 255
_MAX_LISTED_MODS = 100


def read_luanti_greeting(
    _reply: LuantiGreeting, target: QueryTarget, games: GameRegistry, _parts: QueryParts
) -> ServerInfo:
    """Read a greeting, which only shows that the server is there."""
    return ping_only_info(target, games.identify_info(LUANTI, {"gameid": ""}))


def read_luanti_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read Luanti's list (`servers.luanti.org/list`).

    Worlds have no maps; the game that a server offers stands in for the mode. `password` in the list only means that
    newcomers choose a password.

    Raises:
        DescribedListError: the document is not such a list.
    """
    for entry in iterate_list_entries(chunks, ("list",)):
        yield None if entry is None else _describe_entry(entry, games)


def _describe_entry(entry: Mapping[str, object], games: GameRegistry) -> DescribedServer | None:
    address = parse_host_port(entry.get("address"), entry.get("port"))
    if address is None:
        return None
    profile = games.identify_info(LUANTI, {"gameid": text_or_empty(entry.get("gameid"))})
    names, count = entry.get("clients_list"), count_or_none(entry.get("clients"))
    players = tuple(_players(names)) if isinstance(names, list) and (names or not count) else None
    mods, mode = entry.get("mods"), clean_text(text_or_empty(entry.get("gameid"))) or None
    info = ServerInfo(
        game=None if profile is None else profile.id,
        name=clean_text(text_or_empty(entry.get("name"))),
        map="",
        connect=address,
        players=count,
        bots=None,
        spectators=None,
        max_players=count_or_none(entry.get("clients_max")) or None,
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=clean_text(text_or_empty(entry.get("version"))) or None,
        tags=tuple(tag for tag in ("creative", "damage", "pvp") if flag_or_none(entry.get(tag))),
        player_list=players,
        rules=PlainRules(_rules(entry, mods)),
    )
    return DescribedServer(QueryTarget(address, LUANTI, info.game), info)


def _players(names: Sequence[object]) -> Iterator[PlayerInfo]:
    for name in names[:_MAX_LISTED_PLAYERS]:
        if isinstance(name, str):
            yield PlayerInfo(clean_text(name), None, None, None, None, None)


def _rules(entry: Mapping[str, object], mods: object) -> dict[str, str]:
    rules = {key: text_or_empty(entry.get(key)) for key in ("description", "privs", "mapgen", "url")}
    rules["mods"] = (
        ", ".join(filter(None, map(text_or_empty, mods[:_MAX_LISTED_MODS]))) if isinstance(mods, list) else ""
    )
    return {key: value for key, value in rules.items() if value}
