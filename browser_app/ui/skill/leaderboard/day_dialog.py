"""The dialog that chooses the day of a leaderboard."""

import datetime as dt

from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtGui import QIcon, QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QToolButton, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.widgets.basic_widgets import Button
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.dialogs import ThemedDialog, create_button_row
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import date_with_year_text

_CALENDAR_SCALE = 1.25
"""Qt's smallest size ignores the style's frames, so that the last week would be cut."""


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
        self.calendar.setMinimumSize(self.calendar.minimumSizeHint() * _CALENDAR_SCALE)
        self._recolor_calendar()
        theme.changed.connect(self._recolor_calendar)
        self.calendar.setDateRange(_qt_date(first), _qt_date(last))
        self.calendar.setSelectedDate(_qt_date(current))
        self.choose_button, cancel = Button(theme, accented=True), Button(theme, _("Cancel"))
        buttons = create_button_row((), (cancel, self.choose_button))
        fill_box(QVBoxLayout(self), self.calendar, buttons, spacing=12, margins=(16, 16, 16, 16))
        cancel.clicked.connect(self.reject)
        self.choose_button.clicked.connect(self._choose)
        self.calendar.activated.connect(self._choose)
        self.calendar.selectionChanged.connect(self._name_day)
        self._name_day()
        self.calendar.setFocus()

    def _recolor_calendar(self) -> None:
        """Show weekends like other days, and arrows in the text colour."""
        text = QTextCharFormat()
        text.setForeground(self._theme.palette.color("text1"))
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            self.calendar.setWeekdayTextFormat(day, text)
        for name, sign in (("qt_calendar_prevmonth", "‹"), ("qt_calendar_nextmonth", "›")):
            button = self.calendar.findChild(QToolButton, name)
            if button is not None:
                button.setIcon(QIcon())
                button.setText(sign)

    @property
    def day(self) -> dt.date:
        """The selected day."""
        chosen = self.calendar.selectedDate()
        return dt.date(chosen.year(), chosen.month(), chosen.day())

    def _name_day(self) -> None:
        """Name the selected day on the button."""
        self.choose_button.setText(_("Show {day}").format(day=day_text(self.day)))
        self.choose_button.updateGeometry()

    def _choose(self) -> None:
        self.day_chosen.emit(self.day)
        self.accept()


def day_text(day: dt.date) -> str:
    """Return `7 Aug`, or `7 Aug 2024` in another year."""
    return date_with_year_text(dt.datetime.combine(day, dt.time(12)).timestamp())


def _qt_date(day: dt.date) -> QDate:
    return QDate(day.year, day.month, day.day)
