"""What a screen reader gets from the window over AT-SPI, as JSON.

A program for the system's Python, which has PyGObject: starts the window by the command in its arguments, acts in it as
a screen reader does, and ends it.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

LIMIT_S = 90.0
"""For one condition; the whole test has a limit of its own."""


class WindowReader:
    """The window of one process, and what it announced."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self.announced: list[str] = []
        self._listener = Atspi.EventListener.new(lambda event: self.announced.append(event.any_data))
        self._listener.register("object:announcement")
        self.window = self.wait("window", self._find_window)

    def _find_window(self) -> Any:
        desktop = Atspi.get_desktop(0)
        for place in range(desktop.get_child_count()):
            program = desktop.get_child_at_index(place)
            if program is not None and program.get_process_id() == self._process.pid and program.get_child_count():
                return program.get_child_at_index(0)
        return None

    def wait(self, what: str, condition: Callable[[], Any]) -> Any:
        """Handle events until a condition returns something true, and return that."""
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end and self._process.poll() is None:
            while GLib.MainContext.default().iteration(False):
                pass
            try:
                if found := condition():
                    return found
            except GLib.Error:  # gone since it was found, or not there yet
                pass
            time.sleep(0.05)
        raise SystemExit(f"no {what}; exit status {self._process.poll()}; announced: {self.announced}")

    def visible(self, top: Any = None) -> Iterator[Any]:
        """Yield everything visible, of lists and tables the first cells."""
        top = top or self.window
        yield top
        is_long = top.get_role_name() in ("table", "list", "tree")
        for place in range(min(top.get_child_count(), 60 if is_long else 1000)):
            child = top.get_child_at_index(place)
            if child is not None and child.get_state_set().contains(Atspi.StateType.SHOWING):
                yield from self.visible(child)

    def find(self, role: str, name: str) -> Any:
        """Return what has this role and a name that starts like this; wait for it."""

        def found() -> Any:
            fits = (each for each in self.visible() if each.get_role_name() == role)
            return next((each for each in fits if each.get_name().startswith(name)), None)

        return self.wait(f"{role} {name}", found)

    def wait_for_announcement(self, part: str) -> None:
        """Wait until a text with `part` was announced."""
        self.wait(f"announcement of {part}", lambda: any(part in text for text in self.announced))

    def unnamed(self) -> list[str]:
        """Return what accepts the focus and has no name or no role."""
        return [
            f"{each.get_role_name()} {each.get_name()!r} in {each.get_parent().get_name()!r}"
            for each in self.visible()
            if each.get_state_set().contains(Atspi.StateType.FOCUSABLE)
            and each.get_role_name() not in ("label", "scroll pane")
            and (not each.get_name() or each.get_role_name() in ("filler", "unknown", "invalid"))
        ]


def press(thing: Any) -> None:
    """Do the first action of a button or a tab."""
    thing.do_action(0)


def read_window(reader: WindowReader) -> dict[str, object]:
    """Walk both views, read a row, refresh, and filter."""
    table = reader.find("table", "Servers")

    def answered_row() -> str:
        cell = table.get_accessible_at(0, 0)
        return cell.get_name() if cell is not None and "milliseconds" in cell.get_name() else ""

    row = reader.wait("answered row", answered_row)
    unnamed = reader.unnamed()
    press(reader.find("push button", "Refresh"))
    reader.wait_for_announcement("List refreshed")
    field = reader.find("text", "Filter")
    field.set_text_contents("plyers>1")
    reader.wait_for_announcement("plyers")
    field.set_text_contents("players>=0")
    reader.wait_for_announcement("servers shown")
    press(reader.find("page tab", "My Skill"))
    reader.find("push button", "Import")
    roles = {"window": reader.window.get_role_name(), "name": reader.window.get_name()}
    return {**roles, "row": row, "announced": reader.announced, "unnamed": unnamed + reader.unnamed()}


def main() -> None:
    """Start the window, read it, print what was read."""
    Atspi.init()
    with subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        try:
            sys.stdout.write(json.dumps(read_window(WindowReader(process))) + "\n")
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
