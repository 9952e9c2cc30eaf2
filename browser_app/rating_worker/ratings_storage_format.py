"""Storage format of the user's ratings, and their fingerprint."""

import hashlib
from dataclasses import dataclass

import msgspec

from browser_app.player.own_history import OwnHistory
from browser_app.player.skill_summary import SkillSummary
from browser_app.rating_worker.worker_job import RecordLocation, SystemConfig

_RATINGS_FORMAT = 9
"""Raised with each change of the format, or of what the same rounds give: stored ratings are then recomputed."""


@dataclass(frozen=True)
class StoredRatings:
    """Stored ratings of the user; field names are keys of the storage format.

    Attributes:
        state: see `ratings_fingerprint`.
        rated_at: when they were computed (Unix time, s).
        rounds: number of rounds in the record.
        history: an `OwnHistory` as bytes.
        now: the summary after the last round.
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

    There is one set per game, system and whether the full history was solved; it is shown while a newer one is
    computed.
    """
    return f"{game}/{model.system}" + ("/full history" if model.full_history else "")


def ratings_fingerprint(location: RecordLocation, model: SystemConfig) -> str:
    """Return a hash of rounds, identities, parameters and formats of some ratings."""
    versions = _RATINGS_FORMAT, OwnHistory.FORMAT_VERSION
    parts = (*versions, location.stamp, location.identities, model.system, model.parameters, model.full_history)
    return hashlib.sha256(repr(parts).encode()).hexdigest()
