"""A plot with its title, and beside that what is told of the point pointed at."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.ui.controls import ElidedText, Text
from browser_app.ui.plots.plot import Plot
from browser_app.ui.theme import Theme


class PlotPanel(QWidget):
    """Title, words of the point, plot."""

    def __init__(self, theme: Theme, plot: Plot) -> None:
        super().__init__()
        self.plot = plot
        self.title = ElidedText(theme, plot.accessibleName(), role="text2", size=12, weight=QFont.Weight.DemiBold)
        self.told = Text(theme, role="text2", size=11)
        self.told.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title, 1)
        head.addWidget(self.told)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(plot)
        plot.pointed.connect(self.told.setText)

    def set_title(self, title: str) -> None:
        """Name it."""
        self.title.setText(title)
        self.plot.setAccessibleName(title)
