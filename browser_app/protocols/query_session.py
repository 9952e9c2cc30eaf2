"""Interface of one query to one server, without sockets.

A query protocol is a module with a `QuerySession` class and one row in `browser_app.protocols.query_protocols`. The
scanner drives it. A query consists of exchanges, one after the other: a request and its reply, which may be several
datagrams. A request without a reply is sent again; each time is an attempt.

1. `build_request(token)` returns the datagram to send; it is called again for each further attempt.
2. `receive(data)` handles a datagram from the server's address. It returns bytes to send next (the request of a new
   exchange: one that echoes a challenge, or asks for the players), `DONE` if `reply` is complete, or `PARTIAL` if more
   datagrams of the current exchange must follow. For anything else it raises `PacketError` and changes nothing.
3. `skip_current_part()` is called after the last attempt of an exchange got no reply. While `has_more` is true
   afterwards, there is another exchange, and `build_request` returns its datagram.
"""

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

Reply = TypeVar("Reply")
Token = TypeVar("Token")


class QueryParts(enum.IntFlag):
    """Requested parts of a reply.

    `INFO` is always requested; replies of some protocols have further parts anyway.
    """

    INFO = 1
    PLAYERS = 2
    RULES = 4
    ALL = 7


class PacketError(Exception):
    """Invalid datagram; `str()` is one of a few fixed reasons, fit for a counter."""


class ReceiveStatus(enum.Enum):
    """Result of `receive` if there is nothing to send."""

    DONE = "done"
    PARTIAL = "partial"


DONE: Final = ReceiveStatus.DONE
PARTIAL: Final = ReceiveStatus.PARTIAL


class QuerySession(Protocol):
    """Interface of all query protocols."""

    @property
    def reply(self) -> object | None:
        """The reply so far; complete once `receive` has returned `DONE`."""

    @property
    def answered_attempt(self) -> int | None:
        """Index of the `build_request` call whose token the reply echoes.

        None if it echoes none.
        """

    @property
    def has_more(self) -> bool:
        """Whether a part is still to be requested."""

    def request_more(self, parts: QueryParts) -> bool:
        """Request these parts too, even after `DONE`.

        Returns whether anything is left to request.
        """

    def build_request(self, token: bytes) -> bytes:
        """Return the datagram of the current exchange.

        `token` is 8 printable ASCII letters or digits, new for each attempt; a protocol whose servers echo it rejects
        replies without it.
        """

    def receive(self, data: bytes) -> bytes | ReceiveStatus:
        """Handle one datagram; see the module's docstring."""

    def skip_current_part(self) -> bool:
        """Skip the current exchange.

        Returns whether `reply` is still usable (a missing part is None in it).
        """

    def build_ping_probe(self) -> bytes | None:
        """Return a ping request, sent once to settle an ambiguous ping.

        None if the protocol has no request whose reply differs from that to `build_request`.
        """

    def is_probe_reply(self, data: bytes) -> bool:
        """Return whether `data` is the reply to the ping probe."""


class ReplySession(Generic[Reply]):
    """Base of sessions, without a ping probe unless a subclass has one.

    A subclass sets `reply`, and `answered_attempt` where replies echo a token.
    """

    __slots__ = ("answered_attempt", "reply")

    def __init__(self) -> None:
        self.reply: Reply | None = None
        self.answered_attempt: int | None = None

    def build_ping_probe(self) -> bytes | None:
        """Return None: there is no probe."""
        return None

    def is_probe_reply(self, data: bytes) -> bool:  # noqa: ARG002 - part of the interface
        """Return False: there is no probe."""
        return False


class SingleReplySession(ReplySession[Reply], ABC):
    """Base of the sessions of protocols whose reply always has all parts."""

    __slots__ = ()

    @property
    def has_more(self) -> bool:
        """Whether the reply is missing."""
        return self.reply is None

    def request_more(self, parts: QueryParts) -> bool:  # noqa: ARG002 - part of the interface
        """Return whether the reply is missing."""
        return self.reply is None

    def receive(self, data: bytes) -> bytes | ReceiveStatus:
        """Handle one datagram, or the next bytes of a connection."""
        if self.reply is not None:
            raise PacketError("unexpected")
        return self._receive_reply(data)

    @abstractmethod
    def _receive_reply(self, data: bytes) -> bytes | ReceiveStatus:
        """Handle what arrives before the reply is complete; see `receive`."""

    def skip_current_part(self) -> bool:
        """Return whether there is a reply; there is only one part."""
        return self.reply is not None


class FixedRequestSession(SingleReplySession[Reply]):
    """Base of sessions whose request has no token, and whose reply is one datagram."""

    __slots__ = ("_parse", "_request")

    def __init__(self, request: bytes, parse: Callable[[bytes], Reply]) -> None:
        super().__init__()
        self._request = request
        self._parse = parse

    def build_request(self, token: bytes) -> bytes:  # noqa: ARG002 - replies do not echo it
        """Return the datagram of one more attempt."""
        return self._request

    def _receive_reply(self, data: bytes) -> bytes | ReceiveStatus:
        self.reply = self._parse(data)
        return DONE


class PartKind(NamedTuple):
    """How a part of a reply is requested that has a request of its own."""

    part: QueryParts
    kind: bytes
    """Kind of the request."""
    field: str
    """Field of the reply that is None until the part has arrived."""


class MultiPartSession(ReplySession[Reply], ABC):
    """Base of sessions with one kind of request for info and one for each other part."""

    __slots__ = ("_info_kind", "_kinds", "_part_kinds")

    def __init__(self, parts: QueryParts, info_kind: bytes, part_kinds: Sequence[PartKind]) -> None:
        super().__init__()
        self._info_kind = info_kind
        self._part_kinds = part_kinds
        self._kinds = [info_kind]
        """Those of the current exchange and the next ones."""
        self.request_more(parts)

    @property
    def has_more(self) -> bool:
        """Whether a part is still to be requested."""
        return bool(self._kinds)

    def request_more(self, parts: QueryParts) -> bool:
        """Request these parts too; return whether anything is left to request."""
        for part, kind, field in self._part_kinds:
            is_known = self.reply is not None and getattr(self.reply, field) is not None
            if parts & part and not is_known and kind not in self._kinds:
                self._kinds.append(kind)
        return self.has_more

    @property
    def current_kind(self) -> bytes:
        """Kind of the current exchange; that of info after the last one."""
        return self._kinds[0] if self._kinds else self._info_kind

    @abstractmethod
    def build_current_request(self) -> bytes:
        """Return the request of the current exchange."""

    def advance(self) -> bytes | ReceiveStatus:
        """Return the request of the next exchange; `DONE` if there is none."""
        del self._kinds[0]
        return self.build_current_request() if self._kinds else DONE

    def skip_current_part(self) -> bool:
        """Skip the current exchange; without info the query ends."""
        if self.reply is None:
            self._kinds.clear()
            return False
        del self._kinds[:1]
        return True


class TokenSession(SingleReplySession[Reply], Generic[Reply, Token]):
    """Base of sessions whose reply is one datagram that echoes a token."""

    __slots__ = ("_build", "_convert_token", "_parse", "_tokens")

    def __init__(
        self,
        convert_token: Callable[[bytes], Token],
        build: Callable[[Token], bytes],
        parse: Callable[[bytes], tuple[Token, Reply]],
    ) -> None:
        """Prepare a query.

        Args:
            convert_token: converts an attempt's token to the form that the protocol uses.
            build: builds a request with a token.
            parse: parses a reply, and returns its token too; raises PacketError.
        """
        super().__init__()
        self._convert_token = convert_token
        self._build = build
        self._parse = parse
        self._tokens: list[Token] = []

    def build_request(self, token: bytes) -> bytes:
        """Return the datagram of one more attempt."""
        self._tokens.append(self._convert_token(token))
        return self._build(self._tokens[-1])

    def _receive_reply(self, data: bytes) -> ReceiveStatus:
        token, reply = self._parse(data)
        if token not in self._tokens:
            raise PacketError("wrong token")
        self.answered_attempt = self._tokens.index(token)
        self.reply = reply
        return DONE
