"""Block a server, its address range, or names like its own; says what that hides before it is done."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.storage.blocked import BlockKind
from browser_app.ui.controls import Button, Text
from browser_app.ui.dialogs.dialog import Dialog, button_row
from browser_app.ui.theme import Theme

WIDTH = 460
COUNT_AFTER_MS = 150
"""So long after the last key the servers are counted."""
_TITLES = {
    BlockKind.ADDRESS: later("This server"),
    BlockKind.NETWORK: later("Its address range"),
    BlockKind.NAME: later("All named"),
}


class BlockDialog(Dialog):
    """Three ways, of which the first is chosen.

    Signals:
        block_wanted: what to block, by kind (`BlockKind`) and value.
    """

    block_wanted = Signal(object, str)

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        server: str,
        values: Mapping[BlockKind, str],
        hides: Callable[[BlockKind, str], str],
    ) -> None:
        """`hides` says in words which servers an entry would hide, and raises ValueError where it is none."""
        super().__init__(theme, parent, _("Block"))
        self._hides = hides
        self.choices = {kind: QRadioButton(_(title)) for kind, title in _TITLES.items()}
        self.fields = {kind: QLineEdit(values[kind]) for kind in BlockKind}
        self.words = Text(theme, role="text2")
        self.words.setWordWrap(True)
        self.block = Button(theme, _("Block"), "block", accented=True)
        self.cancel = Button(theme, _("Cancel"))
        self._group = QButtonGroup(self)
        self._rest = QTimer(self, singleShot=True, interval=COUNT_AFTER_MS)
        self._lay_out(Text(theme, _("Block {server}").format(server=server)))
        self._connect()
        self.choices[BlockKind.ADDRESS].setChecked(True)
        self.choices[BlockKind.ADDRESS].setFocus()
        self.check()

    def _connect(self) -> None:
        for kind, field in self.fields.items():
            self._group.addButton(self.choices[kind])
            self.choices[kind].toggled.connect(lambda on: self.check() if on else None)
            field.textEdited.connect(lambda _text, kind=kind: self._edited(kind))
        self._rest.timeout.connect(self.check)
        self.block.clicked.connect(self._accept)
        self.cancel.clicked.connect(self.reject)

    def _lay_out(self, about: Text) -> None:
        about.setWordWrap(True)
        rows = QGridLayout()
        rows.setHorizontalSpacing(12)
        rows.setVerticalSpacing(8)
        for row, (kind, choice) in enumerate(self.choices.items()):
            rows.addWidget(choice, row, 0)
            rows.addWidget(self.fields[kind], row, 1)
            self.fields[kind].setAccessibleName(choice.text())
        self.fields[BlockKind.ADDRESS].setReadOnly(True)
        self.fields[BlockKind.NAME].setToolTip(_("* stands for any text, ? for one character"))
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(about)
        column.addLayout(rows)
        column.addWidget(self.words)
        column.addLayout(button_row((), (self.cancel, self.block)))
        self.setFixedWidth(WIDTH)

    @property
    def kind(self) -> BlockKind:
        """The way that is chosen."""
        return next(kind for kind, choice in self.choices.items() if choice.isChecked())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter blocks, wherever the focus is but on Cancel."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            (self.cancel if self.cancel.hasFocus() else self.block).click()
        else:
            super().keyPressEvent(event)

    def check(self) -> None:
        """Say what the chosen way hides, or what is wrong with it."""
        self._rest.stop()
        try:
            words, role = self._hides(self.kind, self.fields[self.kind].text()), "text2"
        except ValueError as error:
            words, role = str(error), "warning"
        self.words.set_role(role)
        self.words.setText(words)
        self.block.setEnabled(role != "warning")
        self.setAccessibleDescription(words)

    def _edited(self, kind: BlockKind) -> None:
        self.block.setEnabled(True)  # it looks itself before it does anything
        self.choices[kind].setChecked(True)
        self._rest.start()

    def _accept(self) -> None:
        self.check()
        if self.block.isEnabled():
            self.block_wanted.emit(self.kind, self.fields[self.kind].text())
            self.accept()
