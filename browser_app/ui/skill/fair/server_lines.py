"""The servers with people one knows, the fairest game first: a list with keys and speech."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from browser_app.language import gettext as _
from browser_app.ui.controls import draw_focus
from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.skill.lines_model import Index, LinesModel
from browser_app.ui.theme import Theme

LINE = 28
_KNOWN, _CHANGES, _PADDING = 190, 300, 6


class ServerLine(NamedTuple):
    """One server."""

    server: int
    title: str
    known: str
    changes: str

    @property
    def spoken(self) -> str:
        """As text."""
        return ", ".join(filter(None, (self.title, self.known, self.changes)))


class ServerList(QListView):
    """Shows them; the current one is the page's server."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.servers = LinesModel[ServerLine]()
        self.servers.setParent(self)
        self.setModel(self.servers)
        self.setItemDelegate(_Painter(theme, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBar(ScrollBar(theme))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(_("Servers with people you know"))

    def show_lines(self, lines: Sequence[ServerLine], current: int) -> None:
        """Show these, with one server chosen."""
        self.servers.set_lines(lines)
        place = next((place for place, line in enumerate(lines) if line.server == current), -1)
        chosen = self.servers.index(place) if place >= 0 else QModelIndex()
        if chosen.row() != self.currentIndex().row():
            self.setCurrentIndex(chosen)

    def server_at(self, index: Index) -> int:
        """The server of a line, -1 for none."""
        return self.servers.lines[index.row()].server if index.isValid() else -1


class _Painter(QStyledItemDelegate):
    """Draws a line: name, who is known, what it would change."""

    def __init__(self, theme: Theme, parent: ServerList) -> None:
        super().__init__(parent)
        self._theme, self._list = theme, parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        """All are alike."""
        return QSize(0, LINE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one line."""
        line, box, colors = self._list.servers.lines[index.row()], QRect(option.rect), self._theme.palette
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # signs stay before their numbers
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, colors.color("selected" if chosen else "hover"))
        painter.fillRect(QRect(box.x(), box.bottom(), box.width(), 1), colors.color("rowline"))
        if chosen and self._list.hasFocus():
            draw_focus(painter, box.adjusted(1, 0, -1, -1), colors.color("accent"))
        room = box.width() - _KNOWN - _CHANGES
        weight = QFont.Weight.DemiBold if chosen else QFont.Weight.Normal
        for left, width, text, role, font in (
            (0, room, line.title, "text1", self._theme.font(13, weight)),
            (room, _KNOWN, line.known, "text2", self._theme.font(12)),
            (room + _KNOWN, _CHANGES, line.changes, "text1", self._theme.font(13)),
        ):
            inner = QRect(box.x() + left + _PADDING, box.y(), width - 2 * _PADDING, box.height())
            place = QStyle.visualRect(option.direction, box, inner)
            side = QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignLeft)
            painter.setFont(font)
            painter.setPen(colors.color(role))
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, place.width())
            painter.drawText(place, int(side | Qt.AlignmentFlag.AlignVCenter), shown)
