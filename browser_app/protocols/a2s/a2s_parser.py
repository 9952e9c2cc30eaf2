"""Parser for A2S info, players and rules replies."""

import itertools
import math
import struct
from typing import NamedTuple

from browser_app.protocols.a2s import a2s
from browser_app.protocols.query_session import PacketError

MAX_PLAYERS = 1024
"""Maximum number of rows kept of a players reply; the largest servers of any game have fewer."""

_SCORE_DURATION = struct.Struct("<if")
_DEATHS_MONEY = struct.Struct("<ii")
_MAX_DURATION_S = 1e9
_HIDDEN_PLAYERS_NAME = "Max Players"
"""The only row that a CS:GO server sends instead of its players, with the player limit as score."""


def parse_players(body: bytes, the_ship: bool = False) -> tuple[a2s.A2SPlayer, ...] | None:
    """Parse a players reply that starts with its kind.

    Returns None if the server hides its players. The count is one byte and wraps around at 256. The Ship appends two
    numbers per player after all rows.
    """
    if len(body) < 2:
        raise PacketError("truncated players")
    count = body[1]
    players, end = _parse_player_rows(body, count if the_ship else MAX_PLAYERS)
    wrapped = (end == len(body) and len(players) % 256 == count) or len(players) == MAX_PLAYERS
    if len(players) > count and not wrapped:
        del players[count:]
    if the_ship:
        for player, (deaths, money) in zip(players, _iterate_deaths_and_money(body[end:]), strict=False):
            player.deaths, player.money = deaths, money
    if (count and not players) or (len(players) == 1 and players[0].name == _HIDDEN_PLAYERS_NAME):
        return None
    return tuple(players)


def _parse_player_rows(body: bytes, limit: int) -> tuple[list[a2s.A2SPlayer], int]:
    """Return up to `limit` complete rows and the offset of their end."""
    players: list[a2s.A2SPlayer] = []
    position = 2
    while len(players) < limit:
        name_end = body.find(b"\0", position + 1)  # the first byte of a row is an index, 0 from most servers
        if name_end < 0 or name_end + 9 > len(body):
            break
        score, duration = _SCORE_DURATION.unpack_from(body, name_end + 1)
        if not -_MAX_DURATION_S < duration < _MAX_DURATION_S:
            duration = math.nan
        players.append(a2s.A2SPlayer(body[position + 1 : name_end].decode("utf-8", "replace"), score, duration))
        position = name_end + 9
    return players, position


def _iterate_deaths_and_money(data: bytes) -> itertools.chain[tuple[int, int]]:
    whole = len(data) - len(data) % _DEATHS_MONEY.size
    return itertools.chain(_DEATHS_MONEY.iter_unpack(data[:whole]))


def parse_rules(body: bytes) -> dict[bytes, bytes]:
    """Parse a rules reply that starts with its kind.

    The count is ignored: pairs are read as long as both strings are complete.
    """
    if len(body) < 3:
        raise PacketError("truncated rules")
    pieces = body[3:].split(b"\0")
    whole = (len(pieces) - 1) // 2
    return dict(zip(pieces[0 : 2 * whole : 2], pieces[1 : 2 * whole : 2], strict=True))


MAX_INFO_BYTES = 8192
"""Maximum size of an info reply; recorded ones are below 300 bytes, engines stay below 1,400."""

_APPID_MASK = 0xFFFFFF
_SHIP = struct.Struct("<BBB")
_U16 = struct.Struct("<H")
_U64 = struct.Struct("<Q")


def parse_info(body: bytes) -> a2s.A2SInfo:
    """Parse an info reply that starts with its kind.

    Raises:
        PacketError: a required field is missing, or the reply is larger than `MAX_INFO_BYTES`.
    """
    if len(body) > MAX_INFO_BYTES:
        raise PacketError("too large")
    try:
        return _parse_source(body) if body[:1] == a2s.INFO_REPLY else _parse_goldsource(body)
    except (struct.error, ValueError, IndexError):
        raise PacketError("truncated info") from None


def _decode_text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _parse_source(body: bytes) -> a2s.A2SInfo:
    name, map_name, folder, game, rest = body[2:].split(b"\0", 4)
    appid, players, max_players, bots, server_type, environment, password, vac = a2s.SOURCE_INFO_STRUCT.unpack_from(
        rest
    )
    position = a2s.SOURCE_INFO_STRUCT.size
    ship = None
    if appid == a2s.THE_SHIP_APPID:
        ship = a2s.TheShipInfo(*_SHIP.unpack_from(rest, position))
        position += _SHIP.size
    version_end = rest.index(b"\0", position)
    extra = _parse_extra(rest, version_end + 1) if version_end + 1 < len(rest) else _NO_EXTRA_DATA
    if extra.game_id is not None:
        appid = extra.game_id & _APPID_MASK or appid
    return a2s.A2SInfo(
        body[1],
        _decode_text(name),
        _decode_text(map_name),
        _decode_text(folder),
        _decode_text(game),
        appid or None,
        players,
        max_players,
        bots,
        server_type.decode("latin-1"),
        environment.decode("latin-1"),
        password != 0,
        vac != 0,
        _decode_text(rest[position:version_end]),
        extra.port,
        extra.steam_id,
        extra.spectator_port,
        extra.spectator_name,
        extra.keywords,
        extra.game_id,
        ship,
    )


class _ExtraData(NamedTuple):
    port: int | None
    steam_id: int | None
    spectator_port: int | None
    spectator_name: str | None
    keywords: str | None
    game_id: int | None


_NO_EXTRA_DATA = _ExtraData(None, None, None, None, None, None)


def _parse_extra(rest: bytes, position: int) -> _ExtraData:
    flags = rest[position]
    position += 1
    port = steam_id = spectator_port = spectator_name = keywords = game_id = None
    if flags & a2s.EDF_PORT:
        (port,) = _U16.unpack_from(rest, position)
        position += 2
    if flags & a2s.EDF_STEAM_ID:
        (steam_id,) = _U64.unpack_from(rest, position)
        position += 8
    if flags & a2s.EDF_SPECTATOR:
        (spectator_port,) = _U16.unpack_from(rest, position)
        end = rest.index(b"\0", position + 2)
        spectator_name = _decode_text(rest[position + 2 : end])
        position = end + 1
    if flags & a2s.EDF_KEYWORDS:
        end = rest.index(b"\0", position)
        keywords = _decode_text(rest[position:end])
        position = end + 1
    if flags & a2s.EDF_GAME_ID:
        (game_id,) = _U64.unpack_from(rest, position)
    return _ExtraData(port, steam_id, spectator_port, spectator_name, keywords, game_id)


def _parse_goldsource(body: bytes) -> a2s.A2SInfo:
    _address, name, map_name, folder, game, rest = body[1:].split(b"\0", 5)
    players, max_players, protocol, server_type, environment, password, is_mod = a2s.GOLDSOURCE_INFO_STRUCT.unpack_from(
        rest
    )
    tail = rest[a2s.GOLDSOURCE_INFO_STRUCT.size :]
    if is_mod == 1:  # followed by two URLs and numbers
        tail = tail.split(b"\0", 2)[2][a2s.GOLDSOURCE_MOD_BYTES :]
    return a2s.A2SInfo(
        protocol=protocol,
        name=_decode_text(name),
        map=_decode_text(map_name),
        folder=_decode_text(folder),
        game=_decode_text(game),
        appid=None,
        players=players,
        max_players=max_players,
        bots=tail[1] if len(tail) > 1 else 0,
        server_type=server_type.decode("latin-1"),
        environment=environment.decode("latin-1"),
        password=password != 0,
        vac=tail[0] != 0,
        version=None,
        port=None,
        steam_id=None,
        spectator_port=None,
        spectator_name=None,
        keywords=None,
    )
