"""Servers as a table for people at a terminal. Server text is printed as plain text, never as markup."""

from rich.table import Table
from rich.text import Text

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.columns import Rows
from browser_app.catalogue.facts import Status
from browser_app.commands.output import console as result_console

_UNKNOWN = "–"


def print_servers(catalogue: Catalogue, rows: Rows) -> None:
    """Print the rows in their order, with what matters most when room is short."""
    console = result_console()
    wide = console.width >= 100 or not console.is_terminal
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title, justify in (("Score", "right"), ("Ping", "right"), ("Players", "right")):
        table.add_column(title, justify=justify, no_wrap=True)  # type: ignore[arg-type]  # rich names its literals privately
    table.add_column("Game", no_wrap=True)
    table.add_column("Name", overflow="ellipsis", no_wrap=True, max_width=44)
    table.add_column("Map", overflow="ellipsis", no_wrap=True, max_width=18)
    if wide:
        table.add_column("Mode", no_wrap=True)
        table.add_column("Skill", justify="right", no_wrap=True)
        table.add_column("Address", no_wrap=True)
    for row in rows.tolist():
        cells = _cells(catalogue, row)
        table.add_row(*(Text(cell) for cell in (cells if wide else cells[:6])))
    if not console.is_terminal:
        console.width = 160
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
