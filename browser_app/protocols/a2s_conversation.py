"""One A2S query: info, then players and rules where wanted, each with the challenge that the server asks for."""

from typing import NamedTuple

from browser_app.protocols.a2s import A2SReply
from browser_app.protocols.a2s_info import read_info
from browser_app.protocols.a2s_lists import read_players, read_rules
from browser_app.protocols.a2s_split import SplitMessages
from browser_app.protocols.a2s_wire import (
    CHALLENGE,
    GOLDSOURCE_INFO,
    INFO,
    INFO_REQUEST,
    NO_CHALLENGE,
    PLAYERS,
    PLAYERS_REQUEST,
    RULES,
    RULES_REQUEST,
    SINGLE,
    SPLIT,
    THE_SHIP_APPID,
)
from browser_app.protocols.conversation import DONE, PARTIAL, Refused, Step, Want

MAX_CHALLENGES = 3
"""Challenges answered in one leg: tokens may expire or rotate, but some servers would go on for ever."""

_PROOFS = (SINGLE + CHALLENGE, SINGLE + PLAYERS)


class _Leg(NamedTuple):
    """One kind of question."""

    kinds: tuple[bytes, ...]
    request: bytes
    placeholder: bytes
    """What stands in the challenge's place as long as there is none."""


_INFO_LEG = _Leg((INFO, GOLDSOURCE_INFO), INFO_REQUEST, b"")
_PLAYERS_LEG = _Leg((PLAYERS,), PLAYERS_REQUEST, NO_CHALLENGE)
_RULES_LEG = _Leg((RULES,), RULES_REQUEST, NO_CHALLENGE)
_LEGS: tuple[tuple[_Leg, ...], ...] = tuple(
    (_INFO_LEG, *((_PLAYERS_LEG,) if want & Want.PLAYERS else ()), *((_RULES_LEG,) if want & Want.RULES else ()))
    for want in range(Want.ALL + 1)
)
"""By the number that a `Want` is."""


class A2SConversation:
    """A `Conversation` with a Valve server. An answer of another kind than the one asked for is refused, so that a late
    or doubled reply never passes for the next leg's."""

    __slots__ = ("_challenge", "_challenges", "_legs", "_next", "_splits", "reply")

    answered_attempt = None
    """Nothing that we choose is echoed in an A2S answer."""

    def __init__(self, want: Want) -> None:
        self.reply: A2SReply | None = None
        self._legs = _LEGS[want]
        self._next = 0
        self._challenge = b""
        self._challenges = 0
        self._splits: SplitMessages | None = None

    @property
    def more(self) -> bool:
        """Something is still to be asked for."""
        return self._next < len(self._legs)

    def widen(self, want: Want) -> bool:
        """Ask for these parts too; whether that makes anything left to ask."""
        self._legs += tuple(leg for leg in _LEGS[want] if leg not in self._legs)
        return self.more

    def request(self, token: bytes = b"") -> bytes:  # noqa: ARG002 - nothing would echo it
        """The datagram of the current leg, with the server's challenge where it is known."""
        leg = self._legs[min(self._next, len(self._legs) - 1)]
        return leg.request + (self._challenge or leg.placeholder)

    def receive(self, data: bytes) -> bytes | Step:
        """Take one datagram.

        Raises:
            Refused: see `Conversation`.
        """
        if self._next >= len(self._legs):
            raise Refused("unasked")
        body = self._whole(data)
        if body is None:
            return PARTIAL
        leg = self._legs[self._next]
        kind = body[:1]
        if kind in leg.kinds:
            self._take(leg, body)
            return self._advance()
        if kind == CHALLENGE:
            return self._repeat(body)
        raise Refused("unasked kind")

    def _whole(self, data: bytes) -> bytes | None:
        """The message without its header; None while parts of it are missing."""
        header = data[:4]
        if header == SINGLE:
            return data[8:] if data.startswith(SINGLE, 4) else data[4:]
        if header != SPLIT:
            raise Refused("not this protocol")
        if self._splits is None:
            self._splits = SplitMessages()
        return self._splits.add(data)

    def _take(self, leg: _Leg, body: bytes) -> None:
        reply = self.reply
        if reply is None:
            self.reply = A2SReply(read_info(body))
        elif leg is _PLAYERS_LEG:
            reply.players = read_players(body, the_ship=reply.info.appid == THE_SHIP_APPID)
        else:
            reply.rules = read_rules(body)

    def _repeat(self, body: bytes) -> bytes:
        if len(body) < 5:
            raise Refused("truncated challenge")
        if self._challenges >= MAX_CHALLENGES:
            raise Refused("too many challenges")
        self._challenges += 1
        self._challenge = body[1:5]
        return self.request()

    def _advance(self) -> bytes | Step:
        self._next += 1
        self._challenges = 0
        self._splits = None
        return self.request() if self.more else DONE

    def give_up(self) -> bool:
        """Leave the current leg out; without info there is nothing else to ask either."""
        if self.reply is None:
            self._next = len(self._legs)
            return False
        self._advance()
        return True

    def proof(self) -> bytes | None:
        """A question for players without a challenge: answered by a challenge or by players, never by info.

        None before the info is known, and where a challenge came: then the round trip of the repeated request, which
        was sent once, settles the ping.
        """
        return None if self.reply is None or self._challenge else PLAYERS_REQUEST + NO_CHALLENGE

    def confirms(self, data: bytes) -> bool:
        """Whether `data` answers `proof`."""
        return data.startswith(_PROOFS) or data.startswith(SPLIT)
