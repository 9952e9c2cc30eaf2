"""A widget shown in place below one row of a table view."""

from PySide6.QtCore import QEvent, QObject, QPersistentModelIndex, QTimer
from PySide6.QtWidgets import QTableView, QWidget


class RowExpander(QObject):
    """Keeps a widget below one row of a table while it scrolls, resizes and reorders.

    The widget's height is its `heightForWidth`; it must post a layout request when that changes.
    """

    def __init__(self, table: QTableView, widget: QWidget) -> None:
        super().__init__(table)
        self._table, self._widget = table, widget
        self._row = QPersistentModelIndex()
        widget.setParent(table.viewport())
        widget.hide()
        widget.installEventFilter(self)
        table.viewport().installEventFilter(self)
        table.model().layoutAboutToBeChanged.connect(self._reset_row_height)
        table.model().layoutChanged.connect(self.update_position)
        table.model().modelAboutToBeReset.connect(self.collapse)
        table.model().rowsAboutToBeRemoved.connect(self._reset_row_height)
        table.model().rowsRemoved.connect(self.update_position)
        self._position_timer = QTimer(self, singleShot=True, interval=0)
        self._position_timer.timeout.connect(self.update_position)

    @property
    def expanded_row(self) -> int:
        """The expanded row, -1 for none."""
        return self._row.row() if self._row.isValid() else -1

    def expand(self, row: int) -> None:
        """Show the widget below this row only."""
        self._reset_row_height()
        self._row = QPersistentModelIndex(self._table.model().index(row, 0))
        self._widget.show()
        self.update_position()

    def collapse(self) -> None:
        """Hide the widget."""
        self._reset_row_height()
        self._row = QPersistentModelIndex()
        self._widget.hide()

    def update_position(self) -> None:
        """Move the widget below its row and adapt the row's height."""
        if not self._row.isValid():
            self.collapse()
            return
        header, row = self._table.verticalHeader(), self._row.row()
        plain, width = header.defaultSectionSize(), self._table.viewport().width()
        height = self._widget.heightForWidth(width)
        if header.sectionSize(row) != plain + height:
            header.resizeSection(row, plain + height)
        self._widget.setGeometry(0, self._table.rowViewportPosition(row) + plain, width, height)

    def _reset_row_height(self) -> None:
        if self._row.isValid():
            header = self._table.verticalHeader()
            header.resizeSection(self._row.row(), header.defaultSectionSize())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Update the position after a resize or a layout request."""
        if self._row.isValid() and event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._position_timer.start()
        return super().eventFilter(watched, event)
