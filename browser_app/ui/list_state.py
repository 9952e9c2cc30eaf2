"""What stands above the rows when the list is not simply live: remembered, offline, empty, each with one next step."""

import time
from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout

from browser_app.ui.controls import Button, Surface, Text
from browser_app.ui.status_line import IconMark
from browser_app.ui.texts import thousands
from browser_app.ui.theme import Theme

HEIGHT = 36


class ListState(Surface):
    """A line above the header; hidden when there is nothing to say.

    Signals:
        clear_wanted: take the filter away.
        retry_wanted: ask again.
    """

    clear_wanted = Signal()
    retry_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window", "B")
        self._mark = IconMark(theme, "clock", size=16)
        self._what = Text(theme, weight=QFont.Weight.DemiBold)
        self._why = Text(theme, role="text2")
        self._clear = Button(theme, "Clear the filter", accented=True)
        self._retry = Button(theme, "Try again", accented=True)
        self._clear.clicked.connect(self.clear_wanted)
        self._retry.clicked.connect(self.retry_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 12, 3)
        row.setSpacing(8)
        for widget in (self._mark, self._what, self._why):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self._clear)
        row.addWidget(self._retry)
        self.setFixedHeight(HEIGHT)
        self.hide()

    def sizeHint(self) -> QSize:
        """36 high."""
        return QSize(super().sizeHint().width(), HEIGHT)

    def texts(self) -> tuple[str, str]:
        """What is so, and why."""
        return self._what.text(), self._why.text()

    def show_state(
        self,
        *,
        known: int,
        shown: int,
        remembered: int,
        oldest: float | None,
        running: bool,
        failures: Sequence[str],
        network_down: bool,
    ) -> None:
        """Say the most important thing that is so, or nothing."""
        if network_down:
            self._say("off", "warning", "No network.", "The rows stay as they are. Scanning goes on by itself.")
        elif not known and running:
            self._say("globe", "text2", "Asking the masters…", "The list fills as servers answer.")
        elif not known:
            why = failures[0] if failures else "No master listed a server."
            self._say("off", "warning", "No servers.", why, retry=True)
        elif not shown:
            self._say("filter", "text2", "No server passes the filter.", f"{thousands(known)} are known.", clear=True)
        elif remembered and oldest is not None and (running or remembered == known):
            age = _age(time.time() - oldest)
            fresh = f"Fresh: {thousands(known - remembered)} of {thousands(known)}."
            self._say("clock", "text2", f"Remembered from last time, {age} ago.", fresh)
        else:
            self.hide()

    def _say(self, icon: str, role: str, what: str, why: str, *, clear: bool = False, retry: bool = False) -> None:
        self._mark.set_icon(icon, role)
        self._what.setText(what)
        self._why.setText(why)
        self._clear.setVisible(clear)
        self._retry.setVisible(retry)
        self.show()


def _age(seconds: float) -> str:
    for length, unit in ((86400.0, "d"), (3600.0, "h"), (60.0, "min")):
        if seconds >= length:
            return f"{seconds / length:.0f} {unit}"
    return "less than a minute"
