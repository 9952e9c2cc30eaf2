"""What was found somewhere, to be taken into the user's lists: one line each, with a tick."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.controls import Button, ElidedText, Text
from browser_app.ui.dialogs.dialog import Dialog, button_row
from browser_app.ui.theme import Theme

WIDTH, LIST_HEIGHT = 480, 220
MAX_PROBLEMS = 50
_INDENT = 24
"""Behind a tick."""


class Line(NamedTuple):
    """One thing that can be taken in."""

    words: str
    where: str = ""
    """Where it comes from, in small letters; empty for nothing."""


class TakeInDialog(Dialog):
    """Shows the lines when they are known. What is wrong stands below them.

    Signals:
        taken: the places of the ticked lines.
    """

    taken = Signal(list)

    def __init__(self, theme: Theme, parent: QWidget, title: str, about: str) -> None:
        """`about`: what is going on until `show_lines`."""
        super().__init__(theme, parent, title)
        self.about = Text(theme, about, role="text2")
        self.about.setWordWrap(True)
        self.boxes: list[QCheckBox] = []
        self._lines = QVBoxLayout()
        self._lines.setContentsMargins(0, 0, 8, 0)
        self._lines.setSpacing(2)
        self.take = Button(theme, _("Bring in"), accented=True)
        self.cancel = Button(theme, _("Cancel"))
        self._lay_out()
        self.take.setEnabled(False)
        self.take.clicked.connect(self._take)
        self.cancel.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setLayout(self._lines)
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(inside)
        self._area.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        self._area.setAccessibleName(_("What was found"))
        self._area.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(self.about)
        column.addWidget(self._area, 1)
        column.addLayout(button_row((), (self.cancel, self.take)))
        self.setFixedWidth(WIDTH)

    def show_lines(self, about: str, lines: Sequence[Line], problems: Sequence[str]) -> None:
        """Offer these, all ticked; called once."""
        self.about.setText(about)
        for line in lines:
            box = QCheckBox(line.words)
            box.setChecked(True)
            box.setAccessibleDescription(line.where)
            box.toggled.connect(self._ticked)
            self.boxes.append(box)
            self._lines.addWidget(box)
            if line.where:
                self._add_small(line.where, "text2")
        for problem in problems[:MAX_PROBLEMS]:
            self._add_small(problem, "warning")
        if len(problems) > MAX_PROBLEMS:
            self._add_small(_("and {n} more").format(n=len(problems) - MAX_PROBLEMS), "warning")
        self._lines.addStretch(1)
        self._area.setVisible(bool(lines or problems))
        self._ticked()
        self._area.setFixedHeight(min(LIST_HEIGHT, self._lines.sizeHint().height()))
        self.adjustSize()
        if self.boxes:
            self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the boxes
            self.take.setFocus()
        else:
            self.cancel.setText(_("Close"))

    def _add_small(self, words: str, role: str) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(_INDENT if role == "text2" else 0, 0, 0, 6)
        row.addWidget(ElidedText(self._theme, words, role=role, size=12))
        self._lines.addLayout(row)

    def _ticked(self) -> None:
        self.take.setEnabled(any(box.isChecked() for box in self.boxes))

    def _take(self) -> None:
        self.taken.emit([place for place, box in enumerate(self.boxes) if box.isChecked()])
        self.accept()
