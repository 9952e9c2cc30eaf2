r"""GameSpy's first query protocol: keys and values separated by backslashes.

The request `\status\` is answered by one or more datagrams. Each contains `\queryid\REPLY.PART`; the last one also has
`\final\`. Replies echo nothing of the request.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from browser_app.protocols.gamespy.gamespy_reply import (
    MAX_DATAGRAM_BYTES,
    MAX_PLAYERS,
    MAX_REPLY_BYTES,
    MAX_RULES,
    GameSpyReply,
    decode_gamespy_text,
)
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, ReceiveStatus, SingleReplySession

STATUS_REQUEST: Final = b"\\status\\"
MAX_PARTS: Final = 64
_MAX_REPLIES = 4
"""Incomplete replies kept at once, one for each attempt."""
_QUERY_ID = re.compile(rb"\\queryid\\([0-9]{1,9})(?:\.([0-9]{1,4}))?")
_FINAL = re.compile(rb"\\final\\(?:\\|\Z)")
_INDEXED = re.compile(r"([a-z]+)_([0-9]{1,3})")
_PLAYER_FIELDS = frozenset(
    (
        *("player", "playername", "frags", "score", "kills", "deaths", "ping", "team"),
        *("mesh", "skin", "face", "ngsecret", "keyhash", "health", "honor", "goal"),
    )
)


def parse_gamespy1_reply(parts: Sequence[bytes]) -> GameSpyReply:
    """Parse all parts of a reply, in their order."""
    rules: dict[str, str] = {}
    players: dict[int, dict[str, str]] = {}
    for key, value in _iterate_pairs(parts):
        match = _INDEXED.fullmatch(key)
        number = int(match[2]) if match else 0
        if match and match[1] in _PLAYER_FIELDS and number <= MAX_PLAYERS:
            players.setdefault(number, {}).setdefault(match[1], value)
        else:
            rules.setdefault(key, value)
    if "hostname" not in rules:
        raise PacketError("no status")
    return GameSpyReply(rules, tuple(players[number] for number in sorted(players)))


def _iterate_pairs(parts: Sequence[bytes]) -> Iterator[tuple[str, str]]:
    count = 0
    for part in parts:
        words = part.split(b"\\")[1:]
        count += len(words)
        if count > 2 * (MAX_RULES + MAX_PLAYERS * len(_PLAYER_FIELDS)):
            raise PacketError("too many")
        for key, value in zip(words[::2], words[1::2], strict=False):
            if key not in (b"queryid", b"final", b""):
                yield decode_gamespy_text(key), decode_gamespy_text(value)


class GameSpy1Session(SingleReplySession[GameSpyReply]):
    """`QuerySession` that sends a status request; the first complete reply counts."""

    __slots__ = ("_parts", "_received_bytes")

    def __init__(self) -> None:
        super().__init__()
        self._parts: dict[int, dict[int, bytes]] = {}
        """Number of the reply → number of the part → datagram."""
        self._received_bytes = 0

    def build_request(self, token: bytes) -> bytes:  # noqa: ARG002 - replies do not echo it
        """Return the datagram of one more attempt."""
        return STATUS_REQUEST

    def _receive_reply(self, data: bytes) -> ReceiveStatus:
        if len(data) > MAX_DATAGRAM_BYTES:
            raise PacketError("too large")
        if not data.startswith(b"\\"):
            raise PacketError("not this protocol")
        query_id = _QUERY_ID.search(data)
        is_last = _FINAL.search(data) is not None
        if query_id is None and not is_last:
            raise PacketError("not this protocol")
        reply_number = int(query_id[1]) if query_id else 0
        part_number = int(query_id[2] or 1) if query_id else 1
        parts = self._add_part(reply_number, part_number, data)
        last = max((number for number, part in parts.items() if _FINAL.search(part)), default=0)
        if not last or any(number not in parts for number in range(1, last + 1)):
            return PARTIAL
        self.reply = parse_gamespy1_reply([parts[number] for number in range(1, last + 1)])
        return DONE

    def _add_part(self, reply_number: int, part_number: int, data: bytes) -> dict[int, bytes]:
        known = self._parts.get(reply_number, {})
        if part_number in known:
            raise PacketError("duplicate")
        if (
            not 1 <= part_number <= MAX_PARTS
            or (reply_number not in self._parts and len(self._parts) >= _MAX_REPLIES)
            or self._received_bytes + len(data) > MAX_REPLY_BYTES
        ):
            raise PacketError("too large")
        self._received_bytes += len(data)
        parts = self._parts.setdefault(reply_number, {})
        parts[part_number] = data
        return parts
