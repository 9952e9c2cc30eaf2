"""Check boxes for the alerts of a server."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.application.alert_rules import ALERT_RULES
from browser_app.language import gettext as _
from browser_app.storage.user_lists.alert_store import MAX_ALERT_PLAYERS, AlertKind
from browser_app.ui.widgets.basic_widgets import Label
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.form_fields import CheckBox, SpinBox
from browser_app.ui.widgets.theme import Theme, field_style_sheet

DEFAULT_ALERT_PLAYERS = 10


class AlertCheckBox(QWidget):
    """Check box of one kind of alert.

    It has a field for its number of players if the alert has one.

    Signals:
        change_requested: the number of players (0 if the kind has none), and whether to set the alert.
    """

    change_requested = Signal(int, bool)

    def __init__(self, theme: Theme, kind: AlertKind) -> None:
        super().__init__()
        self._theme, self._label = theme, _(ALERT_RULES[kind].label)
        before, _placeholder, after = self._label.partition("{n}")
        self.box = CheckBox(theme, before.strip())
        self.box.clicked.connect(lambda on: self.change_requested.emit(self._number(), on))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.box)
        self.number_field: SpinBox | None = None
        if kind.has_number:
            self.number_field = self._create_number_field()
            theme.changed.connect(self._recolor)
            self._recolor()
            row.addWidget(self.number_field)
            row.addWidget(Label(theme, after.strip()))
        row.addStretch(1)
        self._update_accessible_name()

    def _create_number_field(self) -> SpinBox:
        field = SpinBox(1, MAX_ALERT_PLAYERS, DEFAULT_ALERT_PLAYERS)
        field.setAccessibleName(_("Minimum number of players"))
        field.valueChanged.connect(self._on_number_changed)
        return field

    def show_alert(self, number: int | None) -> None:
        """Show an alert's number of players, or no alert."""
        self.box.setChecked(number is not None)
        if self.number_field is not None:
            self.number_field.blockSignals(True)
            self.number_field.setValue(DEFAULT_ALERT_PLAYERS if number is None else number)
            self.number_field.blockSignals(False)
        self._update_accessible_name()

    def _recolor(self) -> None:
        if self.number_field is not None:
            self.number_field.setStyleSheet(field_style_sheet(self._theme.palette))

    def _number(self) -> int:
        return 0 if self.number_field is None else self.number_field.value()

    def _on_number_changed(self, number: int) -> None:
        self._update_accessible_name()
        if self.box.isChecked():
            self.change_requested.emit(number, True)

    def _update_accessible_name(self) -> None:
        self.box.setAccessibleName(self._label.format(n=self._number()))


class AlertCheckBoxes(QWidget):
    """Check boxes for the alerts of a server, one per kind.

    Signals:
        alert_change_requested: the `AlertKind`, its number of players, and whether to set it.
    """

    alert_change_requested = Signal(object, int, bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.rows = {kind: AlertCheckBox(theme, kind) for kind in ALERT_RULES}
        fill_box(QVBoxLayout(self), *self.rows.values(), spacing=2)
        for kind, row in self.rows.items():
            row.change_requested.connect(
                lambda number, on, kind=kind: self.alert_change_requested.emit(kind, number, on)
            )

    def show_alerts(self, alerts: Mapping[AlertKind, int]) -> None:
        """Check the alerts that are set; values are their numbers of players."""
        for kind, row in self.rows.items():
            row.show_alert(alerts.get(kind))

    def focus_first(self) -> None:
        """Move the keyboard focus to the first check box."""
        next(iter(self.rows.values())).box.setFocus(Qt.FocusReason.TabFocusReason)
