"""Server side of the queries of Zandronum, Odamex and Chocolate Doom."""

import struct
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from browser_app.protocols.doom import odamex, zandronum
from browser_app.protocols.doom.chocolate_doom import REPLY_HEADER, ChocolateDoomReply
from browser_app.protocols.doom.odamex import OdamexPlayer, OdamexReply
from browser_app.protocols.doom.zandronum import ExtendedFields, Fields, ZandronumPlayer, ZandronumReply
from browser_app.protocols.doom.zandronum_huffman import compress, decompress
from browser_app.protocols.query_session import PacketError

_ODAMEX_VERSION = 10 << 8 | 60
_ODAMEX_REQUEST_BYTES = 16
_NO_HASH = b"\0"


class ZandronumRequest(NamedTuple):
    """A launcher query."""

    fields: int
    token: int


def parse_zandronum_request(data: bytes) -> ZandronumRequest:
    """Parse a request, compressed or not."""
    plain = decompress(data)
    if len(plain) < 12 or plain[0] != zandronum.REQUEST_ID:
        raise PacketError("not this protocol")
    _id, fields, token = struct.unpack_from("<3I", plain)
    return ZandronumRequest(fields, token)


def encode_zandronum_refusal(token: int, *, is_banned: bool = False) -> bytes:
    """Encode the reply to a client that queries too often, or is banned."""
    return compress(struct.pack("<2I", zandronum.BANNED if is_banned else zandronum.IGNORED, token))


def encode_zandronum_reply(reply: ZandronumReply, token: int) -> bytes:
    """Encode a reply with the fields that our own requests ask for."""
    fields = zandronum.REQUESTED
    if not reply.has_teams:
        fields &= ~Fields.TEAM_COUNT
    players = reply.players or ()
    limits = [reply.limits.get(name, 0) for name in ("fraglimit", "timelimit", "duellimit", "pointlimit", "winlimit")]
    left = [reply.limits.get("minutes left", 0)] if limits[1] else []
    parts = [
        struct.pack("<2I", zandronum.ACCEPTED, token), _encode_texts([reply.version]), struct.pack("<I", fields),
        _encode_texts([reply.name, reply.website, reply.map]), bytes([reply.max_clients or 0, reply.max_players or 0]),
        _encode_counted_texts(reply.wads), bytes([reply.mode or 0, reply.is_instagib, reply.is_buckshot]),
        _encode_texts([reply.game_name, reply.iwad]), bytes([bool(reply.password), bool(reply.join_password)]),
        bytes([reply.skill or 0]), struct.pack(f"<{5 + len(left)}H", *limits[:2], *left, *limits[2:]),
        bytes([len(players)]), *(_encode_zandronum_player(player, reply.has_teams) for player in players),
        bytes([reply.team_count]) if reply.has_teams else b"",
        bytes([len(reply.optional_wads), *sorted(reply.optional_wads)]), _encode_counted_texts(reply.patches),
        struct.pack("<I", ExtendedFields.COUNTRY | ExtendedFields.MODE_NAME),
        (reply.country or "XUN").encode("ascii")[:3], _encode_texts([reply.mode_name]),
    ]  # fmt: skip
    return compress(b"".join(parts))


def _encode_zandronum_player(player: ZandronumPlayer, has_teams: bool) -> bytes:
    team = [zandronum.NO_TEAM if player.team is None else player.team] if has_teams else []
    numbers = struct.pack("<hH", player.score, player.ping)
    return _encode_texts([player.name]) + numbers + bytes([player.is_spectator, player.is_bot, *team, player.minutes])


def parse_odamex_request(data: bytes) -> int:
    """Return the token of an info request."""
    if len(data) != _ODAMEX_REQUEST_BYTES or struct.unpack_from("<I", data)[0] != odamex.INFO_REQUEST:
        raise PacketError("not this protocol")
    return int.from_bytes(data[12:], "little")


def encode_odamex_reply(reply: OdamexReply, token: int) -> bytes:
    """Encode an info reply, all console variables as texts; teams have no scores."""
    has_teams = reply.game_type in odamex.TEAM_GAMES
    head = (odamex.INFO_REPLY, _ODAMEX_VERSION, odamex.PROTOCOL, token, odamex.PROTOCOL)
    teams = b"".join(_encode_texts([name]) + struct.pack("<Ih", 0, 0) for name in ("BLUE", "RED"))
    return b"".join(
        (
            struct.pack("<4Ii", *head), _encode_texts([reply.build]), _encode_variables(reply.variables),
            b"\x10" + bytes(16) if reply.has_join_password else _NO_HASH, _encode_texts([reply.map]),
            b"" if reply.minutes_left is None else struct.pack("<H", reply.minutes_left),
            b"\x02" + teams if has_teams else b"", _encode_counted_texts(reply.patches),
            bytes([len(reply.wads)]), *(_encode_texts([wad]) + _NO_HASH for wad in reply.wads),
            bytes([len(reply.players)]), *(_encode_odamex_player(player, has_teams) for player in reply.players),
        )
    )  # fmt: skip


def _encode_variables(variables: Mapping[str, str]) -> bytes:
    encoded = (
        _encode_texts([name]) + bytes([odamex.TEXT]) + _encode_texts([value]) for name, value in variables.items()
    )
    return bytes([len(variables)]) + b"".join(encoded)


def _encode_odamex_player(player: OdamexPlayer, has_teams: bool) -> bytes:
    team = bytes([player.team or 0]) if has_teams else b""
    numbers = struct.pack("<HHB3h", player.ping, player.minutes, player.is_spectator, player.frags, 0, 0)
    return _encode_texts([player.name]) + bytes(4) + team + numbers


def encode_chocolate_doom_reply(reply: ChocolateDoomReply) -> bytes:
    """Encode a reply of a server that has no game and edition yet."""
    numbers = bytes([reply.state, reply.players, reply.max_players, 4, 0])
    return (
        REPLY_HEADER
        + _encode_texts([reply.version])
        + numbers
        + _encode_texts([reply.name])
        + b"\x01CHOCOLATE_DOOM_0\0"
    )


def _encode_texts(texts: Iterable[str]) -> bytes:
    return b"".join(text.encode() + b"\0" for text in texts)


def _encode_counted_texts(texts: tuple[str, ...]) -> bytes:
    return bytes([len(texts)]) + _encode_texts(texts)
