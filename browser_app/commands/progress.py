"""Progress of a poll for the person at the terminal: a bar on standard error, only where that is a terminal."""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from browser_app.engine.poll import Poll

_TICK_S = 0.05


def follow(poll: Poll, drain: Callable[[], None]) -> None:
    """Wait for the poll to end, draining its answers meanwhile; on Ctrl-C or an error it is cancelled.

    Raises:
        KeyboardInterrupt: the user pressed Ctrl-C; nothing of the poll goes on.
    """
    try:
        with _bar(poll) as show:
            while not poll.wait(_TICK_S):
                drain()
                if show is not None:
                    show()
    finally:
        poll.cancel()
    drain()


def waiting(words: str) -> AbstractContextManager[object]:
    """What is waited for, on standard error where that is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(words)


def _bar(poll: Poll) -> AbstractContextManager[Callable[[], None] | None]:
    return _TerminalBar(poll) if sys.stderr.isatty() else nullcontext(None)


class _TerminalBar:
    """Rich's progress bar over the servers asked."""

    def __init__(self, poll: Poll) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._poll = poll
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task("Asking the masters", total=None)

    def __enter__(self) -> Callable[[], None]:
        self._progress.start()
        return self._show

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def _show(self) -> None:
        progress = self._poll.progress
        words = "Asking servers" if progress.targets else "Asking the masters"
        self._progress.update(self._task, description=words, completed=progress.done, total=progress.targets or None)
