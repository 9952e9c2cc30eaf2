"""The line above the rows that says what is so with the list as a whole: remembered, or offline."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout

from browser_app.ui.controls import Button, ElidedText, Surface, Text
from browser_app.ui.list_words import Words
from browser_app.ui.status_line import IconMark, ProgressBar
from browser_app.ui.theme import Theme

HEIGHT = 36


class ListState(Surface):
    """Hidden when there is nothing to say.

    Signals:
        step_wanted: what the step does.
    """

    step_wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window", "B")
        self._mark = IconMark(theme, "clock", size=16)
        self._what = Text(theme, weight=QFont.Weight.DemiBold)
        self._why = ElidedText(theme, role="text2")
        self._bar = ProgressBar(theme, 120)
        self._does = ""
        self.step = Button(theme)
        self.step.clicked.connect(lambda: self.step_wanted.emit(self._does))
        self.setFocusProxy(self.step)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 12, 3)
        row.setSpacing(8)
        for widget in (self._mark, self._what):
            row.addWidget(widget)
        row.addWidget(self._why, 1)
        row.addWidget(self._bar)
        row.addWidget(self.step)
        self.setFixedHeight(HEIGHT)
        self.hide()

    def sizeHint(self) -> QSize:
        """36 high."""
        return QSize(super().sizeHint().width(), HEIGHT)

    def texts(self) -> tuple[str, str]:
        """What is so, and why."""
        return self._what.text(), self._why.text()

    def show_words(self, words: Words | None) -> None:
        """Say this, or nothing."""
        self.setVisible(words is not None)
        if words is None:
            return
        self._mark.set_icon(words.icon, words.role)
        self._what.setText(words.what)
        self._why.setText(words.why)
        self._bar.setVisible(words.share is not None)
        self._bar.set_share(words.share or 0.0)
        text, self._does = words.step or ("", "")
        self.step.setVisible(bool(text))
        if text != self.step.text():
            self.step.setText(text)
            self.step.updateGeometry()
