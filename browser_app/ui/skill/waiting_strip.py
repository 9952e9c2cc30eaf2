"""Tables in watched folders that wait for names of their columns, above the page, with the step that takes them in."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.controls import Button, Surface
from browser_app.ui.skill.column_words import file_words
from browser_app.ui.skill.selectable import sentence
from browser_app.ui.status_line import IconMark
from browser_app.ui.theme import Theme


class WaitingStrip(Surface):
    """Hidden while nothing waits, and after it was closed until something else does.

    Signals:
        tables_wanted: the tables, as a list of `Path`: the user wants to say which column is which.
    """

    tables_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "raised", "B")
        self._tables: tuple[Path, ...] = ()
        self._words = sentence(theme, "text1", 13)
        self.name = Button(theme, _("Name the columns…"))
        self.close_button = Button(theme, "", "close")
        self.close_button.setAccessibleName(_("Close this message"))
        self.close_button.setToolTip(_("Close this message"))
        self.name.clicked.connect(lambda: self.tables_wanted.emit(list(self._tables)))
        self.close_button.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(8)
        row.addWidget(IconMark(theme, "clock", "text2", 16))
        row.addWidget(self._words, 1)
        row.addWidget(self.name)
        row.addWidget(self.close_button)
        self.hide()

    def show_tables(self, tables: Sequence[Path]) -> None:
        """These wait now."""
        if tuple(tables) == self._tables:
            return
        self._tables = tuple(tables)
        if tables:
            words = ngettext(
                "{name} in a watched folder waits for names of its columns.",
                "{name} and others in watched folders, {n} tables, wait for names of their columns.",
                len(tables),
            )
            self._words.setText(words.format(name=file_words(tables[0].name), n=len(tables)))
        self.setVisible(bool(tables))

    def text(self) -> str:
        """What it says."""
        return self._words.text()
