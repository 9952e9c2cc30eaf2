"""What the pages of My skill ask of the rounds, each answered when it is calculated."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.skill import question_jobs, system_jobs
from browser_app.bridge.skill.calculations import Calculations
from browser_app.bridge.skill.preferences import Preferences
from browser_app.bridge.skill.shown import Shown
from browser_app.bridge.turns import Turns
from browser_app.player.identities import Identity
from browser_app.storage.database import Database
from browser_app.storage.errors import StorageError

if TYPE_CHECKING:
    from browser_app.bridge.skill.job import Job
    from browser_app.bridge.skill.opening import Opened
    from browser_app.player.company import Company
    from browser_app.player.comparison import Comparison
    from browser_app.player.fitting import Fitted
    from browser_app.player.habits import Habit
    from browser_app.player.own_history import OwnHistory
    from browser_app.player.sampled_course import SampledCourse
    from browser_app.rating.explanation import Explanation
    from browser_app.rating.system import RatingRun

_Result = TypeVar("_Result")

TRAINING = 0.7
"""Parameters are fitted on this share of the rounds, the first ones."""


class Questions(QObject):
    """The asking side of `SkillPanel`, which knows what is shown.

    What a request's `then` is called with comes on the window's thread; it is not called after a failure, a
    cancellation, or when a newer request of the same kind has taken its place.
    """

    game: str
    system: str
    systems: Sequence[str]
    shown: Shown | None
    _closed: bool
    _opened: "Opened | None"
    _run: "RatingRun | None"
    _calculations: Calculations
    _database: Database
    _identities: Callable[[], Sequence[Identity]]
    _preferences: Preferences
    _turns: Turns
    _read = Signal(object)

    def explain(self, round_id: str, then: "Callable[[Explanation], object]") -> None:
        """Take one of the shown rounds apart; one without an explanation (not rated) is told as a failure."""
        self._ask(lambda o: question_jobs.Explain(o.source, o.model, round_id), then)

    def other_history(
        self, then: "Callable[[OwnHistory], object]", *, player: str | None = None, system: str | None = None
    ) -> None:
        """Another player's rounds, or one's own under another system, to lay over one's own."""
        model = self._preferences.model(self.game, system or self.system)
        self._ask(lambda o: question_jobs.Other(o.source, model, player), then)

    def habits(self, then: "Callable[[Sequence[Habit]], object]") -> None:
        """By map, team, hour, team mates and rivals."""
        self._ask(lambda o: question_jobs.Habits(o.source, o.model), then)

    def company(self, then: "Callable[[Company], object]") -> None:
        """Who played along in the shown rounds."""
        self._ask(lambda o: question_jobs.WithWhom(o.source, o.model), then)

    def sampled(self, then: "Callable[[Sequence[SampledCourse]], object]") -> None:
        """What services said of the user's skill in the chosen game, as long as they were asked."""
        game, identities = self.game, tuple(self._identities())

        def work() -> None:
            from browser_app.bridge.skill.sampled import sampled_courses
            from browser_app.storage.skill_samples import SkillSamples

            found: Sequence[SampledCourse] = ()
            with suppress(StorageError):  # there is nothing to lay over then
                found = sampled_courses(SkillSamples(self._database), game, identities)
            self._read.emit(lambda: then(found) if self.game == game else None)

        self._turns.run(work)

    def players(self, then: Callable[[Sequence[tuple[str, str, int]]], object]) -> None:
        """Id, name (or id) and rounds of everybody in the record, those with most rounds first."""
        self._ask(lambda o: question_jobs.People(o.source), then)

    def want_run(self, then: "Callable[[RatingRun], object]") -> None:
        """The chosen system as it stands after all rounds, for rounds to come: also where the user has none."""

        def take(run: "RatingRun") -> None:
            self._run = run
            if self.shown is not None:
                self.shown = replace(self.shown, run=run)
            then(run)

        if self._run is not None:
            then(self._run)
        else:
            self._ask(lambda o: question_jobs.Run(o.source, o.model), take)

    def compare(self, then: "Callable[[Comparison], object]", *, mine: bool = False) -> None:
        """Every system on the record; with `mine`, scored by the rounds with the user alone."""
        models = tuple(self._preferences.model(self.game, name) for name in self.systems)
        self._ask(lambda o: system_jobs.Compare(o.source, models, mine), then)

    def fit(self, then: "Callable[[Fitted], object]") -> None:
        """Better parameters for the chosen system, from the first 70 % of the rounds; they are not yet in use."""
        self._ask(lambda o: system_jobs.Fit(o.source, o.model, TRAINING), then)

    def _hand_over(self, hand: Callable[[], object]) -> None:
        """What was read beside the window, in its thread."""
        if not self._closed:
            hand()

    def _ask(self, job: "Callable[[Opened], Job[_Result]]", then: Callable[[_Result], object]) -> None:
        if self._opened is not None and self._opened.game:
            self._calculations.ask(job(self._opened), then)
