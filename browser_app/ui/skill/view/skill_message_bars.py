"""The message bars of My Skill: import problems and unmapped tables."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QHBoxLayout

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.skill.sources.column_map_text import sanitize_file_text
from browser_app.ui.widgets.accessibility import announce, set_accessible_role
from browser_app.ui.widgets.basic_widgets import Button, IconLabel, Panel
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.theme import Theme


class MessageBar(Panel):
    """Bar with an icon, a text and a button that closes it.

    It may have another button and is hidden at first.
    """

    def __init__(self, theme: Theme, icon: str, icon_role: str, text_role: str, *buttons: Button) -> None:
        super().__init__(theme, "raised", "B")
        set_accessible_role(self, QAccessible.Role.AlertMessage)
        self._label = create_wrapping_label(theme, text_role, 13)
        self.close_button = Button(theme, "", "close")
        self.close_button.setAccessibleName(_("Close this message"))
        self.close_button.setToolTip(_("Close this message"))
        self._icon_label = IconLabel(theme, icon, icon_role, 16)
        buttons = (*buttons, self.close_button)
        self._row = fill_box(QHBoxLayout(self), self._icon_label, Stretch(self._label), *buttons, margins=(12, 6, 8, 6))
        self.hide()

    def text(self) -> str:
        """Return the shown text."""
        return self._label.text()


class UnmappedTablesBar(MessageBar):
    """Bar for unmapped tables; once closed it stays hidden until there are others.

    Signals:
        column_mapping_requested: the tables, as a list of `Path`.
    """

    column_mapping_requested = Signal(object)

    def __init__(self, theme: Theme) -> None:
        self.map_columns_button = Button(theme, _("Assign columns…"))
        super().__init__(theme, "clock", "text2", "text1", self.map_columns_button)
        self._tables: tuple[Path, ...] = ()
        self.map_columns_button.clicked.connect(lambda: self.column_mapping_requested.emit(list(self._tables)))
        self.close_button.clicked.connect(self.hide)

    def show_tables(self, tables: Sequence[Path]) -> None:
        """Set the unmapped tables."""
        if tuple(tables) == self._tables:
            return
        self._tables = tuple(tables)
        if tables:
            words = ngettext(
                "{name} in a watched folder needs its columns assigned.",
                "{name} and others in watched folders ({n} tables) need their columns assigned.",
                len(tables),
            )
            self._label.setText(words.format(name=sanitize_file_text(tables[0].name), n=len(tables)))
        self.setVisible(bool(tables))
        if tables:
            announce(self, self.text())


MAX_SHOWN_PROBLEMS = 5
"""Lines that are shown; the others are counted, because a folder may have thousands of broken files."""


class SkillProblemBar(MessageBar):
    """Bar for problems, hidden if there are none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "warning", "warning", "warning")
        self._problems: dict[str, None] = {}
        for widget in (self._icon_label, self.close_button):
            self._row.setAlignment(widget, Qt.AlignmentFlag.AlignTop)  # there may be several lines
        self.close_button.clicked.connect(self.clear)

    def add_problem(self, problem: str) -> None:
        """Add a problem."""
        if problem in self._problems:
            return
        self._problems[problem] = None
        self._update_label()
        if len(self._problems) <= MAX_SHOWN_PROBLEMS:
            announce(self, problem)

    def clear(self) -> None:
        """Remove all problems."""
        self._problems.clear()
        self._update_label()

    def _update_label(self) -> None:
        more = len(self._problems) - MAX_SHOWN_PROBLEMS
        rest = [ngettext("and {n} more", "and {n} more", more).format(n=more)] if more > 0 else []
        self._label.setText("\n".join([*islice(self._problems, MAX_SHOWN_PROBLEMS), *rest]))
        self.setVisible(bool(self._problems))
