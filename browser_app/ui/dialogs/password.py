"""Asks for the password of a locked server."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from browser_app.language import gettext as _
from browser_app.launch.arguments import MAX_PASSWORD, REFUSED, LaunchError, checked_password
from browser_app.ui.controls import Button, Text
from browser_app.ui.dialogs.dialog import Dialog, button_row
from browser_app.ui.theme import Theme

WIDTH, FIELD_HEIGHT = 400, 32


class PasswordDialog(Dialog):
    """One password, and whether it is to be kept.

    Signals:
        given: the password, which a game can be told, and whether to keep it once it worked.
    """

    given = Signal(str, bool)

    def __init__(self, theme: Theme, parent: QWidget, server: str) -> None:
        """`server`: its name."""
        super().__init__(theme, parent, _("Password"))
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(_("Password of {server}").format(server=server))
        self.keep = QCheckBox(_("Keep it in the secret store once it worked"))
        self.reason = Text(theme, role="warning", size=12)
        self.reason.setWordWrap(True)
        self.join = Button(theme, _("Join"), "play", accented=True)
        self.cancel = Button(theme, _("Cancel"))
        self._lay_out(Text(theme, _("{server} needs a password.").format(server=server)))
        self.field.textChanged.connect(self._check)
        self.field.returnPressed.connect(self._accept)
        self.join.clicked.connect(self._accept)
        self.cancel.clicked.connect(self.reject)
        self.show_store(there=None)
        self._check()

    def show_store(self, *, there: bool | None) -> None:
        """Whether the system has a secret store; None while that is not known."""
        self.keep.setEnabled(bool(there))
        self.keep.setChecked(bool(there))
        if there is False:
            self.keep.setText(_("No secret store here: it is asked for each time"))

    def _lay_out(self, about: Text) -> None:
        about.setWordWrap(True)
        self.field.setMinimumHeight(FIELD_HEIGHT)
        self.stack((about, self.field, self.reason, self.keep), button_row((), (self.cancel, self.join)), WIDTH)

    def _check(self) -> None:
        problem = _problem(self.field.text())
        self.reason.setText(problem)
        self.reason.setVisible(bool(problem))
        self.field.setAccessibleDescription(problem)
        self.join.setEnabled(bool(self.field.text()) and not problem)
        self.adjustSize()

    def _accept(self) -> None:
        if self.join.isEnabled():
            self.given.emit(self.field.text(), self.keep.isChecked())
            self.accept()


def _problem(password: str) -> str:
    try:
        checked_password(password)
    except LaunchError:
        return _("At most {n} letters, digits and signs; no space, no - in front, none of {signs}").format(
            n=MAX_PASSWORD, signs=" ".join(REFUSED)
        )
    return ""
