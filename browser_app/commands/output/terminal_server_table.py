"""Servers as a table for the terminal."""

from rich.table import Column, Table
from rich.text import Text

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import RowIds
from browser_app.catalogue.server_fields import SERVER_FIELDS
from browser_app.catalogue.server_info import QueryStatus
from browser_app.catalogue.server_value_text import server_name, server_players_text
from browser_app.commands.output.terminal_output import UNKNOWN_CELL, create_console

_MEDIUM_WIDTH, _WIDE_WIDTH = 60, 100
_COLUMNS = (
    (Column(SERVER_FIELDS["score"].title, justify="right", no_wrap=True, min_width=5), 0),
    (Column(SERVER_FIELDS["ping"].title, justify="right", no_wrap=True, min_width=4), 0),
    (Column(SERVER_FIELDS["players"].title, justify="right", no_wrap=True, min_width=7), 0),
    (Column(SERVER_FIELDS["game"].title, no_wrap=True, min_width=4), _MEDIUM_WIDTH),
    (Column(SERVER_FIELDS["name"].title, overflow="ellipsis", no_wrap=True), 0),
    (Column(SERVER_FIELDS["map"].title, overflow="ellipsis", no_wrap=True, max_width=18), _MEDIUM_WIDTH),
    (Column(SERVER_FIELDS["mode"].title, no_wrap=True), _WIDE_WIDTH),
    (Column(SERVER_FIELDS["skill"].title, justify="right", no_wrap=True), _WIDE_WIDTH),
    (Column(SERVER_FIELDS["address"].title, no_wrap=True), _WIDE_WIDTH),
)
"""Columns in order, each with the terminal width from which it is shown."""
_NAME_COLUMN = 4
_MAX_NAME_WIDTH = 44
_WIDTH_OF_NUMBERS, _WIDTH_WITH_GAME_AND_MAP = 22, 48
"""Characters beside the name without and with these columns; without a limit Rich would cut off the numbers."""


def print_servers(catalogue: Catalogue, rows: RowIds) -> None:
    """Print the rows in order; narrow terminals show the most important columns only."""
    console = create_console()
    if not console.is_terminal:
        console.width = 160
    shown = [number for number, (_, least_width) in enumerate(_COLUMNS) if console.width >= least_width]
    table = Table(*(_COLUMNS[number][0].copy() for number in shown), box=None, pad_edge=False, header_style="bold")
    used_width = _WIDTH_WITH_GAME_AND_MAP if console.width >= _MEDIUM_WIDTH else _WIDTH_OF_NUMBERS
    table.columns[shown.index(_NAME_COLUMN)].max_width = min(_MAX_NAME_WIDTH, max(1, console.width - used_width))
    for row in rows.tolist():
        cells = _row_cells(catalogue, row)
        table.add_row(*(Text(cells[number]) for number in shown))
    console.print(table)


def _row_cells(catalogue: Catalogue, row: int) -> tuple[str, ...]:
    profile = catalogue.games.get(catalogue.game[row])
    failed = catalogue.status[row] != QueryStatus.OK
    address = str(catalogue.targets[row].address)
    score, ping = float(catalogue.score[row]), float(catalogue.ping_ms[row])
    skill = float(catalogue.server_skill[row])
    return (
        (QueryStatus(int(catalogue.status[row])).text or "") if failed else _format_number(score, 2),
        _format_number(ping, 0 if ping >= 1 else 1),
        _players_cell(catalogue, row),
        profile.short if profile else "?",
        server_name(catalogue, row),
        catalogue.map[row],
        catalogue.mode[row],
        _format_number(skill, 0),
        address,
    )


def _players_cell(catalogue: Catalogue, row: int) -> str:
    bots = float(catalogue.bots[row])
    text = server_players_text(catalogue, row)
    return f"{text} +{bots:.0f}" if bots > 0 else text


def _format_number(value: float, decimals: int) -> str:
    return UNKNOWN_CELL if value != value else f"{value:.{decimals}f}"
