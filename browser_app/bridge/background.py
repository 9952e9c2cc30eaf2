"""What may block, done beside the window."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

_T = TypeVar("_T")


class Background(QObject):
    """Runs each piece of work in a thread of its own and brings what it returns to the window's thread."""

    _done = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._closed = False
        self._done.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], _T], then: Callable[[_T], object]) -> None:
        """Have `work` done, which must not raise, and `then` called with what it returns; not after `close`."""
        # A daemon, since the end of the program waits for no secret store that asks its user.
        threading.Thread(target=lambda: self._done.emit(then, work()), name="background", daemon=True).start()

    def close(self) -> None:
        """Nothing is told any more."""
        self._closed = True

    def _tell(self, then: Callable[[Any], object], result: object) -> None:
        if not self._closed:
            then(result)
