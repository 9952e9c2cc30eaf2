"""Play Now's choice among servers: who is eligible, in which order, and why the others are not."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from browser_app.ranking.inputs import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the choice is made from: arrays of one length, one element a known server."""

    score: FloatArray
    """NaN where not ranked: such a server comes after all ranked ones."""
    ping_ms: FloatArray
    address: NDArray[Any]
    """Anything that sorts like the addresses: texts, or ranks."""
    answered: BoolArray
    """The last question was answered well."""
    full: BoolArray
    """No usable slot is free for the user (`factors.is_full`)."""
    password: BoolArray
    password_saved: BoolArray
    blocked: BoolArray
    version_differs: BoolArray
    """The user's game is known not to fit the server's version."""
    rookies_only: BoolArray
    """For rookies only, and the user is a veteran."""
    filtered: BoolArray
    """The filter set for Play Now hides it."""
    recently_left: BoolArray
    """Left within the last 10 minutes."""
    doubted: BoolArray
    """What it says is still not believable after it was asked again."""

    def failures(self) -> dict[str, BoolArray]:
        """Each rule by the command line's name for it, in the order the rules are tried: who fails it."""
        return {
            "no answer": ~self.answered,
            "full": self.full,
            "password": self.password & ~self.password_saved,
            "blocked": self.blocked,
            "version": self.version_differs,
            "rookie only": self.rookies_only,
            "filtered": self.filtered,
            "recently left": self.recently_left,
        }


@dataclass(frozen=True, slots=True)
class Choice:
    """The outcome; `order`, `backup` and the servers rejected for anything but "recently left" share no server."""

    order: IntArray
    """Indices of the eligible servers, best first: by score, then lower ping, then address."""
    backup: IntArray
    """Recently left or doubted but otherwise eligible, in the same order: for when `order` has nothing left."""
    rejected: dict[str, int]
    """Each rule → how many servers it was the first to exclude. All rules are there, also with 0."""


def choose(candidates: Candidates) -> Choice:
    """Sort the eligible servers and count the others, each once, at the first rule it fails."""
    left = np.ones(len(candidates.score), dtype=np.bool_)
    rejected: dict[str, int] = {}
    for why, failed in candidates.failures().items():
        backup = left & failed
        rejected[why] = int(np.count_nonzero(backup))
        left = left & ~failed
    backup = backup | (left & candidates.doubted)
    return Choice(_order(candidates, left & ~candidates.doubted), _order(candidates, backup), rejected)


def _order(candidates: Candidates, among: BoolArray) -> IntArray:
    rows = np.flatnonzero(among)
    keys = (candidates.address[rows], candidates.ping_ms[rows], -candidates.score[rows])
    return rows[np.lexsort(keys)]
