"""Stored form of the user's ratings and its fingerprint."""

import hashlib
from dataclasses import dataclass

import msgspec

from browser_app.player.own_history import OwnHistory
from browser_app.player.skill_summary import SkillSummary
from browser_app.rating_worker.worker_job import RecordSource, SystemConfig

_RATINGS_FORMAT = 8
"""Raised with the form, and whenever the same rounds would give other figures: stored ones are computed anew then."""


@dataclass(frozen=True)
class StoredRatings:
    """A player's history as bytes, and the summary at its end.

    Attributes:
        state: see `ratings_fingerprint`.
        rated_at: when it was computed (Unix time, s).
        rounds: of the record.
    """

    state: str
    rated_at: float
    rounds: int
    history: bytes
    now: SkillSummary

    def to_bytes(self) -> bytes:
        """Encode as one value."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def from_bytes(cls, content: bytes) -> "StoredRatings":
        """Decode what `to_bytes` returned.

        Raises:
            ValueError: it is damaged, or of another version of the program.
        """
        try:
            return msgspec.msgpack.decode(content, type=cls)
        except msgspec.MsgspecError as error:
            raise ValueError(str(error)) from error


def ratings_key(game: str, model: SystemConfig) -> str:
    """Return the storage key of a set of ratings.

    There is one set a game and system, shown while newer ones are computed.

    Ratings of the full history have a key of their own.
    """
    return f"{game}/{model.system}" + ("/full history" if model.full_history else "")


def ratings_fingerprint(source: RecordSource, model: SystemConfig) -> str:
    """Return a text that changes with everything that ratings depend on.

    These are rounds, identities, parameters and storage formats.
    """
    versions = _RATINGS_FORMAT, OwnHistory.FORMAT_VERSION
    parts = (*versions, source.stamp, source.identities, model.system, model.parameters, model.full_history)
    return hashlib.sha256(repr(parts).encode()).hexdigest()
