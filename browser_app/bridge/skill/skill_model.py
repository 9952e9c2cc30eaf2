"""State of My Skill and its asynchronous queries."""

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from browser_app.application.own_skill.own_skill_resolver import OwnSkillResolver
from browser_app.application.own_skill.skill_preferences import SkillPreferences, has_full_history, rating_system_names
from browser_app.application.own_skill.skill_state import GameRecord, OwnSkill, SkillState, WorkProgress
from browser_app.application.round_imports.round_import import (
    ImportProgress,
    RoundImportResult,
    UnmappedTable,
    import_summary_text,
)
from browser_app.bridge.background_tasks import SerialExecutor, ignore_storage_errors
from browser_app.bridge.skill.rating_updater import OwnRoundCounter, RatingUpdater
from browser_app.bridge.skill.round_importer import ImportCallback, RoundImporter
from browser_app.bridge.skill.skill_queries import SkillQueries
from browser_app.bridge.skill.worker_client import WorkerPool
from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _
from browser_app.player.player_identities import Identity
from browser_app.player.skill_sources import SkillSourceState
from browser_app.rating_worker.rating_jobs import OwnRoundCount, compute_record_skill
from browser_app.storage.database import Database
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.storage_errors import StorageError
from browser_app.storage.ui_state import UiState

if TYPE_CHECKING:
    from browser_app.application.own_skill.skill_record_loader import LoadedRecord
    from browser_app.player.own_history import OwnHistory
    from browser_app.player.skill_sources import SkillSampleSeries
    from browser_app.rating.rating_parameters import ParameterSet
    from browser_app.rating.rating_system import RatingRun
    from browser_app.rating_worker.ratings_storage_format import StoredRatings
    from browser_app.rounds.round_source import ColumnMap

_log = logging.getLogger(__name__)


class SkillModel(QObject):
    """The chosen game's rounds under the chosen rating system.

    Whatever takes time runs in worker processes. Callbacks are called in the GUI thread; see `SkillQueries`.

    Signals:
        changed: `games`, `game`, `system`, `parameters` or `state` differ.
        progress_changed: a `WorkProgress` during calculations, up to ten times a second where the progress is known;
            None at the end.
        status_reported: a sentence about what was done.
        rounds_imported: the numbers of rounds of an import, as a text; empty if one that the user asked for failed.
        error_reported: a sentence about what was not done, and why.
        columns_requested: imported files whose columns the user has to map, as a list of `UnmappedTable`.
        own_skill_changed: `own_skill_by_game` differs.

    Attributes:
        games: those with rounds, the one with most of the user's rounds first.
        game: id of the chosen one, "" where there is none.
        system: name of the chosen rating system.
        state: None while there is nothing to show: no rounds of the user are known, or not yet.
    """

    changed = Signal()
    progress_changed = Signal(object)
    status_reported = Signal(str)
    rounds_imported = Signal(str)
    error_reported = Signal(str)
    columns_requested = Signal(object)
    own_skill_changed = Signal()
    _record_loaded = Signal(int, object)
    _call_requested = Signal(object)

    def __init__(
        self,
        database: Database,
        ui_state: UiState,
        games: Mapping[str, GameProfile],
        importer: RoundImporter,
        identities: Callable[[], Sequence[Identity]],
        entered_skill: Callable[[], Mapping[str, float]],
        in_game_skill: Callable[[str], SkillSourceState | None],
    ) -> None:
        """Nothing is read before `open`."""
        super().__init__()
        self._database, self._profiles, self._importer = database, games, importer
        self._identities = identities
        self._preferences = SkillPreferences(ui_state, games)
        self._own_skill = OwnSkillResolver(self._preferences, games, entered_skill, in_game_skill)
        self.games: tuple[GameRecord, ...] = ()
        self.game = self._preferences.game or ""
        self.system = self._preferences.system(self.game)
        self.state: SkillState | None = None
        self._loaded: LoadedRecord | None = None
        self._final_run: RatingRun | None = None
        self._load_count = 0
        self._closed = False
        self._executor = SerialExecutor("skill record")
        self._workers = WorkerPool(self)
        self.queries = SkillQueries(self._workers, self._preferences, lambda: self._loaded)
        self._round_counter = OwnRoundCounter(self._preferences, self._own_skill, self._workers, self)
        self._rating_updater = RatingUpdater(database, self._executor, self._workers, self)
        self._connect()

    def _connect(self) -> None:
        self._record_loaded.connect(self._on_record_loaded, Qt.ConnectionType.QueuedConnection)
        self._call_requested.connect(self._run_call, Qt.ConnectionType.QueuedConnection)
        self._workers.progress_changed.connect(self.progress_changed)
        self._workers.calculation_failed.connect(self.error_reported)
        self._round_counter.game_counted.connect(self._on_game_counted)
        self._round_counter.own_skill_changed.connect(self.own_skill_changed)
        self._rating_updater.ratings_changed.connect(self._on_ratings_changed)
        self._importer.progress_changed.connect(self._on_import_progress)
        self._importer.import_finished.connect(self._on_imported)

    @cached_property
    def parameters(self) -> "ParameterSet":
        """The parameters in use for the chosen game and system."""
        return self._preferences.parameters(self.game, self.system)

    # What the user chooses and imports

    def open(self) -> None:
        """Show the stored ratings, then update them if anything has changed.

        Later calls reload the record if another process has changed the rounds.
        """
        if not self._load_count:
            self.refresh()
        elif self._loaded is not None and not self._closed:
            self._executor.run(partial(self._reload_if_changed, self._loaded))

    def refresh(self) -> None:
        """Reload the record, and rate it again if rounds or identities have changed."""
        if self._closed:
            return
        self._load_count += 1
        load_number, identities, preferences = self._load_count, tuple(self._identities()), self._preferences

        def work() -> None:
            from browser_app.application.own_skill.skill_record_loader import (
                load_record,  # this import loads the rating package in the background thread
            )

            try:
                result: object = load_record(self._database, self._choose_game, preferences.config, identities)
            except StorageError as error:
                result = error
            self._executor.emit(self._record_loaded, load_number, result)

        self._executor.run(work)

    def _reload_if_changed(self, loaded: "LoadedRecord") -> None:
        """Compare the stored rounds with the loaded ones; called in the background thread."""
        store = RoundStore(self._database)
        with ignore_storage_errors("check the rounds for changes"):
            if (store.count_rounds(), store.read_state_stamp(loaded.game)) != (loaded.counts, loaded.location.stamp):
                self._executor.emit(self._call_requested, self.refresh)

    def choose_game(self, game: str) -> None:
        """Show this game, the `id` of one of `games`."""
        if game != self.game:
            self._preferences.set_game(game)
            self._switch_to(game)

    def choose_system(self, name: str) -> None:
        """Use this rating system for the game, and remember that."""
        if name != self.system:
            self._preferences.set_system(self.game, name)
            self._switch_to(self.game)

    @property
    def full_history(self) -> bool | None:
        """Whether the ratings are those of all rounds at once.

        None where the system rates round by round only.
        """
        return self._preferences.full_history(self.game) if self.system and has_full_history(self.system) else None

    def choose_full_history(self, chosen: bool) -> None:
        """Rate all rounds at once, or each by the rounds before it, and remember that."""
        if chosen != self.full_history:
            self._preferences.set_full_history(self.game, chosen)
            self._switch_to(self.game)

    def set_parameters(self, parameters: "ParameterSet | None") -> None:
        """Use and remember these parameters of the chosen system for the game.

        None: its default ones.
        """
        self._preferences.set_parameters(self.game, self.system, parameters)
        self.parameters = self._preferences.parameters(self.game, self.system)
        self._discard_results()
        self.changed.emit()
        self.refresh()

    def cancel(self) -> None:
        """Cancel calculations and imports; what is shown stays."""
        self._importer.cancel()
        self._workers.cancel()

    def import_paths(self, paths: Sequence[Path]) -> None:
        """Import the rounds of these files and folders."""
        self._importer.import_paths(paths, self._report_failed_import, ask_columns=True)

    def import_table(self, table: UnmappedTable, columns: "ColumnMap", callback: ImportCallback) -> None:
        """Import a table of `columns_requested` with a column map.

        `callback` gets the results, none if cancelled.
        """
        self._importer.import_table(table, columns, callback)

    # Queries

    def load_service_histories(self, callback: "Callable[[Sequence[SkillSampleSeries]], object]") -> None:
        """Load the stored answers of skill services for the chosen game."""
        game, identities = self.game, tuple(self._identities())

        def work() -> None:
            from browser_app.application.own_skill.skill_record_loader import service_histories
            from browser_app.storage.own_skill.skill_sample_store import SkillSampleStore

            found: Sequence[SkillSampleSeries] = ()
            with ignore_storage_errors("read service histories"):  # there is nothing to show then
                found = service_histories(SkillSampleStore(self._database), game, identities)
            self._executor.emit(self._call_requested, lambda: callback(found) if self.game == game else None)

        self._executor.run(work)

    def request_final_run(self, callback: "Callable[[RatingRun], object]") -> None:
        """Request a run of the chosen system over all rounds, to predict new ones.

        Works for a record without the user, too.
        """

        def set_run(run: "RatingRun") -> None:
            self._final_run = run
            if self.state is not None:
                self.state = replace(self.state, run=run)
            callback(run)

        if self._final_run is not None:
            callback(self._final_run)
        else:
            self.queries.request_final_run(set_run)

    @property
    def systems(self) -> Sequence[str]:
        """Names of the rating systems to choose from."""
        return rating_system_names()

    # Skill factor of the server list

    def own_skill_by_game(self) -> Mapping[str, float]:
        """Return the user's skill by game id, on the servers' scale.

        The list's skill factor uses it.
        """
        return self._own_skill.own_skill_by_game()

    def own_skill(self, game: str) -> OwnSkill | None:
        """Return the skill used for a game's servers and its source, None if unknown."""
        return self._own_skill.own_skill(game)

    def check_own_skill(self) -> None:
        """Emit `own_skill_changed` if an entered or in-game skill has changed."""
        self._round_counter.check_own_skill()

    def close(self) -> None:
        """End all work; no signal follows."""
        if self._closed:
            return
        self._closed = True
        self._record_loaded.disconnect(self._on_record_loaded)
        self._call_requested.disconnect(self._run_call)
        self._importer.progress_changed.disconnect(self._on_import_progress)
        self._importer.import_finished.disconnect(self._on_imported)
        self._workers.close()
        self._executor.close()

    # Private parts

    def _choose_game(self, counts: Mapping[str, int]) -> str:
        """Return the chosen game.

        By default, it is the game with most of the user's rounds, else the one with most rounds.
        """
        chosen = self._preferences.game
        for game in (chosen, self.game or None):
            if game is not None and game in counts:
                return game
        return max(counts, key=lambda game: (self._preferences.own_round_count(game) or 0, counts[game]), default="")

    def _switch_to(self, game: str) -> None:
        """Load another game or system.

        `changed` follows when it is known what there is to show.
        """
        self._discard_results()
        self.game, self.state = game, None
        self._update_system()
        self.refresh()

    def _update_system(self) -> None:
        self.system = self._preferences.system(self.game)
        self.parameters = self._preferences.parameters(self.game, self.system)

    def _discard_results(self) -> None:
        """Forget the loaded record and cancel calculations that are based on it."""
        self._loaded, self._final_run = None, None
        self._workers.cancel()

    def _on_record_loaded(self, load_number: int, found: "LoadedRecord | StorageError") -> None:
        if self._closed or load_number != self._load_count:
            return  # a newer load is in progress
        if isinstance(found, StorageError):
            _log.info("Could not read the rounds: %s", found)
            self.error_reported.emit(_("Could not read your rounds: {why}").format(why=found))
            return
        if self._loaded is not None and self._loaded.fingerprint != found.fingerprint:
            self._discard_results()
        self.game, self._loaded = found.game, found
        self._update_system()
        self._update_games(found)
        if found.stored is None or found.history is None:
            self.state = None
            self.changed.emit()
        else:
            if found.stored.state == found.fingerprint:
                self._rating_updater.preload(found)
            self._update_state(found.stored, found.history)
        if found.game and (found.stored is None or found.stored.state != found.fingerprint):
            self._rating_updater.rate(found)
        self._round_counter.count_next(found)

    def _on_ratings_changed(self, stored: "StoredRatings", history: "OwnHistory") -> None:
        if self._loaded is not None:
            self._round_counter.save_count_of_ratings(
                self._loaded, OwnRoundCount(len(history), compute_record_skill(stored.now))
            )
            self._update_games(self._loaded)
        self._update_state(stored, history)

    def _on_game_counted(self) -> None:
        if self._loaded is not None:
            self._update_games(self._loaded)
        self.changed.emit()

    def _update_state(self, stored: "StoredRatings", history: "OwnHistory") -> None:
        record = next((each for each in self.games if each.id == self.game), None)
        if record is None or not len(history):
            self.state = None
        else:
            full_history = self._loaded is not None and self._loaded.config.full_history
            self.state = SkillState(
                record, history.system, history, stored.now, stored.rated_at, full_history, self._final_run
            )
        self.changed.emit()

    def _update_games(self, loaded: "LoadedRecord") -> None:
        counted = {location.game for location in loaded.locations if self._preferences.is_counted(location)}

        def record(game: str) -> GameRecord:
            title = self._profiles[game].name if game in self._profiles else game or _("Unknown game")
            own_rounds = self._preferences.own_round_count(game)
            return GameRecord(game, title, loaded.counts[game], own_rounds, game in counted)

        self.games = tuple(sorted(map(record, loaded.counts), key=lambda each: (-(each.own_rounds or 0), -each.rounds)))

    def _on_import_progress(self, progress: ImportProgress | None) -> None:
        work = None
        if progress is not None:
            share = (progress.file_number - 1 + progress.share) / max(1, progress.file_count)
            work = WorkProgress("import", math.floor(1000 * share), 1000)
        self._workers.set_progress(self._importer, work)

    def _on_imported(self, files: Sequence[RoundImportResult]) -> None:
        for each in files:
            if each.problem and each.table is None and not each.awaits_column_map:
                self.error_reported.emit(each.problem)
        if text := import_summary_text(files):
            self.status_reported.emit(text)
            self.rounds_imported.emit(text)
        if any(each.new or each.improved for each in files):
            self.refresh()
        tables = [UnmappedTable(each.path, each.problem, each.table) for each in files if each.table is not None]
        if tables:
            self.columns_requested.emit(tables)

    def _report_failed_import(self, files: Sequence[RoundImportResult]) -> None:
        """Replace the message that an import is running if it brought nothing."""
        if not import_summary_text(files):
            self.status_reported.emit(_("Nothing imported"))
            self.rounds_imported.emit("")

    def _run_call(self, callback: Callable[[], object]) -> None:
        """Run a callback with data read in the background thread."""
        if not self._closed:
            callback()
