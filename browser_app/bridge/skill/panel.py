"""My skill, as the window sees it: what there is to show, and what the user can have calculated."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.skill.shown import GameRecord, Points, Shown
from browser_app.player.company import Company
from browser_app.player.comparison import Comparison
from browser_app.player.habits import Habit
from browser_app.player.own_history import OwnHistory
from browser_app.rating.explanation import Explanation
from browser_app.rating.parameters import ParameterSet
from browser_app.rating.system import RatingRun


class SkillPanel(QObject):
    """The chosen game under the chosen system; everything that takes time is done in a process of its own.

    What a request's `then` is called with comes on the window's thread; it is not called after a failure, a
    cancellation, or when a newer request of the same kind has taken its place.

    Signals:
        changed: `games`, `game`, `system`, `parameters` or `shown` differ.
        progressed: a `Work`, at least five times a second while something is calculated; None at its end.
        told: a sentence about what was done. failed: one about what was not, and why.
        points_changed: `points_for_list` differs.

    Attributes:
        games: those with rounds, the one with most of the user's first.
        game: id of the chosen one, "" where there is none.
        system: name of the chosen system; ``systems``: all that the game can have.
        parameters: those of the chosen system, as they are in use.
        shown: None while there is nothing to show: no rounds of the user are known, or not yet.
    """

    changed = Signal()
    progressed = Signal(object)
    told = Signal(str)
    failed = Signal(str)
    points_changed = Signal()

    games: tuple[GameRecord, ...]
    game: str
    system: str
    systems: tuple[str, ...]
    parameters: ParameterSet
    shown: Shown | None

    def open(self) -> None:
        """Show what is kept of the last time, then calculate anew what has changed since. Cheap when called again."""
        raise NotImplementedError

    def choose_game(self, game: str) -> None:
        """Show this game, an id of ``games``."""
        raise NotImplementedError

    def choose_system(self, name: str) -> None:
        """Have this system speak for the game; kept."""
        raise NotImplementedError

    def set_parameters(self, parameters: ParameterSet | None) -> None:
        """Have the chosen system use these parameters for the game, None: its default ones; kept."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Stop what is being calculated; what is shown stays."""
        raise NotImplementedError

    def explain(self, round_id: str, then: Callable[[Explanation], object]) -> None:
        """Take one of the shown rounds apart; one without an explanation (not rated) is told as a failure."""
        raise NotImplementedError

    def other_history(
        self, then: Callable[[OwnHistory], object], *, player: str | None = None, system: str | None = None
    ) -> None:
        """Another player's rounds, or one's own under another system, to lay over one's own."""
        raise NotImplementedError

    def habits(self, then: Callable[[Sequence[Habit]], object]) -> None:
        """By map, team, hour, team mates and rivals."""
        raise NotImplementedError

    def company(self, then: Callable[[Company], object]) -> None:
        """Who played along in the shown rounds (`player.company`)."""
        raise NotImplementedError

    def compare(self, then: Callable[[Comparison], object], *, mine: bool = False) -> None:
        """Every system on the record; with `mine`, scored by the rounds with the user alone."""
        raise NotImplementedError

    def fit(self, then: Callable[[ParameterSet], object]) -> None:
        """Better parameters for the chosen system, from the first 70 % of the rounds; they are not yet in use."""
        raise NotImplementedError

    def want_run(self, then: Callable[[RatingRun], object]) -> None:
        """The chosen system as it stands after all rounds, for rounds to come: also where the user has none."""
        raise NotImplementedError

    def players(self, then: Callable[[Sequence[tuple[str, str, int]]], object]) -> None:
        """Id, name (or id) and rounds of everybody in the record, those with most rounds first."""
        raise NotImplementedError

    def import_paths(self, paths: Sequence[Path]) -> None:
        """Take in the rounds of these files and folders."""
        raise NotImplementedError

    def points_for_list(self) -> Mapping[str, float]:
        """The user's skill by game id, on the servers' own scale, for the list's skill factor."""
        raise NotImplementedError

    def points(self, game: str) -> Points | None:
        """What the list uses for a game, and why; None: nothing is known."""
        raise NotImplementedError

    def close(self) -> None:
        """End all work; nothing is told any more."""
        raise NotImplementedError
