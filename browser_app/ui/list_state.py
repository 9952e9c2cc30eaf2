"""What stands above the rows when the list is not simply live: remembered, offline, empty, each with one next step."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout

from browser_app.ui.controls import Button, ElidedText, Surface, Text
from browser_app.ui.lists import BLOCKED, FAVOURITES, FRIENDS, RECENT
from browser_app.ui.status_line import IconMark
from browser_app.ui.texts import age_text, thousands
from browser_app.ui.theme import Theme

HEIGHT = 36
_RETRY = "Try again"
_EMPTY_LISTS = {
    FAVOURITES: ("star", "text2", "No favourites yet.", "A click on a server's star or F adds one."),
    RECENT: ("clock", "text2", "Nothing played yet.", "Servers that you join stand here."),
    FRIENDS: ("friend", "text2", "No friend is seen.", "Servers whose player list names a friend stand here."),
    BLOCKED: ("block", "text2", "No server is blocked.", "Blocked servers stand here and nowhere else."),
}


class ListState(Surface):
    """A line above the header; hidden when there is nothing to say.

    Signals:
        clear_wanted: take the filter away.
        all_wanted: show all servers.
        retry_wanted: ask again.
    """

    clear_wanted = Signal()
    all_wanted = Signal()
    retry_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window", "B")
        self._mark = IconMark(theme, "clock", size=16)
        self._what = Text(theme, weight=QFont.Weight.DemiBold)
        self._why = ElidedText(theme, role="text2")
        self._steps = {
            "Clear the filter": self.clear_wanted,
            "Show all servers": self.all_wanted,
            "Refresh": self.retry_wanted,
            "Try again": self.retry_wanted,
        }
        self.step = Button(theme, accented=True)
        self.step.clicked.connect(self._go)
        self.setFocusProxy(self.step)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 12, 3)
        row.setSpacing(8)
        for widget in (self._mark, self._what):
            row.addWidget(widget)
        row.addWidget(self._why, 1)
        row.addWidget(self.step)
        self.setFixedHeight(HEIGHT)
        self.hide()

    def sizeHint(self) -> QSize:
        """36 high."""
        return QSize(super().sizeHint().width(), HEIGHT)

    def texts(self) -> tuple[str, str]:
        """What is so, and why."""
        return self._what.text(), self._why.text()

    def _go(self) -> None:
        self._steps[self.step.text()].emit()

    def show_state(
        self,
        *,
        known: int,
        shown: int,
        remembering: bool,
        asked: bool,
        listed: str,
        filtered: bool,
        remembered: int,
        age_s: float | None,
        running: bool,
        failures: Sequence[str],
        network_down: bool,
    ) -> None:
        """Say the most important thing that is so, or nothing. `age_s`: the newest remembered row's."""
        if network_down:
            self._say("off", "warning", "No network.", "The rows stay as they are. Scanning goes on by itself.", _RETRY)
        elif not known and remembering:
            self._say("clock", "text2", "Reading the list from last time…", "Its servers come back marked old.")
        elif not known and running:
            self._say("globe", "text2", "Asking the masters…", "The list fills as servers answer.")
        elif not known and not asked:
            self._say("globe", "text2", "No servers yet.", "Nobody has been asked.", "Refresh")
        elif not known:
            why = failures[0] if failures else "No master listed a server."
            self._say("off", "warning", "No servers.", why, _RETRY)
        elif not shown and listed in _EMPTY_LISTS and not (filtered and listed != FAVOURITES):
            self._say(*_EMPTY_LISTS[listed], "Show all servers")
        elif not shown:
            known_words = f"{thousands(known)} are known."
            self._say("filter", "text2", "No server passes the filter.", known_words, "Clear the filter")
        elif remembered and age_s is not None and (running or remembered == known):
            age = age_text(age_s)
            fresh = f"Fresh: {thousands(known - remembered)} of {thousands(known)}."
            self._say("clock", "text2", f"Remembered from last time, {age} ago.", fresh)
        else:
            self.hide()

    def _say(self, icon: str, role: str, what: str, why: str, step: str = "") -> None:
        self._mark.set_icon(icon, role)
        self._what.setText(what)
        self._why.setText(why)
        self.step.setVisible(bool(step))
        if step and step != self.step.text():
            self.step.setText(step)
            self.step.updateGeometry()
        self.show()
