"""Blocking of servers: its dialogs and their controller."""

import ipaddress
import time
from collections.abc import Callable, Mapping

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from browser_app.catalogue.server_value_text import quoted_text, server_name
from browser_app.language import N_, ngettext
from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.protocols.address import parse_address
from browser_app.storage.user_lists.server_list_store import BlockEntry, BlockKind, create_block_matcher
from browser_app.ui.settings.keyboard_shortcuts import shortcut_text
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.dialogs import DialogController, EntryListDialog, ThemedDialog, create_button_row
from browser_app.ui.widgets.form_fields import RadioButton
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import join_sentences
from browser_app.ui.window_services import WindowServices

BLOCK_DIALOG_WIDTH = 460
COUNT_DELAY_MS = 150
"""Delay after the last key before the affected servers are counted."""
_BLOCK_TITLES = {
    BlockKind.ADDRESS: N_("This server"),
    BlockKind.NETWORK: N_("Its address range"),
    BlockKind.NAME: N_("Its name"),
}


class BlockServerDialog(ThemedDialog):
    """Offers three kinds of block, the first one selected.

    Signals:
        block_requested: what to block, by kind (`BlockKind`) and value.
    """

    block_requested = Signal(object, str)

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        server: str,
        values: Mapping[BlockKind, str],
        describe_effect: Callable[[BlockKind, str], str],
    ) -> None:
        """Create the dialog.

        `describe_effect` returns which servers an entry would hide, or raises ValueError.
        """
        super().__init__(theme, parent, _("Block"))
        self._describe_effect = describe_effect
        self.kind_buttons = {kind: RadioButton(theme, _(title)) for kind, title in _BLOCK_TITLES.items()}
        self.value_fields = {kind: QLineEdit(values[kind]) for kind in BlockKind}
        self.effect_label = Label(theme, role="text2", wraps=True)
        self.block_button = Button(theme, _("Block"), "block", accented=True)
        self.cancel_button = Button(theme, _("Cancel"))
        self._group = QButtonGroup(self)
        self._count_timer = QTimer(self, singleShot=True, interval=COUNT_DELAY_MS)
        self._build_layout(Label(theme, _("Block “{server}”").format(server=server), wraps=True))
        self._connect()
        self.kind_buttons[BlockKind.ADDRESS].setChecked(True)
        self.kind_buttons[BlockKind.ADDRESS].setFocus()
        self.update_effect()

    def _connect(self) -> None:
        for kind, field in self.value_fields.items():
            self._group.addButton(self.kind_buttons[kind])
            self.kind_buttons[kind].toggled.connect(lambda on: self.update_effect() if on else None)
            field.textEdited.connect(lambda _text, kind=kind: self._on_value_edited(kind))
        self._count_timer.timeout.connect(self.update_effect)
        self.block_button.clicked.connect(self._accept)
        self.cancel_button.clicked.connect(self.reject)

    def _build_layout(self, about: Label) -> None:
        rows = QGridLayout()
        rows.setHorizontalSpacing(12)
        rows.setVerticalSpacing(8)
        for row, (kind, button) in enumerate(self.kind_buttons.items()):
            rows.addWidget(button, row, 0)
            rows.addWidget(self.value_fields[kind], row, 1)
            self.value_fields[kind].setAccessibleName(button.text())
        self.value_fields[BlockKind.ADDRESS].setReadOnly(True)
        self.value_fields[BlockKind.NAME].setToolTip(_("* matches any text, ? one character"))
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(about)
        column.addLayout(rows)
        column.addWidget(self.effect_label)
        column.addLayout(create_button_row((), (self.cancel_button, self.block_button)))
        self.setFixedWidth(BLOCK_DIALOG_WIDTH)

    @property
    def kind(self) -> BlockKind:
        """The selected kind."""
        return next(kind for kind, button in self.kind_buttons.items() if button.isChecked())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Block on Enter, unless Cancel has the focus."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            (self.cancel_button if self.cancel_button.hasFocus() else self.block_button).click()
        else:
            super().keyPressEvent(event)

    def update_effect(self) -> None:
        """Show what the selected kind would hide, or what is wrong with the entry."""
        self._count_timer.stop()
        try:
            text, role = self._describe_effect(self.kind, self.value_fields[self.kind].text()), "text2"
        except ValueError as error:
            text, role = str(error), "warning"
        self.effect_label.set_color_role(role)
        self.effect_label.setText(text)
        self.block_button.setEnabled(role != "warning")
        self.setAccessibleDescription(text)

    def _on_value_edited(self, kind: BlockKind) -> None:
        self.block_button.setEnabled(True)  # blocking checks the entry itself
        self.kind_buttons[kind].setChecked(True)
        self._count_timer.start()

    def _accept(self) -> None:
        self.update_effect()
        if self.block_button.isEnabled():
            self.accept()
            self.block_requested.emit(self.kind, self.value_fields[self.kind].text())


MAX_NAMED_SERVERS = 3
"""Maximum number of affected servers that are named."""
_NETWORK_PREFIX = {4: 24, 6: 64}
_BLOCK_KIND_NAMES = {
    BlockKind.ADDRESS: N_("server"),
    BlockKind.NETWORK: N_("address range"),
    BlockKind.NAME: N_("name"),
}


class BlockController(DialogController[BlockServerDialog | EntryListDialog]):
    """Changes the block list and updates the marks in the server list.

    Signals:
        blocked_changed: the block list has changed, and the servers are marked.
        change_reported: text about a change, and a function that undoes it.
    """

    blocked_changed = Signal()
    change_reported = Signal(str, object)

    def __init__(self, theme: Theme, window: QWidget, services: WindowServices) -> None:
        super().__init__(theme, window)
        self._server_list, self._blocked = services.server_list, services.storage.blocked
        self._services = services

    def toggle_block(self, server: int) -> None:
        """Ask how to block a server, or unblock it.

        Unblocking asks first if it unblocks others, too.
        """
        if server < 0:
            return
        if not self._server_list.catalogue.blocked[server]:
            self._open_block_dialog(server)
            return
        blocks = self._blocks_of_server(server)
        if [block.kind for block in blocks] == [BlockKind.ADDRESS]:
            self._unblock(blocks)
        else:
            self.open_dialog()
            if isinstance(self.dialog, EntryListDialog):
                self.dialog.select_entries([(block.kind, block.value) for block in blocks])

    def open_dialog(self) -> None:
        """Open the dialog with all entries."""
        if self.dialog is None:
            columns = (_("Type"), _("Blocked"), _("Hides"))
            empty = _("Nothing blocked. Press {key} to block the selected server.").format(key=shortcut_text("block"))
            ui_state = self._services.storage.ui_state
            dialog = EntryListDialog(
                self._theme, self._window, ui_state, "blocked", _("Blocked"), columns, _("Unblock"), empty
            )
            dialog.remove_requested.connect(self._remove_blocks)
            self.show_dialog(dialog)
            self._show_entries()

    def effect_text(self, kind: BlockKind, value: str) -> str:
        """Return which servers an entry hides, in words.

        Raises:
            ValueError: the entry is invalid.
        """
        catalogue = self._server_list.catalogue
        hidden = catalogue.matching_rows(create_block_matcher(kind, value))
        rows = np.flatnonzero(hidden)
        if not len(rows):
            return _("Hides none of the known servers.")
        first = rows[:MAX_NAMED_SERVERS]
        named = zip(first.tolist(), catalogue.name.texts_of(first), strict=True)
        names = [quoted_text(name or str(catalogue.targets[row].address)) for row, name in named]
        if len(rows) > len(names):
            text = ngettext("Hides {n} server, including {names}.", "Hides {n} servers, including {names}.", len(rows))
        else:
            text = ngettext("Hides {n} server: {names}.", "Hides {n} servers: {names}.", len(rows))
        text = text.format(n=integer_text(len(rows)), names=", ".join(names))
        return join_sentences(text, _favourites_text(int(np.count_nonzero(hidden & catalogue.favourite)), len(rows)))

    def _open_block_dialog(self, server: int) -> None:
        if self.dialog is not None:
            return
        catalogue = self._server_list.catalogue
        address = catalogue.targets[server].address
        name = catalogue.name[server]
        values = {
            BlockKind.ADDRESS: str(address),
            BlockKind.NETWORK: _network_of(address.host),
            BlockKind.NAME: name or "",
        }
        dialog = BlockServerDialog(self._theme, self._window, name or str(address), values, self.effect_text)
        dialog.block_requested.connect(self._add_block)
        self.show_dialog(dialog)

    def _add_block(self, kind: BlockKind, value: str) -> None:
        before = list(self._blocked)
        self._blocked.add(kind, value, time.time())
        self._report_change(_("{what} blocked").format(what=self._named_value(kind, value)), before)

    def _remove_blocks(self, keys: list[tuple[BlockKind, str]]) -> None:
        self._unblock([block for block in self._blocked if (block.kind, block.value) in keys])

    def _unblock(self, blocks: list[BlockEntry]) -> None:
        before = list(self._blocked)
        for block in blocks:
            self._blocked.remove(block.kind, block.value)
        names = ", ".join(self._named_value(block.kind, block.value) for block in blocks)
        self._report_change(_("{what} unblocked").format(what=names), before)

    def _named_value(self, kind: BlockKind, value: str) -> str:
        """Return the name of a blocked server, the value of another block."""
        catalogue = self._server_list.catalogue
        row = catalogue.row_of(parse_address(value)) if kind is BlockKind.ADDRESS else None
        if row is not None:
            return quoted_text(server_name(catalogue, row))
        return quoted_text(value) if kind is BlockKind.NAME else value

    def _report_change(self, text: str, before: list[BlockEntry]) -> None:
        """Report a change; undoing it affects no entries but those that it changed."""
        earlier, now = dict.fromkeys(before), dict.fromkeys(self._blocked)
        removed, added = [each for each in earlier if each not in now], [each for each in now if each not in earlier]

        def undo() -> None:
            for block in added:
                self._blocked.remove(block.kind, block.value)
            self._blocked.add_all(removed)
            self._on_blocks_changed()

        self._on_blocks_changed()
        self.change_reported.emit(text, undo)

    def _blocks_of_server(self, server: int) -> list[BlockEntry]:
        catalogue = self._server_list.catalogue
        address, info = catalogue.targets[server].address, catalogue.server_info(server)
        return [
            block for block in self._blocked if create_block_matcher(block.kind, block.value).matches(address, info)
        ]

    def _on_blocks_changed(self) -> None:
        self._services.launcher.notify_lists_changed()
        self._server_list.rescore()
        self._show_entries()
        self.blocked_changed.emit()

    def _show_entries(self) -> None:
        if isinstance(self.dialog, EntryListDialog):
            self.dialog.show_entries([((block.kind, block.value), self._entry_texts(block)) for block in self._blocked])

    def _entry_texts(self, block: BlockEntry) -> tuple[str, str, str]:
        hidden = self._server_list.catalogue.matching_rows(create_block_matcher(block.kind, block.value))
        return _(_BLOCK_KIND_NAMES[block.kind]), block.value, integer_text(int(np.count_nonzero(hidden)))


def _favourites_text(favourites: int, servers: int) -> str:
    """Return how many of the hidden servers are favourites; empty for none."""
    if not favourites:
        return ""
    if servers == 1:
        return _("It is a favourite.")
    return ngettext("{n} of them is a favourite.", "{n} of them are favourites.", favourites).format(n=favourites)


def _network_of(host: str) -> str:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return ""
    return str(ipaddress.ip_network(f"{host}/{_NETWORK_PREFIX[address.version]}", strict=False))
