"""For each key of a table a choice of the file's columns, those first that a round needs."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QComboBox, QFormLayout, QFrame, QScrollArea, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.rounds.source import ColumnMap
from browser_app.rounds.table import KEYS, NEEDED
from browser_app.ui.controls import Text
from browser_app.ui.skill.column_words import file_words, title_of
from browser_app.ui.theme import Theme

_SHORT = 12
"""Characters of a column's name that are seen however little room there is."""


class ColumnChoices(QScrollArea):
    """Follows the field that has the focus.

    Signals:
        changed: `column_map` differs.
    """

    changed = Signal()

    def __init__(self, theme: Theme, columns: Sequence[str], chosen: ColumnMap) -> None:
        """`chosen`: what is proposed."""
        super().__init__()
        self._theme = theme
        self.boxes = {key: self._box(key, columns, chosen.get(key)) for key in KEYS}
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(_("Columns"))
        self._lay_out()

    def column_map(self) -> ColumnMap:
        """The column of each key, None where it has none."""
        return {key: box.currentData() for key, box in self.boxes.items()}

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A field with the focus is in sight; the wheel over one without scrolls the page."""
        if isinstance(watched, QComboBox):
            if event.type() == QEvent.Type.FocusIn:
                self.ensureWidgetVisible(watched)
            elif event.type() == QEvent.Type.Wheel and not watched.hasFocus():
                event.ignore()
                return True
        return super().eventFilter(watched, event)

    def _box(self, key: str, columns: Sequence[str], chosen: str | None) -> QComboBox:
        box = QComboBox()
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(_SHORT)
        box.setAccessibleName(title_of(key))
        box.setAccessibleDescription(_("Needed") if key in NEEDED else _("Optional"))
        box.addItem(_("no column"), None)
        for column in columns:
            box.addItem(file_words(column), column)
        box.setCurrentIndex(0 if chosen is None else 1 + columns.index(chosen))
        box.currentIndexChanged.connect(self.changed)
        box.installEventFilter(self)
        return box

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(8)
        labels = {key: Text(self._theme, title_of(key)) for key in KEYS}
        width = max(label.sizeHint().width() for label in labels.values())
        optional = [key for key in KEYS if key not in NEEDED]
        for title, keys in ((_("Needed"), NEEDED), (_("Optional"), optional)):
            column.addWidget(Text(self._theme, title, role="text2", size=12, weight=QFont.Weight.Bold))
            form = QFormLayout()
            form.setHorizontalSpacing(12)
            form.setVerticalSpacing(4)
            for key in keys:
                labels[key].setMinimumWidth(width)
                labels[key].setBuddy(self.boxes[key])
                form.addRow(labels[key], self.boxes[key])
            column.addLayout(form)
        column.addStretch(1)
        self.setWidget(inside)
        self.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
