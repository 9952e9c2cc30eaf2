"""Reading an A2S info reply, Source's (`I`) and GoldSource's (`m`)."""

import struct
from typing import NamedTuple

from browser_app.protocols.a2s import A2SInfo, GoldSourceMod, TheShip
from browser_app.protocols.a2s_wire import (
    EDF_GAME_ID,
    EDF_KEYWORDS,
    EDF_PORT,
    EDF_SPECTATOR,
    EDF_STEAM_ID,
    INFO,
    THE_SHIP_APPID,
)
from browser_app.protocols.conversation import Refused

MAX_INFO = 8192
"""Bytes of an info reply; recorded ones stay below 300, engines below 1,400."""

_APPID_MASK = 0xFFFFFF
_SOURCE = struct.Struct("<HBBBccBB")
_SHIP = struct.Struct("<BBB")
_GOLDSOURCE = struct.Struct("<BBBccBB")
_MOD = struct.Struct("<xIIBB")
_U16 = struct.Struct("<H")
_U64 = struct.Struct("<Q")


def read_info(body: bytes) -> A2SInfo:
    """Read an info reply, `body` beginning with its kind.

    Raises:
        Refused: a field that must be there is not, or the reply is larger than `MAX_INFO`.
    """
    if len(body) > MAX_INFO:
        raise Refused("too large")
    try:
        return _read_source(body) if body[:1] == INFO else _read_goldsource(body)
    except (struct.error, ValueError, IndexError):
        raise Refused("truncated info") from None


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _read_source(body: bytes) -> A2SInfo:
    name, map_name, folder, game, rest = body[2:].split(b"\0", 4)
    appid, players, max_players, bots, server_type, environment, password, vac = _SOURCE.unpack_from(rest)
    position = _SOURCE.size
    ship = None
    if appid == THE_SHIP_APPID:
        ship = TheShip(*_SHIP.unpack_from(rest, position))
        position += _SHIP.size
    version_end = rest.index(b"\0", position)
    extra = _read_extra(rest, version_end + 1) if version_end + 1 < len(rest) else _NO_EXTRA
    if extra.game_id is not None:
        appid = extra.game_id & _APPID_MASK or appid
    return A2SInfo(
        body[1],
        _text(name),
        _text(map_name),
        _text(folder),
        _text(game),
        appid or None,
        players,
        max_players,
        bots,
        server_type.decode("latin-1"),
        environment.decode("latin-1"),
        password != 0,
        vac != 0,
        _text(rest[position:version_end]),
        extra.port,
        extra.steam_id,
        extra.spectator_port,
        extra.spectator_name,
        extra.keywords,
        None,
        extra.game_id,
        ship,
    )


class _Extra(NamedTuple):
    port: int | None
    steam_id: int | None
    spectator_port: int | None
    spectator_name: str | None
    keywords: str | None
    game_id: int | None


_NO_EXTRA = _Extra(None, None, None, None, None, None)


def _read_extra(rest: bytes, position: int) -> _Extra:
    flags = rest[position]
    position += 1
    port = steam_id = spectator_port = spectator_name = keywords = game_id = None
    if flags & EDF_PORT:
        (port,) = _U16.unpack_from(rest, position)
        position += 2
    if flags & EDF_STEAM_ID:
        (steam_id,) = _U64.unpack_from(rest, position)
        position += 8
    if flags & EDF_SPECTATOR:
        (spectator_port,) = _U16.unpack_from(rest, position)
        end = rest.index(b"\0", position + 2)
        spectator_name = _text(rest[position + 2 : end])
        position = end + 1
    if flags & EDF_KEYWORDS:
        end = rest.index(b"\0", position)
        keywords = _text(rest[position:end])
        position = end + 1
    if flags & EDF_GAME_ID:
        (game_id,) = _U64.unpack_from(rest, position)
    return _Extra(port, steam_id, spectator_port, spectator_name, keywords, game_id)


def _read_goldsource(body: bytes) -> A2SInfo:
    address, name, map_name, folder, game, rest = body[1:].split(b"\0", 5)
    players, max_players, protocol, server_type, environment, password, is_mod = _GOLDSOURCE.unpack_from(rest)
    tail = rest[_GOLDSOURCE.size :]
    mod = None
    if is_mod == 1:
        link, download, tail = tail.split(b"\0", 2)
        version, size, multiplayer_only, own_dll = _MOD.unpack_from(tail)
        mod = GoldSourceMod(_text(link), _text(download), version, size, multiplayer_only != 0, own_dll != 0)
        tail = tail[_MOD.size :]
    return A2SInfo(
        protocol=protocol,
        name=_text(name),
        map=_text(map_name),
        folder=_text(folder),
        game=_text(game),
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
        goldsource_address=_text(address),
        mod=mod,
    )
