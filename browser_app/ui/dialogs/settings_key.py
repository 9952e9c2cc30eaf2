"""The Steam key among the settings: put in, forgotten, and where it is; the key itself is never shown."""

import re
from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QWidget

from browser_app.bridge.steam_key import SteamKeyBox
from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.storage.secrets import STEAM_KEY_VARIABLE, KeyPlace
from browser_app.ui.controls import Button, Text
from browser_app.ui.dialogs.settings_row import LABEL_WIDTH
from browser_app.ui.theme import Theme

STEAM_KEY = "steam-key"
"""The row's name, beside the settings' keys."""
_KEY = re.compile(r"[0-9A-Fa-f]{32}")
_LABEL = later("Steam key")
_HELP = later(
    "Valve gives the lists of its games only with a Steam Web API key; it is free, from"
    " steamcommunity.com/dev/apikey. It goes to Valve only and is never written into a file of this program."
)
_PLACES: Mapping[KeyPlace, str] = {
    KeyPlace.NOWHERE: later("There is none."),
    KeyPlace.STORE: later("Kept in the system's secret store."),
    KeyPlace.MEMORY: later("The system has no secret store that takes it: kept until this program ends."),
    KeyPlace.ENVIRONMENT: later("Taken from the environment variable {name}."),
}


class SteamKeyRow(QWidget):
    """A field for a new key, and words about the one there is."""

    setting_key = STEAM_KEY

    def __init__(self, theme: Theme, box: SteamKeyBox) -> None:
        super().__init__()
        self._box = box
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setPlaceholderText(_("32 digits and letters"))
        self.field.setAccessibleName(_(_LABEL))
        self.field.setAccessibleDescription(_(_HELP))
        self.save = Button(theme, _("Keep"))
        self.forget = Button(theme, _("Forget"))
        self.where = Text(theme, _("Asking the secret store…"), role="text1", size=12)
        self.where.setWordWrap(True)
        self.problem = Text(theme, role="warning", size=12)
        self._label = Text(theme, _(_LABEL), weight=QFont.Weight.Medium)
        self._help = Text(theme, _(_HELP), role="text2", size=12)
        self._help.setWordWrap(True)
        self._lay_out()
        self.field.textChanged.connect(self._check)
        self.field.returnPressed.connect(self._keep)
        self.save.clicked.connect(self._keep)
        self.forget.clicked.connect(box.forget)
        box.found.connect(self._show)
        self.forget.setEnabled(False)
        self._check("")
        box.look()

    def matches(self, words: str) -> bool:
        """Every one of the words is in its label or help."""
        inside = f"{_(_LABEL)} {_(_HELP)}".casefold()
        return all(word in inside for word in words.casefold().split())

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(8)
        for widget in (self.field, self.save, self.forget):
            line.addWidget(widget)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 8, 0, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self._label.setFixedWidth(LABEL_WIDTH)
        grid.addWidget(self._label, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addLayout(line, 0, 1)
        for row, text in enumerate((self.problem, self.where, self._help), start=1):
            grid.addWidget(text, row, 1)

    def _check(self, text: str) -> None:
        good = bool(_KEY.fullmatch(text.strip()))
        self.save.setEnabled(good)
        self.problem.setText("" if good or not text.strip() else _("A key is 32 digits and letters from A to F."))
        self.problem.setVisible(bool(self.problem.text()))

    def _keep(self) -> None:
        if self.save.isEnabled():
            self.where.setText(_("Asking the secret store…"))
            self._box.keep(self.field.text().strip())
            self.field.clear()

    def _show(self, place: KeyPlace) -> None:
        self.where.setText(_(_PLACES[place]).format(name=STEAM_KEY_VARIABLE))
        self.forget.setEnabled(place in (KeyPlace.STORE, KeyPlace.MEMORY))
