"""Qt around the program: the application, the size at which it draws, its loop, and its end."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from browser_app.commands.errors import Exit
from browser_app.paths import resources, user_paths
from browser_app.storage.declared import SCALE
from browser_app.storage.settings import Settings
from browser_app.ui import icons, sparkline
from browser_app.window_app.one_heap import share_one_heap

WAKE_MS = 250
"""How often Python gets a chance to see Ctrl-C while Qt waits: four times a second, the most that idling may wake."""

_SCALE = "QT_SCALE_FACTOR"


@contextmanager
def scaled() -> Iterator[None]:
    """In here Qt starts at the size that the settings say; an environment that names one goes first."""
    if _SCALE in os.environ:
        yield
        return
    os.environ[_SCALE] = f"{Settings(user_paths().settings).get(SCALE) / 100:g}"
    try:
        yield
    finally:
        del os.environ[_SCALE]


def application() -> QApplication:
    """The one there is, or a new one."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    share_one_heap()
    app = QApplication(sys.argv[:1])
    app.setApplicationName("ready-room")
    app.setApplicationDisplayName("Ready Room")
    app.setDesktopFileName(os.environ.get("FLATPAK_ID", "ready-room"))
    app.setWindowIcon(QIcon(str(resources() / "ready-room.svg")))
    return app


def run(app: QApplication) -> int:
    """Run until somebody ends it, also by Ctrl-C; the exit status."""
    before = signal.signal(signal.SIGINT, lambda *_: app.exit(Exit.INTERRUPTED))
    wake = QTimer(interval=WAKE_MS)
    wake.timeout.connect(lambda: None)
    wake.start()
    try:
        return app.exec()
    finally:
        wake.stop()
        signal.signal(signal.SIGINT, before)


def end(app: QApplication) -> None:
    """End Qt, so that it can be started with other settings. Nothing of a window may be in use any more."""
    gc.unfreeze()
    gc.collect()
    icons.forget()
    sparkline.forget()
    app.shutdown()
