"""A list of lines in a page of the inspector: as high as it has lines, so that whoever holds it scrolls."""

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QFrame, QListView

LINE, MARGIN = 24, 14


class LineList(QListView):
    """Has keys and speech from its model; what is in sight and how it is drawn is its owner's."""

    def __init__(self, name: str) -> None:
        """`name` is what a screen reader calls it."""
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(name)

    def stand_anew(self, lines: int, chosen: int) -> None:
        """The model has so many lines now, of which one is chosen (-1: none)."""
        self.setFixedHeight(LINE * lines)
        if chosen >= 0:
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.selectionModel().setCurrentIndex(self.model().index(chosen, 0), flags)
