"""The columns of the rounds table and how their cells are painted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QPainter

from browser_app.catalogue.server_value_text import UNKNOWN_VALUE
from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.ui.skill.outcome_marker import draw_outcome_marker
from browser_app.ui.skill.rating_format import format_chance, format_change, format_points, format_share, team_title
from browser_app.ui.skill.rounds.round_result_text import result_text, team_sizes_text, unrated_reason_text
from browser_app.ui.skill.rounds.rounds_table_rows import RoundsTableRow
from browser_app.ui.widgets.tables.cell_painter import CELL_PADDING, CellPainter
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import clock_time_text, date_with_year_text

CHANGE_BAR_HALF_WIDTH, CHANGE_BAR_HEIGHT = 48, 6
MARKER_WIDTH = 16
"""Width of a marker before a text, in pixels."""


class RoundCellPainter(CellPainter):
    """Paints the cells of one paint event."""

    def __init__(self, painter: QPainter, theme: Theme) -> None:
        super().__init__(painter, theme)
        self.theme = theme
        self.background_role = "surface"


def _paint_start_time(cells: RoundCellPainter, box: QRect, row: RoundsTableRow, selected: bool) -> None:
    inner, font = box.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0), cells.bold_font if selected else cells.plain_font
    width = cells.draw_elided_text(inner, date_with_year_text(row.started), "text1", font)
    cells.draw_elided_text(inner.adjusted(width + 6, 0, 0, 0), clock_time_text(row.started), "text2", cells.small_font)


def _paint_result(cells: RoundCellPainter, box: QRect, row: RoundsTableRow, _selected: bool) -> None:
    """Paint the outcome's marker and text, or why the round is not rated."""
    if row.outcome is None:
        cells.draw_elided_text(
            box.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0), result_text(row), "text3", cells.small_font
        )
        return
    mark = cells.mirrored(QRect(box.x() + CELL_PADDING, box.y(), 10, box.height()))
    centre = QPointF(mark.x() + 5.0, box.y() + box.height() / 2)
    draw_outcome_marker(cells.painter, cells.theme, row.outcome, centre, 4.5, cells.background_role)
    cells.draw_elided_text(
        box.adjusted(CELL_PADDING + MARKER_WIDTH, 0, 0, 0), result_text(row), "text1", cells.plain_font
    )


def _paint_change_bar(cells: RoundCellPainter, box: QRect, row: RoundsTableRow, _selected: bool) -> None:
    if row.change is None:
        return
    middle = box.x() + box.width() // 2
    top = box.y() + (box.height() - CHANGE_BAR_HEIGHT) // 2
    cells.painter.fillRect(cells.mirrored(QRect(middle, top - 3, 1, CHANGE_BAR_HEIGHT + 6)), cells.colors["border"])
    length = round(abs(row.bar_value) * CHANGE_BAR_HALF_WIDTH)
    left = middle + 1 if row.bar_value > 0 else middle - length
    bar = QRect(left, top, length, CHANGE_BAR_HEIGHT)
    cells.painter.fillRect(cells.mirrored(bar), cells.colors["win" if row.bar_value > 0 else "loss"])


@dataclass(frozen=True, slots=True)
class RoundsTableColumn:
    """One column; `key` is also the sort key."""

    key: str
    title: str
    width: int
    text: Callable[[RoundsTableRow], str]
    paint: Callable[[RoundCellPainter, QRect, RoundsTableRow, bool], None]
    """Called with painter, rectangle, row and whether it is selected."""
    align_right: bool = False
    stretch: bool = False
    drop_order: int = 0
    """If space is short, columns with a number are hidden, the lowest first."""
    icon: str = ""
    accessible_value: Callable[[RoundsTableRow], str] | None = None
    """Text for screen readers, if it differs from the cell's."""
    fitted_texts: Sequence[str] = ()
    """Texts for which the column, with a marker, must be wide enough."""

    @property
    def name(self) -> str:
        """Translated title; the bar's is the title of the change."""
        return _(self.title) or _("Change")

    def accessible_text(self, row: RoundsTableRow) -> str:
        """Return the title and the value of a cell."""
        value = (self.accessible_value or self.text)(row)
        value = _("unknown") if value in ("", UNKNOWN_VALUE) else value
        return _("{column} {value}").format(column=self.name, value=value)


def _text_column(
    key: str,
    title: str,
    width: int,
    text: Callable[[RoundsTableRow], str],
    role: str,
    *,
    drop_order: int = 0,
    small: bool = False,
) -> RoundsTableColumn:
    def paint(cells: RoundCellPainter, box: QRect, row: RoundsTableRow, _selected: bool) -> None:
        font = cells.small_font if small else cells.plain_font
        cells.draw_elided_text(box.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0), text(row), role, font)

    return RoundsTableColumn(key, title, width, text, paint, drop_order=drop_order)


def _number_column(
    key: str,
    title: str,
    width: int,
    text: Callable[[RoundsTableRow], str],
    *,
    role: str = "text1",
    drop_order: int = 0,
    accessible_value: Callable[[RoundsTableRow], str] | None = None,
) -> RoundsTableColumn:
    def paint(cells: RoundCellPainter, box: QRect, row: RoundsTableRow, _selected: bool) -> None:
        shown = text(row)
        shown_role = "text3" if shown == UNKNOWN_VALUE else role
        cells.draw_text(box.adjusted(0, 0, -CELL_PADDING, 0), shown, shown_role, cells.plain_font, right=True)

    return RoundsTableColumn(
        key, title, width, text, paint, align_right=True, drop_order=drop_order, accessible_value=accessible_value
    )


def _start_time_text(row: RoundsTableRow) -> str:
    return f"{date_with_year_text(row.started)} {clock_time_text(row.started)}"


def _team_text(row: RoundsTableRow) -> str:
    return team_title(row.team) or _("solo")


def _share_text(row: RoundsTableRow) -> str:
    return ("~" if row.approximate and row.share is not None else "") + format_share(row.share)


def _accessible_share_text(row: RoundsTableRow) -> str:
    if row.approximate and row.share is not None:
        return _("about {share}: no join times in the file").format(share=format_share(row.share))
    return _share_text(row)


def _accessible_result_text(row: RoundsTableRow) -> str:
    if row.outcome is not None and row.unrated_reason:
        return _("{result}, not rated: {why}").format(
            result=result_text(row), why=unrated_reason_text(row.unrated_reason)
        )
    return result_text(row)


def _change_text(row: RoundsTableRow) -> str:
    return format_change(row.change, row.decimals + 1)


def _paint_change(cells: RoundCellPainter, box: QRect, row: RoundsTableRow, _selected: bool) -> None:
    role = "text3" if row.change is None else "text1"
    cells.draw_text(box.adjusted(0, 0, -CELL_PADDING, 0), _change_text(row), role, cells.medium_font, right=True)


def _server_text(row: RoundsTableRow) -> str:
    return row.server or UNKNOWN_VALUE


def _paint_server(cells: RoundCellPainter, box: QRect, row: RoundsTableRow, _selected: bool) -> None:
    inner, role = box.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0), "text2" if row.server else "text3"
    cells.draw_elided_text(inner, _server_text(row), role, cells.plain_font)


ROUND_COLUMNS: Sequence[RoundsTableColumn] = (
    RoundsTableColumn("when", N_("When"), 108, _start_time_text, _paint_start_time),
    _text_column("map", N_("Map"), 108, lambda row: row.map, "text2"),
    _text_column("mode", N_("Mode"), 48, lambda row: row.mode, "text2", drop_order=1, small=True),
    _text_column("team", N_("Team"), 72, _team_text, "text1", drop_order=7),
    _number_column("size", N_("Size"), 60, team_sizes_text, role="text2", drop_order=2),
    _number_column("there", N_("Played"), 62, _share_text, drop_order=5, accessible_value=_accessible_share_text),
    _number_column("chance", N_("Chance"), 62, lambda row: format_chance(row.chance), drop_order=6),
    RoundsTableColumn(
        "result",
        N_("Result"),
        96,
        result_text,
        _paint_result,
        fitted_texts=(N_("won"), N_("lost"), N_("drawn")),
        accessible_value=_accessible_result_text,
    ),
    RoundsTableColumn("change", N_("Change"), 68, _change_text, _paint_change, align_right=True),
    RoundsTableColumn("change", "", 2 * CHANGE_BAR_HALF_WIDTH + 12, _change_text, _paint_change_bar, drop_order=4),
    _number_column("after", N_("After"), 64, lambda row: format_points(row.after, row.decimals)),
    RoundsTableColumn("server", N_("Server"), 140, _server_text, _paint_server, stretch=True, drop_order=3),
)
