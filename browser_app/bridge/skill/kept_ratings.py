"""Ratings as they are kept from one start to the next."""

import hashlib
from dataclasses import dataclass

import msgspec

from browser_app.bridge.skill.subject import Model, Source
from browser_app.player.now import Now
from browser_app.player.own_history import VERSION

_FORM = 1


@dataclass(frozen=True)
class KeptRatings:
    """A history in its bytes, and where it leads to.

    Attributes:
        state: of what it was made from; see `state_of`. rated_at: when (Unix time, s). rounds: of the record.
    """

    state: str
    rated_at: float
    rounds: int
    history: bytes
    now: Now

    def to_bytes(self) -> bytes:
        """As one value."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def from_bytes(cls, content: bytes) -> "KeptRatings":
        """What `to_bytes` made.

        Raises:
            ValueError: another version of the program made it, or it is damaged.
        """
        try:
            return msgspec.msgpack.decode(content, type=cls)
        except msgspec.MsgspecError as error:
            raise ValueError(str(error)) from error


def key_of(game: str, system: str) -> str:
    """Where ratings are kept; one state of them, for what is stale is shown until it is made anew."""
    return f"{game}/{system}/own/last"


def state_of(source: Source, model: Model) -> str:
    """Another text whenever rounds, identities, parameters or the program's forms are others."""
    told = (_FORM, VERSION, source.stamp, source.identities, model.system, model.parameters)
    return hashlib.sha256(repr(told).encode()).hexdigest()
