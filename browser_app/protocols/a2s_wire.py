"""The bytes that both ends of Valve's server queries share (developer.valvesoftware.com, "Server queries")."""

from typing import Final

SINGLE: Final = b"\xff\xff\xff\xff"
"""Begins a datagram that is a whole message, and each message put together from parts."""
SPLIT: Final = b"\xfe\xff\xff\xff"
"""Begins a datagram that is one part of a message."""

INFO_REQUEST: Final = SINGLE + b"TSource Engine Query\0"
PLAYERS_REQUEST: Final = SINGLE + b"U"
RULES_REQUEST: Final = SINGLE + b"V"
NO_CHALLENGE: Final = b"\xff\xff\xff\xff"
"""Stands for a challenge in a request that asks for one."""

CHALLENGE: Final = b"A"
INFO: Final = b"I"
GOLDSOURCE_INFO: Final = b"m"
PLAYERS: Final = b"D"
RULES: Final = b"E"

THE_SHIP_APPID: Final = 2400
BZIP2_MAGIC: Final = b"BZh"
"""A part's message is compressed only where bit 31 of its id is set *and* this stands behind its header."""
EDF_PORT: Final = 0x80
EDF_STEAM_ID: Final = 0x10
EDF_SPECTATOR: Final = 0x40
EDF_KEYWORDS: Final = 0x20
EDF_GAME_ID: Final = 0x01
"""Bits of the info reply's extra data flag, in the order in which their fields follow it."""
