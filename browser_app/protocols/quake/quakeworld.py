"""QuakeWorld and HexenWorld queries: status and its reply.

Formats as in mvdsv's `sv_main.c` (`SVC_Status`) and as QStat asks. Replies echo nothing of the request.
"""

import re
from dataclasses import dataclass
from functools import partial
from typing import Final

from browser_app.protocols.quake.infostring import split_status
from browser_app.protocols.query_session import FixedRequestSession, ReceiveStatus

STATUS_REQUEST: Final = b"\xff\xff\xff\xffstatus 151\n"
"""With info (1), players (2), spectators (4), teams (16) and kinds of clients (128)."""
PLAIN_STATUS_REQUEST: Final = b"\xff\xff\xff\xffstatus\n"
"""As in the original game: without spectators."""
STATUS_HEADER: Final = b"\xff\xff\xff\xffn"
PING_REQUEST: Final = b"\xff\xff\xff\xffk\n"
PING_REPLY: Final = b"l"
UNCOMPRESSED: Final = b"\xff"
"""Precedes every uncompressed datagram of HexenWorld, which status replies are: text would not get shorter."""
SPECTATOR_PREFIX: Final = "\\s\\"
SPECTATOR_SCORE: Final = -9999
MAX_PLAYER_LINES = 255

_BOT_PREFIX = "BOT:"
"""Name prefix that the engine FTE gives to bots."""
_BOT_KIND = '"b"'
_ORIGINAL_VERSION = re.compile(r"[0-9.]*", re.ASCII)
"""Servers of the original games report a number alone as version, later ones also the name of the program."""
_PLAYER_LINE = re.compile(
    r"""
    ^-?\d{1,9}\x20                            # user id
    (-?\d{1,9}|S)\x20(-?\d{1,9})\x20(-?\d{1,9})\x20  # score, minutes, ping
    "(.*)"\x20"[^"\n]*"\x20-?\d{1,9}\x20-?\d{1,9}    # name, skin and colours
    (?:\x20"([^"\n]*)")?                      # team
    (.*)$                                     # kind of client
    """,
    re.MULTILINE | re.VERBOSE | re.ASCII,
)


@dataclass(slots=True)
class QuakeWorldPlayer:
    """One player or spectator."""

    name: str
    """In the Quake font."""
    score: int
    minutes: int
    """Time on the server."""
    ping: int
    """Milliseconds as measured by the server."""
    team: str
    """Empty where the server sends none."""
    is_spectator: bool
    is_bot: bool
    """Where the server reports no kinds of clients: whether the ping is 0."""


@dataclass(slots=True)
class QuakeWorldReply:
    """Status reply. Texts are in the Quake font; see `decode_font_text`."""

    info: dict[str, str]
    players: tuple[QuakeWorldPlayer, ...]
    is_plain: bool = False
    """It replies to the request of the original games."""

    @property
    def lists_spectators(self) -> bool:
        """Whether spectators would be among the players.

        Servers of the original games leave them out.
        """
        is_original = self.is_plain or _ORIGINAL_VERSION.fullmatch(self.info.get("*version", "")) is not None
        return not is_original or any(player.is_spectator for player in self.players)


def parse_quakeworld_reply(data: bytes, *, is_plain: bool = False) -> QuakeWorldReply:
    """Parse a status reply with its header; see `split_status`.

    `is_plain` if the request was that of the original games.
    """
    info, lines = split_status(data, (STATUS_HEADER,))
    rows = _PLAYER_LINE.findall(lines)[:MAX_PLAYER_LINES]
    return QuakeWorldReply(info, tuple([_parse_player(*row) for row in rows]), is_plain)


def _parse_player(score: str, minutes: str, ping: str, name: str, team: str, kind: str) -> QuakeWorldPlayer:
    is_spectator = score == "S" or name.startswith(SPECTATOR_PREFIX)
    return QuakeWorldPlayer(
        name.removeprefix(SPECTATOR_PREFIX) if is_spectator else name,
        SPECTATOR_SCORE if score == "S" else int(score),
        int(minutes),
        abs(int(ping)),
        team,
        is_spectator,
        is_bot=_BOT_KIND in kind or name.startswith(_BOT_PREFIX) or (not kind and ping == "0"),
    )


_parse_plain_reply = partial(parse_quakeworld_reply, is_plain=True)


class QuakeWorldSession(FixedRequestSession[QuakeWorldReply]):
    """`QuerySession` that sends a status request, and a ping as probe.

    A server that replies with an error text is sent the request of the original game.
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(STATUS_REQUEST, parse_quakeworld_reply)

    def _receive_reply(self, data: bytes) -> bytes | ReceiveStatus:
        if self._request == STATUS_REQUEST and data.startswith(STATUS_HEADER) and data[5:6] != b"\\":
            self._request = PLAIN_STATUS_REQUEST
            self._parse = _parse_plain_reply
            return self._request
        return super()._receive_reply(data)

    def build_ping_probe(self) -> bytes | None:
        """Return a ping."""
        return PING_REQUEST

    def is_probe_reply(self, data: bytes) -> bool:
        """Return whether `data` is the reply to a ping."""
        return data == PING_REPLY


class HexenWorldSession(FixedRequestSession[QuakeWorldReply]):
    """`QuerySession` with a HexenWorld server, by the original status request."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(
            UNCOMPRESSED + PLAIN_STATUS_REQUEST, lambda data: _parse_plain_reply(data.removeprefix(UNCOMPRESSED))
        )
