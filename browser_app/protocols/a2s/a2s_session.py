"""One A2S query: info, players and rules, each with its challenge."""

from typing import NamedTuple

from browser_app.protocols.a2s import a2s
from browser_app.protocols.a2s.a2s_parser import parse_info, parse_players, parse_rules
from browser_app.protocols.a2s.a2s_split import PacketReassembler
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, QueryParts, ReceiveStatus

MAX_CHALLENGES = 3
"""Challenges answered per exchange: they may expire or rotate, but some servers would send new ones forever."""

_PROBE_REPLIES = (a2s.SINGLE_PACKET_HEADER + a2s.CHALLENGE_REPLY, a2s.SINGLE_PACKET_HEADER + a2s.PLAYERS_REPLY)


class _Exchange(NamedTuple):
    """Request and accepted reply kinds of one part."""

    reply_kinds: tuple[bytes, ...]
    request: bytes
    placeholder: bytes
    """Sent in place of the challenge until one is known."""


_INFO_EXCHANGE = _Exchange((a2s.INFO_REPLY, a2s.GOLDSOURCE_INFO_REPLY), a2s.INFO_REQUEST, b"")
_PLAYERS_EXCHANGE = _Exchange((a2s.PLAYERS_REPLY,), a2s.PLAYERS_REQUEST, a2s.NO_CHALLENGE)
_RULES_EXCHANGE = _Exchange((a2s.RULES_REPLY,), a2s.RULES_REQUEST, a2s.NO_CHALLENGE)
_EXCHANGES_BY_PARTS: tuple[tuple[_Exchange, ...], ...] = tuple(
    (
        _INFO_EXCHANGE,
        *((_PLAYERS_EXCHANGE,) if parts & QueryParts.PLAYERS else ()),
        *((_RULES_EXCHANGE,) if parts & QueryParts.RULES else ()),
    )
    for parts in range(QueryParts.ALL + 1)
)
"""Indexed by the integer value of a `QueryParts`."""


class A2SSession:
    """`QuerySession` with a server that speaks A2S.

    A reply of another kind than requested is rejected, so that a late or duplicate reply is never taken for the reply
    to the next request.
    """

    __slots__ = ("_challenge", "_challenge_count", "_current", "_exchanges", "_splits", "reply")

    answered_attempt = None
    """Always None: an A2S reply echoes nothing that the client chooses."""

    def __init__(self, parts: QueryParts) -> None:
        self.reply: a2s.A2SReply | None = None
        self._exchanges = _EXCHANGES_BY_PARTS[parts]
        self._current = 0
        self._challenge = b""
        self._challenge_count = 0
        self._splits: PacketReassembler | None = None

    @property
    def has_more(self) -> bool:
        """Whether a part is still to be requested."""
        return self._current < len(self._exchanges)

    def request_more(self, parts: QueryParts) -> bool:
        """Request these parts too; return whether anything is left to request."""
        self._exchanges += tuple(exchange for exchange in _EXCHANGES_BY_PARTS[parts] if exchange not in self._exchanges)
        return self.has_more

    def build_request(self, token: bytes = b"") -> bytes:  # noqa: ARG002 - replies do not echo it
        """Return the datagram of the current exchange, with the challenge if known."""
        exchange = self._exchanges[min(self._current, len(self._exchanges) - 1)]
        return exchange.request + (self._challenge or exchange.placeholder)

    def receive(self, data: bytes) -> bytes | ReceiveStatus:
        """Handle one datagram."""
        if self._current >= len(self._exchanges):
            raise PacketError("unexpected")
        body = self._unwrap(data)
        if body is None:
            return PARTIAL
        exchange = self._exchanges[self._current]
        kind = body[:1]
        if kind in exchange.reply_kinds:
            self._parse_reply(exchange, body)
            return self._advance()
        if kind == a2s.CHALLENGE_REPLY:
            return self._answer_challenge(body)
        raise PacketError("unexpected kind")

    def _unwrap(self, data: bytes) -> bytes | None:
        """Return the message without its header; None while parts of it are missing."""
        header = data[:4]
        if header == a2s.SINGLE_PACKET_HEADER:
            return data[8:] if data.startswith(a2s.SINGLE_PACKET_HEADER, 4) else data[4:]
        if header != a2s.SPLIT_PACKET_HEADER:
            raise PacketError("not this protocol")
        if self._splits is None:
            self._splits = PacketReassembler()
        return self._splits.add(data)

    def _parse_reply(self, exchange: _Exchange, body: bytes) -> None:
        reply = self.reply
        if reply is None:
            self.reply = a2s.A2SReply(parse_info(body))
        elif exchange is _PLAYERS_EXCHANGE:
            reply.players = parse_players(body, the_ship=reply.info.appid == a2s.THE_SHIP_APPID)
        else:
            reply.rules = parse_rules(body)

    def _answer_challenge(self, body: bytes) -> bytes:
        if len(body) < 5:
            raise PacketError("truncated challenge")
        if self._challenge_count >= MAX_CHALLENGES:
            raise PacketError("too many challenges")
        self._challenge_count += 1
        self._challenge = body[1:5]
        return self.build_request()

    def _advance(self) -> bytes | ReceiveStatus:
        self._current += 1
        self._challenge_count = 0
        self._splits = None
        return self.build_request() if self.has_more else DONE

    def skip_current_part(self) -> bool:
        """Skip the current exchange; without info the query ends."""
        if self.reply is None:
            self._current = len(self._exchanges)
            return False
        self._advance()
        return True

    def build_ping_probe(self) -> bytes | None:
        """Return a players request without challenge.

        The reply is a challenge or players, never info. None before the info is known, and after a challenge: the
        repeated request was sent only once, so that its round trip gives an unambiguous ping.
        """
        return None if self.reply is None or self._challenge else a2s.PLAYERS_REQUEST + a2s.NO_CHALLENGE

    def is_probe_reply(self, data: bytes) -> bool:
        """Return whether `data` is the reply to the ping probe."""
        return data.startswith(_PROBE_REPLIES) or data.startswith(a2s.SPLIT_PACKET_HEADER)
