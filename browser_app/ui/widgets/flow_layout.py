"""A layout that wraps its widgets like words of a text."""

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QLayout, QLayoutItem, QStyle, QWidget

FLOW_SPACING = 8
"""Space between two widgets of a row, px; rows have none between them."""


class FlowLayout(QLayout):
    """Places widgets in rows, in their preferred sizes.

    The rows are mirrored in right-to-left layouts.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802 (Qt's name)
        """Append an item."""
        self._items.append(item)

    def count(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 (Qt's name)
        """Return an item, None if there is none of that index."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 (Qt's name)
        """Remove and return an item, None if there is none of that index."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        """Return True."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """Return the height of all rows at a width."""
        return self._place_items(QRect(0, 0, width, 0), moves=False)

    def sizeHint(self) -> QSize:
        """Return the size of the largest item."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of the largest item."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.sizeHint())
        return size

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802 (Qt's name)
        """Place all items."""
        super().setGeometry(rect)
        self._place_items(rect, moves=True)

    def _place_items(self, area: QRect, *, moves: bool) -> int:
        """Place all items, if `moves`, and return the height of their rows."""
        left, top, row_height = area.x(), area.y(), 0
        for item in self._items:
            size = item.sizeHint()
            if left > area.x() and left + size.width() > area.x() + area.width():
                left, top, row_height = area.x(), top + row_height, 0
            if moves:
                place = QRect(QPoint(left, top), size)
                parent = self.parentWidget()
                item.setGeometry(QStyle.visualRect(parent.layoutDirection(), area, place) if parent else place)
            left += size.width() + FLOW_SPACING
            row_height = max(row_height, size.height())
        return top + row_height - area.y()
