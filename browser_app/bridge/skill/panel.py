"""My skill, as the window sees it: what there is to show, and what the user can have calculated."""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from browser_app.bridge.skill import jobs
from browser_app.bridge.skill.calculations import Calculations
from browser_app.bridge.skill.import_words import taken_words
from browser_app.bridge.skill.imports import Imported, Importing, Imports, Then, Unmapped
from browser_app.bridge.skill.list_points import ListPoints
from browser_app.bridge.skill.preferences import SERVERS_SYSTEM, Preferences
from browser_app.bridge.skill.shown import GameRecord, Points, Shown, Work
from browser_app.bridge.skill.subject import Source
from browser_app.bridge.turns import Turns
from browser_app.games.profile import RATING_SYSTEMS, GameProfile
from browser_app.language import gettext as _
from browser_app.player.identities import Identity
from browser_app.storage.database import Database
from browser_app.storage.errors import StorageError
from browser_app.storage.kept import Kept
from browser_app.storage.ratings_cache import RatingsCache

if TYPE_CHECKING:
    from browser_app.bridge.skill.job import Job
    from browser_app.bridge.skill.kept_ratings import KeptRatings
    from browser_app.bridge.skill.opening import Opened
    from browser_app.player.company import Company
    from browser_app.player.comparison import Comparison
    from browser_app.player.fitting import Fitted
    from browser_app.player.full_doubt import FullDoubt
    from browser_app.player.habits import Habit
    from browser_app.player.own_history import OwnHistory
    from browser_app.player.sampled_course import SampledCourse
    from browser_app.rating.explanation import Explanation
    from browser_app.rating.parameters import ParameterSet
    from browser_app.rating.system import RatingRun
    from browser_app.rounds.source import ColumnMap

_Result = TypeVar("_Result")

TRAINING = 0.7
"""Parameters are fitted on this share of the rounds, the first ones."""


class SkillPanel(QObject):
    """The chosen game under the chosen system; everything that takes time is done in processes of their own.

    What a request's `then` is called with comes on the window's thread; it is not called after a failure, a
    cancellation, or when a newer request of the same kind has taken its place.

    Signals:
        changed: `games`, `game`, `system`, `parameters` or `shown` differ.
        progressed: a `Work` while something is calculated, five times a second where it tells how far it is; None at
            its end.
        told: a sentence about what was done. failed: one about what was not, and why.
        columns_wanted: files that were given, as a list of `Unmapped`: the user is to say which column is which.
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
    columns_wanted = Signal(object)
    points_changed = Signal()
    _looked = Signal(int, object)
    _read = Signal(object)

    def __init__(
        self,
        database: Database,
        kept: Kept,
        games: Mapping[str, GameProfile],
        imports: Imports,
        identities: Callable[[], Sequence[Identity]],
        typed: Callable[[], Mapping[str, float]],
        games_own: Callable[[str], float | None],
    ) -> None:
        """Nothing is read before `open`.

        Args:
            database: where rounds and ratings are.
            kept: where choices are.
            games: all profiles.
            imports: takes rounds in; it is closed by whoever made it.
            identities: who the user is, in all games.
            typed: the skills that the user typed in, by game.
            games_own: the number that the game itself has, by game.
        """
        super().__init__()
        self._database, self._profiles, self._imports = database, games, imports
        self._identities = identities
        self._preferences = Preferences(kept, games)
        self._list_points = ListPoints(self._preferences, games, typed, games_own)
        self.games: tuple[GameRecord, ...] = ()
        self.game = self._preferences.game
        self.system = self._preferences.system(self.game)
        self.systems = RATING_SYSTEMS
        self.shown: Shown | None = None
        self._opened: Opened | None = None
        self._kept_ratings: KeptRatings | None = None
        self._run: RatingRun | None = None
        self._looks = 0
        self._closed = False
        self._turns = Turns("skill record")
        self._calculations = Calculations(self)
        self._calculations.progressed.connect(self.progressed)
        self._calculations.failed.connect(self.failed)
        self._points = self.points_for_list()
        self._looked.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._read.connect(self._hand_over, Qt.ConnectionType.QueuedConnection)
        imports.progressed.connect(self._tell_import)
        imports.finished.connect(self._imported)

    @cached_property
    def parameters(self) -> "ParameterSet":
        """See the class."""
        return self._preferences.parameters(self.game, self.system)

    # What the user does

    def open(self) -> None:
        """Show what is kept of the last time, then calculate anew what has changed since. Cheap when called again."""
        if not self._looks:
            self.refresh()

    def refresh(self) -> None:
        """Rounds or identities may have changed: look, and calculate anew if they have."""
        if self._closed:
            return
        self._looks += 1
        look_number, identities, preferences = self._looks, tuple(self._identities()), self._preferences

        def work() -> None:
            from browser_app.bridge.skill.opening import look  # and with it the ratings, beside the window

            try:
                found: object = look(self._database, self._choose, preferences.model, identities)
            except StorageError as error:
                found = error
            self._looked.emit(look_number, found)

        self._turns.run(work)

    def choose_game(self, game: str) -> None:
        """Show this game, an id of ``games``."""
        if game != self.game:
            self._preferences.set_game(game)
            self._turn_to(game)

    def choose_system(self, name: str) -> None:
        """Have this system speak for the game; kept."""
        if name != self.system:
            self._preferences.set_system(self.game, name)
            self._turn_to(self.game)

    def set_parameters(self, parameters: "ParameterSet | None") -> None:
        """Have the chosen system use these parameters for the game, None: its default ones; kept."""
        self._preferences.set_parameters(self.game, self.system, parameters)
        self.parameters = self._preferences.parameters(self.game, self.system)
        if self.shown is not None:
            self.shown = replace(self.shown, stale=True)
        self._forget()
        self.changed.emit()
        self.refresh()

    def cancel(self) -> None:
        """Stop what is being calculated or taken in; what is shown stays."""
        self._imports.cancel()
        self._calculations.cancel()

    def import_paths(self, paths: Sequence[Path]) -> None:
        """Take in the rounds of these files and folders."""
        self._imports.run(paths, asking=True)

    def import_table(self, table: Unmapped, columns: "ColumnMap", then: Then) -> None:
        """Take in one of `columns_wanted` by a map of its columns; `then`: what became of it, nothing if cancelled."""
        self._imports.run_table(table, columns, then)

    # What the pages ask

    def explain(self, round_id: str, then: "Callable[[Explanation], object]") -> None:
        """Take one of the shown rounds apart; one without an explanation (not rated) is told as a failure."""
        self._ask(lambda o: jobs.Explain(o.source, o.model, round_id), then)

    def other_history(
        self, then: "Callable[[OwnHistory], object]", *, player: str | None = None, system: str | None = None
    ) -> None:
        """Another player's rounds, or one's own under another system, to lay over one's own."""
        model = self._preferences.model(self.game, system or self.system)
        self._ask(lambda o: jobs.Other(o.source, model, player), then)

    def habits(self, then: "Callable[[Sequence[Habit]], object]") -> None:
        """By map, team, hour, team mates and rivals."""
        self._ask(lambda o: jobs.Habits(o.source, o.model), then)

    def company(self, then: "Callable[[Company], object]") -> None:
        """Who played along in the shown rounds."""
        self._ask(lambda o: jobs.WithWhom(o.source, o.model), then)

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
        self._ask(lambda o: jobs.People(o.source), then)

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
            self._ask(lambda o: jobs.Run(o.source, o.model), take)

    def compare(self, then: "Callable[[Comparison], object]", *, mine: bool = False) -> None:
        """Every system on the record; with `mine`, scored by the rounds with the user alone."""
        models = tuple(self._preferences.model(self.game, name) for name in self.systems)
        self._ask(lambda o: jobs.Compare(o.source, models, mine), then)

    def fit(self, then: "Callable[[Fitted], object]") -> None:
        """Better parameters for the chosen system, from the first 70 % of the rounds; they are not yet in use."""
        self._ask(lambda o: jobs.Fit(o.source, o.model, TRAINING), then)

    # What the list goes by

    def points_for_list(self) -> Mapping[str, float]:
        """The user's skill by game id, on the servers' own scale, for the list's skill factor."""
        return self._list_points.all()

    def points(self, game: str) -> Points | None:
        """What the list uses for a game, and why; None: nothing is known."""
        return self._list_points.of(game)

    def look_at_points(self) -> None:
        """What was typed in, or what the game itself says, may have changed."""
        points = self.points_for_list()
        if points != self._points:
            self._points = points
            self.points_changed.emit()

    def close(self) -> None:
        """End all work; nothing is told any more."""
        if self._closed:
            return
        self._closed = True
        self._looked.disconnect(self._take)
        self._read.disconnect(self._hand_over)
        self._imports.progressed.disconnect(self._tell_import)
        self._imports.finished.disconnect(self._imported)
        self._calculations.close()
        self._turns.close()

    # From one state to the next

    def _choose(self, counts: Mapping[str, int]) -> str:
        """The game that was chosen, else the one with most rounds of the user's, else with most rounds."""
        if self.game in counts:
            return self.game
        return max(counts, key=lambda game: (self._preferences.mine(game) or 0, counts[game]), default="")

    def _turn_to(self, game: str) -> None:
        """The window hears of it when it is known what there is to show: at once, or nothing yet."""
        self._forget()
        self.game, self.shown = game, None
        self._name_system()
        self.refresh()

    def _name_system(self) -> None:
        self.system = self._preferences.system(self.game)
        self.parameters = self._preferences.parameters(self.game, self.system)

    def _forget(self) -> None:
        """What is being calculated is of what was shown before."""
        self._opened, self._run = None, None
        self._calculations.cancel()

    def _hand_over(self, hand: Callable[[], object]) -> None:
        if not self._closed:
            hand()

    def _take(self, look_number: int, found: "Opened | StorageError") -> None:
        if self._closed or look_number != self._looks:
            return  # another look is under way
        if isinstance(found, StorageError):
            self.failed.emit(_("Your rounds cannot be read: {why}").format(why=found))
            return
        if self._opened is not None and self._opened.state != found.state:
            self._forget()
        self.game, self._opened = found.game, found
        self._name_system()
        self._name_games(found.counts)
        if found.kept is not None and found.history is not None:
            self._show(found.kept, found.history)
        else:
            self.shown = None
            self.changed.emit()
        if found.game and (found.kept is None or found.kept.state != found.state):
            if not self._calculations.is_busy(jobs.Rate.what):
                self._calculations.ask(jobs.Rate(found.source, found.model, found.state), self._rated)
        else:
            if found.game:
                self._calculations.ask(jobs.GetReady(found.source, found.model), lambda _nothing: None)
            self._ask_for_doubt()
        self._count(found.sources)

    def _count(self, sources: Sequence[Source]) -> None:
        """One game after another; what the chosen one's ratings tell anyway is not asked for."""
        left = [each for each in sources if not self._preferences.is_counted(each) and not self._tells_itself(each)]
        if left:
            model = self._preferences.points_model(left[0].game)
            self._calculations.ask(jobs.Count(left[0], model), partial(self._counted, left))

    def _tells_itself(self, source: Source) -> bool:
        points = self._preferences.points_model(self.game)
        return source.game == self.game and (points is None or points.system == self.system)

    def _counted(self, sources: Sequence[Source], found: jobs.Counted) -> None:
        self._take_count(sources[0], found)
        self.changed.emit()
        self._count(sources)

    def _take_count(self, source: Source, found: jobs.Counted) -> None:
        self._preferences.set_mine(source, found.mine)
        if self._preferences.points_model(source.game) is not None:
            self._preferences.set_own_points(source.game, found.points)
            self.look_at_points()
        if self._opened is not None:
            self._name_games(self._opened.counts)

    def _rated(self, result: "tuple[KeptRatings, OwnHistory]") -> None:
        kept, history = result
        self._keep(kept)
        if self._opened is not None and self._tells_itself(self._opened.source):
            self._take_count(self._opened.source, jobs.Counted(len(history), jobs.own_points(kept.now)))
        self._show(kept, history)
        self._ask_for_doubt()

    def _show(self, kept: "KeptRatings", history: "OwnHistory") -> None:
        record = next((each for each in self.games if each.id == self.game), None)
        if record is None or not len(history):
            self.shown = None
        else:
            stale = self._opened is None or kept.state != self._opened.state
            run = None if stale else self._run
            self.shown = Shown(record, history.system, history, kept.now, kept.rated_at, stale, run)
            self._kept_ratings = kept
        self.changed.emit()

    def _ask_for_doubt(self) -> None:
        """Only ns2 has an estimate where another way of rating can tell the sd."""
        shown, opened = self.shown, self._opened
        if shown is None or opened is None or shown.stale or shown.system != SERVERS_SYSTEM:
            return
        if shown.now.sd_from == "gradients":
            self._calculations.ask(jobs.Doubt(opened.source, opened.model), self._doubted)

    def _doubted(self, doubt: "FullDoubt | None") -> None:
        shown, opened = self.shown, self._opened
        if shown is None or opened is None or shown.stale or doubt is None or self._kept_ratings is None:
            return
        from browser_app.player.standing import with_full_doubt

        history = replace(shown.history, sd=doubt.rating, sd_from="full history")
        now = with_full_doubt(shown.now, opened.model.made(), history, doubt.commander)
        self.shown = replace(shown, now=now, history=history)
        self._kept_ratings = replace(self._kept_ratings, now=now)
        self._keep(self._kept_ratings, self.shown.history)
        self._take_count(opened.source, jobs.Counted(len(history), jobs.own_points(now)))
        self.changed.emit()

    def _keep(self, kept: "KeptRatings", history: "OwnHistory | None" = None) -> None:
        """Packed and written beside the window, with another history than it came with if there is one."""
        from browser_app.bridge.skill.kept_ratings import key_of

        key = key_of(self.game, self.system)

        def work() -> None:
            content = kept if history is None else replace(kept, history=history.to_bytes())
            RatingsCache(self._database).put(key, content.to_bytes())

        self._turns.run(work)

    def _name_games(self, counts: Mapping[str, int]) -> None:
        def record(game: str) -> GameRecord:
            title = self._profiles[game].name if game in self._profiles else game or _("Unknown game")
            return GameRecord(game, title, counts[game], self._preferences.mine(game))

        self.games = tuple(sorted(map(record, counts), key=lambda each: (-(each.mine or 0), -each.rounds)))

    def _ask(self, job: "Callable[[Opened], Job[_Result]]", then: Callable[[_Result], object]) -> None:
        if self._opened is not None and self._opened.game:
            self._calculations.ask(job(self._opened), then)

    # What is told

    def _tell_import(self, importing: Importing | None) -> None:
        if importing is None:
            self._calculations.tell(self._imports, None)
            return
        share = (importing.file - 1 + importing.share) / max(1, importing.files)
        self._calculations.tell(self._imports, Work("import", math.floor(1000 * share), 1000))

    def _imported(self, files: Sequence[Imported]) -> None:
        for each in files:
            if each.problem and each.table is None:
                self.failed.emit(each.problem)
        if words := taken_words(files):
            self.told.emit(words)
        if any(each.new or each.richer for each in files):
            self.refresh()
        tables = [Unmapped(each.path, each.problem, each.table) for each in files if each.table is not None]
        if tables:
            self.columns_wanted.emit(tables)
