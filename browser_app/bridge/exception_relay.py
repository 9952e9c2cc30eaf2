"""Relay of uncaught exceptions to the GUI thread."""

from PySide6.QtCore import QObject, Signal

from browser_app.diagnostics import set_exception_handler


class ExceptionRelay(QObject):
    """Emits a signal for every uncaught exception, in the thread in which it was raised: connect it queued.

    Signals:
        exception_caught: the exception in one line.
    """

    exception_caught = Signal(str)

    def __init__(self) -> None:
        """Replace the handler of uncaught exceptions; `close` removes it."""
        super().__init__()
        set_exception_handler(self.exception_caught.emit)

    def close(self) -> None:
        """Emit no signal any more."""
        set_exception_handler(None)
