"""BZFlag's ping over UDP.

Formats as in the game's `Ping.cxx`; integers have the highest byte first. A reply has the settings of the game and
its numbers of players, but not the server's name, which is only in the list. It echoes nothing of the request.
"""

import re
import struct
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.query_session import FixedRequestSession, PacketError

PING_REQUEST: Final = bytes.fromhex("000204040000")
PING_REPLY_CODE: Final = 0x0303
SETTINGS: Final = struct.Struct(">8H13B")
"""Style, options, shots, two limits for dropping a bad flag, two score limits, time limit; slots, then players and
slots of each team, the observers last.
"""
TEAMS: Final = ("rogue", "red", "green", "blue", "purple", "observer")
OPTIONS: Final = {0x0002: "flags", 0x0008: "jumping", 0x0020: "ricochet", 0x0100: "handicap", 0x0400: "no-team-kills"}
"""Bits of the options that matter to players."""
_HEADER = struct.Struct(">HH8s13x")
"""Length and code, the protocol, the server's id and address."""
PROTOCOL_NAME: Final = re.compile(r"BZFS[0-9]{4}")


@dataclass(slots=True)
class BzflagReply:
    """A server's settings and numbers of players."""

    protocol: str
    style: int
    options: int
    shots: int
    max_score: int
    """0 without a limit."""
    time_limit_s: int
    """0 without a limit."""
    max_players: int
    counts: tuple[int, ...]
    """Players of each of the `TEAMS`."""
    limits: tuple[int, ...]
    """Slots of each of the `TEAMS`."""
    name: str = ""
    """Title, only in lists."""


def parse_bzflag_reply(data: bytes) -> BzflagReply:
    """Parse the reply to a ping."""
    if len(data) < _HEADER.size + SETTINGS.size:
        raise PacketError("truncated reply")
    length, code, protocol = _HEADER.unpack_from(data)
    text = protocol.decode("ascii", "replace")
    if code != PING_REPLY_CODE or length != len(data) - 4 or not PROTOCOL_NAME.fullmatch(text):
        raise PacketError("not this protocol")
    return parse_settings(text, data[_HEADER.size : _HEADER.size + SETTINGS.size])


def parse_settings(protocol: str, data: bytes, name: str = "") -> BzflagReply:
    """Parse settings of exactly the size of `SETTINGS`."""
    style, options, shots, _wins, _timeout, max_score, _team_score, time_limit_s, *people = SETTINGS.unpack(data)
    max_players, *teams = people
    return BzflagReply(
        protocol, style, options, shots, max_score, time_limit_s, max_players, (*teams[::2],), (*teams[1::2],), name
    )


class BzflagSession(FixedRequestSession[BzflagReply]):
    """`QuerySession` that sends a ping, without a token."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(PING_REQUEST, parse_bzflag_reply)
