"""Printing of results and progress on the terminal."""

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from browser_app.untrusted_text import CONTROL_CHARACTERS, replace_control_characters

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType

    from browser_app.engine.server_poll import ServerPoll
    from browser_app.rating.progress_callback import ProgressCallback


_REFRESH_INTERVAL_S = 0.05
UNKNOWN_CELL = "–"
"""Cell of a table for an unknown value."""


def wait_for_poll(poll: "ServerPoll", drain: Callable[[], None]) -> None:
    """Wait for a poll to end and call `drain` meanwhile; cancel it on an error.

    Raises:
        KeyboardInterrupt: the user pressed Ctrl-C; the poll is cancelled.
    """
    try:
        with _show_poll(poll) as update:
            while not poll.wait(_REFRESH_INTERVAL_S):
                drain()
                update()
    finally:
        poll.cancel()
    drain()


def show_waiting(message: str) -> AbstractContextManager[object]:
    """Show a message during the context, if standard error is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(message)


@contextmanager
def show_progress(message: str) -> Iterator["ProgressCallback"]:
    """Show a progress bar during the context; yields its callback.

    The bar is shown only if standard error is a terminal.
    """
    if not sys.stderr.isatty():
        from browser_app.rating.progress_callback import ignore_progress

        yield ignore_progress
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(message, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def _show_poll(poll: "ServerPoll") -> Iterator[Callable[[], None]]:
    """Show a progress bar of the queried servers; yields the function that updates it.

    The bar is shown only if standard error is a terminal.
    """
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Querying master servers", total=None)

        def update() -> None:
            progress = poll.progress
            description = "Querying servers" if progress.targets else "Querying master servers"
            bar.update(task, description=description, completed=progress.finished, total=progress.targets or None)

        yield update


def _to_json_value(value: Any) -> Any:
    """Return the value with NaN and infinity as None and with plain dicts and lists."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _to_json_value(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_to_json_value(each) for each in value]
    return value


def format_json(value: Any, indent: int | None = None) -> str:
    """Return JSON that standard output can encode, with unrounded numbers.

    It is one line unless indented, and controls no terminal that it is printed on.
    """
    escaped = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")  # ASCII escapes mean the same
    try:
        text = json.dumps(value, ensure_ascii=escaped, allow_nan=False, indent=indent)
    except (TypeError, ValueError):  # converted only if necessary: a record may have a million players
        text = json.dumps(_to_json_value(value), ensure_ascii=escaped, allow_nan=False, indent=indent)
    return CONTROL_CHARACTERS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def print_json(value: Any, indent: int | None = None) -> None:
    """Print one JSON value."""
    sys.stdout.write(format_json(value, indent) + "\n")
    sys.stdout.flush()


def create_console() -> "Console":
    """Return a Rich console for results that raises `BrokenPipeError`.

    Rich would end the program there. Control characters in texts are replaced; Rich leaves most of them in.
    """
    from rich.console import Console
    from rich.segment import Segment

    class ResultConsole(Console):
        def render(self, renderable: "RenderableType", options: "ConsoleOptions | None" = None) -> Iterator[Segment]:
            for text, style, control in super().render(renderable, options):
                yield Segment(text if control else replace_control_characters(text), style, control)

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return ResultConsole()
