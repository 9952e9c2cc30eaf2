"""Import of round files in a thread, and reports about it."""

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal

from browser_app.application.round_imports.round_files import (
    find_round_files,
    is_round_file,
    read_table_columns,
    too_many_files_text,
)
from browser_app.application.round_imports.round_import import (
    ImportProgress,
    ImportProgressReporter,
    NumberedRound,
    RoundImportResult,
    UnmappedTable,
    add_round_file,
    file_problem_text,
    foreign_file_text,
    internal_problem_text,
)
from browser_app.bridge.background_tasks import SerialExecutor
from browser_app.diagnostics import internal_errors
from browser_app.engine.cancel_token import CancelToken
from browser_app.file_errors import file_error_text
from browser_app.language import gettext as _
from browser_app.paths import printable_path
from browser_app.storage.own_skill.column_map_store import ColumnMapStore
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.storage_errors import StorageError

if TYPE_CHECKING:
    from browser_app.rounds.round_source import ColumnMap

_log = logging.getLogger(__name__)


ImportCallback = Callable[[Sequence[RoundImportResult]], object]


class RoundImporter(QObject):
    """Imports round files in a thread, one request after another.

    Signals:
        progress_changed: an `ImportProgress` now and then, None when no import is left.
        import_finished: the results of one request, as a list of `RoundImportResult`; for a cancelled one, those so
            far. Files in a folder that contain no rounds are left out.
        column_map_saved: one more kind of table can be read.
    """

    progress_changed = Signal(object)
    import_finished = Signal(object)
    column_map_saved = Signal()
    _call_requested = Signal(object)

    def __init__(self, store: RoundStore, maps: ColumnMapStore | None = None) -> None:
        """Import into `store`.

        `maps` holds the column maps of tables, if they are to be remembered.
        """
        super().__init__()
        self._store, self.maps = store, maps
        self._executor = SerialExecutor("imports")
        self._active_imports: list[CancelToken] = []
        """One for each unfinished request."""
        self._closed = False
        self._call_requested.connect(self._run_call, Qt.ConnectionType.QueuedConnection)

    @property
    def is_running(self) -> bool:
        """Whether an import is in progress."""
        return bool(self._active_imports)

    def import_paths(
        self, paths: Sequence[Path], callback: ImportCallback | None = None, *, ask_columns: bool = False
    ) -> None:
        """Import files, and the files in folders.

        `callback` gets the results, as `import_finished`. With `ask_columns`, results contain a preview of unmapped
        tables, so that the user can assign their columns.
        """
        self._start(_ImportRequest(tuple(paths), ask_columns), callback)

    def import_table(self, table: UnmappedTable, columns: "ColumnMap", callback: ImportCallback) -> None:
        """Import a table with a column map.

        If that succeeds, the map is saved for tables with the same columns.
        """

        def save_map(results: Sequence[RoundImportResult]) -> None:
            if results and not any(each.problem for each in results) and self.maps is not None:
                self.maps.save(table.table.columns, columns, table.path.name)
                self.column_map_saved.emit()
            callback(results)

        self._start(_ImportRequest((table.path,), columns=columns), save_map)

    def reimport_tables(self, columns: Sequence[str]) -> None:
        """Import all tables with these columns again with the current column map.

        Their old rounds are replaced unless the import fails.
        """
        self._start(_ImportRequest((), reimport_columns=frozenset(columns)), None)

    def cancel(self) -> None:
        """Cancel all imports: the current file is not imported, those before it stay."""
        for token in self._active_imports:
            token.cancel()

    def close(self) -> None:
        """Cancel all imports; no signal follows."""
        self._closed = True
        self.cancel()
        self._executor.close()

    # In the GUI thread

    def _start(self, request: "_ImportRequest", callback: ImportCallback | None) -> None:
        if self._closed:
            return
        token = CancelToken()
        self._active_imports.append(token)
        self._executor.run(lambda: self._import_files(request, token, callback))

    def _run_call(self, work: Callable[[], object]) -> None:
        if not self._closed:
            work()

    def _on_done(self, results: list[RoundImportResult], token: CancelToken, callback: ImportCallback | None) -> None:
        _log.info(
            "Import finished: %d files, %d rejected, %d new rounds",
            len(results),
            sum(1 for each in results if each.problem),
            sum(each.new for each in results),
        )
        self._active_imports.remove(token)
        if not self._active_imports:
            self.progress_changed.emit(None)
        self.import_finished.emit(results)
        if callback is not None:
            callback(results)

    # In the background thread

    def _import_files(self, request: "_ImportRequest", token: CancelToken, callback: ImportCallback | None) -> None:
        files, results = (
            _collect_files(request.paths)
            if request.reimport_columns is None
            else self._tables_with_columns(request.reimport_columns)
        )
        progress = ImportProgressReporter(len(files), self._report_progress)
        try:
            for number, path in enumerate(files, 1):
                progress.begin_file(path, number)
                results.append(self._try_file(path, request, token, progress))
        except _ImportCancelledError:
            _log.info("Import cancelled")
        finally:  # the callback is called in any case
            self._executor.emit(self._call_requested, partial(self._on_done, results, token, callback))

    def _report_progress(self, progress: ImportProgress) -> None:
        self._executor.emit(self._call_requested, partial(self.progress_changed.emit, progress))

    def _try_file(
        self, path: Path, request: "_ImportRequest", token: CancelToken, progress: "ImportProgressReporter"
    ) -> RoundImportResult:
        """Import a file; an internal error is its problem."""
        try:
            return self._import_file(path, request, token, progress)
        except _ImportCancelledError:
            raise
        except Exception:  # noqa: BLE001 (our own bug with one file must not keep the others from being imported)
            internal_errors.report("importing a round file", printable_path(str(path)))
            return RoundImportResult(path, "", 0, 0, internal_problem_text(path))

    def _import_file(
        self, path: Path, request: "_ImportRequest", token: CancelToken, progress: "ImportProgressReporter"
    ) -> RoundImportResult:
        from browser_app.rounds.csv_rounds import read_table_preview
        from browser_app.rounds.round_errors import MissingColumnError, RoundFileError
        from browser_app.rounds.round_formats import is_foreign_file, recognise_format
        from browser_app.rounds.round_source import RoundFileSource

        format_name = ""
        try:
            if path.exists() and not path.is_file():
                return RoundImportResult(path, format_name, 0, 0, _("{path}: not a file").format(path=path))
            report = partial(_report_until_cancelled, progress, token)
            source = RoundFileSource(str(path), column_map=request.columns or {}, progress=report)
            format_name = recognise_format(source)
            added = add_round_file(
                self._store,
                source,
                format_name,
                self.maps,
                partial(_until_cancelled, token=token),
                replace_file=request.reimport_columns is not None,
            )
        except MissingColumnError as error:
            head = read_table_preview(source)
            if request.ask_columns or head is None:
                return RoundImportResult(path, format_name, 0, 0, printable_path(str(error)), head)
            waits = _("{path}: columns not assigned yet; see Watched folders")
            return RoundImportResult(
                path, format_name, 0, 0, printable_path(waits.format(path=path)), awaits_column_map=True
            )
        except RoundFileError as error:
            is_foreign = error.line is not None and is_foreign_file(source)
            return RoundImportResult(
                path, format_name, 0, 0, foreign_file_text(path) if is_foreign else file_problem_text(error)
            )
        except StorageError as error:
            return RoundImportResult(path, format_name, 0, 0, printable_path(f"{path}: {error}"), is_temporary=True)
        except OSError as error:
            return RoundImportResult(path, format_name, 0, 0, printable_path(f"{path}: {file_error_text(error)}"))
        return RoundImportResult(
            path, format_name, added.rounds, added.new, improved=added.improved, new_details=added.new_details
        )

    def _tables_with_columns(self, columns: frozenset[str]) -> tuple[list[Path], list[RoundImportResult]]:
        """Return the imported tables with these columns; or why they cannot be listed."""
        from browser_app.rounds.round_formats import CSV_FORMAT

        try:
            tables = [Path(each.file) for each in self._store.load_files() if each.format == CSV_FORMAT]
        except StorageError as error:
            return [], [RoundImportResult(Path(), "", 0, 0, str(error))]
        return [path for path in tables if read_table_columns(path) == columns], []


class _ImportRequest(NamedTuple):
    """What one request imports, and how."""

    paths: tuple[Path, ...]
    ask_columns: bool = False
    columns: "ColumnMap | None" = None
    """Column map of the table; None: the saved one."""
    reimport_columns: frozenset[str] | None = None
    """Import the tables with these columns again."""


def _until_cancelled(rounds: Iterator[NumberedRound], token: CancelToken) -> Iterator[NumberedRound]:
    for each in rounds:
        if token.is_cancelled:
            raise _ImportCancelledError
        yield each
    if token.is_cancelled:
        raise _ImportCancelledError


def _report_until_cancelled(progress: ImportProgressReporter, token: CancelToken, read: int, size: int) -> None:
    """Report progress; also cancels in parts of a file that contain no rounds."""
    if token.is_cancelled:
        raise _ImportCancelledError
    progress(read, size)


class _ImportCancelledError(Exception):
    """The import was cancelled."""


def _collect_files(paths: Sequence[Path]) -> tuple[list[Path], list[RoundImportResult]]:
    """Return the files to import, each once, and the folders that cannot be read."""
    files: dict[Path, None] = {}
    unreadable: list[RoundImportResult] = []
    for path in (each.absolute() for each in paths):
        if not path.is_dir():
            files[path] = None
            continue
        try:
            entries, is_complete = find_round_files(path)
        except OSError as error:
            unreadable.append(RoundImportResult(path, "", 0, 0, f"{path}: {file_error_text(error)}"))
            continue
        if not is_complete:
            unreadable.append(RoundImportResult(path, "", 0, 0, too_many_files_text(path)))
        found = [each for each in (Path(entry.path) for entry in entries) if is_round_file(each)]
        if not found:
            unreadable.append(
                RoundImportResult(path, "", 0, 0, _("{folder}: no round files found").format(folder=path))
            )
        files |= dict.fromkeys(found)
    return list(files), unreadable
