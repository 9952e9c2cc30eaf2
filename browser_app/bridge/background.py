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
        self._telling = threading.Lock()
        self._done.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], _T], then: Callable[[_T], object]) -> None:
        """Have `work` done, which must not raise, and `then` called with what it returns; not after `close`."""

        def work_and_tell() -> None:
            result = work()
            with self._telling:
                if not self._closed:  # Qt may have ended by now
                    self._done.emit(then, result)

        # A daemon, since the end of the program waits for no secret store that asks its user.
        threading.Thread(target=work_and_tell, name="background", daemon=True).start()

    def close(self) -> None:
        """Nothing is told any more."""
        with self._telling:
            self._closed = True

    def _tell(self, then: Callable[[Any], object], result: object) -> None:
        if not self._closed:
            then(result)
