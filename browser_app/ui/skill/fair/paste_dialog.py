"""Players as text: one writes or pastes who is to play."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.storage.kept import Kept
from browser_app.ui.controls import Button, Text
from browser_app.ui.dialogs.dialog import SizedDialog
from browser_app.ui.skill.fair.paste import MAX_LENGTH
from browser_app.ui.theme import Theme

_SIZE = QSize(440, 420)


class PasteDialog(SizedDialog):
    """A field for many lines.

    Signals:
        pasted: the text.
    """

    pasted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget, kept: Kept, count: Callable[[str], str]) -> None:
        """`count` says in words who a text names."""
        super().__init__(theme, parent, kept, "paste players", _("Paste players"), _SIZE)
        self._count = count
        self.field = QPlainTextEdit()
        self.field.setPlaceholderText(_("Marines:\nmoth, sable\nSTEAM_0:1:4711\n\nAliens:\nharrow"))
        self.field.setTabChangesFocus(True)
        self.field.setAccessibleName(_("Players"))
        self.words = Text(theme, role="text2", size=12)
        self.use = Button(theme, _("Use these"), accented=True)
        self.cancel = Button(theme, _("Cancel"))
        self._lay_out()
        self.field.textChanged.connect(self._changed)
        self.use.clicked.connect(self._use)
        self.cancel.clicked.connect(self.reject)
        self._changed()
        self.field.setFocus()

    def _lay_out(self) -> None:
        about = _("Names or ids, one a line or with commas. Under the name of a team they stand on it.")
        head = Text(self._theme, about, role="text2")
        head.setWordWrap(True)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.words, 1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.use)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(head)
        column.addWidget(self.field, 1)
        column.addLayout(buttons)

    def _text(self) -> str:
        return self.field.toPlainText()[:MAX_LENGTH]

    def _changed(self) -> None:
        self.words.setText(self._count(self._text()))
        self.use.setEnabled(bool(self._text().strip()))

    def _use(self) -> None:
        self.pasted.emit(self._text())
        self.accept()
