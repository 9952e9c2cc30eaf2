"""GameSpy's second query protocol: an echoed token, zero-terminated texts.

Three bytes after the token of a request select the parts of the reply: rules, players and teams.
"""

from collections.abc import Mapping
from typing import Final

from browser_app.protocols.gamespy.gamespy_reply import MAX_DATAGRAM_BYTES, GameSpyReader, GameSpyReply
from browser_app.protocols.query_session import MultiPartSession, PacketError, PartKind, QueryParts, ReceiveStatus

REQUEST_HEADER: Final = b"\xfe\xfd\x00"
REPLY_HEADER: Final = b"\x00"
RULES_SELECTOR: Final = b"\xff\0\0"
PLAYERS_SELECTOR: Final = b"\0\xff\0"
TOKEN_BYTES: Final = 4
_HEADER_BYTES = len(REPLY_HEADER) + TOKEN_BYTES
_MAX_FIELDS = 32


def parse_gamespy2_players(body: bytes) -> tuple[Mapping[str, str], ...]:
    """Parse the table of players after the token of a reply.

    It consists of a zero, a byte with the number of rows, names of fields up to an empty one, and the rows.
    """
    reader = GameSpyReader(body)
    if reader.read_u8() != 0:
        raise PacketError("invalid list")
    count, names = reader.read_u8(), []
    while name := reader.read_text():
        names.append(name.rstrip("_"))
        if len(names) > _MAX_FIELDS:
            raise PacketError("too many")
    if count and not names:
        raise PacketError("invalid list")
    return tuple({name: reader.read_text() for name in names} for _row in range(count))


_PLAYERS_KIND = PartKind(QueryParts.PLAYERS, PLAYERS_SELECTOR, "player_list")


class GameSpy2Session(MultiPartSession[GameSpyReply]):
    """`QuerySession` for rules, then players; every reply echoes a token."""

    __slots__ = ("_tokens",)

    def __init__(self, parts: QueryParts) -> None:
        super().__init__(parts, RULES_SELECTOR, (_PLAYERS_KIND,))
        self._tokens: list[bytes] = []

    def build_request(self, token: bytes) -> bytes:
        """Return the datagram of the current exchange."""
        self._tokens.append(token)
        return self.build_current_request()

    def build_current_request(self) -> bytes:
        """Return the request of the current exchange, with the last attempt's token."""
        kind = self.current_kind
        return REQUEST_HEADER + _select_token(self._tokens[-1], kind) + kind

    def receive(self, data: bytes) -> bytes | ReceiveStatus:
        """Handle one datagram."""
        if len(data) > MAX_DATAGRAM_BYTES:
            raise PacketError("too large")
        if not self._kinds:
            raise PacketError("unexpected")
        if not data.startswith(REPLY_HEADER) or len(data) <= _HEADER_BYTES:
            raise PacketError("not this protocol")
        kind, token, body = self._kinds[0], data[len(REPLY_HEADER) : _HEADER_BYTES], data[_HEADER_BYTES:]
        attempts = [number for number, sent in enumerate(self._tokens) if _select_token(sent, kind) == token]
        if not attempts:
            raise PacketError("wrong token")
        if self.reply is None:
            self.reply = _parse_rules(body)
            self.answered_attempt = attempts[0]
        else:
            self.reply.player_list = parse_gamespy2_players(body)
        return self.advance()


def _parse_rules(body: bytes) -> GameSpyReply:
    rules = GameSpyReader(body).read_rules()
    if "hostname" not in rules:
        raise PacketError("no status")
    return GameSpyReply(rules)


def _select_token(token: bytes, kind: bytes) -> bytes:
    """Return the half of a session's token that is used for this kind of request."""
    return token[:TOKEN_BYTES] if kind == RULES_SELECTOR else token[TOKEN_BYTES : 2 * TOKEN_BYTES]
