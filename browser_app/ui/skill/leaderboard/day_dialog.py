"""The dialog that chooses the day of a leaderboard."""

import datetime as dt

from PySide6.QtCore import QDate, Signal
from PySide6.QtWidgets import QCalendarWidget, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.widgets.basic_widgets import Button
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.dialogs import ThemedDialog, make_button_row
from browser_app.ui.widgets.theme import Theme


class DayDialog(ThemedDialog):
    """A calendar.

    Signals:
        day_chosen: a `datetime.date`.
    """

    day_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget, first: dt.date, last: dt.date, current: dt.date) -> None:
        """Offer the days from `first` to `last`."""
        super().__init__(theme, parent, _("Choose a day"))
        self.calendar = QCalendarWidget()
        self.calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.calendar.setDateRange(_qt_date(first), _qt_date(last))
        self.calendar.setSelectedDate(_qt_date(current))
        self.choose_button, cancel = Button(theme, _("Show"), accented=True), Button(theme, _("Cancel"))
        buttons = make_button_row((), (cancel, self.choose_button))
        fill_box(QVBoxLayout(self), self.calendar, buttons, spacing=12, margins=(16, 16, 16, 16))
        cancel.clicked.connect(self.reject)
        self.choose_button.clicked.connect(self._choose)
        self.calendar.activated.connect(self._choose)
        self.calendar.setFocus()

    def _choose(self) -> None:
        chosen = self.calendar.selectedDate()
        self.day_chosen.emit(dt.date(chosen.year(), chosen.month(), chosen.day()))
        self.accept()


def _qt_date(day: dt.date) -> QDate:
    return QDate(day.year, day.month, day.day)
