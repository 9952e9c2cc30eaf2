"""The manual, the problem report and the notice of an uncaught exception."""

import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QTimer, QtMsgType
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from window_helpers import AppDriver, buttons_by_text

from browser_app import diagnostics
from browser_app.diagnostics import LOG_FILE, QT_LOGGER, log_uncaught_exceptions, start_logging
from browser_app.paths import log_folder, resource_folder
from browser_app.storage.setting_declarations import UPDATE_CHECK_URL
from browser_app.ui.help.manual_dialog import ManualDialog
from browser_app.ui.help.problem_report import ProblemReportDialog
from browser_app.ui.settings.about_dialog import AboutDialog
from browser_app.ui.settings.keyboard_shortcuts import ShortcutsDialog
from browser_app.ui.widgets.notification_bar import NotificationBar
from browser_app.window_app.qt_application import log_qt_message

FAKE_KEY = "0123456789abcdef0123456789abcdef"
MAX_LOG_LINES = 40
"""Lines of the log of a start, a scan and the end."""


@pytest.fixture
def log_file() -> Iterator[Path]:
    """Return the log of the program.

    The program's exception hooks replace pytest-qt's.
    """
    root = logging.getLogger("browser_app")
    handlers, level = list(root.handlers), root.level
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    yield start_logging(log_folder())
    sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


def fail() -> None:
    raise ValueError(f"no such key={FAKE_KEY}")


def fail_in_slot(app: AppDriver) -> None:
    """Raise in a slot that Qt calls."""
    timer = QTimer(app.window, singleShot=True, interval=0)
    timer.timeout.connect(fail)
    with app.bot.waitSignal(timer.timeout):
        timer.start()


def fail_in_thread(_app: AppDriver) -> None:
    """Raise in another thread."""
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()


@pytest.mark.expects_log
@pytest.mark.parametrize("provoke", [fail_in_slot, fail_in_thread])
def test_exception_shows_one_notice(app: AppDriver, log_file: Path, provoke: object) -> None:
    assert callable(provoke)
    bar, focus = app.window.help_controller.notification_bar, app.window.focusWidget()
    log_uncaught_exceptions()
    provoke(app)
    provoke(app)
    app.wait(lambda: not bar.isHidden())
    shown = [each for each in app.window.findChildren(NotificationBar) if not each.isHidden()]
    assert shown == [bar]
    assert app.window.focusWidget() is focus
    app.refresh()
    assert app.servers()
    buttons_by_text(bar)["Copy report"].click()
    report = QGuiApplication.clipboard().text()
    assert "ValueError" in report
    assert "Traceback" in report
    assert FAKE_KEY in log_file.read_text(encoding="utf-8")
    assert FAKE_KEY not in report
    buttons_by_text(bar)["Show details"].click()
    dialog = app.window.findChild(ProblemReportDialog)
    assert dialog is not None
    assert "ValueError" in dialog.report_field.toPlainText()
    dialog.close_button.click()
    buttons_by_text(bar)["Close"].click()
    provoke(app)
    app.bot.wait(10)
    assert bar.isHidden()


def test_closed_program_gets_no_exception(app: AppDriver) -> None:
    app.end()
    assert diagnostics._exception_handler is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Manual…", ManualDialog),
        ("Keyboard shortcuts…", ShortcutsDialog),
        ("Report a problem…", ProblemReportDialog),
        ("About Ready Room…", AboutDialog),
    ],
)
def test_menu_entry_opens_its_dialog(app: AppDriver, text: str, kind: type[QWidget]) -> None:
    app.window.overflow_button.click()
    menu = app.menu()
    (action,) = (each for each in menu.actions() if each.text() == text)
    menu.close()
    action.trigger()
    dialog = app.window.findChild(kind)
    assert dialog is not None
    assert dialog.isVisible()


def test_manual_lists_its_sections(app: AppDriver) -> None:
    app.window.help_controller.open_manual()
    dialog = app.window.findChild(ManualDialog)
    assert dialog is not None
    text = (resource_folder() / "manual" / "manual.md").read_text(encoding="utf-8")
    titles = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]
    assert [dialog.section_list.item(row).text() for row in range(dialog.section_list.count())] == titles
    dialog.section_list.setCurrentRow(len(titles) - 1)
    assert dialog.browser.textCursor().block().text() == titles[-1]
    assert dialog.browser.verticalScrollBar().value() > 0


def test_manual_search(app: AppDriver) -> None:
    app.window.help_controller.open_manual()
    dialog = app.window.findChild(ManualDialog)
    assert dialog is not None
    dialog.search_field.setText("rating")
    first = dialog.browser.textCursor()
    assert first.selectedText().lower() == "rating"
    dialog.find_next()
    assert dialog.browser.textCursor().position() > first.position()
    dialog.search_field.setText("rating of a unicorn")
    assert dialog.not_found_label.isVisible()


def test_normal_run_logs_little(app: AppDriver, log_file: Path) -> None:
    app.refresh()
    app.end()
    assert len(log_file.read_text(encoding="utf-8").splitlines()) < MAX_LOG_LINES


def test_changed_setting_is_logged_by_key(app: AppDriver, log_file: Path) -> None:
    app.program.settings.set(UPDATE_CHECK_URL, "https://user:word@localhost/releases")
    text = log_file.read_text(encoding="utf-8")
    assert UPDATE_CHECK_URL.key in text
    assert "localhost" not in text


@pytest.mark.expects_log
@pytest.mark.parametrize(
    ("kind", "text", "level"),
    [
        (QtMsgType.QtWarningMsg, "QObject::connect: no such signal", logging.WARNING),
        (QtMsgType.QtWarningMsg, "This plugin does not support raise()", logging.DEBUG),
        (QtMsgType.QtCriticalMsg, "out of memory", logging.ERROR),
        (QtMsgType.QtDebugMsg, "detail", logging.DEBUG),
    ],
)
def test_qt_message_levels(kind: QtMsgType, text: str, level: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, QT_LOGGER)
    log_qt_message(kind, None, text)
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [(level, text)]


def test_messages_of_screen_readers_are_quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, QT_LOGGER)
    context = SimpleNamespace(category="qt.accessibility.atspi")
    log_qt_message(QtMsgType.QtWarningMsg, context, "Could not find accessible on path")  # type: ignore[arg-type]
    assert [record.levelno for record in caplog.records] == [logging.DEBUG]


def test_log_is_in_home_folder(home: Path) -> None:
    assert (log_folder() / LOG_FILE).is_relative_to(home)
