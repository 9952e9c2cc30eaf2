"""Everything that a key does: one row an action, whoever carries it out. The list of keys (F1) is made from it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from browser_app.language import later


@dataclass(frozen=True)
class Action:
    """One key. `listed`: it is the table's, so that the letter can be typed elsewhere."""

    name: str
    key: str
    words: str
    listed: bool = False


ACTIONS: tuple[Action, ...] = (
    Action("play", "P", later("Play Now, or cancel it"), listed=True),
    Action("play_anywhere", "Ctrl+P", later("Play Now, or cancel it, wherever you are")),
    Action("join", "Return", later("Join the selected server"), listed=True),
    Action("wait", "W", later("Wait for a free slot"), listed=True),
    Action("favourite", "F", later("Favourite or not"), listed=True),
    Action("block", "B", later("Block the server or let it in again"), listed=True),
    Action("note", "N", later("Write a note about the server"), listed=True),
    Action("copy", "Ctrl+C", later("Copy the server's address")),
    Action("add", "Ctrl+N", later("Add a server by its address")),
    Action("paste", "Ctrl+V", later("Add the server that is named on the clipboard")),
    Action("filter", "Ctrl+F", later("Go to the filter")),
    Action("clear", "Ctrl+Shift+F", later("Take all filters away")),
    Action("hold", "Space", later("Hold the order, or let it go"), listed=True),
    Action("inspect", "I", later("Show or fold the inspector"), listed=True),
    Action("inspect_anywhere", "Ctrl+I", later("Show or fold the inspector, wherever you are")),
    Action("side", "Ctrl+L", later("Show the side list's names, or icons only")),
    Action("refresh", "F5", later("Refresh the list")),
    Action("escape", "Esc", later("Cancel, take the filter's text away, or stop asking")),
    Action("servers", "Ctrl+1", later("The view Servers")),
    Action("skill", "Ctrl+2", later("The view My skill")),
    Action("next_page", "Ctrl+Tab", later("The next page of My skill")),
    Action("previous_page", "Ctrl+Shift+Tab", later("The page of My skill before")),
    Action("settings", "Ctrl+,", later("Open the settings")),
    Action("keys", "F1", later("Show this list of keys")),
)
"""In the order in which they are listed. Letters typed one after the other go to the name that begins with them."""


class Keys:
    """Joins the actions with those who carry them out, who may come one by one."""

    def __init__(self, window: QWidget, table: QWidget) -> None:
        self._window, self._table = window, table
        self._joined: dict[str, QShortcut] = {}

    def join(self, doing: Mapping[str, Callable[[], object]]) -> None:
        """Have these actions done, by name.

        Raises:
            KeyError: there is no such action.
        """
        by_name = {action.name: action for action in ACTIONS}
        for name, work in doing.items():
            action = by_name[name]
            shortcut = QShortcut(QKeySequence(action.key), self._table if action.listed else self._window)
            if action.listed:
                shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.setAutoRepeat(False)  # held down, it would do and undo in turn
            shortcut.activated.connect(work)
            self._joined[name] = shortcut

    def joined(self) -> list[Action]:
        """The actions that somebody carries out, for the list of keys."""
        return [action for action in ACTIONS if action.name in self._joined or action.name == "join"]
