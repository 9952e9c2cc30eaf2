"""Child: the program with its window, which `close` on standard input closes.

Prints whether the window is visible, each time that changes.
"""

import os
import sys

from PySide6.QtCore import QEvent, QObject, QSocketNotifier

from browser_app.app import run_program
from browser_app.ui.window_state import WindowState
from browser_app.window_app import WindowProgram


class WindowCloser(QObject):
    """Watches a window and closes it."""

    def __init__(self, program: WindowProgram) -> None:
        super().__init__(program.window)
        self._window = program.window
        self._window.installEventFilter(self)
        self._input = QSocketNotifier(0, QSocketNotifier.Type.Read, self)
        self._input.activated.connect(self._close)

    def _close(self) -> None:
        os.read(0, 64)
        self._window.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Print when the window is shown or hidden."""
        if watched is self._window and event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            os.write(1, b"shown\n" if event.type() is QEvent.Type.Show else b"hidden\n")
        return super().eventFilter(watched, event)


def main() -> int:
    """Run the program as the command line says."""
    show = WindowProgram.show

    def watch_and_show(program: WindowProgram, state: WindowState | None = None) -> None:
        WindowCloser(program)
        show(program, state)

    setattr(WindowProgram, "show", watch_and_show)  # noqa: B010 (mypy takes the assignment for a mistake)
    return run_program(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
