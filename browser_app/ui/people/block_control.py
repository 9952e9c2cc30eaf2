"""Blocking servers, and letting them in again."""

import ipaddress
import time

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from browser_app.bridge.live_list import LiveList
from browser_app.language import gettext as _
from browser_app.language import later, ngettext
from browser_app.storage.blocked import Block, BlockKind, marks_of
from browser_app.storage.kept import Kept
from browser_app.ui.dialogs.block import BlockDialog
from browser_app.ui.dialogs.entries import EntriesDialog
from browser_app.ui.people.services import PeopleServices
from browser_app.ui.texts import thousands
from browser_app.ui.theme import Theme

NAMED = 3
"""So many of the servers that an entry hides are named."""
_PREFIX = {4: 24, 6: 64}
_KINDS = {
    BlockKind.ADDRESS: later("server"),
    BlockKind.NETWORK: later("address range"),
    BlockKind.NAME: later("name"),
}


class BlockControl(QObject):
    """Changes the block list, and has the servers marked by it.

    Signals:
        changed: the list is another one, and the servers are marked by it.
        told: news for the status line.
    """

    changed = Signal()
    told = Signal(str)

    def __init__(self, theme: Theme, window: QWidget, live: LiveList, services: PeopleServices, kept: Kept) -> None:
        super().__init__(window)
        self._theme, self._window, self._live, self._kept = theme, window, live, kept
        self._blocked, self._lists_changed = services.blocked, services.lists_changed
        self.dialog: BlockDialog | None = None
        self.entries: EntriesDialog | None = None

    def toggle(self, server: int) -> None:
        """Ask how a server is to be blocked; one that is blocked is let in again, where others are too after asking."""
        if server < 0:
            return
        if not self._live.catalogue.blocked[server]:
            self._ask(server)
            return
        found = self._entries_of(server)
        if [block.kind for block in found] == [BlockKind.ADDRESS]:
            self._let_in(found)
        else:
            self.open()
            if self.entries is not None:
                self.entries.choose([(block.kind, block.value) for block in found])

    def open(self) -> None:
        """Show all entries."""
        if self.entries is None:
            columns = (_("What"), _("Blocked"), _("Hides"))
            empty = _("Nothing is blocked. B blocks the selected server.")
            self.entries = EntriesDialog(
                self._theme, self._window, self._kept, "blocked", _("Blocked"), columns, _("Let in again"), empty
            )
            self.entries.remove_wanted.connect(self._remove)
            self.entries.finished.connect(self._closed)
            self._show()
            self.entries.open()

    def hides(self, kind: BlockKind, value: str) -> str:
        """Which servers an entry hides, in words.

        Raises:
            ValueError: it is none.
        """
        catalogue = self._live.catalogue
        hidden = catalogue.marked(marks_of(kind, value))
        rows = np.flatnonzero(hidden)
        if not len(rows):
            return _("Hides no server that is known now.")
        first = rows[:NAMED]
        named = zip(first.tolist(), catalogue.name.texts(first), strict=True)
        names = [name or str(catalogue.targets[row].address) for row, name in named]
        more = len(rows) - len(names)
        words = ngettext("Hides {n} server: {names}", "Hides {n} servers: {names}", len(rows))
        words = words.format(n=thousands(len(rows)), names=", ".join(names))
        words += _(" and {n} more.").format(n=thousands(more)) if more else "."
        favourites = int(np.count_nonzero(hidden & catalogue.favourite))
        if favourites:
            words += " " + ngettext("{n} is a favourite.", "{n} are favourites.", favourites).format(n=favourites)
        return words

    def _ask(self, server: int) -> None:
        if self.dialog is not None:
            return
        catalogue = self._live.catalogue
        address = catalogue.targets[server].address
        name = catalogue.name[server]
        values = {
            BlockKind.ADDRESS: str(address),
            BlockKind.NETWORK: _network(address.host),
            BlockKind.NAME: name or "",
        }
        self.dialog = BlockDialog(self._theme, self._window, name or str(address), values, self.hides)
        self.dialog.block_wanted.connect(self._block)
        self.dialog.finished.connect(self._closed)
        self.dialog.open()

    def _block(self, kind: BlockKind, value: str) -> None:
        self._blocked.add(kind, value, time.time())
        words = _("{what} is blocked. B in the list Blocked lets it in again.")
        self.told.emit(words.format(what=value))
        self._changed()

    def _remove(self, keys: list[tuple[BlockKind, str]]) -> None:
        self._let_in([block for block in self._blocked if (block.kind, block.value) in keys])

    def _let_in(self, blocks: list[Block]) -> None:
        for block in blocks:
            self._blocked.remove(block.kind, block.value)
        self.told.emit(_("{what} let in again").format(what=", ".join(block.value for block in blocks)))
        self._changed()

    def _entries_of(self, server: int) -> list[Block]:
        catalogue = self._live.catalogue
        address, facts = catalogue.targets[server].address, catalogue.facts(server)
        return [block for block in self._blocked if marks_of(block.kind, block.value).match(address, facts)]

    def _changed(self) -> None:
        self._lists_changed()
        self._live.rescore()
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        if self.entries is not None:
            catalogue = self._live.catalogue
            counts = [int(np.count_nonzero(catalogue.marked(marks_of(b.kind, b.value)))) for b in self._blocked]
            self.entries.show_entries(
                [
                    ((block.kind, block.value), (_(_KINDS[block.kind]), block.value, thousands(count)))
                    for block, count in zip(self._blocked, counts, strict=True)
                ]
            )

    def _closed(self) -> None:
        self.dialog = self.entries = None


def _network(host: str) -> str:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return ""
    return str(ipaddress.ip_network(f"{host}/{_PREFIX[address.version]}", strict=False))
