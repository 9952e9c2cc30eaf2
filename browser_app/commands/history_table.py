"""A player's ratings over time as a table for people at a terminal."""

from collections.abc import Mapping
from typing import Any

from browser_app.commands.output import console as result_console

_UNKNOWN = "–"
_RESULTS = {1.0: "won", 0.0: "lost", 0.5: "draw"}


def print_history(told: Mapping[str, Any]) -> None:
    """Print what `history` found, the last round last, seen from the player's side."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for title in ("When (UTC)", "Map", "Mode", "Team"):
        table.add_column(title)
    for title in ("Chance", "Result", "Change", "Rating", "±"):
        table.add_column(title, justify="right")
    for point in told["points"]:
        texts = (point["started"][:16].replace("T", " "), point["map"], point["mode"], point["team"])
        table.add_row(*(Text(text or _UNKNOWN) for text in texts), *_numbers(point))
    console = result_console()
    console.print(f"{told['player']} · {told['game'] or _UNKNOWN} · {told['system']}", markup=False, highlight=False)
    console.print(table)


def _numbers(point: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        format(point["own_probability"], ".0%"),
        _RESULTS[point["own_outcome"]],
        format(point["after"] - point["before"], "+.3f"),
        format(point["after"], ".3f"),
        _UNKNOWN if point["sd"] is None else format(point["sd"], ".3f"),
    )
