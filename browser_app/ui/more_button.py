"""The top bar's last button: a menu of what is wanted seldom."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint

from browser_app.language import gettext as _
from browser_app.ui.controls import Button
from browser_app.ui.menus import Entry, add_entries, make_menu
from browser_app.ui.theme import Theme


class MoreButton(Button):
    """Opens a menu under itself; features add their entries."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "", "more", height=32)
        self.groups: list[Sequence[Entry]] = []
        self.setAccessibleName(_("More"))
        self.setToolTip(_("More"))
        self.clicked.connect(self._open)

    def add(self, entries: Sequence[Entry]) -> None:
        """Put these below those that are there, behind a line."""
        self.groups.append(entries)

    def _open(self) -> None:
        menu = make_menu(self, ())
        for entries in self.groups:
            menu.addSeparator()  # one before all others Qt does not show
            add_entries(menu, entries)
        menu.popup(self.mapToGlobal(self.rect().bottomRight()) - QPoint(menu.sizeHint().width(), -2))
