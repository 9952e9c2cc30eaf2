"""The comparison: a row a system, its distance to the best drawn with the interval that luck leaves."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyleOptionViewItem, QTableView

from browser_app.language import gettext as _
from browser_app.ui.skill.still_picture import StillPicture
from browser_app.ui.skill.systems.comparison_cells import HEAD, ComparisonCells, ComparisonHeader
from browser_app.ui.skill.systems.comparison_model import (
    ACCURACY,
    BEHIND,
    BRIER,
    DRAWN,
    LOG_LOSS,
    SYSTEM,
    ComparisonModel,
)
from browser_app.ui.theme import Theme

ROW = 28
_WIDTHS = {DRAWN: 40, LOG_LOSS: 70, ACCURACY: 76, BRIER: 62, BEHIND: 184}


class ComparisonTable(QTableView):
    """A click, Space or Enter draws a row in the plots, or takes it out of them.

    Signals:
        drawn_changed: other rows are drawn, or another one is the current.
    """

    drawn_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.rows = ComparisonModel()
        self.rows.setParent(self)
        self.setModel(self.rows)
        self._hovered = -1
        self._still = StillPicture(self.viewport(), theme, self._paint_rows)
        self.setItemDelegate(ComparisonCells(theme, self, self.rows))
        self.setAccessibleName(_("Comparison of systems"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalHeader(ComparisonHeader(theme))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW)
        self._size_columns()
        for changed in (self.rows.dataChanged, self.rows.modelReset):
            changed.connect(self._still.forget)
        self.rows.dataChanged.connect(lambda *_which: self.drawn_changed.emit())
        self.selectionModel().currentRowChanged.connect(lambda *_which: self.drawn_changed.emit())
        self.rows.modelReset.connect(self._fit)
        theme.changed.connect(self.viewport().update)
        self._fit()

    def _size_columns(self) -> None:
        header = self.horizontalHeader()
        header.setMinimumSectionSize(24)
        for column in range(self.rows.columnCount()):
            mode = QHeaderView.ResizeMode.Stretch if column == SYSTEM else QHeaderView.ResizeMode.Fixed
            header.setSectionResizeMode(column, mode)
            if column in _WIDTHS:
                header.resizeSection(column, _WIDTHS[column])

    def _fit(self) -> None:
        self.setFixedHeight(HEAD + ROW * self.rows.rowCount() + 2)

    @property
    def current_name(self) -> str:
        """The system of the current row where that is drawn, else the first that is; empty for none."""
        drawn, row = list(self.rows.drawn), self.currentIndex().row()
        name = self.rows.rows[row].name if 0 <= row < len(self.rows.rows) else ""
        return name if name in drawn else drawn[0] if drawn else ""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the rows; Qt would ask for each cell anew in every frame."""
        self._still.draw(QPainter(self.viewport()), self._hovered, self.currentIndex().row(), self.hasFocus())

    def _paint_rows(self, painter: QPainter) -> None:
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        plain = option.state
        for row in range(self.rows.rowCount()):
            option.state = plain | QStyle.StateFlag.State_MouseOver if row == self._hovered else plain
            for column in range(self.rows.columnCount()):
                index = self.rows.index(row, column)
                option.rect = self.visualRect(index)
                self.itemDelegate().paint(painter, option, index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer with the hover mark."""
        super().mouseMoveEvent(event)
        self._hover(self.rowAt(event.position().toPoint().y()))

    def viewportEvent(self, event: QEvent) -> bool:
        """The pointer leaves the rows."""
        if event.type() == QEvent.Type.Leave:
            self._hover(-1)
        return super().viewportEvent(event)

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Draw the row that was clicked, or do not."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and index.row() == self.currentIndex().row():
            self.rows.toggle(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space and Enter do so by key; Ctrl+C copies all rows."""
        row = self.currentIndex().row()
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.rows.copied())
        elif row >= 0 and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.rows.toggle(row)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Ctrl+C is the table's own here."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
            return super().event(event)
        if event.matches(QKeySequence.StandardKey.Copy):
            event.accept()
            return True
        return super().event(event)
