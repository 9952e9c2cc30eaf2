"""What the calculating process can be asked for: each job is sent there, done there, and its result sent back.

What a job calculates with is loaded where it runs, so that the window, which only names the jobs, starts without it.
"""

import pickle
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from browser_app.bridge.skill.job import Job
from browser_app.bridge.skill.preferences import OwnPoints
from browser_app.bridge.skill.subject import JobError, Model
from browser_app.language import later

if TYPE_CHECKING:
    # F401: ruff does not see names in the brackets of a class's bases.
    from browser_app.bridge.skill.desk import Book, Desk
    from browser_app.bridge.skill.kept_ratings import KeptRatings
    from browser_app.player.company import Company
    from browser_app.player.comparison import Comparison  # noqa: F401
    from browser_app.player.fitting import Fitted  # noqa: F401
    from browser_app.player.full_doubt import FullDoubt  # noqa: F401
    from browser_app.player.habits import Habit  # noqa: F401
    from browser_app.player.now import Now
    from browser_app.player.own_history import OwnHistory
    from browser_app.rating.explanation import Explanation  # noqa: F401
    from browser_app.rating.progress import Progress
    from browser_app.rating.record import Ints
    from browser_app.rating.system import RatingRun  # noqa: F401


class Person(NamedTuple):
    """Somebody in a record."""

    id: str
    name: str
    rounds: int


@dataclass(frozen=True)
class Rate(Job["tuple[KeptRatings, OwnHistory]"]):
    """The user's history and where he stands, also as they are kept."""

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

    def unpack(self, content: bytes) -> "tuple[KeptRatings, OwnHistory]":
        """Both."""
        from browser_app.bridge.skill.kept_ratings import KeptRatings
        from browser_app.player.own_history import OwnHistory

        kept = KeptRatings.from_bytes(content)
        return kept, OwnHistory.from_bytes(kept.history)


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
class Compare(Job["Comparison"]):
    """Every system on the record; `mine`: scored by the user's rounds alone."""

    what = "compare"
    slow = True
    models: tuple[Model, ...]
    mine: bool

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        from browser_app.player.comparison import comparison_of
        from browser_app.rating.evaluate import backtest

        book, progress = desk.opened(self.source, progress)
        record = book.rounds.record
        found = backtest(record, [model.made() for model in self.models], progress=progress)
        return pickle.dumps(comparison_of(found, _mine(book) if self.mine else None))


@dataclass(frozen=True)
class Fit(Job["Fitted"]):
    """Better parameters for a system, from the first rounds alone, and what they gain on the others."""

    what = "fit"
    slow = True
    model: Model
    until: float

    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """See the class."""
        from browser_app.player.fitting import fit_and_gain

        book, progress = desk.opened(self.source, progress)
        record = book.rounds.record
        finished = np.flatnonzero(record.finished)
        wanted = int(self.until * len(finished))
        if not wanted:
            raise JobError(later("there is no finished round to learn from"))
        return pickle.dumps(fit_and_gain(self.model.made(), record, int(finished[wanted - 1]) + 1, progress))


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
        return pickle.dumps(Counted(int(np.count_nonzero(there[_rows(book)]))))


def own_points(now: "Now") -> OwnPoints | None:
    """What the list is told of where somebody stands; None where he was never rated."""
    from browser_app.player.doubt import GUESS

    return None if now.value is None else OwnPoints(now.value, now.rounds, now.doubt == GUESS)


def _rows(book: "Book") -> "Ints":
    """The user's appearances."""
    record = book.rounds.record
    me = record.player_ids.index(book.player) if book.player is not None else -1
    return np.flatnonzero(record.player == me).astype(np.int32)


def _mine(book: "Book") -> "Ints":
    """The rounds that the user is in, ascending."""
    return book.rounds.record.round_of_appearance[_rows(book)]
