"""Progress for the person at the terminal: a bar on standard error, only where that is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from browser_app.engine.poll import Poll
    from browser_app.rating.progress import Progress

_TICK_S = 0.05


def follow(poll: "Poll", drain: Callable[[], None]) -> None:
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


@contextmanager
def counting(words: str) -> Iterator["Progress"]:
    """Work whose steps are counted: give it what this gives."""
    if not sys.stderr.isatty():
        from browser_app.rating.progress import untold

        yield untold
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _bar(poll: "Poll") -> AbstractContextManager[Callable[[], None] | None]:
    return _TerminalBar(poll) if sys.stderr.isatty() else nullcontext(None)


class _TerminalBar:
    """Rich's progress bar over the servers asked."""

    def __init__(self, poll: "Poll") -> None:
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
