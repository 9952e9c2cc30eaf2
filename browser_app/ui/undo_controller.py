"""Controller that undoes the user's last change."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from browser_app.language import gettext as _
from browser_app.ui.settings.keyboard_shortcuts import shortcut_text, text_with_shortcut
from browser_app.ui.status_bar import StatusBar
from browser_app.ui.widgets.accessibility import update_texts


class UndoController(QObject):
    """Reports changes in the status bar, and undoes the last one on request."""

    def __init__(self, status_bar: StatusBar) -> None:
        super().__init__(status_bar)
        self._status_bar = status_bar
        self._undo: Callable[[], object] | None = None
        button = status_bar.undo_button
        update_texts(button, tool_tip=text_with_shortcut(button.text(), "undo"))
        button.clicked.connect(self.undo)

    def report_change(self, text: str, undo: Callable[[], object]) -> None:
        """Show a change that `undo` takes back, until the next change at the latest."""
        self._undo = undo
        if QApplication.activeModalWidget() is not None:  # the button waits until the dialog is closed
            text = _("{change}. {key} undoes it.").format(change=text, key=shortcut_text("undo"))
        self._status_bar.show_undoable_message(text)

    def undo(self) -> None:
        """Undo the last change, once."""
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()
        self._status_bar.show_temporary_message(_("Nothing to undo") if undo is None else _("Undone"))
