"""Creation, event loop and shutdown of the Qt application."""

import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import (
    QLibraryInfo,
    QLocale,
    QMessageLogContext,
    QTimer,
    QtMsgType,
    QTranslator,
    qInstallMessageHandler,
)
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from browser_app import language
from browser_app.diagnostics import QT_LOGGER
from browser_app.exit_status import ExitStatus
from browser_app.paths import resource_folder, user_paths
from browser_app.runtime_tuning import (
    collect_due_garbage,
    disable_automatic_gc,
    limit_malloc_arenas,
    unfreeze_and_collect,
)
from browser_app.storage.setting_declarations import UI_SCALE
from browser_app.storage.settings_store import Settings
from browser_app.ui.servers import trend_sparkline
from browser_app.ui.widgets import icons
from browser_app.ui.widgets.accessibility import install_accessible_roles

WAKE_INTERVAL_MS = 250
"""How often Python can handle Ctrl-C and collect garbage; an idle program wakes no more than four times a second."""

_log = logging.getLogger(QT_LOGGER)

_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.DEBUG,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
_QUIET_CATEGORIES = ("qt.accessibility.",)
"""Categories whose warnings are about what a screen reader asked for, such as a cell that is gone."""
_HARMLESS_QT_MESSAGES = (
    "This plugin does not support",  # offscreen and Wayland: raise(), propagateSizeHints()
    "Wayland does not support QWindow::requestActivate()",
    "Failed to register with host portal",  # the application ID has no desktop file, as in a checkout
    "QWindowsWindow::setGeometry: Unable to set geometry",  # a saved geometry that does not fit this screen
    "Populating font family aliases took",
    "QSpiApplication::",  # a screen reader did not answer a key in time
)
"""Beginnings of warnings about the desktop that nothing can or need be done about."""


@contextmanager
def logging_qt_messages() -> Iterator[None]:
    """Log Qt's own messages during the context."""
    previous = qInstallMessageHandler(log_qt_message)
    try:
        yield
    finally:
        qInstallMessageHandler(previous)


def log_qt_message(kind: QtMsgType, context: QMessageLogContext | None, text: str | None) -> None:
    """Log a message of Qt, with its category unless that is `default`."""
    message = text or ""
    category = (context.category if context is not None else None) or ""
    is_harmless = message.startswith(_HARMLESS_QT_MESSAGES) or category.startswith(_QUIET_CATEGORIES)
    level = logging.DEBUG if is_harmless else _QT_LEVELS.get(kind, logging.WARNING)
    prefix = f"{category}: " if category and category != "default" else ""
    _log.log(level, "%s%s", prefix, message)


_SCALE_VARIABLE = "QT_SCALE_FACTOR"


@contextmanager
def scale_from_settings() -> Iterator[None]:
    """Set Qt's scale factor to that of the settings during the context.

    A factor that the environment sets takes precedence.
    """
    if _SCALE_VARIABLE in os.environ:
        yield
        return
    os.environ[_SCALE_VARIABLE] = f"{Settings(user_paths().settings).get(UI_SCALE) / 100:g}"
    try:
        yield
    finally:
        del os.environ[_SCALE_VARIABLE]


def create_application() -> QApplication:
    """Return the application, created if there is none."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    limit_malloc_arenas()
    disable_automatic_gc()
    app = QApplication(sys.argv[:1])
    wake_timer = QTimer(app, interval=WAKE_INTERVAL_MS)
    wake_timer.timeout.connect(collect_due_garbage)
    wake_timer.start()
    install_accessible_roles()
    app.setApplicationName("ready-room")
    app.setApplicationDisplayName("Ready Room")
    app.setDesktopFileName(os.environ.get("FLATPAK_ID", "ready-room"))
    app.setWindowIcon(QIcon(str(resource_folder() / "ready-room.svg")))
    return app


def run_event_loop(app: QApplication) -> int:
    """Run the event loop, which Ctrl-C ends, too, and return the exit status."""
    before = signal.signal(signal.SIGINT, lambda *_: app.exit(ExitStatus.INTERRUPTED))
    try:
        return app.exec()
    finally:
        signal.signal(signal.SIGINT, before)


def shut_down_application(app: QApplication) -> None:
    """End Qt so that it can start with other settings.

    No window may be in use any more.
    """
    unfreeze_and_collect()
    icons.clear_icon_cache()
    trend_sparkline.clear_sparkline_cache()
    app.shutdown()


SYSTEM_LANGUAGE = "system"


def install_language(app: QApplication, folder: Path, language_code: str) -> None:
    """Set the language, also of an earlier window's Qt texts.

    `system` means the system's first available one, English if none is available.
    """
    code = _system_language(folder) if language_code == SYSTEM_LANGUAGE else language_code
    language.set_language(folder, code)
    locale = QLocale(code)
    for earlier in app.findChildren(QTranslator):
        app.removeTranslator(earlier)
        earlier.deleteLater()
    translator = QTranslator(app)
    if translator.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(translator)
    app.setLayoutDirection(locale.textDirection())


def _system_language(folder: Path) -> str:
    available = language.available_languages(folder)
    preferred = (name.replace("_", "-").partition("-")[0] for name in QLocale.system().uiLanguages())
    return next((code for code in preferred if code in available), language.ENGLISH)
