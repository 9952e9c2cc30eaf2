"""Work that must not block the window: a call in a thread of its own, its result as a signal."""

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal


class Background(QObject):
    """Runs one callable in a thread.

    Signals (on the thread of this object):
        done: what the callable returned.
        failed: the exception that it raised.
    """

    done = Signal(object)
    failed = Signal(object)

    def __init__(self, work: Callable[[], Any], name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._thread = threading.Thread(target=self._run, name=name)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def join(self) -> None:
        """Wait until the callable has returned; for the end of the program."""
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            result = self._work()
        except Exception as error:  # noqa: BLE001 (handed to whoever started it)
            self.failed.emit(error)
        else:
            self.done.emit(result)
