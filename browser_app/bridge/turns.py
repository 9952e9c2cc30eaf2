"""Long work beside the window, one piece after another, that leaves the window its turns."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from browser_app.bridge import full_collections
from browser_app.engine import switch_interval

PATIENCE_S = 2.0
"""Work that does not hear of the end holds up the end of the program no longer."""


@contextmanager
def leaving_turns() -> Iterator[None]:
    """Work in a thread beside the window, whose own thread waits for its turn no longer than half a millisecond."""
    switch_interval.shorten()
    full_collections.put_off()
    try:
        yield
    finally:
        full_collections.allow()
        switch_interval.restore()


class Turns:
    """Does pieces of work in the order in which they were given, in a thread that ends with the last one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._last: threading.Thread | None = None

    def run(self, work: Callable[[], None]) -> None:
        """Have this done, which must not raise, after what was given before."""
        before = self._last

        def in_turn() -> None:
            if before is not None:
                before.join()
            with leaving_turns():
                work()

        # A daemon, since a disk that does not answer may not hold up the end of the program.
        self._last = threading.Thread(target=in_turn, name=self._name, daemon=True)
        self._last.start()

    def close(self) -> None:
        """Wait for the end of what was given; whoever gave it has told it to end."""
        if self._last is not None:
            self._last.join(PATIENCE_S)
