"""Sparkline and forecast cells of a server's player numbers."""

from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRect, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

from browser_app.catalogue.server_value_text import UNKNOWN_VALUE
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.servers.server_row import ServerRow
from browser_app.ui.widgets.tables.cell_painter import CELL_PADDING, CellPainter
from browser_app.ui.widgets.value_text import signed_text

SPARKLINE_WIDTH, SPARKLINE_HEIGHT = 52, 16
_SPARKLINE_STROKE, _SPARKLINE_DOT = 1.25, 1.8
_MAX_GAP = 4
"""The line is interrupted by gaps of this many slots: an hour without answers."""


def paint_trend_cell(cells: CellPainter, box: QRect, row: ServerRow) -> None:
    """Paint the sparkline, or a text if too little is known.

    It is scaled from 0 to the server's slots so that rows compare.
    """
    if not row.trend:
        cells.draw_text(box.adjusted(CELL_PADDING, 0, 0, 0), trend_text(row), "text3", cells.note_font)
        return
    role = "text3" if row.is_unresponsive or row.is_unconfirmed else "text2"
    max_players = max(row.usable_slots or 0, *(players or 0 for players in row.trend), 1)
    ratio = cells.painter.device().devicePixelRatioF()
    drawn = _sparkline_pixmap(row.trend, max_players, getattr(cells.palette, role), cells.palette.hairline, ratio)
    target = QRect(
        box.x() + CELL_PADDING, box.y() + (box.height() - SPARKLINE_HEIGHT) // 2, SPARKLINE_WIDTH, SPARKLINE_HEIGHT
    )
    cells.painter.drawPixmap(cells.mirrored(target).topLeft(), drawn)


def trend_text(row: ServerRow) -> str:
    """Return `+3`, `0`, `−12`, or "new"; nothing while the history is being read."""
    if row.trend_change is None:
        return _("new") if row.is_new else ""
    return signed_text(row.trend_change) if row.trend_change else "0"


def accessible_trend(row: ServerRow) -> str:
    """Return the trend as a sentence."""
    known = [players for players in row.trend if players is not None]
    if not known:
        return _("not enough history for a trend")
    text = ngettext(
        "{first} player six hours ago, {last} now, {least} to {most} in between",
        "{first} players six hours ago, {last} now, {least} to {most} in between",
        known[0],
    )
    if row.trend[0] is None:
        text = ngettext(
            "{first} player at the start of the recorded time, {last} now, {least} to {most} in between",
            "{first} players at the start of the recorded time, {last} now, {least} to {most} in between",
            known[0],
        )
    return text.format(first=known[0], last=known[-1], least=min(known), most=max(known))


def forecast_cell_text(row: ServerRow) -> str:
    """Return `13 (10–16)`, or a dash without a forecast."""
    if row.forecast is None:
        return UNKNOWN_VALUE
    return _("{players} ({low}–{high})").format(players=row.forecast, low=row.forecast_low, high=row.forecast_high)


def accessible_forecast(row: ServerRow) -> str:
    """Return the forecast as a sentence."""
    if row.forecast is None:
        return _("no forecast: not enough history")
    text = ngettext(
        "expected in 30 minutes: {players} player, {low} to {high} in 8 of 10 cases",
        "expected in 30 minutes: {players} players, {low} to {high} in 8 of 10 cases",
        row.forecast,
    )
    return text.format(players=row.forecast, low=row.forecast_low, high=row.forecast_high)


@lru_cache(maxsize=256)  # several screens of rows
def _sparkline_pixmap(trend: tuple[int | None, ...], max_players: int, color: str, base: str, ratio: float) -> QPixmap:
    pixmap = QPixmap((QSizeF(SPARKLINE_WIDTH, SPARKLINE_HEIGHT) * ratio).toSize())
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setPen(QPen(QColor(base), 1))
    painter.drawLine(QLineF(0, SPARKLINE_HEIGHT - 0.5, SPARKLINE_WIDTH, SPARKLINE_HEIGHT - 0.5))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(color), _SPARKLINE_STROKE))
    points = [
        (index, _sparkline_point(index, players, len(trend), max_players))
        for index, players in enumerate(trend)
        if players is not None
    ]
    for run in _connected_runs(points):
        painter.drawPolyline(QPolygonF(run))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    painter.drawEllipse(points[-1][1], _SPARKLINE_DOT, _SPARKLINE_DOT)
    painter.end()
    return pixmap


def clear_sparkline_cache() -> None:
    """Free all pixmaps, which must happen before Qt ends."""
    _sparkline_pixmap.cache_clear()


def _sparkline_point(index: int, players: int, count: int, max_players: int) -> QPointF:
    return QPointF(
        1 + index * (SPARKLINE_WIDTH - 4) / (count - 1),
        SPARKLINE_HEIGHT - 1.5 - players / max_players * (SPARKLINE_HEIGHT - 3.5),
    )


def _connected_runs(points: list[tuple[int, QPointF]]) -> list[list[QPointF]]:
    """Return the points in runs, split where nothing is known for an hour."""
    runs: list[list[QPointF]] = []
    before = None
    for index, point in points:
        if before is None or index - before > _MAX_GAP:
            runs.append([])
        runs[-1].append(point)
        before = index
    return runs
