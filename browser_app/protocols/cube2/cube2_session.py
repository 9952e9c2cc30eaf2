"""Queries of servers on the Cube engines.

Servers echo the whole request in front of their reply, so that it can contain a token. They listen on the port after
the game port, Tesseract's on the game port itself.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from browser_app.protocols.cube2 import cube2_reply
from browser_app.protocols.cube2.cube2_reply import Cube2Player, Cube2Reply
from browser_app.protocols.cube2.cube_data import CubeReader
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, QueryParts, ReceiveStatus, ReplySession

MAX_REPLY_BYTES: Final = 8 * 1024
"""More than MAXTRANS of the engines."""
INFO_REQUEST: Final = b"\x01"
PLAYERS_REQUEST: Final = b"\0\1\xff"
"""Extended request for all players."""
EXTENDED_ACK, EXTENDED_VERSION, NO_ERROR = -1, 105, 0
PLAYER_NUMBERS, PLAYER_STATS = -10, -11
"""Kinds of extended replies: the numbers of all players, and the values of one."""
_MAX_NUMBERS = 2 * cube2_reply.MAX_CLIENTS


class Cube2Dialect(NamedTuple):
    """Differences between the games."""

    prefix: bytes
    """Precedes every request and is not echoed."""
    info_request: bytes
    parse: Callable[[CubeReader], Cube2Reply]
    has_extended: bool
    """Servers report their players when asked for them."""


SAUERBRATEN: Final = Cube2Dialect(b"", INFO_REQUEST, cube2_reply.parse_sauerbraten, has_extended=True)
TESSERACT: Final = Cube2Dialect(b"\xff\xff", INFO_REQUEST, cube2_reply.parse_tesseract, has_extended=False)
RED_ECLIPSE: Final = Cube2Dialect(b"", INFO_REQUEST, cube2_reply.parse_red_eclipse, has_extended=False)
ASSAULT_CUBE: Final = Cube2Dialect(b"", INFO_REQUEST + b"\1", cube2_reply.parse_assault_cube, has_extended=False)
"""The second number asks for the names of players."""


class Cube2Session(ReplySession[Cube2Reply]):
    """`QuerySession` for info, then for players by an extended request."""

    __slots__ = ("_dialect", "_numbers", "_players", "_requests", "_token", "_wants_players")

    def __init__(self, parts: QueryParts, dialect: Cube2Dialect) -> None:
        super().__init__()
        self._dialect = dialect
        self._wants_players = False
        self._requests: list[bytes] = []
        """Those of the current exchange, as servers echo them."""
        self._token = b""
        self._numbers: tuple[int, ...] | None = None
        self._players: dict[int, Cube2Player] = {}
        self.request_more(parts)

    @property
    def has_more(self) -> bool:
        """Whether a part is still to be requested."""
        return self.reply is None or self._wants_players

    def request_more(self, parts: QueryParts) -> bool:
        """Request these parts too; return whether anything is left to request."""
        is_known = self.reply is not None and self.reply.player_list is not None
        if parts & QueryParts.PLAYERS and self._dialect.has_extended and not is_known:
            self._wants_players = True
        return self.has_more

    def build_request(self, token: bytes) -> bytes:
        """Return the datagram of the current exchange."""
        self._token = token
        return self._next_request()

    def _next_request(self) -> bytes:
        request = (self._dialect.info_request if self.reply is None else PLAYERS_REQUEST) + self._token
        self._requests.append(request)
        return self._dialect.prefix + request

    def receive(self, data: bytes) -> bytes | ReceiveStatus:
        """Handle one datagram."""
        if len(data) > MAX_REPLY_BYTES:
            raise PacketError("too large")
        if not self.has_more:
            raise PacketError("unexpected")
        attempt, reader = self._find_attempt(data)
        if self.reply is not None:
            return self._receive_extended(reader)
        self.reply = self._dialect.parse(reader)
        self.answered_attempt = attempt
        if not self._wants_players:
            return DONE
        self._requests.clear()
        return self._next_request()

    def _find_attempt(self, data: bytes) -> tuple[int, CubeReader]:
        for attempt, request in enumerate(self._requests):
            if data.startswith(request):
                return attempt, CubeReader(data, len(request))
        raise PacketError("wrong token")

    def _receive_extended(self, reader: CubeReader) -> ReceiveStatus:
        assert self.reply is not None  # noqa: S101 - only called after the info
        if reader.read_int() != EXTENDED_ACK:
            raise PacketError("not this protocol")
        reader.read_int()  # the version; the replies of all versions are alike so far
        if reader.read_int() != NO_ERROR:
            raise PacketError("refused")
        kind = reader.read_int()
        if kind == PLAYER_NUMBERS:
            self._numbers = _read_numbers(reader)
        elif kind == PLAYER_STATS:
            player = cube2_reply.parse_cube2_player(reader)
            if len(self._players) < _MAX_NUMBERS:
                self._players[player.number] = player
        else:
            raise PacketError("unexpected kind")
        if self._numbers is None or not self._players.keys() >= set(self._numbers):
            return PARTIAL
        self.reply.player_list = tuple(self._players[number] for number in self._numbers)
        self._wants_players = False
        return DONE

    def skip_current_part(self) -> bool:
        """Skip the current exchange; return whether there is a reply."""
        self._wants_players = False
        return self.reply is not None


def _read_numbers(reader: CubeReader) -> tuple[int, ...]:
    numbers: dict[int, None] = {}
    while not reader.is_at_end and len(numbers) < _MAX_NUMBERS:
        numbers[reader.read_int()] = None
    return tuple(numbers)
