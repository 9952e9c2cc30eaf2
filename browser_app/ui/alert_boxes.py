"""What a user may want to be told about a server, as boxes to tick."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.storage.alerts import MOST_PLAYERS, AlertKind
from browser_app.ui.check_box import CheckBox
from browser_app.ui.controls import Text
from browser_app.ui.field_style import field_style
from browser_app.ui.theme import Theme

USUAL_PLAYERS = 10


class AlertBoxes(QWidget):
    """One box a kind.

    Signals:
        set_wanted: a kind (`AlertKind`), its number of players, and whether it is to be set.
    """

    set_wanted = Signal(object, int, bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.friend = CheckBox(theme, _("a friend comes on"))
        self.slot = CheckBox(theme, _("a slot gets free"))
        self.players = CheckBox(theme)
        self.number = QSpinBox(minimum=1, maximum=MOST_PLAYERS, value=USUAL_PLAYERS)
        self.number.setAccessibleName(_("So many or more play"))
        self._boxes = {AlertKind.FRIEND: self.friend, AlertKind.SLOT: self.slot, AlertKind.PLAYERS: self.players}
        row = QHBoxLayout()
        row.setSpacing(6)
        for widget in (self.players, self.number, Text(theme, _("or more play"))):
            row.addWidget(widget)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.friend)
        column.addWidget(self.slot)
        column.addLayout(row)
        for kind, box in self._boxes.items():
            box.clicked.connect(lambda on, kind=kind: self.set_wanted.emit(kind, self.number.value(), on))
        self.number.valueChanged.connect(self._number_changed)
        self._name_players()
        theme.changed.connect(self._recolor)
        self._recolor()

    def show_alerts(self, alerts: Mapping[AlertKind, int]) -> None:
        """Tick those that are set: by kind the number of players that goes with it."""
        for kind, box in self._boxes.items():
            box.setChecked(kind in alerts)
        self.number.blockSignals(True)
        self.number.setValue(alerts.get(AlertKind.PLAYERS, USUAL_PLAYERS))
        self.number.blockSignals(False)
        self._name_players()

    def _recolor(self) -> None:
        self.number.setStyleSheet(field_style(self._theme.palette))

    def _number_changed(self, number: int) -> None:
        self._name_players()
        if self.players.isChecked():
            self.set_wanted.emit(AlertKind.PLAYERS, number, True)

    def _name_players(self) -> None:
        self.players.setAccessibleName(_("{n} or more play").format(n=self.number.value()))
