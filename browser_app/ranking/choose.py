"""Play Now's choice among servers: who is eligible, in which order, and why the others are not."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from browser_app.language import later
from browser_app.ranking.inputs import BoolArray, FloatArray, IntArray
from browser_app.ranking.ordering import in_order

RULES = (
    later("no answer"),
    later("full"),
    later("password"),
    later("blocked"),
    later("version"),
    later("rookie only"),
    later("filtered"),
    later("recently left"),
)
"""The rules of eligibility by the command line's names, in the order they are tried."""


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
        """Each rule in `RULES` → who fails it."""
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
    """The outcome. Every server is in `order`, in `backup`, or failed a rule."""

    order: IntArray
    """Indices of the eligible servers, best first: by score, then lower ping, then address."""
    backup: IntArray
    """Recently left or doubted but otherwise eligible, in the same order: for when `order` has nothing left."""
    failed: NDArray[np.int8]
    """For each server the index in `RULES` of the first rule it fails, −1 for none."""

    @property
    def rejected(self) -> dict[str, int]:
        """Each rule → how many servers it was the first to exclude. All rules are there, also with 0."""
        return {why: int(np.count_nonzero(self.failed == rule)) for rule, why in enumerate(RULES)}

    def why_not(self, server: int) -> str | None:
        """The first rule this server fails, None if it fails none."""
        rule = int(self.failed[server])
        return None if rule < 0 else RULES[rule]


def choose(candidates: Candidates) -> Choice:
    """Sort the eligible servers and name, for each of the others, the first rule it fails."""
    failed = np.full(len(candidates.score), -1, dtype=np.int8)
    failures = candidates.failures()
    for rule, why in enumerate(RULES):
        failed[(failed < 0) & failures[why]] = rule
    fit = failed < 0
    backup = (fit & candidates.doubted) | (failed == RULES.index("recently left"))
    return Choice(_order(candidates, fit & ~candidates.doubted), _order(candidates, backup), failed)


def _order(candidates: Candidates, among: BoolArray) -> IntArray:
    rows = np.flatnonzero(among)
    return rows[in_order(-candidates.score[rows], candidates.ping_ms[rows], candidates.address[rows])]
