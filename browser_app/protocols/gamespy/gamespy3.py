"""GameSpy's third query protocol, some of whose versions are called the fourth.

A server answers a request that echoes its challenge with one or more datagrams, which are numbered; the last one is
marked. Each consists of sections: rules, players, teams. A field of players that does not fit continues in the next
datagram.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from browser_app.protocols.gamespy.gamespy_reply import (
    MAX_DATAGRAM_BYTES,
    MAX_PLAYERS,
    MAX_REPLY_BYTES,
    GameSpyReader,
    GameSpyReply,
)
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, ReceiveStatus, SingleReplySession

CHALLENGE_REQUEST: Final = b"\xfe\xfd\x09"
CHALLENGE_REPLY: Final = b"\x09"
STATUS_REQUEST: Final = b"\xfe\xfd\x00"
ALL_SELECTOR: Final = b"\xff\xff\xff\x01"
STATUS_REPLY: Final = b"\x00"
PART_HEADER: Final = b"splitnum\0"
TOKEN_BYTES: Final = 4
MAX_PARTS: Final = 16
LAST_PART: Final = 0x80
_RULES, _PLAYERS, _TEAMS = 0, 1, 2
_CHALLENGE = re.compile(rb"-?[0-9]{1,10}\0?")
_HEADER_BYTES = 1 + TOKEN_BYTES


def parse_gamespy3_reply(parts: Sequence[bytes]) -> GameSpyReply:
    """Parse the sections of all parts, in their order."""
    rules: dict[str, str] = {}
    players: dict[int, dict[str, str]] = {}
    for part in parts:
        reader = GameSpyReader(part)
        section = reader.read_u8()
        while section >= 0:
            if section == _RULES:
                rules |= reader.read_rules()
            elif section in (_PLAYERS, _TEAMS):
                _read_fields(reader, players if section == _PLAYERS else {})
            else:
                raise PacketError("invalid list")
            section = _next_section(reader)
    if "hostname" not in rules:
        raise PacketError("no status")
    rows: tuple[Mapping[str, str], ...] = tuple(row for _, row in sorted(players.items()) if row.get("player"))
    return GameSpyReply(rules, rows)


def _next_section(reader: GameSpyReader) -> int:
    """Return the kind of the next section, after zeros; −1 if there is none."""
    while reader.peek_u8() == 0:
        reader.read_u8()
    return -1 if reader.is_at_end else reader.read_u8()


def _read_fields(reader: GameSpyReader, rows: dict[int, dict[str, str]]) -> None:
    """Read fields: a name, the number of the first row, values up to an empty one."""
    while not reader.is_at_end:
        while reader.peek_u8() == 0:
            reader.read_u8()
        if reader.peek_u8() in (-1, _PLAYERS, _TEAMS):
            return
        name = reader.read_text()
        number = reader.read_u8()
        while not reader.is_at_end and (value := reader.read_text()):
            if number > MAX_PLAYERS:
                raise PacketError("too many")
            rows.setdefault(number, {})[name.removesuffix("_")] = value
            number += 1


class GameSpy3Session(SingleReplySession[GameSpyReply]):
    """`QuerySession` for challenge and status; every reply echoes a token."""

    __slots__ = ("_challenge", "_parts", "_received_bytes", "_tokens")

    def __init__(self) -> None:
        super().__init__()
        self._tokens: list[bytes] = []
        self._challenge: bytes | None = None
        self._parts: dict[int, bytes] = {}
        self._received_bytes = 0

    def build_request(self, token: bytes) -> bytes:
        """Return the datagram of the current exchange."""
        self._tokens.append(token[:TOKEN_BYTES])
        return self._build_request()

    def _build_request(self) -> bytes:
        if self._challenge is None:
            return CHALLENGE_REQUEST + self._tokens[-1]
        return STATUS_REQUEST + self._tokens[-1] + self._challenge + ALL_SELECTOR

    def _receive_reply(self, data: bytes) -> bytes | ReceiveStatus:
        if len(data) > MAX_DATAGRAM_BYTES:
            raise PacketError("too large")
        expected = CHALLENGE_REPLY if self._challenge is None else STATUS_REPLY
        if not data.startswith(expected) or len(data) <= _HEADER_BYTES:
            raise PacketError("not this protocol")
        token, body = data[1:_HEADER_BYTES], data[_HEADER_BYTES:]
        if token not in self._tokens:
            raise PacketError("wrong token")
        if self._challenge is None:
            self._challenge = _parse_challenge(body)
            self.answered_attempt = self._tokens.index(token)
            return self._build_request()
        return self._add_part(body)

    def _add_part(self, body: bytes) -> ReceiveStatus:
        if not body.startswith(PART_HEADER) or len(body) < len(PART_HEADER) + 2:
            raise PacketError("not this protocol")
        number = body[len(PART_HEADER)]
        place = _get_part_index(number)
        if any(_get_part_index(known) == place for known in self._parts):
            raise PacketError("duplicate")
        if place >= MAX_PARTS or self._received_bytes + len(body) > MAX_REPLY_BYTES:
            raise PacketError("too large")
        self._received_bytes += len(body)
        parts = self._parts | {number: body[len(PART_HEADER) + 1 :]}
        last = next((_get_part_index(known) for known in parts if known & LAST_PART), None)
        if last is not None and len(parts) == last + 1:
            self.reply = parse_gamespy3_reply([parts[known] for known in sorted(parts, key=_get_part_index)])
            return DONE
        self._parts = parts
        return PARTIAL


def _get_part_index(number: int) -> int:
    return number & ~LAST_PART


def _parse_challenge(body: bytes) -> bytes:
    """Return a challenge as requests echo it: 32 bits, or nothing for zero."""
    if not _CHALLENGE.fullmatch(body):
        raise PacketError("invalid number")
    number = int(body.rstrip(b"\0"))
    return (number & 0xFFFFFFFF).to_bytes(4, "big") if number else b""
