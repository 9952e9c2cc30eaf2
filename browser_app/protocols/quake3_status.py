"""Reading a statusResponse or infoResponse (ioquake3 `sv_main.c`, DarkPlaces `netconn.c`, qfusion, SoF2)."""

import re
from typing import Final

from browser_app.protocols.conversation import Refused
from browser_app.protocols.quake3 import Quake3Player, Quake3Reply

STATUS: Final = b"\xff\xff\xff\xffstatusResponse\n"
INFO: Final = b"\xff\xff\xff\xffinfoResponse\n"

MAX_REPLY = 32 * 1024
"""Bytes of a reply; engines send 1,400 to 16,384."""
MAX_PLAYERS = 255
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


def read_reply(data: bytes) -> Quake3Reply:
    """Read either reply, header included.

    Raises:
        Refused: neither of them, without a whole infostring, or larger than `MAX_REPLY`.
    """
    if len(data) > MAX_REPLY:
        raise Refused("too large")
    if data.startswith(STATUS):
        infostring, end, lines = _decoded(data[len(STATUS) :]).partition("\n")
        info = _read_infostring(infostring)
        if not end:  # every engine ends it, also where nobody plays: a part of it must not look like a server
            raise Refused("truncated infostring")
        return Quake3Reply(info, _read_players(lines))
    if data.startswith(INFO):
        infostring = _decoded(data[len(INFO) :]).partition("\n")[0]
        return Quake3Reply(_read_infostring(infostring), None)
    raise Refused("not this protocol")


def _decoded(body: bytes) -> str:
    """The reply as text. One value that is not UTF-8 does not spoil the others."""
    body = body.rstrip(b"\0")
    try:
        return body.decode()
    except UnicodeDecodeError:
        return "\n".join("\\".join(map(_value, line.split(b"\\"))) for line in body.split(b"\n"))


def _value(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _read_infostring(text: str) -> dict[str, str]:
    """Read pairs of key and value, a backslash before each. A key without a value at the end is dropped."""
    pieces = text.removeprefix("\\").split("\\")
    if len(pieces) < 2:
        raise Refused("no infostring")
    keys, values = [key.strip() for key in pieces[0::2]], pieces[1::2]
    info = dict(zip(keys, values, strict=False))
    if len(info) < len(values):
        first: dict[str, str] = {}
        for key, value in zip(keys, values, strict=False):
            first.setdefault(key, value)
        return first
    return info


def _read_players(lines: str) -> tuple[Quake3Player, ...]:
    rows = _PLAYER_LINE.findall(lines)[:MAX_PLAYERS] if lines else ()
    return tuple(
        [
            Quake3Player(name, score, int(ping), int(team) if (team := before or behind) else None)
            for score, ping, before, name, behind in rows
        ]
    )
