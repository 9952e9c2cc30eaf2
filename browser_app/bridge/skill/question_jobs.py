"""Jobs that answer what the pages of My skill ask of the rounds.

What they calculate with is loaded where they run, so that the window, which only names them, starts without it.
"""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from browser_app.bridge.skill.job import Job
from browser_app.bridge.skill.subject import JobError, Model
from browser_app.language import later

if TYPE_CHECKING:
    # F401: ruff does not see names in the brackets of a class's bases.
    from browser_app.bridge.skill.desk import Desk
    from browser_app.player.company import Company
    from browser_app.player.habits import Habit  # noqa: F401
    from browser_app.player.own_history import OwnHistory
    from browser_app.rating.explanation import Explanation  # noqa: F401
    from browser_app.rating.progress import Progress
    from browser_app.rating.system import RatingRun  # noqa: F401


@dataclass(frozen=True)
class Explain(Job["Explanation"]):
    """One of the user's rounds taken apart."""

    what = "explain"
    model: Model
    round_id: str

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        from browser_app.rating.explaining import explain_round

        book, progress = desk.opened(self.source, progress)
        record = book.rounds.record
        if self.round_id not in record.ids:
            raise JobError(later("this round is no longer in your record"))
        k = record.ids.index(self.round_id)
        try:
            run_before = desk.waypoints(self.source, self.model).run_before
            explained = explain_round(self.model.made(), record, k, book.player or "", progress, run_before)
            return pickle.dumps(explained)
        except ValueError as error:  # not rated, or without him
            raise JobError(str(error)) from error


@dataclass(frozen=True)
class Other(Job["OwnHistory"]):
    """Another player's history, or the user's under another system."""

    what = "other"
    model: Model
    player: str | None

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        from browser_app.player.own_history import own_history

        book, progress = desk.opened(self.source, progress)
        rounds, player = book.rounds, self.player or book.player or ""
        system = self.model.made()
        history = own_history(
            rounds.record,
            system,
            player,
            game=self.source.game,
            servers=rounds.servers,
            approximate=rounds.approximate,
            progress=progress,
        )
        return history.to_bytes()

    def unpack(self, content: bytes) -> "OwnHistory":
        """The history."""
        from browser_app.player.own_history import OwnHistory

        return OwnHistory.from_bytes(content)


@dataclass(frozen=True)
class Habits(Job["Sequence[Habit]"]):
    """What the user wins more or less often than expected."""

    what = "habits"
    model: Model

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        from browser_app.player.habits import habits_of

        history = desk.history(self.source, self.model, progress)
        return pickle.dumps(habits_of(history, desk.book(self.source).rounds.record))


@dataclass(frozen=True)
class WithWhom(Job["Company"]):
    """Who played along in the user's rounds."""

    what = "company"
    model: Model

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        from browser_app.player.company import company_of

        history = desk.history(self.source, self.model, progress)
        return company_of(history, desk.book(self.source).rounds.record).to_bytes()

    def unpack(self, content: bytes) -> "Company":
        """The columns."""
        from browser_app.player.company import Company

        return Company.from_bytes(content)


@dataclass(frozen=True)
class Run(Job["RatingRun"]):
    """The system as it stands after all rounds, knowing everybody but no round."""

    what = "run"
    model: Model

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        from browser_app.rating.roster import roster

        book, progress = desk.opened(self.source, progress)
        record = book.rounds.record
        run = desk.waypoints(self.source, self.model).run_before(len(record), progress)
        return pickle.dumps(run.seated(roster(record)))


class Person(NamedTuple):
    """Somebody in a record."""

    id: str
    name: str
    rounds: int


@dataclass(frozen=True)
class People(Job[Sequence[Person]]):
    """Everybody in the record, those with most rounds first."""

    what = "people"

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        record = desk.book(self.source, progress).rounds.record
        rounds = np.bincount(record.player, minlength=len(record.player_ids)).tolist()
        names = zip(record.player_ids, record.player_names, rounds, strict=True)
        everybody = [Person(player, name or player, count) for player, name, count in names]
        return pickle.dumps(sorted(everybody, key=lambda each: -each.rounds))
