"""Creation, event loop and shutdown of the Qt application."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from browser_app.exit_status import ExitStatus
from browser_app.paths import resource_folder, user_paths
from browser_app.runtime_tuning import limit_malloc_arenas
from browser_app.storage.setting_declarations import UI_SCALE
from browser_app.storage.settings_store import Settings
from browser_app.ui.servers import trend_sparkline
from browser_app.ui.widgets import icons

SIGNAL_POLL_MS = 250
"""How often Python gets a chance to see Ctrl-C while Qt waits: four times a second, the most that idling may wake."""

_SCALE_VARIABLE = "QT_SCALE_FACTOR"


@contextmanager
def scale_from_settings() -> Iterator[None]:
    """In here Qt starts at the size that the settings say; an environment that names one goes first."""
    if _SCALE_VARIABLE in os.environ:
        yield
        return
    os.environ[_SCALE_VARIABLE] = f"{Settings(user_paths().settings).get(UI_SCALE) / 100:g}"
    try:
        yield
    finally:
        del os.environ[_SCALE_VARIABLE]


def create_application() -> QApplication:
    """The one there is, or a new one."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    limit_malloc_arenas()
    app = QApplication(sys.argv[:1])
    app.setApplicationName("ready-room")
    app.setApplicationDisplayName("Ready Room")
    app.setDesktopFileName(os.environ.get("FLATPAK_ID", "ready-room"))
    app.setWindowIcon(QIcon(str(resource_folder() / "ready-room.svg")))
    return app


def run_event_loop(app: QApplication) -> int:
    """Run until somebody ends it, also by Ctrl-C; the exit status."""
    before = signal.signal(signal.SIGINT, lambda *_: app.exit(ExitStatus.INTERRUPTED))
    wake = QTimer(interval=SIGNAL_POLL_MS)
    wake.timeout.connect(lambda: None)
    wake.start()
    try:
        return app.exec()
    finally:
        wake.stop()
        signal.signal(signal.SIGINT, before)


def shut_down_application(app: QApplication) -> None:
    """End Qt, so that it can be started with other settings. Nothing of a window may be in use any more."""
    gc.unfreeze()
    gc.collect()
    icons.clear_icon_cache()
    trend_sparkline.clear_sparkline_cache()
    app.shutdown()
