"""Stored form of the user's ratings and its fingerprint."""

import hashlib
from dataclasses import dataclass

import msgspec

from browser_app.player.own_history import OWN_HISTORY_VERSION
from browser_app.player.skill_summary import SkillSummary
from browser_app.rating_worker.worker_job import RecordSource, SystemConfig

_RATINGS_FORMAT = 1


@dataclass(frozen=True)
class StoredRatings:
    """A history in its bytes, and where it leads to.

    Attributes:
        state: of what it was made from; see `state_of`. rated_at: when (Unix time, s). rounds: of the record.
    """

    state: str
    rated_at: float
    rounds: int
    history: bytes
    now: SkillSummary

    def to_bytes(self) -> bytes:
        """As one value."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def from_bytes(cls, content: bytes) -> "StoredRatings":
        """What `to_bytes` made.

        Raises:
            ValueError: another version of the program made it, or it is damaged.
        """
        try:
            return msgspec.msgpack.decode(content, type=cls)
        except msgspec.MsgspecError as error:
            raise ValueError(str(error)) from error


def ratings_key(game: str, system: str) -> str:
    """Where ratings are kept; one state of them, for what is stale is shown until it is made anew."""
    return f"{game}/{system}/own/last"


def ratings_fingerprint(source: RecordSource, model: SystemConfig) -> str:
    """Another text whenever rounds, identities, parameters or the program's forms are others."""
    told = (_RATINGS_FORMAT, OWN_HISTORY_VERSION, source.stamp, source.identities, model.system, model.parameters)
    return hashlib.sha256(repr(told).encode()).hexdigest()
