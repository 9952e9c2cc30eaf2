"""Printing: JSON for programs, tables for people. Standard output holds results only."""

import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def json_ready(value: Any) -> Any:
    """The value with NaN and infinity (which JSON cannot say) as null, mappings and sequences made plain."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): json_ready(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [json_ready(each) for each in value]
    return value


def json_text(value: Any, indent: int | None = None) -> str:
    """JSON that standard output has all characters for, numbers unrounded, unknown as null; one line without indent."""
    escaped = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")  # which says the same in ASCII
    try:
        return json.dumps(value, ensure_ascii=escaped, allow_nan=False, indent=indent)
    except (TypeError, ValueError):  # only then is it worth going through: a record may have a million players
        return json.dumps(json_ready(value), ensure_ascii=escaped, allow_nan=False, indent=indent)


def print_json(value: Any, indent: int | None = None) -> None:
    """Print one JSON value."""
    sys.stdout.write(json_text(value, indent) + "\n")
    sys.stdout.flush()


def console() -> "Console":
    """Rich's console for results. A broken pipe is told as for any other output; rich would end the program."""
    from rich.console import Console

    class ResultConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return ResultConsole()


def say(text: str) -> None:
    """A line for the person at the terminal, on standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
