"""Jobs about the user's ratings: made, made surer, and made ready for what is asked of them next.

What they calculate with is loaded where they run, so that the window, which only names them, starts without it.
"""

import pickle
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from browser_app.bridge.skill.job import Job
from browser_app.bridge.skill.subject import Model

if TYPE_CHECKING:
    # F401: ruff does not see names in the brackets of a class's bases.
    from browser_app.bridge.skill.desk import Desk
    from browser_app.bridge.skill.kept_ratings import KeptRatings
    from browser_app.player.full_doubt import FullDoubt  # noqa: F401
    from browser_app.player.own_history import OwnHistory
    from browser_app.rating.progress import Progress


class Made(NamedTuple):
    """The user's history and where he stands; `content`: both as they are kept."""

    kept: "KeptRatings"
    history: "OwnHistory"
    content: bytes


@dataclass(frozen=True)
class Rate(Job[Made]):
    """The user's history and where he stands."""

    what = "rate"
    model: Model
    state: str

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        from browser_app.bridge.skill.kept_ratings import KeptRatings
        from browser_app.player.standing import now_of

        rated = desk.rated(self.source, self.model, progress)
        now = now_of(rated.run, rated.system, rated.history)
        rounds = len(rated.run.record)
        return KeptRatings(self.state, time.time(), rounds, rated.history.to_bytes(), now).to_bytes()

    def unpack(self, content: bytes) -> Made:
        """All of it."""
        from browser_app.bridge.skill.kept_ratings import KeptRatings
        from browser_app.player.own_history import OwnHistory

        kept = KeptRatings.from_bytes(content)
        return Made(kept, OwnHistory.from_bytes(kept.history), content)


@dataclass(frozen=True)
class Doubt(Job["FullDoubt | None"]):
    """How sure the user's rating was after each round, for a system that keeps no sd by itself (`full_doubt`)."""

    what = "doubt"
    slow = gives_way = True
    model: Model

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        from browser_app.player.full_doubt import full_doubt

        book, progress = desk.opened(self.source, progress)
        record, player = book.rounds.record, book.player
        return pickle.dumps(None if player is None else full_doubt(record, self.model.made(), player, progress))


@dataclass(frozen=True)
class GetReady(Job[None]):
    """Nothing is wanted yet: whatever is asked of these rounds next finds them read, and a waypoint near its own."""

    what = "ready"
    gives_way = quiet = True
    model: Model

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        book, progress = desk.opened(self.source, progress)
        desk.waypoints(self.source, self.model).run_before(len(book.rounds.record), progress)
        return pickle.dumps(None)
