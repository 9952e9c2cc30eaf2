"""The job that counts the user's rounds of a game, and tells what the server list goes by.

What they calculate with is loaded where they run, so that the window, which only names them, starts without it.
"""

import pickle
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from browser_app.bridge.skill.job import Job
from browser_app.bridge.skill.preferences import OwnPoints
from browser_app.bridge.skill.subject import Model

if TYPE_CHECKING:
    from browser_app.bridge.skill.desk import Desk
    from browser_app.player.now import Now
    from browser_app.rating.progress import Progress


class Counted(NamedTuple):
    """In how many rounds the user is on a team; his points on the servers' scale, where such are wanted and known."""

    mine: int
    points: OwnPoints | None = None


@dataclass(frozen=True)
class Count(Job[Counted]):
    """What the side list and the server list want to know of every game; `model`: whose values are points, or None."""

    what = "count"
    slow = gives_way = True
    model: Model | None

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        from browser_app.player.standing import now_of
        from browser_app.rating.presence import longest_team

        if self.model is not None:
            rated = desk.rated(self.source, self.model, progress)
            now = now_of(rated.run, rated.system, rated.history)
            return pickle.dumps(Counted(len(rated.history), own_points(now)))
        book = desk.book(self.source, progress)
        there = longest_team(book.rounds.record) >= 0
        return pickle.dumps(Counted(int(np.count_nonzero(there[book.appearances]))))


def own_points(now: "Now") -> OwnPoints | None:
    """What the list is told of where somebody stands; None where he was never rated."""
    from browser_app.player.doubt import GUESS

    return None if now.value is None else OwnPoints(now.value, now.rounds, now.doubt == GUESS)
