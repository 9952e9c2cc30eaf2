"""Readers of Space Station 14's status and hub."""

from collections.abc import Iterable, Iterator, Mapping

from browser_app.catalogue.places.languages import language_codes_of_tags
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import DescribedServer, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import LISTED, SPACE_STATION
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.server_code import is_code_address
from browser_app.protocols.space_station.hub_list import parse_hub_list
from browser_app.protocols.space_station.status import AFTER_ROUND, IN_LOBBY, IN_ROUND, SpaceStationStatus

_GAME = "ss14"
_RUN_LEVELS: Mapping[int | None, str] = {IN_LOBBY: "lobby", IN_ROUND: "round", AFTER_ROUND: "after the round"}
_SWITCH: Mapping[bool | None, str] = {True: "on", False: "off", None: ""}


def read_space_station_reply(
    status: SpaceStationStatus, target: QueryTarget, games: GameRegistry, parts: QueryParts
) -> ServerInfo:
    """Read a status.

    It has neither names of players nor bots, and servers have no password. They are joined by host name, which proxies
    need.
    """
    return _read_status(status, target.named_address, games, parts)


def _read_status(status: SpaceStationStatus, connect: Address, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    profile = games.get(_GAME)
    mode, tags = clean_text(status.preset) or None, tuple(filter(None, map(clean_text, status.tags)))
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=clean_text(status.name),
        map=clean_text(status.map),
        connect=connect,
        players=status.players,
        bots=None,
        spectators=None,
        max_players=status.soft_max_players or None,
        mode=mode,
        mode_name=mode,
        password=False,
        tags=tags,
        language=language_codes_of_tags(tags),
        rules=PlainRules(_rules(status)) if parts & QueryParts.RULES else None,
    )


def _rules(status: SpaceStationStatus) -> dict[str, str]:
    values = {
        "run_level": _RUN_LEVELS.get(status.run_level),
        "round_id": None if status.round_id is None else str(status.round_id),
        "round_start_time": status.round_start_time,
        "panic_bunker": _SWITCH[status.panic_bunker],
        "tags": " ".join(status.tags),
    }
    return {key: value for key, value in values.items() if value}


def read_space_station_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read the list of a hub; see `parse_hub_list`."""
    for server in parse_hub_list(chunks):
        if server is None:
            yield None
            continue
        info = _read_status(server.status, server.address, games, QueryParts.ALL)
        protocol = LISTED if is_code_address(server.address) else SPACE_STATION
        yield DescribedServer(QueryTarget(server.address, protocol, info.game), info)
