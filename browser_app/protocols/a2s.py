"""Messages and constants of Valve's server queries (A2S).

These classes are not frozen for speed: thousands are made in one scan, and freezing makes that eight times slower.
"""

from dataclasses import dataclass
from typing import Final

SINGLE_PACKET_HEADER: Final = b"\xff\xff\xff\xff"
"""Begins a datagram that is a whole message, and each message put together from parts."""
SPLIT_PACKET_HEADER: Final = b"\xfe\xff\xff\xff"
"""Begins a datagram that is one part of a message."""

INFO_REQUEST: Final = SINGLE_PACKET_HEADER + b"TSource Engine Query\0"
PLAYERS_REQUEST: Final = SINGLE_PACKET_HEADER + b"U"
RULES_REQUEST: Final = SINGLE_PACKET_HEADER + b"V"
NO_CHALLENGE: Final = b"\xff\xff\xff\xff"
"""Stands for a challenge in a request that asks for one."""

CHALLENGE_REPLY: Final = b"A"
INFO_REPLY: Final = b"I"
GOLDSOURCE_INFO_REPLY: Final = b"m"
PLAYERS_REPLY: Final = b"D"
RULES_REPLY: Final = b"E"

THE_SHIP_APPID: Final = 2400
BZIP2_MAGIC: Final = b"BZh"
"""A part's message is compressed only where bit 31 of its id is set *and* this stands behind its header."""
EDF_PORT: Final = 0x80
EDF_STEAM_ID: Final = 0x10
EDF_SPECTATOR: Final = 0x40
EDF_KEYWORDS: Final = 0x20
EDF_GAME_ID: Final = 0x01
"""Bits of the info reply's extra data flag, in the order in which their fields follow it."""


@dataclass(slots=True)
class TheShipInfo:
    """What only The Ship (app 2400) tells in its info reply."""

    mode: int
    witnesses: int
    duration: int


@dataclass(slots=True)
class GoldSourceMod:
    """The mod that a GoldSource server says it runs."""

    link: str
    download: str
    version: int
    size: int
    """Bytes."""
    multiplayer_only: bool
    own_dll: bool


@dataclass(slots=True)
class A2SInfo:
    """An info reply, `I` (Source) or `m` (GoldSource). Strings are UTF-8 decoded with replacement, else untouched."""

    protocol: int
    name: str
    map: str
    folder: str
    game: str
    appid: int | None
    """From the 64-bit game id where there is one, else the 16-bit field; None in a GoldSource reply or when 0."""
    players: int
    """Bots included."""
    max_players: int
    bots: int
    """0 where a GoldSource relay, which can have none, leaves the field out."""
    server_type: str
    """The letter as sent: usually `d` dedicated, `l` listen, `p` relay; some servers use capitals or others."""
    environment: str
    """The letter as sent: usually `l` Linux, `w` Windows, `m` or `o` macOS."""
    password: bool
    vac: bool
    version: str | None
    port: int | None
    """The game port (EDF 0x80), the one to connect to."""
    steam_id: int | None
    spectator_port: int | None
    spectator_name: str | None
    keywords: str | None
    goldsource_address: str | None = None
    game_id: int | None = None
    """The whole 64 bits; the app id is its low 24."""
    the_ship: TheShipInfo | None = None
    mod: GoldSourceMod | None = None


@dataclass(slots=True)
class A2SPlayer:
    """One row of a players reply. `duration_s` is time on the server in seconds, as sent (some send negative ones);
    NaN where the server sent no usable number."""

    name: str
    score: int
    duration_s: float
    deaths: int | None = None
    """The Ship only."""
    money: int | None = None
    """The Ship only."""


@dataclass(slots=True)
class A2SReply:
    """What one A2S conversation learnt. A part that was not asked for or not answered is None."""

    info: A2SInfo
    players: tuple[A2SPlayer, ...] | None = None
    """None also where the server answers without publishing names."""
    rules: dict[bytes, bytes] | None = None
    """In the server's order. Bytes, since Arma 3 and DayZ send binary pages."""
