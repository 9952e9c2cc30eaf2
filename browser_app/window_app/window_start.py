"""Start of the window, or a screenshot of it."""

import argparse
import gc
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from browser_app.application.app_context import AppContext
from browser_app.bridge.single_instance import SingleInstance
from browser_app.commands.output.terminal_output import print_note
from browser_app.exit_status import ExitStatus, UsageError
from browser_app.paths import runtime_folder, user_paths
from browser_app.ui.window_state import WindowState
from browser_app.window_app.qt_application import (
    create_application,
    run_event_loop,
    scale_from_settings,
    shut_down_application,
)
from browser_app.window_app.window_program import WindowProgram

_SETTLE_DELAY_MS = 700
"""So long a picture waits for what is still on its way."""


def save_window_screenshot(args: argparse.Namespace, context: AppContext) -> None:
    """Draw the window after a full scan into `args.file`.

    Raises:
        BadInput: a source is wrong, or the file cannot be written.
    """
    app = create_application()
    with WindowProgram(args, context, app, args.theme) as program:
        window = program.window
        window.resize(*args.size)
        window.show()
        awaited = {"scan", "past"}
        if args.view == "skill":
            window.show_skill(args.page)
            awaited.add("record")

        def end() -> None:
            if args.view == "skill" and window.skill_view.is_working:
                QTimer.singleShot(_SETTLE_DELAY_MS, end)
            else:
                app.quit()

        def come(what: str) -> None:
            if what not in awaited:
                return
            awaited.remove(what)
            if not awaited:
                QTimer.singleShot(_SETTLE_DELAY_MS, end)

        program.server_list.running_changed.connect(lambda running: None if running else come("scan"))
        program.sample_recorder.history_changed.connect(lambda: come("past"))
        program.skill_backend.record_ready.connect(lambda: come("record"))
        program.sample_recorder.start()
        program.skill_backend.start()
        program.server_list.refresh()
        if run_event_loop(app) == ExitStatus.INTERRUPTED:
            raise KeyboardInterrupt
        program.server_list.rescore()
        if not window.grab().save(str(args.file), "PNG"):
            raise UsageError(f"{args.file}: cannot be written")


def open_window(args: argparse.Namespace, context: AppContext) -> int:
    """Open the window and run until it is closed; the exit status. A window that is open takes the URL instead."""
    urls: list[str] = [args.url] if args.url else []
    stand: WindowState | None = None
    while True:
        with scale_from_settings():
            app = create_application()
        status, stand = _open_window_once(app, args, context, urls, stand)
        if stand is None:
            return status
        shut_down_application(app)
        urls.clear()


def _open_window_once(
    app: QApplication, args: argparse.Namespace, context: AppContext, urls: Sequence[str], state: WindowState | None
) -> tuple[int, WindowState | None]:
    """The same for one setting up of the window; where another one is to go on, if it is to be set up anew."""
    one = None if _has_own_sources(args) else SingleInstance(runtime_folder(), _data_folder(args))
    if one is not None and one.send_to_running_instance(urls):
        print_note("ready-room: handed over to the window that is open")
        return ExitStatus.SUCCESS, None
    goes_on: list[WindowState] = []
    with ExitStack() as ends:
        if one is not None:
            ends.callback(one.close)
        program = ends.enter_context(WindowProgram(args, context, app))
        if one is not None:
            one.open_requested.connect(program.open_urls)
        program.restart_watcher.restart_requested.connect(goes_on.append)
        program.restart_watcher.restart_requested.connect(lambda _stand: app.exit(ExitStatus.SUCCESS))
        gc.freeze()  # what the start has made stays; no later collection needs to walk through it
        program.show(state)
        program.window.link_controller.open_links(urls)
        status = run_event_loop(app)
    return status, goes_on[0] if goes_on else None


def _has_own_sources(args: argparse.Namespace) -> bool:
    """Whoever names sources wants a list of their own, in a window of its own."""
    return bool(args.game or args.master or args.server or args.lan)


def _data_folder(args: argparse.Namespace) -> Path:
    """What no two windows should have open: the user's lists, or those of the demo network."""
    data = user_paths().data
    return data if args.demo is None else data / "demo"
