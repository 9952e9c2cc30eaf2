"""What went wrong, above the page until it is read: a file that was refused, a calculation that failed."""

from itertools import islice

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QHBoxLayout

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.controls import Button, Surface
from browser_app.ui.skill.selectable import sentence
from browser_app.ui.status_line import IconMark
from browser_app.ui.theme import Theme

MOST = 5
"""So many lines are shown and spoken; the others are counted: a folder may have thousands of broken files."""


class ProblemStrip(Surface):
    """Hidden while there is nothing to say."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "raised", "B")
        self._said: dict[str, None] = {}
        self._words = sentence(theme, "warning", 13)
        self.close_button = Button(theme, "", "close")
        self.close_button.setAccessibleName(_("Close this message"))
        self.close_button.setToolTip(_("Close this message"))
        self.close_button.clicked.connect(self.clear)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(8)
        row.addWidget(IconMark(theme, "doubt", "warning", 16), alignment=Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._words, 1)
        row.addWidget(self.close_button, alignment=Qt.AlignmentFlag.AlignTop)
        self.hide()

    def add(self, line: str) -> None:
        """Say this, too."""
        if line in self._said:
            return
        self._said[line] = None
        self._show()
        if len(self._said) <= MOST:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._words, line))

    def clear(self) -> None:
        """It was read."""
        self._said.clear()
        self._show()

    def text(self) -> str:
        """What it says."""
        return self._words.text()

    def _show(self) -> None:
        more = len(self._said) - MOST
        rest = [ngettext("and {n} more", "and {n} more", more).format(n=more)] if more > 0 else []
        self._words.setText("\n".join([*islice(self._said, MOST), *rest]))
        self.setVisible(bool(self._said))
