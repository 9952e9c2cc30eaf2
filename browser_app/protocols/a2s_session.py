"""One A2S query: info, players and rules, each with its challenge."""

from typing import NamedTuple

from browser_app.protocols.a2s import (
    CHALLENGE_REPLY,
    GOLDSOURCE_INFO_REPLY,
    INFO_REPLY,
    INFO_REQUEST,
    NO_CHALLENGE,
    PLAYERS_REPLY,
    PLAYERS_REQUEST,
    RULES_REPLY,
    RULES_REQUEST,
    SINGLE_PACKET_HEADER,
    SPLIT_PACKET_HEADER,
    THE_SHIP_APPID,
    A2SReply,
)
from browser_app.protocols.a2s_parser import parse_info, parse_players, parse_rules
from browser_app.protocols.a2s_split import PacketReassembler
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, QueryParts, ReceiveStatus

MAX_CHALLENGES = 3
"""Challenges answered in one leg: tokens may expire or rotate, but some servers would go on for ever."""

_PROBE_REPLIES = (SINGLE_PACKET_HEADER + CHALLENGE_REPLY, SINGLE_PACKET_HEADER + PLAYERS_REPLY)


class _Exchange(NamedTuple):
    """One kind of question."""

    reply_kinds: tuple[bytes, ...]
    request: bytes
    placeholder: bytes
    """What stands in the challenge's place as long as there is none."""


_INFO_EXCHANGE = _Exchange((INFO_REPLY, GOLDSOURCE_INFO_REPLY), INFO_REQUEST, b"")
_PLAYERS_EXCHANGE = _Exchange((PLAYERS_REPLY,), PLAYERS_REQUEST, NO_CHALLENGE)
_RULES_EXCHANGE = _Exchange((RULES_REPLY,), RULES_REQUEST, NO_CHALLENGE)
_EXCHANGES_BY_PARTS: tuple[tuple[_Exchange, ...], ...] = tuple(
    (
        _INFO_EXCHANGE,
        *((_PLAYERS_EXCHANGE,) if want & QueryParts.PLAYERS else ()),
        *((_RULES_EXCHANGE,) if want & QueryParts.RULES else ()),
    )
    for want in range(QueryParts.ALL + 1)
)
"""By the number that a `QueryParts` is."""


class A2SSession:
    """A `QuerySession` with a Valve server. An answer of another kind than the one asked for is refused, so that a late
    or doubled reply never passes for the next leg's."""

    __slots__ = ("_challenge", "_challenge_count", "_current", "_exchanges", "_splits", "reply")

    answered_attempt = None
    """Nothing that we choose is echoed in an A2S answer."""

    def __init__(self, parts: QueryParts) -> None:
        self.reply: A2SReply | None = None
        self._exchanges = _EXCHANGES_BY_PARTS[parts]
        self._current = 0
        self._challenge = b""
        self._challenge_count = 0
        self._splits: PacketReassembler | None = None

    @property
    def has_more(self) -> bool:
        """Something is still to be asked for."""
        return self._current < len(self._exchanges)

    def request_more(self, parts: QueryParts) -> bool:
        """Ask for these parts too; whether that makes anything left to ask."""
        self._exchanges += tuple(leg for leg in _EXCHANGES_BY_PARTS[parts] if leg not in self._exchanges)
        return self.has_more

    def build_request(self, token: bytes = b"") -> bytes:  # noqa: ARG002 - nothing would echo it
        """The datagram of the current leg, with the server's challenge where it is known."""
        leg = self._exchanges[min(self._current, len(self._exchanges) - 1)]
        return leg.request + (self._challenge or leg.placeholder)

    def receive(self, data: bytes) -> bytes | ReceiveStatus:
        """Take one datagram.

        Raises:
            Refused: see `QuerySession`.
        """
        if self._current >= len(self._exchanges):
            raise PacketError("unasked")
        body = self._unwrap(data)
        if body is None:
            return PARTIAL
        leg = self._exchanges[self._current]
        kind = body[:1]
        if kind in leg.reply_kinds:
            self._parse_reply(leg, body)
            return self._advance()
        if kind == CHALLENGE_REPLY:
            return self._answer_challenge(body)
        raise PacketError("unasked kind")

    def _unwrap(self, data: bytes) -> bytes | None:
        """The message without its header; None while parts of it are missing."""
        header = data[:4]
        if header == SINGLE_PACKET_HEADER:
            return data[8:] if data.startswith(SINGLE_PACKET_HEADER, 4) else data[4:]
        if header != SPLIT_PACKET_HEADER:
            raise PacketError("not this protocol")
        if self._splits is None:
            self._splits = PacketReassembler()
        return self._splits.add(data)

    def _parse_reply(self, leg: _Exchange, body: bytes) -> None:
        reply = self.reply
        if reply is None:
            self.reply = A2SReply(parse_info(body))
        elif leg is _PLAYERS_EXCHANGE:
            reply.players = parse_players(body, the_ship=reply.info.appid == THE_SHIP_APPID)
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
        """Leave the current leg out; without info there is nothing else to ask either."""
        if self.reply is None:
            self._current = len(self._exchanges)
            return False
        self._advance()
        return True

    def rtt_probe(self) -> bytes | None:
        """A question for players without a challenge: answered by a challenge or by players, never by info.

        None before the info is known, and where a challenge came: then the round trip of the repeated request, which
        was sent once, settles the ping.
        """
        return None if self.reply is None or self._challenge else PLAYERS_REQUEST + NO_CHALLENGE

    def is_probe_reply(self, data: bytes) -> bool:
        """Whether `data` answers `proof`."""
        return data.startswith(_PROBE_REPLIES) or data.startswith(SPLIT_PACKET_HEADER)
