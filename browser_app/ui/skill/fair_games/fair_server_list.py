"""The list of servers with known players, fairest game first."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from browser_app.language import gettext as _
from browser_app.ui.widgets.basic_widgets import ScrollBar, draw_focus_ring
from browser_app.ui.widgets.tables.painted_list_model import PaintedListModel, set_up_painted_list
from browser_app.ui.widgets.tables.sorted_table_model import ModelIndex
from browser_app.ui.widgets.theme import Theme

ROW_HEIGHT = 28
_STATE_WIDTH, _KNOWN_WIDTH, _CHANGES_WIDTH, _PADDING = 120, 180, 310, 6


class FairServerItem(NamedTuple):
    """One server as shown."""

    server: int
    title: str
    state_text: str
    """Players, slots and ping."""
    known_text: str
    changes_text: str

    @property
    def accessible_text(self) -> str:
        """All texts of the item on one line."""
        return ", ".join(filter(None, (self.title, self.state_text, self.known_text, self.changes_text)))


class FairServerListView(QListView):
    """List of servers; the current one is the page's server."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.list_model = PaintedListModel[FairServerItem](key=lambda item: item.server)
        set_up_painted_list(self, self.list_model, _("Servers with known players"))
        self.setItemDelegate(_FairServerDelegate(theme, self))
        self.setVerticalScrollBar(ScrollBar(theme))

    def show_servers(self, items: Sequence[FairServerItem], current: int) -> None:
        """Show these servers and make one of them current."""
        self.list_model.set_items(items)
        chosen = self.list_model.index(self.list_model.row_of(current))
        if chosen.row() != self.currentIndex().row():
            self.setCurrentIndex(chosen)

    def server_at(self, index: ModelIndex) -> int:
        """Return the server of an index, -1 if it is invalid."""
        return self.list_model.items[index.row()].server if index.isValid() else -1


class _FairServerDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: FairServerListView) -> None:
        super().__init__(parent)
        self._theme, self._list = theme, parent

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:  # noqa: ARG002
        """Return the same height for all rows."""
        return QSize(0, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Paint one row."""
        line, box, colors = self._list.list_model.items[index.row()], QRect(option.rect), self._theme.palette
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # keeps signs before their numbers
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, colors.color("selected" if chosen else "hover"))
        painter.fillRect(QRect(box.x(), box.bottom(), box.width(), 1), colors.color("rowline"))
        if chosen and self._list.hasFocus():
            draw_focus_ring(painter, box.adjusted(1, 0, -1, -1), colors.color("accent"))
        free_width = box.width() - _STATE_WIDTH - _KNOWN_WIDTH - _CHANGES_WIDTH
        weight = QFont.Weight.DemiBold if chosen else QFont.Weight.Normal
        for left, width, text, role, font in (
            (0, free_width, line.title, "text1", self._theme.font(13, weight)),
            (free_width, _STATE_WIDTH, line.state_text, "text2", self._theme.font(13)),
            (free_width + _STATE_WIDTH, _KNOWN_WIDTH, line.known_text, "text2", self._theme.font(12)),
            (
                free_width + _STATE_WIDTH + _KNOWN_WIDTH,
                _CHANGES_WIDTH,
                line.changes_text,
                "text1",
                self._theme.font(13),
            ),
        ):
            inner = QRect(box.x() + left + _PADDING, box.y(), width - 2 * _PADDING, box.height())
            target = QStyle.visualRect(option.direction, box, inner)
            side = QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignLeft)
            painter.setFont(font)
            painter.setPen(colors.color(role))
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, target.width())
            painter.drawText(target, int(side | Qt.AlignmentFlag.AlignVCenter), shown)
