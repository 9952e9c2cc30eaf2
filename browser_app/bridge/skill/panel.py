"""My skill, as the window sees it: what there is to show, and what the user can have calculated."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal

from browser_app.bridge.skill.calculations import Calculations
from browser_app.bridge.skill.count_job import Counted, own_points
from browser_app.bridge.skill.counting import Counting
from browser_app.bridge.skill.import_news import ImportNews
from browser_app.bridge.skill.imported import Unmapped
from browser_app.bridge.skill.imports import Imports, Then
from browser_app.bridge.skill.list_points import ListPoints
from browser_app.bridge.skill.preferences import Preferences
from browser_app.bridge.skill.questions import Questions
from browser_app.bridge.skill.ratings import Ratings
from browser_app.bridge.skill.shown import GameRecord, Points, Shown
from browser_app.bridge.turns import Turns
from browser_app.games.profile import RATING_SYSTEMS, GameProfile
from browser_app.language import gettext as _
from browser_app.player.identities import Identity
from browser_app.storage.database import Database
from browser_app.storage.errors import StorageError
from browser_app.storage.kept import Kept

if TYPE_CHECKING:
    from browser_app.bridge.skill.kept_ratings import KeptRatings
    from browser_app.bridge.skill.opening import Opened
    from browser_app.player.own_history import OwnHistory
    from browser_app.rating.parameters import ParameterSet
    from browser_app.rounds.source import ColumnMap


class SkillPanel(Questions):
    """The chosen game under the chosen system; everything that takes time is done in processes of their own.

    What the pages ask of it is in `Questions`.

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
        self.game = self._preferences.game or ""
        self.system = self._preferences.system(self.game)
        self.systems = RATING_SYSTEMS
        self.shown = None
        self._opened = self._run = None
        self._looks = 0
        self._closed = False
        self._turns = Turns("skill record")
        self._calculations = Calculations(self)
        self._counting = Counting(self._preferences, self._list_points, self._calculations, self)
        self._ratings = Ratings(database, self._turns, self._calculations, self)
        self._news = ImportNews(imports, self)
        self._connect()

    def _connect(self) -> None:
        self._looked.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._read.connect(self._hand_over, Qt.ConnectionType.QueuedConnection)
        self._calculations.progressed.connect(self.progressed)
        self._calculations.failed.connect(self.failed)
        self._calculations.failed.connect(self._tell_solving)
        self._counting.counted.connect(self._counted)
        self._counting.points_changed.connect(self.points_changed)
        self._ratings.made.connect(self._rated)
        self._ratings.unsolved.connect(self._tell_solving)
        self._news.progressed.connect(partial(self._calculations.tell, self._imports))
        self._news.told.connect(self.told)
        self._news.failed.connect(self.failed)
        self._news.rounds_came.connect(self.refresh)
        self._news.columns_wanted.connect(self.columns_wanted)

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
        self._tell_solving()

    def import_paths(self, paths: Sequence[Path]) -> None:
        """Take in the rounds of these files and folders."""
        self._imports.run(paths, asking=True)

    def import_table(self, table: Unmapped, columns: "ColumnMap", then: Then) -> None:
        """Take in one of `columns_wanted` by a map of its columns; `then`: what became of it, nothing if cancelled."""
        self._imports.run_table(table, columns, then)

    # What the list goes by

    def points_for_list(self) -> Mapping[str, float]:
        """The user's skill by game id, on the servers' own scale, for the list's skill factor."""
        return self._list_points.all()

    def points(self, game: str) -> Points | None:
        """What the list uses for a game, and why; None: nothing is known."""
        return self._list_points.of(game)

    def look_at_points(self) -> None:
        """What was typed in, or what the game itself says, may have changed."""
        self._counting.look()

    def close(self) -> None:
        """End all work; nothing is told any more."""
        if self._closed:
            return
        self._closed = True
        self._looked.disconnect(self._take)
        self._read.disconnect(self._hand_over)
        self._news.close()
        self._calculations.close()
        self._turns.close()

    # From one state to the next

    def _choose(self, counts: Mapping[str, int]) -> str:
        """The game that was chosen, else the one with most rounds of the user's, else with most rounds."""
        chosen = self._preferences.game
        for game in (chosen, self.game or None):
            if game is not None and game in counts:
                return game
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
        if found.kept is None or found.history is None:
            self.shown = None
            self.changed.emit()
        else:
            if found.kept.state == found.state:
                self._ratings.take(found, found.kept, found.history)
            self._show(found.kept, found.history)
        if found.game and (found.kept is None or found.kept.state != found.state):
            self._ratings.make(found)
        self._counting.begin(found)

    def _rated(self, kept: "KeptRatings", history: "OwnHistory") -> None:
        if self._opened is not None:
            self._counting.take(self._opened, Counted(len(history), own_points(kept.now)))
            self._name_games(self._opened.counts)
        self._show(kept, history)

    def _counted(self) -> None:
        if self._opened is not None:
            self._name_games(self._opened.counts)
        self.changed.emit()

    def _show(self, kept: "KeptRatings", history: "OwnHistory") -> None:
        record = next((each for each in self.games if each.id == self.game), None)
        if record is None or not len(history):
            self.shown = None
        else:
            stale = self._opened is None or kept.state != self._opened.state
            run, solving = (None, False) if stale else (self._run, self._ratings.solving)
            self.shown = Shown(record, history.system, history, kept.now, kept.rated_at, stale, solving, run)
        self.changed.emit()

    def _tell_solving(self) -> None:
        """It may have ended without a result."""
        if self.shown is not None and self.shown.solving and not self._ratings.solving:
            self.shown = replace(self.shown, solving=False)
            self.changed.emit()

    def _name_games(self, counts: Mapping[str, int]) -> None:
        def record(game: str) -> GameRecord:
            title = self._profiles[game].name if game in self._profiles else game or _("Unknown game")
            return GameRecord(game, title, counts[game], self._preferences.mine(game))

        self.games = tuple(sorted(map(record, counts), key=lambda each: (-(each.mine or 0), -each.rounds)))
