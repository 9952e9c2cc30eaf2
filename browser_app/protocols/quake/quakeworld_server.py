"""Server side of QuakeWorld, HexenWorld and Quake II queries."""

import re
from collections.abc import Iterable, Mapping

from browser_app.protocols.quake.quake2 import STATUS_HEADER as QUAKE2_STATUS_HEADER
from browser_app.protocols.quake.quake2 import Quake2Player
from browser_app.protocols.quake.quakeworld import (
    SPECTATOR_PREFIX,
    SPECTATOR_SCORE,
    STATUS_HEADER,
    UNCOMPRESSED,
    QuakeWorldPlayer,
)
from browser_app.protocols.query_session import PacketError

_REQUEST = re.compile(rb"\xff{4,5}(status|k|ping)(?: ([0-9]{1,3}))?\n?\Z")
_SPECTATORS, _TEAMS, _KINDS = 4, 16, 128
_PLAIN_STATUS = 3
"""Bits for info and players, which servers send by default."""


def parse_quakeworld_request(data: bytes) -> tuple[str, int]:
    """Return command and parts (bits) of a QuakeWorld or Quake II request.

    A request without a number asks for info and players.
    """
    match = _REQUEST.match(data)
    if match is None:
        raise PacketError("not this protocol")
    return match[1].decode("ascii"), int(match[2] or _PLAIN_STATUS)


def encode_quakeworld_status(
    info: Mapping[str, str], players: Iterable[QuakeWorldPlayer], wanted: int, *, for_hexenworld: bool = False
) -> bytes:
    """Encode a status reply with the parts that the bits of `wanted` select."""
    lines = "".join(
        _format_line(number, player, wanted)
        for number, player in enumerate(players, 1)
        if wanted & _SPECTATORS or not player.is_spectator
    )
    reply = STATUS_HEADER + _encode_infostring(info) + b"\n" + _encode_text(lines) + b"\0"
    return UNCOMPRESSED + reply if for_hexenworld else reply


def _format_line(number: int, player: QuakeWorldPlayer, wanted: int) -> str:
    score, ping, name = player.score, player.ping, player.name
    if player.is_spectator:
        score, ping, name = SPECTATOR_SCORE, -ping, SPECTATOR_PREFIX + name
    team = f' "{player.team}"' if wanted & _TEAMS else ""
    kind = f' "{"b" if player.is_bot else "h"}"' if wanted & _KINDS else ""
    return f'{number} {score} {player.minutes} {ping} "{name}" "base" 4 13{team}{kind}\n'


def encode_quake2_status(info: Mapping[str, str], players: Iterable[Quake2Player]) -> bytes:
    """Encode a status reply of Quake II."""
    lines = "".join(f'{player.score} {player.ping} "{player.name}"\n' for player in players)
    return QUAKE2_STATUS_HEADER + _encode_infostring(info) + b"\n" + _encode_text(lines)


def _encode_infostring(info: Mapping[str, str]) -> bytes:
    return _encode_text("".join(f"\\{key}\\{value}" for key, value in info.items()))


def _encode_text(text: str) -> bytes:
    """Encode a text in ASCII, with question marks for other characters."""
    return text.encode("ascii", "replace")
