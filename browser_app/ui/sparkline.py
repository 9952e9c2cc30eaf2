"""The players of the last six hours as a small line in the table; its words for tooltips, copies and speech."""

from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRect, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

from browser_app.language import gettext as _
from browser_app.ui.cells import PADDING, CellPainter
from browser_app.ui.row import Row
from browser_app.ui.texts import UNKNOWN, signed

WIDTH, HEIGHT = 52, 16
_LINE, _DOT = 1.25, 1.8
_BRIDGED = 4
"""A line goes on over gaps shorter than so many slots: an hour in which nobody asked."""


def paint_trend(cells: CellPainter, box: QRect, row: Row) -> None:
    """The line from 0 to the server's slots, so that rows compare; a word where there is too little to draw."""
    if not row.trend:
        cells.text(box.adjusted(PADDING, 0, 0, 0), trend_text(row), "text3", cells.note)
        return
    role = "text3" if row.silent or row.remembered else "text2"
    most = max(row.usable_slots or 0, *(players or 0 for players in row.trend), 1)
    ratio = cells.painter.device().devicePixelRatioF()
    drawn = _line(row.trend, most, getattr(cells.palette, role), cells.palette.hairline, ratio)
    place = QRect(box.x() + PADDING, box.y() + (box.height() - HEIGHT) // 2, WIDTH, HEIGHT)
    cells.painter.drawPixmap(cells.placed(place).topLeft(), drawn)


def trend_text(row: Row) -> str:
    """`+3`, `0`, `−12`, or that the server is new."""
    if row.trend_change is None:
        return _("new")
    return signed(row.trend_change) if row.trend_change else "0"


def spoken_trend(row: Row) -> str:
    """How it went, in words."""
    known = [players for players in row.trend if players is not None]
    if not known:
        return _("too new for a trend")
    words = _("{first} players six hours ago, {last} now, {least} to {most} between")
    if row.trend[0] is None:
        words = _("{first} players where the memory of six hours begins, {last} now, {least} to {most} between")
    return words.format(first=known[0], last=known[-1], least=min(known), most=max(known))


def likely_text(row: Row) -> str:
    """`13 (10–16)`; a dash where the past supports no forecast."""
    if row.likely is None:
        return UNKNOWN
    return _("{players} ({low}–{high})").format(players=row.likely, low=row.likely_low, high=row.likely_high)


def spoken_likely(row: Row) -> str:
    """The forecast in words."""
    if row.likely is None:
        return _("no forecast: too little is known of its habits")
    words = _("likely {players} players in 30 minutes, {low} to {high} eight times of ten")
    return words.format(players=row.likely, low=row.likely_low, high=row.likely_high)


@lru_cache(maxsize=256)  # some screens full
def _line(trend: tuple[int | None, ...], most: int, color: str, base: str, ratio: float) -> QPixmap:
    pixmap = QPixmap((QSizeF(WIDTH, HEIGHT) * ratio).toSize())
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setPen(QPen(QColor(base), 1))
    painter.drawLine(QLineF(0, HEIGHT - 0.5, WIDTH, HEIGHT - 0.5))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(color), _LINE))
    points = [
        (place, _point(place, players, len(trend), most)) for place, players in enumerate(trend) if players is not None
    ]
    for run in _runs(points):
        painter.drawPolyline(QPolygonF(run))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    painter.drawEllipse(points[-1][1], _DOT, _DOT)
    painter.end()
    return pixmap


def forget() -> None:
    """Let all that was drawn go, as must be before Qt ends."""
    _line.cache_clear()


def _point(place: int, players: int, places: int, most: int) -> QPointF:
    return QPointF(1 + place * (WIDTH - 4) / (places - 1), HEIGHT - 1.5 - players / most * (HEIGHT - 3.5))


def _runs(points: list[tuple[int, QPointF]]) -> list[list[QPointF]]:
    """The points in pieces: where nothing is known for an hour there is no line."""
    runs: list[list[QPointF]] = []
    before = None
    for place, point in points:
        if before is None or place - before > _BRIDGED:
            runs.append([])
        runs[-1].append(point)
        before = place
    return runs
