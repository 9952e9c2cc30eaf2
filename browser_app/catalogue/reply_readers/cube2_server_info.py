"""Readers of Cube 2 replies and lists."""

from collections.abc import Iterable, Iterator
from functools import partial

from browser_app.catalogue.reply_readers.reply_fields import (
    find_coloured_name,
    find_mode_name,
    find_profile,
    guess_game_port,
    known_ping,
    known_slots,
)
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.cube2.cube2_reply import MAX_CLIENTS, Cube2Player, Cube2Reply, MasterMode
from browser_app.protocols.cube2.cube_list import parse_cube_list
from browser_app.protocols.query_protocols import ASSAULT_CUBE, RED_ECLIPSE, SAUERBRATEN, TESSERACT
from browser_app.protocols.query_session import QueryParts

_DIALECT = "cube2"
_MAX_PORT = 65535
_CLOSED_MODES = frozenset({MasterMode.LOCKED, MasterMode.PRIVATE})


def read_cube2_reply(reply: Cube2Reply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read a reply of a server on one of the Cube engines.

    Bots and spectators are known only with Sauerbraten's list of players; without it, all who are connected count as
    players. Of Red Eclipse only the slots of players and spectators together are known, not how many can play; a server
    without any free one is full.
    """
    profile = find_profile(games, target, {"protocol": str(reply.protocol)})
    name = clean_text(reply.name, _DIALECT)
    mode = str(reply.mode)
    if profile is not None:
        mode = profile.mode_codes.get(mode, mode)
    players, bots, spectators = _count_clients(reply)
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=name,
        map=clean_text(reply.map),
        connect=Address(target.address.host, guess_game_port(target, profile)),
        players=players,
        bots=bots,
        spectators=spectators,
        max_players=None if reply.includes_spectator_slots else known_slots(reply.max_clients, MAX_CLIENTS),
        joinable=False if 0 < reply.max_clients <= reply.clients else None,
        closed=_is_closed(reply),
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=reply.version or str(reply.protocol),
        password=reply.master_mode == MasterMode.PASSWORD,
        coloured_name=find_coloured_name(reply.name, name),
        player_list=_player_list(reply) if parts & QueryParts.PLAYERS else None,
        rules=PlainRules(_rules(reply)) if parts & QueryParts.RULES else None,
    )


def _is_closed(reply: Cube2Reply) -> bool:
    """Return whether nobody can join to play, whatever slots are free."""
    return reply.master_mode in _CLOSED_MODES or reply.is_banned


def _count_clients(reply: Cube2Reply) -> tuple[int, int | None, int | None]:
    """Return the numbers of players, bots and spectators."""
    if reply.player_list is None:
        return reply.clients, None, None
    bots = sum(row.is_bot for row in reply.player_list)
    spectators = sum(row.is_spectator and not row.is_bot for row in reply.player_list)
    return max(0, reply.clients - spectators), bots, spectators


def _player_list(reply: Cube2Reply) -> tuple[PlayerInfo, ...] | None:
    if reply.player_list is not None:
        return tuple(map(_player_info, reply.player_list))
    if reply.names is None or len(reply.names) < reply.clients:
        return None
    return tuple(PlayerInfo(clean_text(name, _DIALECT), None, None, None, None, None) for name in reply.names)


def _player_info(player: Cube2Player) -> PlayerInfo:
    return PlayerInfo(
        clean_text(player.name, _DIALECT),
        None if player.is_spectator else float(player.frags),
        None,
        None if player.is_bot else known_ping(player.ping_ms),
        None,
        player.is_bot,
        player.is_spectator,
    )


def _rules(reply: Cube2Reply) -> dict[str, str]:
    rules = {
        "protocol": str(reply.protocol),
        "gamemode": str(reply.mode),
        "maxslots": str(reply.max_clients) if reply.includes_spectator_slots else "",
        "mutators": str(reply.mutators) if reply.mutators else "",
        "mastermode": MasterMode(reply.master_mode).name.lower() if reply.master_mode in list(MasterMode) else "",
        "timeleft": "" if reply.seconds_left is None else f"{reply.seconds_left // 60}:{reply.seconds_left % 60:02}",
    }
    return {key: value for key, value in rules.items() if value}


def _read_list(
    chunks: Iterable[bytes], _games: GameRegistry, *, protocol: str, query_port_offset: int
) -> Iterator[QueryTarget | None]:
    """Read a list, which holds only addresses; see `parse_cube_list`."""
    for address in parse_cube_list(chunks):
        if address is None or address.port + query_port_offset > _MAX_PORT:
            yield None
        else:
            yield QueryTarget(Address(address.host, address.port + query_port_offset), protocol, None)


read_sauerbraten_list = partial(_read_list, protocol=SAUERBRATEN, query_port_offset=1)
read_red_eclipse_list = partial(_read_list, protocol=RED_ECLIPSE, query_port_offset=1)
read_assault_cube_list = partial(_read_list, protocol=ASSAULT_CUBE, query_port_offset=1)
read_tesseract_list = partial(_read_list, protocol=TESSERACT, query_port_offset=0)
