"""Shared parts of sidebars: item painting and collapsing."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle

from browser_app.storage.ui_state import UiState
from browser_app.ui.widgets.basic_widgets import draw_focus_ring, draw_icon
from browser_app.ui.widgets.text_direction import direction_flag
from browser_app.ui.widgets.theme import Theme

SIDEBAR_ITEM_HEIGHT = 26
_SHORT_TITLE_MARGIN = 3
COLLAPSED_SIDEBAR_WIDTH, COLLAPSED_ITEM_HEIGHT = 44, 36
"""Width of a sidebar reduced to icons and height of its items, px."""


class CollapsiblePanel:
    """The state of a collapsible panel.

    The user's choice is saved. In a window narrower than `min_width` the panel is collapsed; the user can open it there
    until the window's width passes that limit again.
    """

    def __init__(self, ui_state: UiState, key: str, min_width: int, on_open_changed: Callable[[bool], object]) -> None:
        """Create the state; `on_open_changed` opens or collapses the panel."""
        self._ui_state, self._key, self._min_width, self._on_open_changed = ui_state, key, min_width, on_open_changed
        self._is_wide: bool | None = None
        self.is_open = True

    def toggle(self) -> None:
        """Open or collapse the panel."""
        self.is_open = not self.is_open
        if self._is_wide is not False:
            self._ui_state.set(self._key, self.is_open)
        self._on_open_changed(self.is_open)

    def fit_to_width(self, width: int) -> None:
        """Adapt to the window's width in px."""
        wide = width >= self._min_width
        if wide != self._is_wide:
            self._is_wide = wide
            self.is_open = wide and self._ui_state.get(self._key) is not False
            self._on_open_changed(self.is_open)


class SidebarItemContent(NamedTuple):
    """Visible content of an item; an empty icon leaves no space for one."""

    icon: str
    title: str
    number: str
    is_current: bool
    filled: bool = True
    """The current item has the selection colour and mark, not only bold text."""
    is_dimmed: bool = False
    mark_icon: str = ""
    """Icon shown instead of the number."""
    short_title: str = ""
    """Shown in place of an icon where the view is narrow."""


class SidebarItemPainter:
    """Paints the items of a view, mirrored in right-to-left layouts."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        self._theme, self._view = theme, view

    def draw_item(self, painter: QPainter, box: QRect, line: SidebarItemContent, *, narrow: bool) -> None:
        """Draw an item; the current one has a focus ring while the view has the focus."""
        colors = self._theme.palette
        if line.is_current and line.filled:
            painter.fillRect(box, colors.color("selected"))
            painter.fillRect(self._mirrored(box, QRect(0, box.y(), 3, box.height())), colors.color("accent"))
        if narrow:
            self._draw_narrow(painter, box, line)
        else:
            self._draw_title(painter, box, line)
        if line.is_current and self._view.hasFocus():
            draw_focus_ring(painter, box.adjusted(4, 1, -2, -1), colors.color("accent"))

    def _mirrored(self, box: QRect, inner: QRect) -> QRect:
        return QStyle.visualRect(self._view.layoutDirection(), box, inner)

    def _draw_narrow(self, painter: QPainter, box: QRect, line: SidebarItemContent) -> None:
        """Draw the icon, the short title, or the title below the icon."""
        colors, place = self._theme.palette, box
        if line.icon:
            if line.short_title:
                place = box.adjusted(0, 2, 0, -box.height() // 2)
            size = 16 if line.short_title else 20
            draw_icon(painter, line.icon, colors.accent if line.is_current else colors.text2, place, size=size)
            place = box.adjusted(0, box.height() // 2, 0, -1)
        if line.short_title:
            self._draw_short_title(painter, place, line)

    def _draw_short_title(self, painter: QPainter, box: QRect, line: SidebarItemContent) -> None:
        painter.setFont(self._theme.font(11, QFont.Weight.DemiBold if line.is_current else QFont.Weight.Medium))
        role = "accent" if line.is_current else "text3" if line.is_dimmed else "text2"
        painter.setPen(self._theme.palette.color(role))
        space = box.adjusted(_SHORT_TITLE_MARGIN, 0, -_SHORT_TITLE_MARGIN, 0)
        title = painter.fontMetrics().elidedText(line.short_title, Qt.TextElideMode.ElideRight, space.width())
        painter.drawText(space, int(Qt.AlignmentFlag.AlignCenter), title)

    def _draw_title(self, painter: QPainter, box: QRect, line: SidebarItemContent) -> None:
        colors, left = self._theme.palette, 12
        if line.icon:
            place = self._mirrored(box, QRect(12, box.y(), 16, box.height()))
            draw_icon(painter, line.icon, colors.accent if line.is_current else colors.text2, place)
            left = 36
        if line.mark_icon:
            place = self._mirrored(box, QRect(box.right() - 27, box.y(), 16, box.height()))
            draw_icon(painter, line.mark_icon, colors.text2, place)
        painter.setFont(self._theme.font(12))
        painter.setPen(colors.color("text2"))
        end = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        painter.drawText(self._mirrored(box, box.adjusted(0, 0, -12, 0)), end, line.number)
        mark_width = 10 if line.mark_icon else 0
        space = box.width() - left - 16 - mark_width - painter.fontMetrics().horizontalAdvance(line.number)
        painter.setFont(self._title_font(line, space))
        painter.setPen(colors.color("text3" if line.is_dimmed else "text1"))
        title = painter.fontMetrics().elidedText(line.title, Qt.TextElideMode.ElideRight, space)
        start = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        side = int(QStyle.visualAlignment(self._view.layoutDirection(), start))
        painter.drawText(self._mirrored(box, box.adjusted(left, 0, 0, 0)), side | direction_flag(title), title)

    def _title_font(self, line: SidebarItemContent, space: int) -> QFont:
        """Return a bold font for the current item.

        It is plain if the title fits only then.
        """
        plain, bold = self._theme.font(13), self._theme.font(13, QFont.Weight.DemiBold)
        fits = QFontMetrics(bold).horizontalAdvance(line.title) <= space or not line.filled
        return bold if line.is_current and fits else plain
