"""The start of the window, or the hand-over to one that is open already; the new start when language or size change."""

import argparse
import gc
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from PySide6.QtWidgets import QApplication

from browser_app.bridge.one_instance import OneInstance
from browser_app.commands.context import Context
from browser_app.commands.errors import Exit
from browser_app.commands.output import say
from browser_app.paths import runtime_folder, user_paths
from browser_app.ui.window_stand import WindowStand
from browser_app.window_app.program import WindowProgram
from browser_app.window_app.qt_application import application, end, run, scaled


def open_window(args: argparse.Namespace, context: Context) -> int:
    """Open the window and run until it is closed; the exit status. A window that is open takes the URL instead."""
    urls: list[str] = [args.url] if args.url else []
    stand: WindowStand | None = None
    while True:
        with scaled():
            app = application()
        status, stand = _open_once(app, args, context, urls, stand)
        if stand is None:
            return status
        end(app)
        urls.clear()


def _open_once(
    app: QApplication, args: argparse.Namespace, context: Context, urls: Sequence[str], stand: WindowStand | None
) -> tuple[int, WindowStand | None]:
    """The same for one setting up of the window; where another one is to go on, if it is to be set up anew."""
    one = None if _has_own_sources(args) else OneInstance(runtime_folder(), _data(args))
    if one is not None and one.hand_over(urls):
        say("ready-room: handed over to the window that is open")
        return Exit.DONE, None
    goes_on: list[WindowStand] = []
    with ExitStack() as ends:
        if one is not None:
            ends.callback(one.close)
        program = ends.enter_context(WindowProgram(args, context, app))
        if one is not None:
            one.opened.connect(program.open_again)
        program.renewal.wanted.connect(goes_on.append)
        program.renewal.wanted.connect(lambda _stand: app.exit(Exit.DONE))
        gc.freeze()  # what the start has made stays; no later collection needs to walk through it
        program.open(stand)
        program.window.links.open(urls)
        status = run(app)
    return status, goes_on[0] if goes_on else None


def _has_own_sources(args: argparse.Namespace) -> bool:
    """Whoever names sources wants a list of their own, in a window of its own."""
    return bool(args.game or args.master or args.server or args.lan)


def _data(args: argparse.Namespace) -> Path:
    """What no two windows should have open: the user's lists, or those of the demo network."""
    data = user_paths().data
    return data if args.demo is None else data / "demo"
