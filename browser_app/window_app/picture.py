"""A picture of the window, drawn when everything it is to show has come."""

import argparse

from PySide6.QtCore import QTimer

from browser_app.commands.context import Context
from browser_app.commands.errors import BadInput, Exit
from browser_app.window_app.program import WindowProgram
from browser_app.window_app.qt_application import application, run

_SETTLED_MS = 700
"""So long a picture waits for what is still on its way."""


def draw_window(args: argparse.Namespace, context: Context) -> None:
    """Draw the window after a full scan into `args.file`.

    Raises:
        BadInput: a source is wrong, or the file cannot be written.
    """
    app = application()
    with WindowProgram(args, context, app, args.theme) as program:
        window = program.window
        window.resize(*args.size)
        window.show()
        awaited = {"scan", "past"}
        if args.view == "skill":
            window.show_skill(args.page)
            awaited.add("record")

        def end() -> None:
            if args.view == "skill" and window.skill_view.working:
                QTimer.singleShot(_SETTLED_MS, end)
            else:
                app.quit()

        def come(what: str) -> None:
            if what not in awaited:
                return
            awaited.remove(what)
            if not awaited:
                QTimer.singleShot(_SETTLED_MS, end)

        program.live.running_changed.connect(lambda running: None if running else come("scan"))
        program.sampling.recalled.connect(lambda: come("past"))
        program.skill.ready.connect(lambda: come("record"))
        program.sampling.start()
        program.skill.start()
        program.live.refresh()
        if run(app) == Exit.INTERRUPTED:
            raise KeyboardInterrupt
        program.live.rescore()
        if not window.grab().save(str(args.file), "PNG"):
            raise BadInput(f"{args.file}: cannot be written")
