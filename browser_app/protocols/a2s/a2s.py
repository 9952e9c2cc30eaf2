"""Messages and constants of Valve's server queries (A2S).

The classes are not frozen, for speed: a scan creates thousands, and creating a frozen one takes eight times as long.
"""

import struct
from dataclasses import dataclass
from typing import Final

SINGLE_PACKET_HEADER: Final = b"\xff\xff\xff\xff"
"""Starts a datagram that is a whole message, and each message reassembled from parts."""
SPLIT_PACKET_HEADER: Final = b"\xfe\xff\xff\xff"
"""Starts a datagram that is one part of a message."""

INFO_REQUEST: Final = SINGLE_PACKET_HEADER + b"TSource Engine Query\0"
PLAYERS_REQUEST: Final = SINGLE_PACKET_HEADER + b"U"
RULES_REQUEST: Final = SINGLE_PACKET_HEADER + b"V"
NO_CHALLENGE: Final = b"\xff\xff\xff\xff"
"""Sent in place of the challenge to ask for one."""

CHALLENGE_REPLY: Final = b"A"
INFO_REPLY: Final = b"I"
GOLDSOURCE_INFO_REPLY: Final = b"m"
PLAYERS_REPLY: Final = b"D"
RULES_REPLY: Final = b"E"

THE_SHIP_APPID: Final = 2400
SOURCE_INFO_STRUCT: Final = struct.Struct("<HBBBccBB")
"""App id, players, max players, bots, server type, environment, password, VAC: after the strings of an `I` reply."""
GOLDSOURCE_INFO_STRUCT: Final = struct.Struct("<BBBccBB")
"""Players, max players, protocol, server type, environment, password, is a mod: after the strings of an `m` reply."""
GOLDSOURCE_MOD_BYTES: Final = 11
"""A zero, version, size, multiplayer only, own DLL: after the strings of a mod."""
BZIP2_MAGIC: Final = b"BZh"
"""A split message is compressed only if bit 31 of its id is set *and* this follows the header of its first part."""
EDF_PORT: Final = 0x80
EDF_STEAM_ID: Final = 0x10
EDF_SPECTATOR: Final = 0x40
EDF_KEYWORDS: Final = 0x20
EDF_GAME_ID: Final = 0x01
"""Bits of the info reply's extra data flag, in the order in which their fields follow it."""


@dataclass(slots=True)
class TheShipInfo:
    """Fields that only The Ship (app 2400) adds to its info reply."""

    mode: int
    witnesses: int
    duration: int


@dataclass(slots=True)
class A2SInfo:
    """Info reply, `I` (Source) or `m` (GoldSource).

    Strings are decoded as UTF-8 with replacement and otherwise unchanged.
    """

    protocol: int
    name: str
    map: str
    folder: str
    game: str
    appid: int | None
    """From the 64-bit game id if present, else from the 16-bit field; None in a GoldSource reply or if 0."""
    players: int
    """Bots included."""
    max_players: int
    bots: int
    """0 if the field is missing, as from GoldSource relays, which cannot have bots."""
    server_type: str
    """The letter as sent: usually `d` dedicated, `l` listen, `p` relay; some servers send capitals or other letters."""
    environment: str
    """The letter as sent: usually `l` Linux, `w` Windows, `m` or `o` macOS."""
    password: bool
    vac: bool
    version: str | None
    port: int | None
    """Game port (EDF 0x80), to which players connect."""
    steam_id: int | None
    spectator_port: int | None
    spectator_name: str | None
    keywords: str | None
    game_id: int | None = None
    """All 64 bits; the app id is in the low 24."""
    the_ship: TheShipInfo | None = None


@dataclass(slots=True)
class A2SPlayer:
    """One row of a players reply.

    `duration_s` is the time on the server in seconds as sent (some servers send negative values), NaN if it is
    unusable.
    """

    name: str
    score: int
    duration_s: float
    deaths: int | None = None
    """The Ship only."""
    money: int | None = None
    """The Ship only."""


@dataclass(slots=True)
class A2SReply:
    """Parts of one A2S query; a part that was not requested or not answered is None."""

    info: A2SInfo
    players: tuple[A2SPlayer, ...] | None = None
    """None also if the server replies without publishing its players."""
    rules: dict[bytes, bytes] | None = None
    """In the server's order. Bytes, because Arma 3 and DayZ send binary pages."""
