"""A back-test as a table for people at a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from browser_app.commands.output import console as result_console

_UNKNOWN = "–"
_COLUMNS = (("log_loss", "Log loss", ".4f"), ("accuracy", "Accuracy", ".1%"), ("brier", "Brier", ".4f"))


def print_evaluation(result: Mapping[str, Any]) -> None:
    """Print `evaluate`'s result, the best log loss first, each with its interval against the best."""
    from rich.table import Table

    systems = sorted(result["systems"].items(), key=lambda entry: _order(entry[1]["log_loss"]))
    table = Table(box=None, pad_edge=False)
    table.add_column("System")
    for title in ("Rounds", *(title for _, title, _ in _COLUMNS), "Behind the best, 95 %"):
        table.add_column(title, justify="right")
    for name, entry in systems:
        values = ((entry[key], form) for key, _, form in _COLUMNS)
        numbers = [_UNKNOWN if value is None else format(value, form) for value, form in values]
        table.add_row(name, f"{entry['rounds']:,}", *numbers, _behind(result["differences"], name, systems[0][0]))
    result_console().print(table)


def _order(log_loss: float | None) -> float:
    return float("inf") if log_loss is None else log_loss


def _behind(differences: Sequence[Mapping[str, Any]], name: str, best: str) -> str:
    for each in differences:
        if {each["of"], each["against"]} == {name, best} and each["low"] is not None:
            low, high = (each["low"], each["high"]) if each["of"] == name else (-each["high"], -each["low"])
            return f"{low:+.4f} … {high:+.4f}"
    return ""
