"""The fields of a system's parameters: two beside each other where their words fit, the usual ones first."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from browser_app.rating.parameters import Parameter
from browser_app.ui.skill.systems.parameter_field import ParameterField
from browser_app.ui.theme import Theme

_COLUMNS, _PARTS = 2, 4
"""Fields beside each other, and what each takes of the grid: title, editor, note, space."""
_SPACES_PX = 58
"""Between the parts of all fields of a line."""
_USUAL = 8
"""Parameters that are shown at once: systems declare first what matters most."""


class ParameterGrid(QWidget):
    """Extras that are off by default are shown only with all.

    Signals:
        edited: a value is another one, or cannot be read.
    """

    edited = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.fields: list[ParameterField] = []
        self.all_shown = False
        self._columns = _COLUMNS
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)

    def show_parameters(self, declared: Sequence[Parameter]) -> None:
        """Make a field for each, without a value as yet."""
        for field in self.fields:
            field.deleteLater()
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.fields = [ParameterField(self._theme, each) for each in declared]
        for field in self.fields:
            field.edited.connect(self.edited)
        self.show_all(False)

    def show_all(self, shown: bool) -> None:
        """Show all, or the usual ones alone."""
        self.all_shown = shown
        self._arrange()
        self._choose_columns()

    @property
    def has_more(self) -> bool:
        """Whether there are others than the usual ones."""
        return len(self._usual()) < len(self.fields)

    def _usual(self) -> list[ParameterField]:
        return [field for field in self.fields if field.parameter.default is not None][:_USUAL]

    def _ordered(self) -> list[ParameterField]:
        usual = self._usual()
        return [*usual, *(field for field in self.fields if field not in usual)]

    def _arrange(self) -> None:
        usual = self._usual()
        for place, field in enumerate(self._ordered()):
            line, column = divmod(place, self._columns)
            for part, widget in enumerate((field.title, field.editor, field.note)):
                self._grid.addWidget(widget, line, column * _PARTS + part)
                widget.setVisible(self.all_shown or place < len(usual))
        beside = self._columns > 1
        for column in range(_COLUMNS):
            self._grid.setColumnStretch(column * _PARTS + 2, int(beside))
        self._grid.setColumnMinimumWidth(_PARTS - 1, 16 if beside else 0)
        self._grid.setColumnStretch(_PARTS - 1, int(not beside))

    def _choose_columns(self) -> None:
        shown = [field.widths for field in (self._ordered() if self.all_shown else self._usual())]
        beside = [shown[column::_COLUMNS] for column in range(_COLUMNS)]
        needed = sum(max(part) for widths in beside for part in zip(*widths, strict=True))
        columns = _COLUMNS if self.width() >= needed + _SPACES_PX else 1
        if columns != self._columns:
            self._columns = columns
            self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fields stand beside each other where their titles and notes fit."""
        super().resizeEvent(event)
        self._choose_columns()
