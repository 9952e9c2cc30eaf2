"""What stands around the list: side list, inspector, first-run page, each open or folded as there is room for it."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from browser_app.storage.kept import Kept
from browser_app.ui.first_run import FirstRun
from browser_app.ui.inspector import Inspector
from browser_app.ui.inspector_edge import InspectorEdge
from browser_app.ui.panel_fold import PanelFold
from browser_app.ui.side_list import SideList

PANELS_FROM = 1000
"""In a narrower view the side list is folded to icons and the inspector to an edge."""
BELOW_FROM = 480
"""In a lower view an inspector below the list is folded."""
_WELCOMED = "welcomed"
"""Under this key it is kept that the first start is over."""


class Panels:
    """Places and folds them. `row` holds side, list, first-run page, inspector and edge; `column` is the list's own.

    Attributes:
        welcoming: the first-run page has the inspector's place.
    """

    def __init__(
        self, kept: Kept, side: SideList, inspector: Inspector, edge: InspectorEdge, first_run: FirstRun
    ) -> None:
        self._kept, self._inspector, self._edge, self._first_run = kept, inspector, edge, first_run
        self.welcoming, self._below, self._size = False, False, QSize()
        self.inspector_fold = PanelFold(kept, "inspector", PANELS_FROM, self._show_inspector)
        self.side_fold = PanelFold(kept, "side", PANELS_FROM, lambda shown: side.set_narrow(not shown))
        self.column = QVBoxLayout()
        self.column.setSpacing(0)
        self.row = QHBoxLayout()
        self.row.setSpacing(0)
        self.row.addWidget(side)
        self.row.addLayout(self.column, 1)
        for widget in (first_run, inspector, edge):
            self.row.addWidget(widget)

    def fit(self, size: QSize) -> None:
        """The view is so large now. Below the list the inspector takes height, beside it width."""
        self._size = size
        high = PANELS_FROM if size.height() >= BELOW_FROM else 0
        self.inspector_fold.fit(high if self._below else size.width())
        self.side_fold.fit(size.width())

    def place_inspector(self, where: str) -> None:
        """`right` of the list, or `below` it."""
        self._below = where == "below"
        self.row.removeWidget(self._inspector)
        self.column.removeWidget(self._inspector)
        self._inspector.lie_below(self._below)
        if self._below:
            self.column.addWidget(self._inspector)
        else:
            self.row.insertWidget(self.row.indexOf(self._edge), self._inspector)
        self.fit(self._size)

    def welcome(self) -> None:
        """At the first start: say what can be done, until the user turns to a server."""
        self.welcoming = self._kept.get(_WELCOMED) is None
        self._show_inspector(self.inspector_fold.open)

    def end_welcome(self) -> None:
        """The user knows by now."""
        if self.welcoming:
            self.welcoming = False
            self._kept.put(_WELCOMED, True)
            self._show_inspector(self.inspector_fold.open)

    def _show_inspector(self, shown: bool) -> None:
        self._first_run.setVisible(shown and self.welcoming)
        self._inspector.setVisible(shown and not self.welcoming)
        self._edge.setVisible(not shown)
