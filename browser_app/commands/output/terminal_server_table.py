"""Servers as a table for the terminal."""

from collections.abc import Callable
from typing import NamedTuple

from rich.table import Column, Table
from rich.text import Text

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import RowIds
from browser_app.catalogue.server_fields import SERVER_FIELDS
from browser_app.catalogue.server_info import QueryStatus
from browser_app.catalogue.server_value_text import score_text, server_name, server_players_text
from browser_app.commands.output.terminal_output import UNKNOWN_CELL, create_console

_MEDIUM_WIDTH, _WIDE_WIDTH = 60, 100


class _TableColumn(NamedTuple):
    """A column of the table.

    Attributes:
        key: a key of `SERVER_FIELDS`.
        layout: how Rich lays it out.
        cell: returns the text of a cell, in place of that of the field.
        least_width: columns of the terminal from which it is shown.
    """

    key: str
    layout: Column
    cell: Callable[[Catalogue, int], str] | None = None
    least_width: int = 0

    def texts(self, catalogue: Catalogue, rows: RowIds) -> list[str]:
        if self.cell is None:
            return SERVER_FIELDS[self.key].texts(catalogue, rows)
        return [self.cell(catalogue, row) for row in rows.tolist()]


def _score_cell(catalogue: Catalogue, row: int) -> str:
    if catalogue.status[row] != QueryStatus.OK:
        return QueryStatus(int(catalogue.status[row])).text or ""
    score = float(catalogue.score[row])
    return UNKNOWN_CELL if score != score else score_text(score)


def _ping_cell(catalogue: Catalogue, row: int) -> str:
    ping = float(catalogue.ping_ms[row])
    return _format_number(ping, 0 if ping >= 1 else 1)


def _players_cell(catalogue: Catalogue, row: int) -> str:
    bots = float(catalogue.bots[row])
    text = server_players_text(catalogue, row)
    return f"{text} +{bots:.0f}" if bots > 0 else text


def _game_cell(catalogue: Catalogue, row: int) -> str:
    profile = catalogue.games.get(catalogue.game[row])
    return profile.short if profile else "?"


def _format_number(value: float, decimals: int) -> str:
    return UNKNOWN_CELL if value != value else f"{value:.{decimals}f}"


_COLUMNS = (
    _TableColumn("score", Column(justify="right", no_wrap=True, min_width=5), _score_cell),
    _TableColumn("ping", Column(justify="right", no_wrap=True, min_width=4), _ping_cell),
    _TableColumn("players", Column(justify="right", no_wrap=True, min_width=7), _players_cell),
    _TableColumn("game", Column(no_wrap=True, min_width=4), _game_cell, _MEDIUM_WIDTH),
    _TableColumn("name", Column(overflow="ellipsis", no_wrap=True), server_name),
    _TableColumn("map", Column(overflow="ellipsis", no_wrap=True, max_width=18), least_width=_MEDIUM_WIDTH),
    _TableColumn("mode", Column(no_wrap=True), least_width=_WIDE_WIDTH),
    _TableColumn("skill", Column(justify="right", no_wrap=True), least_width=_WIDE_WIDTH),
    _TableColumn("address", Column(no_wrap=True), least_width=_WIDE_WIDTH),
)
_MAX_NAME_WIDTH = 44
_WIDTH_OF_NUMBERS, _WIDTH_WITH_GAME_AND_MAP = 22, 48
"""Characters beside the name without and with these columns; without a limit Rich would cut off the numbers."""


def print_servers(catalogue: Catalogue, rows: RowIds) -> None:
    """Print the rows in order; narrow terminals show the most important columns only."""
    console = create_console()
    if not console.is_terminal:
        console.width = 160
    columns = [column for column in _COLUMNS if console.width >= column.least_width]
    used_width = _WIDTH_WITH_GAME_AND_MAP if console.width >= _MEDIUM_WIDTH else _WIDTH_OF_NUMBERS
    layouts = {column.key: column.layout.copy() for column in columns}
    for key, layout in layouts.items():
        layout.header = SERVER_FIELDS[key].title
    layouts["name"].max_width = min(_MAX_NAME_WIDTH, max(1, console.width - used_width))
    table = Table(*layouts.values(), box=None, pad_edge=False, header_style="bold")
    for cells in zip(*(column.texts(catalogue, rows) for column in columns), strict=True):
        table.add_row(*map(Text, cells))
    console.print(table)
