"""Quake III, DarkPlaces and FiveM queries: getstatus, getinfo and their replies."""

import re
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.field_reader import decode_text
from browser_app.protocols.quake.infostring import MAX_REPLY_BYTES, parse_infostring
from browser_app.protocols.query_session import DONE, PacketError, ReceiveStatus, SingleReplySession


@dataclass(slots=True)
class Quake3Player:
    """One player line.

    `score` is text as sent: DarkPlaces does not only send integers.
    """

    name: str
    """With colour codes."""
    score: str
    ping: int
    """Milliseconds as measured by the server; 0 for bots."""
    team: int | None
    """As sent, before or after the name; None if the game sends none."""


@dataclass(slots=True)
class Quake3Reply:
    """Status or info reply.

    `players` is None if the reply has no player list (an infoResponse).
    """

    info: dict[str, str]
    """Infostring in the order sent: keys (stripped) and values with colour codes, decoded as UTF-8 or else Latin-1. The
    first of duplicate keys counts, as in the engine.
    """
    players: tuple[Quake3Player, ...] | None


STATUS_RESPONSE_HEADER: Final = b"\xff\xff\xff\xffstatusResponse\n"
INFO_RESPONSE_HEADER: Final = b"\xff\xff\xff\xffinfoResponse\n"

MAX_PLAYER_LINES = 255
"""Player lines kept; engines have at most 255 client slots."""

_PLAYER_LINE = re.compile(
    r"""
    ^(\S+)\x20(-?\d{1,9})       # score (any text without spaces) and ping
    (?:\x20(-?\d{1,9}))?        # team, as SoF2 and DarkPlaces send it
    \x20"(.*)"                  # name, perhaps with quotes of its own
    (?:\x20(-?\d{1,9})(?!\S))?  # team, as Warsow sends it
    [^"\n]*$
    """,
    re.MULTILINE | re.VERBOSE | re.ASCII,
)


def parse_quake3_reply(data: bytes) -> Quake3Reply:
    """Parse a statusResponse or infoResponse with its header.

    Raises:
        PacketError: the data is neither, lacks a complete infostring, or is larger than `MAX_REPLY_BYTES`.
    """
    if len(data) > MAX_REPLY_BYTES:
        raise PacketError("too large")
    if data.startswith(STATUS_RESPONSE_HEADER):
        infostring, end, lines = _decode_reply(data[len(STATUS_RESPONSE_HEADER) :]).partition("\n")
        info = parse_infostring(infostring)
        if not end:  # every engine ends the infostring by a line break: a truncated one must not look like a server
            raise PacketError("truncated infostring")
        return Quake3Reply(info, _parse_players(lines))
    if data.startswith(INFO_RESPONSE_HEADER):
        infostring = _decode_reply(data[len(INFO_RESPONSE_HEADER) :]).partition("\n")[0]
        return Quake3Reply(parse_infostring(infostring), None)
    raise PacketError("not this protocol")


def _decode_reply(body: bytes) -> str:
    """Decode the reply, value by value if it is not UTF-8 as a whole."""
    body = body.rstrip(b"\0")
    try:
        return body.decode()
    except UnicodeDecodeError:
        return "\n".join("\\".join(map(decode_text, line.split(b"\\"))) for line in body.split(b"\n"))


def _parse_players(lines: str) -> tuple[Quake3Player, ...]:
    rows = _PLAYER_LINE.findall(lines)[:MAX_PLAYER_LINES] if lines else ()
    return tuple(
        [
            Quake3Player(name, score, int(ping), int(team) if (team := before or behind) else None)
            for score, ping, before, name, behind in rows
        ]
    )


STATUS_REQUEST: Final = b"\xff\xff\xff\xffgetstatus "
INFO_REQUEST: Final = b"\xff\xff\xff\xffgetinfo "


class Quake3Session(SingleReplySession[Quake3Reply]):
    """`QuerySession` that sends getstatus or another `request` with the same replies.

    The token is sent as the challenge, which servers echo under the key `challenge`: every server of the DarkPlaces
    engine and FiveM's (`must_echo`), most but not all others. Nothing else is ever requested: DarkPlaces answers one
    query a second per IP address, and falls back to an infoResponse if the players do not fit. There is no ping probe:
    a server that does not echo the token would not echo it in any other reply either.
    """

    __slots__ = ("_must_echo", "_request", "_tokens")

    def __init__(self, must_echo: bool = False, request: bytes = STATUS_REQUEST) -> None:
        super().__init__()
        self._must_echo = must_echo
        self._request = request
        self._tokens: list[str] = []

    def build_request(self, token: bytes) -> bytes:
        """Return the datagram of one more attempt."""
        self._tokens.append(token.decode("ascii"))
        return self._request + token

    def _receive_reply(self, data: bytes) -> ReceiveStatus:
        reply = parse_quake3_reply(data)
        echo = reply.info.get("challenge")
        if echo in self._tokens:
            self.answered_attempt = self._tokens.index(echo)
        elif echo or self._must_echo:
            raise PacketError("wrong token")
        self.reply = reply
        return DONE
