"""Queries of Quake II and the games on its engine: status and its reply.

Formats as in Yamagi's `sv_conless.c`; Quetoo's as its own launcher reads them. Replies echo nothing of the request.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.quake.infostring import parse_infostring, split_status
from browser_app.protocols.query_session import FixedRequestSession, PacketError

STATUS_REQUEST: Final = b"\xff\xff\xff\xffstatus\n"
STATUS_HEADER: Final = b"\xff\xff\xff\xffprint\n"
QUETOO_STATUS_HEADER: Final = b"\xff\xff\xff\xffstatus\n"
PING_REQUEST: Final = b"\xff\xff\xff\xffping\n"
PING_REPLY: Final = b"\xff\xff\xff\xffack"
MAX_PLAYER_LINES = 256
"""MAX_CLIENTS of the engine."""

_PLAYER_LINE = re.compile(r'^(-?\d{1,9}) (-?\d{1,9}) "([^"\n]*)"', re.ASCII)
_NUMBER = re.compile(r"-?\d{1,9}", re.ASCII)


@dataclass(slots=True)
class Quake2Player:
    """One player line."""

    name: str
    """In the Quake font, with the game's colour codes."""
    score: int
    ping: int
    """Milliseconds as measured by the server; 0 for bots and for players who are connecting."""
    is_bot: bool | None
    """None if the game does not report it."""


@dataclass(slots=True)
class Quake2Reply:
    """Status reply. Texts are in the Quake font; see `decode_font_text`."""

    info: dict[str, str]
    players: tuple[Quake2Player, ...]


def parse_quake2_reply(data: bytes) -> Quake2Reply:
    """Parse a status reply with its header; see `split_status`."""
    info, lines = split_status(data, (STATUS_HEADER, QUETOO_STATUS_HEADER))
    return Quake2Reply(info, tuple(_parse_players(lines)))


def _parse_players(lines: str) -> Iterator[Quake2Player]:
    for line in lines.split("\n", MAX_PLAYER_LINES)[:MAX_PLAYER_LINES]:
        if match := _PLAYER_LINE.match(line):
            yield Quake2Player(match[3], int(match[1]), int(match[2]), None)
        elif line.startswith("\\") and (player := _parse_quetoo_player(line)) is not None:
            yield player


def _parse_quetoo_player(line: str) -> Quake2Player | None:
    """Return the player of a line that is an infostring; None if it lacks a value."""
    try:
        values = parse_infostring(line)
    except PacketError:
        return None
    score, ping = values.get("score", ""), values.get("ping", "")
    if not _NUMBER.fullmatch(score) or not _NUMBER.fullmatch(ping):
        return None
    return Quake2Player(values.get("name", ""), int(score), int(ping), values.get("ai") == "1")


class Quake2Session(FixedRequestSession[Quake2Reply]):
    """`QuerySession` that sends a status request, and a ping as probe."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(STATUS_REQUEST, parse_quake2_reply)

    def build_ping_probe(self) -> bytes | None:
        """Return a ping."""
        return PING_REQUEST

    def is_probe_reply(self, data: bytes) -> bool:
        """Return whether `data` is the reply to a ping."""
        return data == PING_REPLY
