"""Painting of table cells with the theme's fonts and colours.

A `CellPainter` lives for one paint event or one cached row. Text is elided only where it is too wide, since measuring
is the most expensive step.
"""

from functools import lru_cache

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle

from browser_app.ui.widgets import icons
from browser_app.ui.widgets.basic_widgets import draw_frame, fill_edges
from browser_app.ui.widgets.palette import Palette
from browser_app.ui.widgets.text_direction import direction_flag
from browser_app.ui.widgets.theme import Theme

CELL_PADDING, BAR_HEIGHT = 6, 8
_SELECTION_MARK_WIDTH = 3
_SIDE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
_LEFT, _RIGHT = int(_SIDE | Qt.AlignmentFlag.AlignLeft), int(_SIDE | Qt.AlignmentFlag.AlignRight)


@lru_cache(maxsize=1024)
def _colors(palette: Palette) -> dict[str, QColor]:
    return {role: palette.color(role) for role in palette.__slots__}


class CellPainter:
    """Draws cells with the theme's fonts and colours."""

    def __init__(self, painter: QPainter, theme: Theme) -> None:
        self.painter = painter
        self.palette = theme.palette
        self.colors = _colors(theme.palette)
        self.plain_font = theme.font()
        self.medium_font = theme.font(weight=QFont.Weight.Medium)
        self.bold_font = theme.font(weight=QFont.Weight.DemiBold)
        self.small_font = theme.font(12)
        self.note_font = theme.font(11)
        self.bold_note_font = theme.font(11, QFont.Weight.DemiBold)
        self._metrics = {
            id(font): QFontMetrics(font) for font in (self.plain_font, self.bold_font, self.small_font, self.note_font)
        }
        self._ratio = painter.device().devicePixelRatioF()
        self._cell = QRect()
        self._mirrored = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
        # Numbers and signs keep their order in right-to-left layouts, too.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    def draw_row_background(self, line: QRect, role: str) -> None:
        """Draw a row's background and bottom line.

        The role `selected` adds a mark at the row's start.
        """
        self.begin_cell(line)
        self.painter.fillRect(line, self.colors[role])
        if role == "selected":
            mark = QRect(line.x(), line.y(), _SELECTION_MARK_WIDTH, line.height())
            self.painter.fillRect(self.mirrored(mark), self.colors["accent"])
        self.draw_row_line(line)

    def draw_row_line(self, line: QRect) -> None:
        """Draw a row's bottom line."""
        fill_edges(self.painter, line, "B", self.colors["rowline"])

    def draw_row_focus(self, line: QRect) -> None:
        """Draw a frame around the selected row of a table with the focus."""
        draw_frame(self.painter, line.adjusted(0, 0, 0, -1), self.colors["accent"])

    def begin_cell(self, cell: QRect) -> None:
        """Start a cell; what follows is mirrored in it in right-to-left layouts."""
        self._cell = cell

    def mirrored(self, inner: QRect) -> QRect:
        """Return a rectangle of the current cell, mirrored if needed."""
        return QStyle.visualRect(Qt.LayoutDirection.RightToLeft, self._cell, inner) if self._mirrored else inner

    def draw_text(self, box: QRect, text: str, role: str, font: QFont, right: bool = False) -> None:
        """Draw one line of text in the colour of a role, without eliding it."""
        self.painter.setFont(font)
        self.painter.setPen(self.colors[role])
        side = _RIGHT if right != self._mirrored else _LEFT
        self.painter.drawText(self.mirrored(box), side | direction_flag(text), text)

    def text_width(self, text: str) -> int:
        """Return the width of a text in the plain font, px."""
        return self._metrics[id(self.plain_font)].horizontalAdvance(text)

    def draw_elided_text(self, box: QRect, text: str, role: str, font: QFont) -> int:
        """Draw text elided to the box; return its width in pixels."""
        metrics = self._metrics[id(font)]
        width = metrics.horizontalAdvance(text)
        if width > box.width():
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
            width = min(width, box.width())
        self.draw_text(box, text, role, font)
        return width

    def draw_icon(self, left: int, box: QRect, name: str, role: str, size: int = 14, filled: bool = False) -> None:
        """Draw an icon at `left`, centred vertically in the box."""
        pixmap = icons.icon_pixmap(name, getattr(self.palette, role), size, self._ratio, filled)
        target = QRect(left, box.y() + (box.height() - size) // 2, size, size)
        self.painter.drawPixmap(self.mirrored(target).topLeft(), pixmap)

    def draw_bar_frame(self, box: QRect, left: int, width: int, role: str) -> QRect:
        """Draw the frame of an empty bar; return its rectangle."""
        bar = QRect(left, box.y() + (box.height() - BAR_HEIGHT) // 2, width, BAR_HEIGHT)
        draw_frame(self.painter, self.mirrored(bar), self.colors[role])
        return bar

    def fill_bar(self, bar: QRect, width: float, role: str) -> None:
        """Fill `width` px of a bar from its start."""
        self.painter.fillRect(self.mirrored(QRect(bar.x(), bar.y(), round(width), bar.height())), self.colors[role])
