"""The page in the table's body where there are no rows: what is so, why, and the one next step."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.chip import Chip, ChipState
from browser_app.ui.controls import Button, Text
from browser_app.ui.list_words import Words
from browser_app.ui.paragraph import Paragraph
from browser_app.ui.status_line import IconMark, ProgressBar
from browser_app.ui.texts import thousands
from browser_app.ui.theme import Theme

WIDTH = 480
LEAST_HEIGHT = 120
_MIDDLE = Qt.AlignmentFlag.AlignHCenter


class EmptyPage(QWidget):
    """Lies over the room that the rows leave; hidden when there is nothing to say.

    Signals:
        step_wanted: what a step does.
        off_wanted: the key of a filter that is to go off.
    """

    step_wanted = Signal(str)
    off_wanted = Signal(str)

    def __init__(self, theme: Theme, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._theme, self._viewport = theme, viewport
        self._wanted: Words | None = None
        self._words: Words | None = None
        """Those that are laid out."""
        self._top = 0
        self._mark = IconMark(theme, "filter", size=20)
        self._what = Text(theme, size=15, weight=QFont.Weight.DemiBold)
        self._why = Paragraph(theme, width=WIDTH)
        self._note = Paragraph(theme, width=WIDTH, size=12)
        self._bar = ProgressBar(theme, 220)
        self.step = Button(theme, accented=True)
        self.step.clicked.connect(lambda: self._do(0))
        self._filters = QGridLayout()
        self._others = QHBoxLayout()
        self._lay_out()
        viewport.installEventFilter(self)
        self.hide()

    def _lay_out(self) -> None:
        self._filters.setHorizontalSpacing(12)
        self._filters.setVerticalSpacing(6)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        column.addStretch(2)
        for widget in (self._mark, self._what, self._bar, self._why):
            column.addWidget(widget, alignment=_MIDDLE)
        for layout in (self._filters, self._others):
            row = QHBoxLayout()
            row.addStretch(1)
            row.addLayout(layout)
            row.addStretch(1)
            column.addLayout(row)
            if layout is self._filters:
                column.addWidget(self.step, alignment=_MIDDLE)
        column.addWidget(self._note, alignment=_MIDDLE)
        column.addStretch(3)

    def texts(self) -> tuple[str, str]:
        """What is so, and why; empty while there is nothing to say."""
        return (self._wanted.what, self._wanted.why) if self._wanted is not None else ("", "")

    def show_words(self, words: Words | None, top: int) -> None:
        """Say this below the rows, which end at `top`, if there is room; None for nothing."""
        self._wanted, self._top = words, top
        self._place()

    def _place(self) -> None:
        """Lie over the room; without it nothing is laid out, since the words may change many times a second."""
        room, words = self._viewport.rect().adjusted(0, self._top, 0, 0), self._wanted
        fits = self._top == 0 or room.height() >= LEAST_HEIGHT
        if words is not None and fits:
            if words != self._words:
                if self._words is None or words.filters != self._words.filters:
                    self._show_filters(words.filters)
                self._words = words
                self._fill(words)
            self.setGeometry(room)
        self.setVisible(words is not None and fits)

    def _fill(self, words: Words) -> None:
        self._mark.setVisible(bool(words.icon))
        if words.icon:
            self._mark.set_icon(words.icon, words.role)
        self._what.setText(words.what)
        for paragraph, text in ((self._why, words.why), (self._note, words.note)):
            paragraph.show_text(text)
            paragraph.setVisible(bool(text))
        self._bar.setVisible(words.share is not None)
        self._bar.set_share(words.share or 0.0)
        self.step.setVisible(words.step is not None)
        self.step.setText(words.step[0] if words.step else "")
        self.step.updateGeometry()
        _empty(self._others)
        for place, (text, _does) in enumerate(words.others, 1):
            button = Button(self._theme, text)
            button.clicked.connect(lambda _checked=False, place=place: self._do(place))
            self._others.addWidget(button)

    def _do(self, place: int) -> None:
        if self._words is not None:
            steps = (self._words.step, *self._words.others)
            step = steps[place]
            if step is not None:
                self.step_wanted.emit(step[1])

    def _show_filters(self, filters: Sequence[ChipState]) -> None:
        _empty(self._filters)
        for place, state in enumerate(filters):
            chip = Chip(self._theme)
            chip.show_state(state._replace(number=None, menu=False))
            off = Button(self._theme, _("Off"))
            off.setAccessibleName(_("{filter} off").format(filter=state.title))
            for each in (chip, off):
                each.clicked.connect(lambda _checked=False, key=state.key: self.off_wanted.emit(key))
            self._filters.addWidget(chip, place, 0)
            self._filters.addWidget(Text(self._theme, _("brings back"), role="text2", size=12), place, 1)
            number = Text(self._theme, thousands(state.number or 0), weight=QFont.Weight.DemiBold)
            self._filters.addWidget(number, place, 2, Qt.AlignmentFlag.AlignRight)
            self._filters.addWidget(off, place, 3)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep to the viewport's size."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)


def _empty(layout: QGridLayout | QHBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
