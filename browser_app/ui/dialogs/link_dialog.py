"""A link wants a server to be joined: shows it, and asks. Nothing is joined by itself."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.controls import Button, ElidedText, Text
from browser_app.ui.dialogs.dialog import Dialog, button_row
from browser_app.ui.theme import Theme

WIDTH = 400


class LinkDialog(Dialog):
    """The server that a link names. Enter closes it, so that a link that comes while somebody types joins nothing.

    Signals:
        join_wanted: the user wants to join it.
        favourite_wanted: the user wants it among the favourites.
    """

    join_wanted = Signal()
    favourite_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget, address: str) -> None:
        super().__init__(theme, parent, _("Opened by a link"))
        self.name = ElidedText(theme, address, size=15, weight=QFont.Weight.DemiBold)
        self.where = ElidedText(theme, address, role="text2", size=12)
        self.state = Text(theme, _("Asking the server…"), role="text2")
        self.state.setWordWrap(True)
        self.join = Button(theme, _("Join"), "play")
        self.favourite = Button(theme, _("Add to favourites"), "star")
        self.done_button = Button(theme, _("Close"))
        self._lay_out()
        for button in (self.join, self.favourite):
            button.setEnabled(False)
        self.join.clicked.connect(self._join)
        self.favourite.clicked.connect(self._keep)
        self.done_button.clicked.connect(self.reject)
        self.done_button.setFocus()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(4)
        for widget in (self.name, self.where):
            column.addWidget(widget)
        column.addSpacing(4)
        column.addWidget(self.state)
        column.addSpacing(12)
        column.addLayout(button_row((self.favourite,), (self.done_button, self.join)))
        self.setFixedWidth(WIDTH)

    def show_server(self, name: str, where: str, state: str, *, joinable: bool, favourite: bool) -> None:
        """Tell what the server said. `joinable`: it answered."""
        self.name.setText(name)
        self.where.setText(where)
        self.state.setText(state)
        self.join.setEnabled(joinable)
        self.favourite.setEnabled(not favourite)
        if favourite:
            self.favourite.setText(_("A favourite"))

    def show_trouble(self, state: str) -> None:
        """There is no such server."""
        self.state.setText(state)

    def _join(self) -> None:
        self.accept()
        self.join_wanted.emit()

    def _keep(self) -> None:
        self.favourite.setEnabled(False)
        self.favourite.setText(_("A favourite"))
        self.favourite_wanted.emit()
