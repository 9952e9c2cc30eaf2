"""Placement and collapsing of the panels around the server table."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout

from browser_app.language import gettext as _
from browser_app.storage.ui_state import UiState
from browser_app.ui.inspector.inspector_panel import InspectorPanel
from browser_app.ui.lists.server_list_sidebar import ServerListSidebar
from browser_app.ui.settings.keyboard_shortcuts import text_with_shortcut
from browser_app.ui.widgets.basic_widgets import PaintedButton, draw_focus_ring, draw_icon, fill_edges
from browser_app.ui.widgets.focus_areas import hide_area
from browser_app.ui.widgets.sidebar_parts import CollapsiblePanel
from browser_app.ui.widgets.theme import Theme

INSPECTOR_HANDLE_WIDTH = 32


class CollapsedInspectorHandle(PaintedButton):
    """The collapsed inspector's edge; a click opens the inspector."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(_("Open the inspector"))
        self.setToolTip(text_with_shortcut(self.accessibleName(), "inspect"))
        self.setText(_("Why this score"))

    def show_score(self, score: str) -> None:
        """Show the selected server's score; empty for none."""
        self.setText(f"{_('Why this score')}  {score}")

    def sizeHint(self) -> QSize:
        """Return the preferred size: 32 px wide."""
        return QSize(INSPECTOR_HANDLE_WIDTH, 200)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the icon and the text from top to bottom."""
        colors = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors.color("hover" if self.underMouse() else "raised"))
        fill_edges(painter, self.rect(), "L", colors.color("hairline"))
        draw_icon(painter, "fold", colors.text2, QRect(0, 8, INSPECTOR_HANDLE_WIDTH, 16))
        painter.setPen(colors.color("text2"))
        painter.setFont(self._theme.font(12))
        painter.save()
        painter.translate(INSPECTOR_HANDLE_WIDTH, 36)
        painter.rotate(90)
        text = QRect(0, 0, self.height() - 36, INSPECTOR_HANDLE_WIDTH)
        painter.drawText(text, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text())
        painter.restore()
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), colors.color("accent"))


SIDEBAR_MIN_WIDTH, INSPECTOR_MIN_WIDTH = 1000, 1100
"""In a narrower view (px) the sidebar collapses to icons or the inspector to an edge; the map needs their space."""
INSPECTOR_BELOW_MIN_HEIGHT = 480
"""In a lower view (px) an inspector below the table collapses."""


class ServersLayout:
    """Places and collapses the panels.

    `main_row` holds sidebar, table, inspector and its edge; `table_column` holds the table's column.
    """

    def __init__(
        self,
        ui_state: UiState,
        sidebar: ServerListSidebar,
        inspector: InspectorPanel,
        inspector_handle: CollapsedInspectorHandle,
    ) -> None:
        self._inspector, self._inspector_handle = inspector, inspector_handle
        self._below, self._size = False, QSize()
        self.inspector_panel = CollapsiblePanel(ui_state, "inspector", INSPECTOR_MIN_WIDTH, self._show_inspector)
        self.sidebar_panel = CollapsiblePanel(
            ui_state, "side", SIDEBAR_MIN_WIDTH, lambda shown: sidebar.set_collapsed(not shown)
        )
        self.table_column = QVBoxLayout()
        self.table_column.setSpacing(0)
        self.main_row = QHBoxLayout()
        self.main_row.setSpacing(0)
        self.main_row.addWidget(sidebar)
        self.main_row.addLayout(self.table_column, 1)
        for widget in (inspector, inspector_handle):
            self.main_row.addWidget(widget)

    def fit_to_size(self, size: QSize) -> None:
        """Adapt to the view's size.

        Below the table the inspector needs height, beside it width.
        """
        self._size = size
        high = INSPECTOR_MIN_WIDTH if size.height() >= INSPECTOR_BELOW_MIN_HEIGHT else 0
        self.inspector_panel.fit_to_width(high if self._below else size.width())
        self.sidebar_panel.fit_to_width(size.width())

    def place_inspector(self, position: str) -> None:
        """Place the inspector `right` of the table or `below` it."""
        self._below = position == "below"
        self.main_row.removeWidget(self._inspector)
        self.table_column.removeWidget(self._inspector)
        self._inspector.set_below_table(self._below)
        if self._below:
            self.table_column.addWidget(self._inspector)
        else:
            self.main_row.insertWidget(self.main_row.indexOf(self._inspector_handle), self._inspector)
        self.fit_to_size(self._size)

    def _show_inspector(self, shown: bool) -> None:
        inspector, handle = self._inspector, self._inspector_handle
        arriving, target = (inspector, inspector.tabs) if shown else (handle, handle)
        arriving.show()
        hide_area(handle if shown else inspector, target)
