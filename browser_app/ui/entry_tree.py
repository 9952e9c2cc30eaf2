"""Lists of what the user keeps (alerts, friends, blocked servers): columns of words, one look for all of them."""

from collections.abc import Sequence

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QTreeWidget

GAP = 16
"""Between what stands in one column and the next."""
_EMPTY = 180
"""Of a column in which nothing stands."""
_MOST = 280


class EntryTree(QTreeWidget):
    """Rows under titles. `fit` gives each column but the last the room that its words need."""

    def __init__(self, name: str, titles: Sequence[str]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setHeaderLabels(list(titles))
        self.setUniformRowHeights(True)
        self.setRootIsDecorated(False)
        self.header().setDefaultSectionSize(_EMPTY)
        self.header().setStretchLastSection(True)

    def fit(self) -> None:
        """The words are others now."""
        if not self.topLevelItemCount():
            return
        metrics = QFontMetrics(self.header().font())
        for column in range(self.columnCount() - 1):
            title = metrics.horizontalAdvance(self.headerItem().text(column))
            needed = max(self.sizeHintForColumn(column), title)
            self.setColumnWidth(column, min(needed + GAP, _MOST))
