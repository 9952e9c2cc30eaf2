"""Servers as a table for people at a terminal. Server text is printed as plain text, never as markup."""

from rich.table import Column, Table
from rich.text import Text

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.columns import Rows
from browser_app.catalogue.facts import Status
from browser_app.commands.output import console as result_console

_UNKNOWN = "–"
_MEDIUM, _WIDE = 60, 100
_COLUMNS = (
    (Column("Score", justify="right", no_wrap=True, min_width=5), 0),
    (Column("Ping", justify="right", no_wrap=True, min_width=4), 0),
    (Column("Players", justify="right", no_wrap=True, min_width=7), 0),
    (Column("Game", no_wrap=True, min_width=4), _MEDIUM),
    (Column("Name", overflow="ellipsis", no_wrap=True), 0),
    (Column("Map", overflow="ellipsis", no_wrap=True, max_width=18), _MEDIUM),
    (Column("Mode", no_wrap=True), _WIDE),
    (Column("Skill", justify="right", no_wrap=True), _WIDE),
    (Column("Address", no_wrap=True), _WIDE),
)
"""In their order, each with the least width of the terminal where it has room."""
_NAME = 4
_LONGEST_NAME = 44
_NUMBERS, _WITH_GAME_AND_MAP = 22, 48
"""Characters beside the name, without and with these columns: rich would cut the numbers too."""


def print_servers(catalogue: Catalogue, rows: Rows) -> None:
    """Print the rows in their order, with what matters most when room is short."""
    console = result_console()
    if not console.is_terminal:
        console.width = 160
    shown = [number for number, (_, least_width) in enumerate(_COLUMNS) if console.width >= least_width]
    table = Table(*(_COLUMNS[number][0].copy() for number in shown), box=None, pad_edge=False, header_style="bold")
    taken = _WITH_GAME_AND_MAP if console.width >= _MEDIUM else _NUMBERS
    table.columns[shown.index(_NAME)].max_width = min(_LONGEST_NAME, max(1, console.width - taken))
    for row in rows.tolist():
        cells = _cells(catalogue, row)
        table.add_row(*(Text(cells[number]) for number in shown))
    console.print(table)


def _cells(catalogue: Catalogue, row: int) -> tuple[str, ...]:
    profile = catalogue.games.get(catalogue.game[row])
    silent = catalogue.status[row] != Status.OK
    address = str(catalogue.targets[row].address)
    score, ping = float(catalogue.score[row]), float(catalogue.ping_ms[row])
    skill = float(catalogue.server_skill[row])
    return (
        (Status(int(catalogue.status[row])).text or "") if silent else _written(score, 2),
        _written(ping, 0 if ping >= 1 else 1),
        _players(catalogue, row),
        profile.short if profile else "?",
        catalogue.name[row] or address,
        catalogue.map[row],
        catalogue.mode[row],
        _written(skill, 0),
        address,
    )


def _players(catalogue: Catalogue, row: int) -> str:
    bots = float(catalogue.bots[row])
    text = f"{_written(float(catalogue.players[row]), 0)}/{_written(float(catalogue.usable_slots[row]), 0)}"
    return f"{text} +{bots:.0f}" if bots > 0 else text


def _written(value: float, decimals: int) -> str:
    return _UNKNOWN if value != value else f"{value:.{decimals}f}"
