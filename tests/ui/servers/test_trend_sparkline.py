"""The sparkline cell: texts, scale, gaps and pixmap cache."""

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter

from browser_app.ui.servers import trend_sparkline
from browser_app.ui.servers.server_row import ServerRow
from browser_app.ui.servers.trend_sparkline import (
    SPARKLINE_HEIGHT,
    SPARKLINE_WIDTH,
    accessible_forecast,
    accessible_trend,
    forecast_cell_text,
    paint_trend_cell,
    trend_text,
)
from browser_app.ui.widgets.tables.cell_painter import CELL_PADDING, CellPainter
from browser_app.ui.widgets.theme import Theme

BOX = QRect(0, 0, 66, 28)


def row(trend: tuple[int | None, ...] = (), change: int | None = None, **changes: object) -> ServerRow:
    values = dict.fromkeys(ServerRow._fields) | {"usable_slots": 20, "is_unresponsive": False, "is_unconfirmed": False}
    values["is_new"] = change is None
    return ServerRow(**(values | {"trend": trend, "trend_change": change} | changes))  # type: ignore[arg-type]


def painted(theme: Theme, shown: ServerRow, ratio: float = 1.0) -> QImage:
    image = QImage(round(BOX.width() * ratio), round(BOX.height() * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(theme.palette.color("surface"))
    painter = QPainter(image)
    paint_trend_cell(CellPainter(painter, theme), BOX, shown)
    painter.end()
    return image


def inked(image: QImage, left: int, right: int) -> set[int]:
    """Return the rows of pixels above the baseline in which something is drawn."""
    plain, base = image.pixel(0, 0), (BOX.height() + SPARKLINE_HEIGHT) // 2 - 1
    return {
        y for y in range(base) for x in range(CELL_PADDING + left, CELL_PADDING + right) if image.pixel(x, y) != plain
    }


def test_trend_and_forecast_texts_name_the_range() -> None:
    rising = row((None, 2, 1, 9, None, 8), 6)
    assert [trend_text(each) for each in (row(), row((3, 3), 0), rising, row((9, 3), -6))] == ["new", "0", "+6", "−6"]
    assert trend_text(row(is_new=False)) == ""  # the history is being read
    assert accessible_trend(row()) == "not enough history for a trend"
    assert accessible_trend(row((2, 1, 9, 8), 6)) == "2 players six hours ago, 8 now, 1 to 9 in between"
    assert accessible_trend(rising).startswith("2 players at the start")
    soon = row(forecast=13, forecast_low=10, forecast_high=16)
    assert forecast_cell_text(soon) == "13 (10–16)"
    assert accessible_forecast(soon).endswith("13 players, 10 to 16 in 8 of 10 cases")
    assert forecast_cell_text(row()) == "–"
    assert accessible_forecast(row()).startswith("no forecast")


def test_full_is_above_empty(theme: Theme) -> None:
    full, empty = (inked(painted(theme, row((value,) * 24, 0)), 0, SPARKLINE_WIDTH) for value in (20, 0))
    assert max(full) < min(empty)


def test_scale_depends_on_slots(theme: Theme) -> None:
    small, large = (
        inked(painted(theme, row((8,) * 24, 0, usable_slots=slots)), 0, SPARKLINE_WIDTH - 6) for slots in (10, 40)
    )
    assert max(small) < min(large)


def test_gap_of_an_hour(theme: Theme) -> None:
    known = (12,) * 9
    gap = inked(painted(theme, row((*known, *(None,) * 6, *known), 0)), 20, 28)
    short = inked(painted(theme, row((*known, None, None, None, *known, 12, 12, 12), 0)), 18, 26)
    assert not gap
    assert short


def test_pixmaps_are_cached(theme: Theme) -> None:
    trend_sparkline._sparkline_pixmap.cache_clear()
    shown = row(tuple(range(20)) + (5,) * 4, 5)
    for _turn in range(3):
        painted(theme, shown)
    assert trend_sparkline._sparkline_pixmap.cache_info().misses == 1
    painted(theme, shown, ratio=2.0)
    painted(theme, shown._replace(is_unresponsive=True))
    theme.set_theme("dark")
    painted(theme, shown)
    assert trend_sparkline._sparkline_pixmap.cache_info().misses == 4


def test_new_server_shows_text(theme: Theme) -> None:
    assert inked(painted(theme, row()), 0, SPARKLINE_WIDTH)
