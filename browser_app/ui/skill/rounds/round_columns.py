"""The columns of the rounds' table: one declaration each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect

from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.ui.cells import PADDING
from browser_app.ui.plots.moments import date_of
from browser_app.ui.skill.numbers import chance_words, change_words, points_words
from browser_app.ui.skill.rounds import round_cells
from browser_app.ui.skill.rounds.round_cells import RoundCells
from browser_app.ui.skill.rounds.round_row import RoundRow
from browser_app.ui.skill.rounds.round_texts import reason_words, result_word, size_text, time_of
from browser_app.ui.skill.team_titles import team_title
from browser_app.ui.texts import UNKNOWN


@dataclass(frozen=True, slots=True)
class RoundColumn:
    """One column. `key` is the order it sorts by."""

    key: str
    title: str
    width: int
    text: Callable[[RoundRow], str]
    paint: Callable[[RoundCells, QRect, RoundRow, bool], None]
    """Painter, box, row, selected."""
    right: bool = False
    stretch: bool = False
    goes: int = 0
    """Where room is short columns with a number go, the lowest first."""
    icon: str = ""
    told: Callable[[RoundRow], str] | None = None
    """Said in place of the text."""
    words: Sequence[str] = ()
    """Texts that are to fit, beside a sign."""

    @property
    def name(self) -> str:
        """The title in the language in use; the bar is the change's."""
        return _(self.title) or _("Change")

    def spoken(self, row: RoundRow) -> str:
        """What the cell says: the column and its value."""
        value = (self.told or self.text)(row)
        value = _("unknown") if value in ("", UNKNOWN) else value
        return _("{column} {value}").format(column=self.name, value=value)


def _plain(
    key: str, title: str, width: int, text: Callable[[RoundRow], str], role: str, *, goes: int = 0, small: bool = False
) -> RoundColumn:
    def paint(cells: RoundCells, box: QRect, row: RoundRow, _selected: bool) -> None:
        font = cells.small if small else cells.plain
        cells.elided(box.adjusted(PADDING, 0, -PADDING, 0), text(row), role, font)

    return RoundColumn(key, title, width, text, paint, goes=goes)


def _number(
    key: str,
    title: str,
    width: int,
    text: Callable[[RoundRow], str],
    *,
    role: str = "text1",
    goes: int = 0,
    told: Callable[[RoundRow], str] | None = None,
) -> RoundColumn:
    def paint(cells: RoundCells, box: QRect, row: RoundRow, _selected: bool) -> None:
        shown = text(row)
        cells.text(
            box.adjusted(0, 0, -PADDING, 0), shown, "text3" if shown == UNKNOWN else role, cells.plain, right=True
        )

    return RoundColumn(key, title, width, text, paint, right=True, goes=goes, told=told)


def _when(row: RoundRow) -> str:
    return f"{date_of(row.started)} {time_of(row.started)}"


def _team(row: RoundRow) -> str:
    return team_title(row.team) or _("alone")


def _there(row: RoundRow) -> str:
    return ("~" if row.approximate and row.share is not None else "") + chance_words(row.share)


def _spoken_there(row: RoundRow) -> str:
    if row.approximate and row.share is not None:
        return _("about {share}: the file tells no times of joining").format(share=chance_words(row.share))
    return _there(row)


def _result(row: RoundRow) -> str:
    if row.outcome is not None and row.why:
        return _("{result}, not rated: {why}").format(result=result_word(row), why=reason_words(row.why))
    return result_word(row)


def _change(row: RoundRow) -> str:
    return change_words(row.change, row.decimals + 1)


def _paint_change(cells: RoundCells, box: QRect, row: RoundRow, _selected: bool) -> None:
    role = "text3" if row.change is None else "text1"
    cells.text(box.adjusted(0, 0, -PADDING, 0), _change(row), role, cells.medium, right=True)


def _paint_bar(cells: RoundCells, box: QRect, row: RoundRow, _selected: bool) -> None:
    round_cells.paint_bar(cells, box, row)


def _paint_server(cells: RoundCells, box: QRect, row: RoundRow, _selected: bool) -> None:
    role = "text2" if row.server else "text3"
    cells.elided(box.adjusted(PADDING, 0, -PADDING, 0), row.server or UNKNOWN, role, cells.plain)


COLUMNS: Sequence[RoundColumn] = (
    RoundColumn(
        "when",
        later("When"),
        108,
        _when,
        lambda cells, box, row, selected: round_cells.paint_when(cells, box, row, strong=selected),
    ),
    _plain("map", later("Map"), 108, lambda row: row.map, "text2"),
    _plain("mode", later("Mode"), 48, lambda row: row.mode, "text2", goes=1, small=True),
    _plain("team", later("My team"), 72, _team, "text1"),
    _number("size", later("Size"), 60, size_text, role="text2", goes=2),
    _number("there", later("There"), 62, _there, goes=5, told=_spoken_there),
    _number("chance", later("Chance"), 62, lambda row: chance_words(row.chance)),
    RoundColumn(
        "result",
        later("Result"),
        96,
        result_word,
        lambda cells, box, row, _selected: round_cells.paint_result(cells, box, row),
        words=(later("won"), later("lost"), later("drawn")),
        told=_result,
    ),
    RoundColumn("change", later("Change"), 68, _change, _paint_change, right=True),
    RoundColumn("change", "", 2 * round_cells.BAR_HALF + 12, _change, _paint_bar, goes=4),
    _number("after", later("After"), 64, lambda row: points_words(row.after, row.decimals)),
    RoundColumn(
        "server",
        later("Server"),
        140,
        lambda row: row.server or UNKNOWN,
        _paint_server,
        stretch=True,
        goes=3,
    ),
)
