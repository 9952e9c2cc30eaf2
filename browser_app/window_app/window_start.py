"""Start of the window, or a screenshot of it."""

import logging
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QTimer
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication

from browser_app.application.app_context import AppContext, ScreenshotOptions, SourceOptions, WindowOptions
from browser_app.bridge.server_list_controller import CarriedOverList
from browser_app.bridge.single_instance import SingleInstance
from browser_app.diagnostics import system_text
from browser_app.engine.network.address_rules import is_loopback
from browser_app.exit_status import ExitStatus, UsageError
from browser_app.file_errors import file_error_text
from browser_app.paths import runtime_folder, user_paths
from browser_app.process_setup import print_note
from browser_app.protocols.server_link import parse_server_text
from browser_app.runtime_tuning import freeze_startup_objects
from browser_app.storage.safe_files import write_atomically
from browser_app.ui.window_state import WindowState
from browser_app.window_app.qt_application import (
    create_application,
    logging_qt_messages,
    run_event_loop,
    scale_from_settings,
    shut_down_application,
)
from browser_app.window_app.window_program import WindowProgram

_log = logging.getLogger(__name__)

_SETTLE_DELAY_MS = 700
"""Wait before a screenshot is taken, for the last background results to be shown."""


def save_window_screenshot(options: ScreenshotOptions, context: AppContext) -> None:
    """Save an image of the window after a full scan.

    Raises:
        UsageError: a source is wrong, there is no such page, or the file cannot be written.
    """
    from browser_app.ui.skill.skill_pages import SKILL_PAGES  # My Skill would delay the first paint of a window

    pages = [spec.key for spec in SKILL_PAGES]
    if options.page not in pages:
        raise UsageError(f"unknown page {options.page!r}; known pages: {', '.join(pages)}")
    with logging_qt_messages():
        app = create_application()
        _grab_window(options, context, app)


def _grab_window(options: ScreenshotOptions, context: AppContext, app: QApplication) -> None:
    with WindowProgram(options.window, context, app, options.theme) as program:
        backend, window = program.backend, program.window
        window.resize(*options.size)
        window.show()
        awaited = {"scan", "history"}
        if options.view == "skill":
            window.show_skill(options.page)
            awaited.add("record")

        def quit_when_idle() -> None:
            if options.view == "skill" and window.skill_view.is_working:
                QTimer.singleShot(_SETTLE_DELAY_MS, quit_when_idle)
            else:
                app.quit()

        def on_completed(part: str) -> None:
            if part not in awaited:
                return
            awaited.remove(part)
            if not awaited:
                QTimer.singleShot(_SETTLE_DELAY_MS, quit_when_idle)

        backend.server_list.running_changed.connect(lambda running: None if running else on_completed("scan"))
        backend.sample_recorder.history_changed.connect(lambda: on_completed("history"))
        backend.skill_backend.record_ready.connect(lambda: on_completed("record"))
        backend.sample_recorder.start()
        backend.skill_backend.start()
        backend.server_list.refresh()
        if run_event_loop(app) == ExitStatus.INTERRUPTED:
            raise KeyboardInterrupt
        backend.server_list.rescore()
        _save_picture(window.grab(), options.file)


def _save_picture(picture: QPixmap, file: Path) -> None:
    """Save a picture as PNG, as a whole or not at all.

    Raises:
        UsageError: it cannot be written.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    try:
        write_atomically(file, bytes(buffer.data().data()))
    except OSError as error:
        raise UsageError(f"{file}: cannot be written: {file_error_text(error)}") from None


def open_window(options: WindowOptions, context: AppContext) -> int:
    """Run the window until it is closed and return the exit status.

    An open window takes the URL instead.

    Raises:
        UsageError: a source is wrong.
    """
    _log.info("%s; settings in %s", system_text(), user_paths().settings)
    with logging_qt_messages():
        return _open_windows(options, context)


def _open_windows(options: WindowOptions, context: AppContext) -> int:
    urls: list[str] = [options.url] if options.url else []
    state: WindowState | None = None
    while True:
        with scale_from_settings():
            app = create_application()
        status, state = _open_window_once(app, options, context, urls, state)
        if state is None:
            return status
        shut_down_application(app)
        urls.clear()


def _open_window_once(
    app: QApplication, options: WindowOptions, context: AppContext, urls: Sequence[str], state: WindowState | None
) -> tuple[int, WindowState | None]:
    """Run one window; return the exit status and the state to restore.

    There is a state only if a new window is to replace this one.
    """
    sources = options.sources  # a window with sources of its own runs beside the usual one
    instance = None if sources.has_own_sources else SingleInstance(runtime_folder(), _data_folder(sources))
    if instance is not None and (_send_to_demo(urls, sources) or instance.send_to_running_instance(urls)):
        print_note("ready-room: opened in the window that is already running")
        return ExitStatus.SUCCESS, None
    restart_states: list[WindowState] = []
    with ExitStack() as stack:
        if instance is not None:
            stack.callback(instance.close)
        program = stack.enter_context(
            WindowProgram(options, context, app, carried_over=_list_to_continue(state, sources))
        )
        if instance is not None:
            instance.open_requested.connect(program.open_urls)
        program.restart_monitor.restart_requested.connect(restart_states.append)
        program.restart_monitor.restart_requested.connect(lambda _state: app.exit(ExitStatus.SUCCESS))
        freeze_startup_objects()
        program.show(state)
        program.window.link_controller.open_links(urls)
        status = run_event_loop(app)
    return status, restart_states[0] if restart_states else None


def _list_to_continue(state: WindowState | None, sources: SourceOptions) -> CarriedOverList | None:
    """Return the list to continue; a demo network starts afresh with each window."""
    return state.server_list if state is not None and not sources.is_demo else None


def _send_to_demo(urls: Sequence[str], sources: SourceOptions) -> bool:
    """Send links to servers of this machine to an open demo, if there is one.

    Return True if it has taken them. No other window knows its servers. Any other link goes to the user's own window:
    in the demo, a stand-in would be started instead of the game.
    """
    if not urls or sources.is_demo or not all(map(_is_on_this_machine, urls)):
        return False
    return SingleInstance(runtime_folder(), _data_folder(SourceOptions(demo_servers=0))).send_if_running(urls)


def _is_on_this_machine(url: str) -> bool:
    try:
        return is_loopback(parse_server_text(url).address.host)
    except ValueError:
        return False  # the window shows what is wrong with it


def _data_folder(sources: SourceOptions) -> Path:
    """Return the folder of the user's lists or the demo network's.

    Only one window may use it at a time.
    """
    data = user_paths().data
    return data / "demo" if sources.is_demo else data
