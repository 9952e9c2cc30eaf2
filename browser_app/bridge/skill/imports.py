"""Rounds taken into the record beside the window, file by file, each whole or not at all."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal

from browser_app.bridge.skill.import_progress import ImportProgress
from browser_app.bridge.skill.imported import Imported, Importing, Unmapped
from browser_app.bridge.skill.round_files import files_in, looks_like_rounds
from browser_app.bridge.skill.round_tables import columns_of, kept_map
from browser_app.bridge.turns import Turns
from browser_app.language import gettext as _
from browser_app.paths import printable
from browser_app.storage.column_maps import ColumnMaps
from browser_app.storage.errors import StorageError
from browser_app.storage.rounds import RoundStore

if TYPE_CHECKING:
    from browser_app.rounds.source import ColumnMap

Placed = tuple[int, dict[str, Any]]
Then = Callable[[Sequence[Imported]], object]


class Imports(QObject):
    """Takes rounds in, one call after another.

    Signals:
        progressed: an `Importing` now and then, None when nothing is in hand any more.
        finished: what became of the files of one call, as a list of `Imported`; also of those that a cancelled one had
            taken. Files in a folder that are no files of rounds are left out.
        mapped: one more kind of table is understood.
    """

    progressed = Signal(object)
    finished = Signal(object)
    mapped = Signal()
    _told = Signal(object)

    def __init__(self, store: RoundStore, maps: ColumnMaps | None = None) -> None:
        """`maps`: what the user has said of the columns of tables, if that is kept."""
        super().__init__()
        self._store, self.maps = store, maps
        self._turns = Turns("imports")
        self._wanted: list[Event] = []
        """Of each call that is not over: cleared when it is cancelled."""
        self._closed = False
        self._told.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        """Something is in hand."""
        return bool(self._wanted)

    def run(self, paths: Sequence[Path], then: Then | None = None, *, asking: bool = False) -> None:
        """Take in files, and the files in folders; `then` is called with what `finished` tells.

        `asking`: the user is there to say which column of a table is which.
        """
        self._begin(_Order(tuple(paths), asking), then)

    def run_table(self, table: Unmapped, columns: "ColumnMap", then: Then) -> None:
        """Take in a table by this map of its columns, which is kept for all like it when the table was taken."""

        def taken(results: Sequence[Imported]) -> None:
            if results and not any(each.problem for each in results) and self.maps is not None:
                self.maps.keep(table.table.columns, columns, table.path.name)
                self.mapped.emit()
            then(results)

        self._begin(_Order((table.path,), columns=columns), taken)

    def read_again(self, columns: Sequence[str]) -> None:
        """Take those tables of the record in again that have these columns, by the map that is kept for them now.

        What they told before goes, but stays where one cannot be read like this.
        """
        self._begin(_Order((), again=frozenset(columns)), None)

    def cancel(self) -> None:
        """Take no more: the file in hand is not taken, those before it stay."""
        for wanted in self._wanted:
            wanted.clear()

    def close(self) -> None:
        """Cancel, and tell nothing any more."""
        self._closed = True
        self.cancel()
        self._turns.close()

    # On the window's thread

    def _begin(self, order: "_Order", then: Then | None) -> None:
        if self._closed:
            return
        wanted = Event()
        wanted.set()
        self._wanted.append(wanted)
        self._turns.run(lambda: self._work(order, wanted, then))

    def _tell(self, work: Callable[[], object]) -> None:
        if not self._closed:
            work()

    def _done(self, results: list[Imported], wanted: Event, then: Then | None) -> None:
        self._wanted.remove(wanted)
        if not self._wanted:
            self.progressed.emit(None)
        self.finished.emit(results)
        if then is not None:
            then(results)

    # On the other thread

    def _work(self, order: "_Order", wanted: Event, then: Then | None) -> None:
        files, results = _files_of(order.paths) if order.again is None else self._tables_like(order.again)
        progress = ImportProgress(len(files), self._tell_progress)
        try:
            for number, path in enumerate(files, 1):
                progress.begin(path, number)
                results.append(self._take(path, order, wanted, progress))
        except _Cancelled:
            pass
        finally:  # nobody waits for ever
            self._told.emit(partial(self._done, results, wanted, then))

    def _tell_progress(self, importing: Importing) -> None:
        self._told.emit(partial(self.progressed.emit, importing))

    def _take(self, path: Path, order: "_Order", wanted: Event, progress: "ImportProgress") -> Imported:
        from browser_app.rounds.errors import NoColumnError, RoundError
        from browser_app.rounds.formats import TABLE, recognise
        from browser_app.rounds.reading import stream_objects
        from browser_app.rounds.source import Source
        from browser_app.rounds.table_head import head_of

        form = ""
        try:
            if path.exists() and not path.is_file():
                return Imported(path, form, 0, 0, _("{path}: no file").format(path=path))
            source = Source(str(path), progress=progress)
            form = recognise(source)
            if form == TABLE:
                source = replace(source, columns=order.columns or kept_map(source, self.maps))
            rounds = _while_wanted(stream_objects(source, form), wanted)
            added = self._store.add(printable(str(path)), form, rounds, anew=order.again is not None)
        except NoColumnError as error:
            head = head_of(source)
            if order.asking or head is None:
                return Imported(path, form, 0, 0, printable(str(error)), head)
            waits = _("{path}: waits until you say in Watched folders which of its columns is which")
            return Imported(path, form, 0, 0, printable(waits.format(path=path)), waits=True)
        except RoundError as error:
            return Imported(path, form, 0, 0, printable(str(error)))
        except StorageError as error:
            return Imported(path, form, 0, 0, printable(f"{path}: {error}"))
        except OSError as error:
            return Imported(path, form, 0, 0, printable(f"{path}: {error.strerror or error}"))
        return Imported(path, form, added.rounds, added.new, richer=added.richer, gains=added.gains)

    def _tables_like(self, columns: frozenset[str]) -> tuple[list[Path], list[Imported]]:
        """The tables with these columns among the files that rounds came from; why they cannot be told."""
        from browser_app.rounds.formats import TABLE

        try:
            tables = [Path(each.file) for each in self._store.files() if each.format == TABLE]
        except StorageError as error:
            return [], [Imported(Path(), "", 0, 0, str(error))]
        return [path for path in tables if columns_of(path) == columns], []


class _Order(NamedTuple):
    """What one call is to take in."""

    paths: tuple[Path, ...]
    asking: bool = False
    columns: "ColumnMap | None" = None
    """Of the table; None: as it is kept."""
    again: frozenset[str] | None = None
    """The columns of tables that are to be read anew."""


def _while_wanted(objects: Iterator[Placed], wanted: Event) -> Iterator[Placed]:
    for each in objects:
        if not wanted.is_set():
            raise _Cancelled
        yield each
    if not wanted.is_set():
        raise _Cancelled


class _Cancelled(Exception):
    """The user wants no more."""


def _files_of(paths: Sequence[Path]) -> tuple[list[Path], list[Imported]]:
    """The files to take, each once, and the folders that cannot be read."""
    files: dict[Path, None] = {}
    refused: list[Imported] = []
    for path in (each.absolute() for each in paths):
        if not path.is_dir():
            files[path] = None
            continue
        try:
            inside = [Path(entry.path) for entry in files_in(path)]
        except OSError as error:
            refused.append(Imported(path, "", 0, 0, f"{path}: {error.strerror or error}"))
            continue
        found = [each for each in inside if looks_like_rounds(each)]
        if not found:
            refused.append(Imported(path, "", 0, 0, _("{folder}: no file of rounds in it").format(folder=path)))
        files |= dict.fromkeys(found)
    return list(files), refused
