"""Asks for a name, and says at once why one does not fit."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from browser_app.language import gettext as _
from browser_app.ui.controls import Button, Text
from browser_app.ui.dialogs.dialog import Dialog, button_row
from browser_app.ui.theme import Theme

WIDTH = 360


class NameDialog(Dialog):
    """One line to fill in.

    Signals:
        named: the name, which `problem` found nothing wrong with.
    """

    named = Signal(str)

    def __init__(
        self, theme: Theme, parent: QWidget, title: str, about: str, name: str, problem: Callable[[str], str]
    ) -> None:
        """`problem`: what is wrong with a name, empty for nothing."""
        super().__init__(theme, parent, title)
        self._problem = problem
        self.field = QLineEdit(name)
        self.field.setAccessibleName(title)
        self.field.selectAll()
        self.reason = Text(theme, role="warning", size=12)
        self.save = Button(theme, _("Save"), accented=True)
        self.cancel = Button(theme, _("Cancel"))
        self._lay_out(Text(theme, about, role="text2", size=12))
        self.field.textChanged.connect(self._check)
        self.field.returnPressed.connect(self._accept)
        self.save.clicked.connect(self._accept)
        self.cancel.clicked.connect(self.reject)
        self._check()

    def _lay_out(self, about: Text) -> None:
        about.setWordWrap(True)
        self.stack((about, self.field, self.reason), button_row((), (self.cancel, self.save)), WIDTH)

    def _check(self) -> None:
        problem = self._problem(self.field.text())
        self.reason.setText(problem if self.field.text().strip() else "")
        self.field.setAccessibleDescription(problem)
        self.save.setEnabled(not problem)

    def _accept(self) -> None:
        if self.save.isEnabled():
            self.named.emit(self.field.text().strip())
            self.accept()
