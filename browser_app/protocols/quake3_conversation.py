"""One Quake III or DarkPlaces query: a single `getstatus`, which brings the players too."""

from typing import TYPE_CHECKING, Final

from browser_app.protocols.conversation import DONE, Refused, Step, Want
from browser_app.protocols.quake3_status import read_reply

if TYPE_CHECKING:
    from browser_app.protocols.quake3 import Quake3Reply

REQUEST: Final = b"\xff\xff\xff\xffgetstatus "


class Quake3Conversation:
    """A `Conversation` by getstatus.

    The token travels as the challenge, which servers repeat under the key `challenge`: every server of the DarkPlaces
    engine, most but not all others (`must_echo` tells the two apart). Nothing else is ever asked: DarkPlaces answers
    one query a second to one IP address, and falls back to an infoResponse where the players do not fit.
    """

    __slots__ = ("_must_echo", "_tokens", "answered_attempt", "reply")

    def __init__(self, must_echo: bool = False) -> None:
        self.reply: Quake3Reply | None = None
        self.answered_attempt: int | None = None
        self._must_echo = must_echo
        self._tokens: list[str] = []

    @property
    def more(self) -> bool:
        """Something is still to be asked for."""
        return self.reply is None

    def widen(self, want: Want) -> bool:  # noqa: ARG002 - the interface's
        """One answer tells all there is."""
        return self.more

    def request(self, token: bytes) -> bytes:
        """The datagram of one more attempt."""
        self._tokens.append(token.decode("ascii"))
        return REQUEST + token

    def receive(self, data: bytes) -> Step:
        """Take one datagram.

        Raises:
            Refused: see `Conversation`.
        """
        if self.reply is not None:
            raise Refused("unasked")
        reply = read_reply(data)
        echo = reply.info.get("challenge")
        if echo in self._tokens:
            self.answered_attempt = self._tokens.index(echo)
        elif echo or self._must_echo:
            raise Refused("wrong token")
        self.reply = reply
        return DONE

    def give_up(self) -> bool:
        """There is nothing but the one answer."""
        return self.reply is not None

    def proof(self) -> bytes | None:
        """None: where the token is not repeated, no other question would have it repeated."""
        return None

    def confirms(self, data: bytes) -> bool:  # noqa: ARG002 - the interface's
        """Nothing does: there is no proof."""
        return False
