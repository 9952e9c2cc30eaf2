"""How a round's cells are drawn: the result by shape, colour and word, the change as a bar left or right of zero."""

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QPainter

from browser_app.ui.cells import PADDING, CellPainter
from browser_app.ui.plots.moments import date_of
from browser_app.ui.skill.round_marks import draw_round_mark
from browser_app.ui.skill.rounds.round_row import RoundRow
from browser_app.ui.skill.rounds.round_texts import result_word, time_of
from browser_app.ui.theme import Theme

BAR_HALF, BAR_HEIGHT = 62, 6
SIGN = 16
"""Room of a sign before a word."""


class RoundCells(CellPainter):
    """Draws the cells of one paint event; `ground` is the role behind the row that is being drawn."""

    def __init__(self, painter: QPainter, theme: Theme) -> None:
        super().__init__(painter, theme)
        self.theme = theme
        self.ground = "surface"


def paint_when(cells: RoundCells, box: QRect, row: RoundRow, *, strong: bool) -> None:
    """The day, then the time, smaller."""
    inner = box.adjusted(PADDING, 0, -PADDING, 0)
    width = cells.elided(inner, date_of(row.started), "text1", cells.bold if strong else cells.plain)
    cells.elided(inner.adjusted(width + 6, 0, 0, 0), time_of(row.started), "text2", cells.small)


def paint_result(cells: RoundCells, box: QRect, row: RoundRow) -> None:
    """Filled circle and "won", open triangle and "lost", square and "drawn"; why where it is not rated."""
    if row.outcome is None:
        cells.elided(box.adjusted(PADDING, 0, -PADDING, 0), result_word(row), "text3", cells.small)
        return
    mark = cells.placed(QRect(box.x() + PADDING, box.y(), 10, box.height()))
    centre = QPointF(mark.x() + 5.0, box.y() + box.height() / 2)
    draw_round_mark(cells.painter, cells.theme, row.outcome, centre, 4.5, cells.ground)
    cells.elided(box.adjusted(PADDING + SIGN, 0, 0, 0), result_word(row), "text1", cells.plain)


def paint_bar(cells: RoundCells, box: QRect, row: RoundRow) -> None:
    """The change as a bar from zero."""
    if row.change is None:
        return
    middle = box.x() + box.width() // 2
    top = box.y() + (box.height() - BAR_HEIGHT) // 2
    cells.painter.fillRect(cells.placed(QRect(middle, top - 3, 1, BAR_HEIGHT + 6)), cells.colors["border"])
    length = round(abs(row.bar) * BAR_HALF)
    bar = QRect(middle + 1, top, length, BAR_HEIGHT) if row.bar > 0 else QRect(middle - length, top, length, BAR_HEIGHT)
    cells.painter.fillRect(cells.placed(bar), cells.colors["win" if row.bar > 0 else "loss"])
