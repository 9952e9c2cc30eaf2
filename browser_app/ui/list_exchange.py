"""The user's lists and other places: out of the games' own files, into a file, and back."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from browser_app.bridge.background import Background
from browser_app.games.games import Games
from browser_app.language import gettext as _
from browser_app.storage.exchange import MAX_BYTES, ExchangeError, Lists, lists_of, read_lists, write_lists
from browser_app.storage.exchange_merge import merge
from browser_app.storage.foreign.bring_in import bring_in
from browser_app.storage.foreign.finder import FoundFile, as_favourite, favourites_of, found_files
from browser_app.storage.session import Session
from browser_app.storage.settings_file import write_whole
from browser_app.ui.dialogs.take_in_dialog import Line, TakeInDialog
from browser_app.ui.exchange_words import file_line, list_lines, short_path
from browser_app.ui.menus import Entry
from browser_app.ui.theme import Theme

Show = Callable[[Sequence[tuple[str, int]], Callable[[], object]], object]
"""Is told the favourites by the game's name, most first, and what brings them in."""

FILE_NAME = "ready-room-lists.json"


@dataclass(frozen=True)
class ExchangeServices:
    """The parts below; made by the start-up code."""

    session: Session
    games: Games
    background: Background
    lists_changed: Callable[[], object]
    """Has the list know what the user's lists hold now."""
    find: Callable[[], list[FoundFile]] = found_files
    """Looks through the games' files; called beside the window."""


class ListExchange(QObject):
    """The dialogs, one at a time.

    Signals:
        told: news for the status line.
    """

    told = Signal(str)

    def __init__(self, theme: Theme, window: QWidget, services: ExchangeServices) -> None:
        super().__init__(window)
        self._theme, self._window, self._services = theme, window, services
        self.dialog: QDialog | None = None
        """The one that is open."""

    def entries(self) -> tuple[Entry, ...]:
        """For the menu of what is wanted seldom."""
        return (
            (_("Bring in from games…"), self.bring_in),
            (_("Import lists…"), self.import_lists),
            (_("Export lists…"), self.export_lists),
        )

    def bring_in(self) -> None:
        """Look through the games' files, and offer what is there."""
        dialog = TakeInDialog(
            self._theme, self._window, _("Bring in from games"), _("Looking through the files of games and Steam…")
        )
        self._open(dialog)
        self._services.background.run(self._services.find, partial(self._offer_files, dialog))

    def look(self, show: Show) -> None:
        """Look through the games' files, and have `show` told of the favourites in them, for the first start."""
        self._services.background.run(self._services.find, lambda found: self._tell_found(show, found))

    def import_lists(self) -> None:
        """Ask for a file, and offer what it holds."""
        dialog = QFileDialog(self._window, _("Import lists"), "", _("Lists of this program (*.json)"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.read(Path(name)))
        self._open(dialog)

    def export_lists(self) -> None:
        """Ask where to, and write favourites, notes, blocked, friends and saved filters."""
        dialog = QFileDialog(self._window, _("Export lists"), FILE_NAME, _("Lists of this program (*.json)"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.fileSelected.connect(lambda name: self.write(Path(name)))
        self._open(dialog)

    def read(self, path: Path) -> None:
        """Offer what a file holds."""
        self._services.background.run(partial(_read, path), partial(self._offer_lists, path))

    def write(self, path: Path) -> None:
        """Write the lists as they are now."""
        lists = lists_of(self._services.session)
        self._services.background.run(partial(_write, path, lists), self.told.emit)

    def close(self) -> None:
        """Nothing is offered any more."""
        if self.dialog is not None:
            self.dialog.close()

    def _open(self, dialog: QDialog) -> None:
        self.close()
        self.dialog = dialog
        dialog.finished.connect(partial(self._closed, dialog))
        dialog.open()

    def _closed(self, dialog: QDialog, _result: int) -> None:
        if self.dialog is dialog:
            self.dialog = None

    # The games' files

    def _offer_files(self, dialog: TakeInDialog, found: list[FoundFile]) -> None:
        if self.dialog is not dialog:
            return
        files = [file for file in found if file.servers or file.keys]
        problems = [f"{short_path(file.path)}: {file.problem}" for file in found if file.problem]
        about = _("What is in your lists already stays as it is.") if files else _("No game here keeps any servers.")
        dialog.show_lines(about, [file_line(self._services.games, file) for file in files], problems)
        dialog.taken.connect(lambda places: self._bring_in([files[place] for place in places]))

    def _tell_found(self, show: Show, found: list[FoundFile]) -> None:
        games = self._services.games
        files = [replace(file, servers=tuple(favourites_of(file))) for file in found]
        kept = [as_favourite(games, file.owner, server, 0.0) for file in files for server in file.servers]
        game_of = {each.address: games[each.game].name if each.game else _("other games") for each in kept}
        counts = Counter(game_of.values())
        counts.update({games[file.owner].name: len(file.keys) for file in files if file.keys})
        show(counts.most_common(), lambda: self._bring_in(files))

    def _bring_in(self, files: list[FoundFile]) -> None:
        brought = bring_in(self._services.session, self._services.games, files, time.time())
        self._services.lists_changed()
        words = _("New: {favourites} favourites, {played} visits, {blocked} blocked")
        self.told.emit(words.format(favourites=brought.favourites, played=brought.played, blocked=brought.blocked))

    # The program's own file

    def _offer_lists(self, path: Path, read: Lists | str) -> None:
        if isinstance(read, str):
            self.told.emit(_("{file} cannot be imported: {reason}").format(file=path.name, reason=read))
            return
        dialog = TakeInDialog(self._theme, self._window, _("Import lists"), "")
        lines = list_lines(read)
        about = _("{file} holds these. What is in your lists already stays as it is.")
        dialog.show_lines(about.format(file=path.name), [Line(words) for _key, words in lines], read.problems)
        dialog.taken.connect(lambda places: self._merge(read, {lines[place][0] for place in places}))
        self._open(dialog)

    def _merge(self, lists: Lists, keys: set[str]) -> None:
        others = {key: () for key, _words in list_lines(lists) if key not in keys}
        merged = merge(self._services.session, replace(lists, **others))
        self._services.lists_changed()
        self.told.emit(_("{n} new entries").format(n=merged.total))


def _read(path: Path) -> Lists | str:
    """The lists, or why there are none."""
    try:
        with path.open("rb") as file:
            return read_lists(file.read(MAX_BYTES + 1), time.time())
    except ExchangeError as error:
        return str(error)
    except OSError as error:
        return error.strerror or str(error)


def _write(path: Path, lists: Lists) -> str:
    """News for the status line."""
    try:
        write_whole(path, write_lists(lists))
    except OSError as error:
        return _("{file} cannot be written: {reason}").format(file=path.name, reason=error.strerror or error)
    return _("Lists written to {file}").format(file=short_path(path))
