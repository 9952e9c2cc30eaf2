"""Asks for a server's address, in any form in which people pass it on."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from browser_app.language import gettext as _
from browser_app.protocols.server_link import MAX_LENGTH, ServerLink, parse_server_text
from browser_app.ui.controls import Button, Text
from browser_app.ui.dialogs.dialog import Dialog, button_row
from browser_app.ui.theme import Theme

WIDTH, FIELD_HEIGHT = 440, 32


class AddressDialog(Dialog):
    """One line to fill in, read while it is written.

    Signals:
        given: the `ServerLink`, and whether it is to be a favourite.
    """

    given = Signal(object, bool)

    def __init__(self, theme: Theme, parent: QWidget, text: str) -> None:
        """`text`: what the field begins with."""
        super().__init__(theme, parent, _("Add a server"))
        self.field = QLineEdit(text.strip()[:MAX_LENGTH])
        self.field.setAccessibleName(_("Address of the server"))
        self.field.setPlaceholderText("192.0.2.7:27015")
        self.favourite = QCheckBox(_("Make it a favourite"))
        self.favourite.setChecked(True)
        self.meant = Text(theme, role="text2", size=12)
        self.add = Button(theme, _("Add"), accented=True)
        self.cancel = Button(theme, _("Cancel"))
        self._link: ServerLink | None = None
        self._lay_out(
            Text(
                theme,
                _("HOST:PORT, a steam://connect or quake3:// link, or a line such as connect HOST:PORT; password …"),
                role="text2",
                size=12,
            )
        )
        self.field.textChanged.connect(self._read)
        self.field.returnPressed.connect(self._accept)
        self.add.clicked.connect(self._accept)
        self.cancel.clicked.connect(self.reject)
        self._read(self.field.text())

    def _lay_out(self, about: Text) -> None:
        for words in (about, self.meant):
            words.setWordWrap(True)
        self.meant.setMinimumHeight(32)
        self.meant.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.field.setMinimumHeight(FIELD_HEIGHT)
        self.stack((about, self.field, self.meant, self.favourite), button_row((), (self.cancel, self.add)), WIDTH)

    def _read(self, text: str) -> None:
        try:
            self._link = parse_server_text(text)
            words, role = _words(self._link), "text2"
        except ValueError as error:
            self._link = None
            words, role = (str(error) if text.strip() else ""), "warning"
        self.meant.set_role(role)
        self.meant.setText(words)
        self.field.setAccessibleDescription(words)
        self.add.setEnabled(self._link is not None)

    def _accept(self) -> None:
        if self._link is not None:
            self.given.emit(self._link, self.favourite.isChecked())
            self.accept()


def _words(link: ServerLink) -> str:
    """What was understood."""
    protocol = link.protocol or _("its protocol is found by asking")
    words = _("{address}, {protocol}.").format(address=link.address, protocol=protocol)
    return f"{words} {_('The password is used for the next join only.')}" if link.password else words
