"""Import and export of the user's lists."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from browser_app.engine.network.address_rules import is_public_host
from browser_app.file_errors import file_error_text
from browser_app.input_files import read_regular_file
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.protocols.master_lists.community_list import ListedServer, encode_server_list
from browser_app.storage.importers.server_import import import_servers
from browser_app.storage.importers.server_list_files import (
    ServerListContent,
    convert_to_favourite,
    find_server_lists,
    select_favourites,
)
from browser_app.storage.safe_files import write_atomically
from browser_app.storage.user_lists.lists_file import (
    MAX_LISTS_BYTES,
    ExportedLists,
    ListsFileError,
    collect_lists,
    encode_lists,
    parse_lists,
)
from browser_app.storage.user_lists.lists_merge import ListMergeCounts, merge_lists
from browser_app.ui.lists.list_import_dialog import (
    ImportLine,
    ListImportDialog,
    found_file_line,
    import_list_lines,
    server_counts_text,
)
from browser_app.ui.widgets.dialogs import DialogController
from browser_app.ui.widgets.menus import MenuEntry
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import abbreviated_path, join_sentences
from browser_app.ui.window_services import WindowServices

ShowFoundFavourites = Callable[[Sequence[tuple[str, int]], Callable[[], str]], object]
"""Called with the number of favourites by game, largest first, and a function that imports them and returns a text."""

EXPORT_FILE_NAME = "ready-room-lists.json"
SHARED_FILE_NAME = "servers.json"


class ListImportExport(DialogController[QDialog]):
    """Opens the dialogs.

    Signals:
        lists_imported: entries were added to the user's lists.
        status_reported: text for the status bar.
    """

    lists_imported = Signal()
    status_reported = Signal(str)

    def __init__(
        self, theme: Theme, window: QWidget, services: WindowServices, shown_servers: Callable[[], Iterable[int]]
    ) -> None:
        """Create the controller.

        `shown_servers` returns the rows in the list on screen, from top to bottom.
        """
        super().__init__(theme, window)
        self._services, self._shown_servers = services, shown_servers

    def menu_entries(self) -> tuple[MenuEntry, ...]:
        """Return the entries of the window's menu."""
        return (
            (_("Import from games…"), self.import_from_games),
            (_("Import lists…"), self.import_lists),
            (_("Export lists…"), self.export_lists),
            (_("Share this list…"), self.share_list),
        )

    def import_from_games(self) -> None:
        """Search the games' files and offer what they contain."""
        dialog = ListImportDialog(
            self._theme, self._window, _("Import from games"), _("Searching the files of games and Steam…")
        )
        self.show_dialog(dialog)
        self._services.background.run(find_server_lists, partial(self._show_found_files, dialog))

    def find_favourites(self, show: ShowFoundFavourites) -> None:
        """Search the games' files and call `show` with the favourites found.

        This is for the first start.
        """
        self._services.background.run(find_server_lists, lambda found: self._show_found(show, found))

    def import_lists(self) -> None:
        """Ask for a file and offer its content."""
        dialog = QFileDialog(self._window, _("Import lists"), "", _("Ready Room lists (*.json)"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.import_file(Path(name)))
        self.show_dialog(dialog)

    def export_lists(self) -> None:
        """Ask for a file name, and export the user's lists.

        These are favourites, notes, blocked servers, friends and saved filters.
        """
        self._ask_for_file(_("Export lists"), EXPORT_FILE_NAME, _("Ready Room lists (*.json)"), self.export_file)

    def share_list(self) -> None:
        """Ask for a file name, and write the list on screen for other players.

        The file serves as a master server. Servers that others cannot reach are left out.
        """
        servers, left_out = self._servers_to_share()
        if not servers:
            text = _("No server to share, so no file was written.")
            self.status_reported.emit(join_sentences(text, _omission_text(left_out)))
            return
        self._ask_for_file(
            _("Share this list"),
            SHARED_FILE_NAME,
            _("Server lists (*.json)"),
            lambda path: self._services.background.run(
                partial(_write_server_list, path, servers, left_out), self.status_reported.emit
            ),
        )

    def _ask_for_file(self, title: str, name: str, kinds: str, write: Callable[[Path], object]) -> None:
        dialog = QFileDialog(self._window, title, name, kinds)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.fileSelected.connect(lambda chosen: write(Path(chosen)))
        self.show_dialog(dialog)

    def import_file(self, path: Path) -> None:
        """Offer the content of a file."""
        self._services.background.run(partial(_read_lists, path), partial(self._show_lists_to_import, path))

    def export_file(self, path: Path) -> None:
        """Write the lists to a file."""
        lists = collect_lists(self._services.storage)
        self._services.background.run(partial(_write_lists, path, lists), self.status_reported.emit)

    def _servers_to_share(self) -> tuple[list[ListedServer], int]:
        """Return the servers on screen that others can reach; how many cannot be."""
        catalogue = self._services.server_list.catalogue
        servers = [
            (
                target,
                ListedServer(target.protocol, target.named_address, catalogue.game[row] or None, catalogue.name[row]),
            )
            for row in self._shown_servers()
            for target in [catalogue.targets[row]]
        ]
        public = [listed for target, listed in servers if is_public_host(target.address.host)]
        return public, len(servers) - len(public)

    # Files of games

    def _show_found_files(self, dialog: ListImportDialog, found: list[ServerListContent]) -> None:
        if self.dialog is not dialog:
            return
        files = [file for file in found if file.servers or file.keys]
        problems = [f"{abbreviated_path(file.path)}: {file.problem}" for file in found if file.problem]
        about = (
            _("Existing entries in your lists stay as they are.")
            if files
            else _("No servers found in your games’ files.")
        )
        dialog.show_lines(about, [found_file_line(self._services.games, file) for file in files], problems)
        dialog.import_requested.connect(lambda indices: self._import_files([files[index] for index in indices]))

    def _show_found(self, show: ShowFoundFavourites, found: list[ServerListContent]) -> None:
        games = self._services.games
        files = [replace(file, servers=tuple(select_favourites(file))) for file in found]
        favourites = [
            convert_to_favourite(games, file.source, server, 0.0) for file in files for server in file.servers
        ]
        game_of = {each.address: games[each.game].name if each.game else _("other games") for each in favourites}
        counts = Counter(game_of.values())
        counts.update({games[file.source].name: len(file.keys) for file in files if file.keys})
        show(counts.most_common(), lambda: self._import_files(files))

    def _import_files(self, files: list[ServerListContent]) -> str:
        """Import what these files contain; return and report what is new."""
        result = import_servers(self._services.storage, self._services.games, files, time.time())
        self._services.user_lists.apply_import()
        counts = server_counts_text(result.favourites, result.played, result.blocked)
        text = _("New: {counts}").format(counts=counts) if counts else _("No new entries")
        self.status_reported.emit(text)
        return text

    # Ready Room's own file

    def _show_lists_to_import(self, path: Path, read: ExportedLists | str) -> None:
        dialog = ListImportDialog(self._theme, self._window, _("Import lists"), "")
        if isinstance(read, str):
            dialog.show_lines(_("{file} cannot be imported: {reason}").format(file=path.name, reason=read), (), ())
            self.show_dialog(dialog)
            return
        lines = import_list_lines(read)
        about = _("{file} contains the following. Existing entries in your lists stay as they are.")
        dialog.show_lines(about.format(file=path.name), [ImportLine(text) for _key, text in lines], read.problems)
        dialog.import_requested.connect(lambda indices: self._merge_lists(read, {lines[index][0] for index in indices}))
        self.show_dialog(dialog)

    def _merge_lists(self, lists: ExportedLists, keys: set[str]) -> None:
        unselected = {key: () for key, _words in import_list_lines(lists) if key not in keys}
        merged = merge_lists(self._services.storage, replace(lists, **unselected))
        self._services.user_lists.apply_import()
        self.lists_imported.emit()
        self.status_reported.emit(_merge_text(merged))


def _merge_text(merged: ListMergeCounts) -> str:
    """Return what was added, and what was left out because there are too many."""
    added = ngettext("{n} new entry", "{n} new entries", merged.total).format(n=merged.total)
    alerts, servers = merged.alerts_left_out, merged.saved_list_servers_left_out
    omissions = {
        ngettext(
            "{n} alert left out because there are too many", "{n} alerts left out because there are too many", alerts
        ): alerts,
        ngettext(
            "{n} server of a saved list left out because there are too many",
            "{n} servers of saved lists left out because there are too many",
            servers,
        ): servers,
    }
    texts = [text.format(n=count) for text, count in omissions.items() if count]
    return " · ".join([added if merged.total else _("No new entries"), *texts])


def _read_lists(path: Path) -> ExportedLists | str:
    """Return the lists, or why they cannot be read."""
    try:
        return parse_lists(read_regular_file(path, MAX_LISTS_BYTES), time.time())
    except ListsFileError as error:
        return str(error)
    except OSError as error:
        return file_error_text(error)


def _write_lists(path: Path, lists: ExportedLists) -> str:
    """Write the lists; return the message for the status bar."""
    return _write_file(path, encode_lists(lists)) or _("Lists exported to {file}").format(file=abbreviated_path(path))


_PUBLISHED_FILE_MODE = 0o644
"""Other users may read it, such as that of a web server."""


def _write_server_list(path: Path, servers: Sequence[ListedServer], left_out: int) -> str:
    """Write a server list that a web server can read.

    Returns the message for the status bar.
    """
    if problem := _write_file(path, encode_server_list(servers)):
        return problem
    with suppress(OSError):  # some file systems have no modes
        path.chmod(_PUBLISHED_FILE_MODE)
    words = ngettext("{n} server written to {file}.", "{n} servers written to {file}.", len(servers))
    return join_sentences(words.format(n=len(servers), file=abbreviated_path(path)), _omission_text(left_out))


def _omission_text(left_out: int) -> str:
    text = ngettext("{n} server on your own network left out.", "{n} servers on your own network left out.", left_out)
    return text.format(n=left_out) if left_out else ""


def _write_file(path: Path, content: bytes) -> str:
    """Write a file; return why that failed, empty if it did not."""
    try:
        write_atomically(path, content)
    except OSError as error:
        return _("{file} cannot be written: {reason}").format(file=path.name, reason=file_error_text(error))
    return ""
