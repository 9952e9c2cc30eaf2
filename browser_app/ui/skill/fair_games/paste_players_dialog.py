"""The dialog for pasting a list of players."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.player.team_lineup import MAX_PASTE_LENGTH
from browser_app.storage.ui_state import UiState
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.dialogs import SavedSizeDialog
from browser_app.ui.widgets.theme import Theme

_DIALOG_SIZE = QSize(440, 420)


class PastePlayersDialog(SavedSizeDialog):
    """Dialog with a field for many lines.

    Signals:
        text_pasted: the text.
    """

    text_pasted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget, ui_state: UiState, count_text: Callable[[str], str]) -> None:
        """`count_text` returns how many players a text names and how many are known."""
        super().__init__(theme, parent, ui_state, "paste players", _("Paste players"), _DIALOG_SIZE)
        self._count_text = count_text
        self.text_edit = QPlainTextEdit()
        self.text_edit.setPlaceholderText(_("Marines:\nmoth, sable\nSTEAM_0:1:4711\n\nAliens:\nharrow"))
        self.text_edit.setTabChangesFocus(True)
        self.text_edit.setAccessibleName(_("Players"))
        self.count_label = Label(theme, role="text2", size=12)
        self.use_button = Button(theme, _("Use players"), accented=True)
        self.cancel_button = Button(theme, _("Cancel"))
        self._build_layout()
        self.text_edit.textChanged.connect(self._update_count)
        self.use_button.clicked.connect(self._accept_text)
        self.cancel_button.clicked.connect(self.reject)
        self._update_count()
        self.text_edit.setFocus()

    def _build_layout(self) -> None:
        about = _("Names or IDs, one per line or comma-separated. List them under a team name to assign them to it.")
        head = Label(self._theme, about, role="text2", wraps=True)
        buttons = fill_box(QHBoxLayout(), Stretch(self.count_label), self.cancel_button, self.use_button)
        fill_box(QVBoxLayout(self), head, Stretch(self.text_edit), buttons, spacing=12, margins=(16, 16, 16, 16))

    def _pasted_text(self) -> str:
        return self.text_edit.toPlainText()[:MAX_PASTE_LENGTH]

    def _update_count(self) -> None:
        self.count_label.setText(self._count_text(self._pasted_text()))
        self.use_button.setEnabled(bool(self._pasted_text().strip()))

    def _accept_text(self) -> None:
        self.text_pasted.emit(self._pasted_text())
        self.accept()
