"""The page *Habits*: where, when and with whom more is won than expected, luck told from habit."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.bridge.skill.panel import SkillPanel
from browser_app.bridge.skill.shown import Shown
from browser_app.language import gettext as _
from browser_app.player.habits import Habit
from browser_app.ui.controls import Surface
from browser_app.ui.menu_button import MenuButton
from browser_app.ui.skill.habit_model import HabitModel
from browser_app.ui.skill.habit_table import HabitTable
from browser_app.ui.skill.habit_words import KINDS
from browser_app.ui.skill.selectable import sentence
from browser_app.ui.theme import Theme

LEAST = (1, 5, 10, 25, 50)
"""Offered as the fewest rounds of a row."""
_USUAL, _ALL = 5, "all"


class HabitsPage(QWidget):
    """Asks for the habits when it is in sight and they are not at hand."""

    def __init__(self, theme: Theme, panel: SkillPanel) -> None:
        super().__init__()
        self._panel = panel
        self._shown: Shown | None = None
        self._asked = False
        self.column = "verdict"
        """What sorts, with `-` when turned round."""
        self.model = HabitModel()
        self.table = HabitTable(theme, self.model)
        self.model.setParent(self.table)
        self.words = sentence(theme)
        self.kind, self.least = MenuButton(theme, _("Group")), MenuButton(theme, _("Least rounds"))
        self._controls = QWidget()
        self._lay_out(theme)
        self.kind.show_choices(((_ALL, _("All groups")), *((kind, _(title)) for kind, title in KINDS.items())), _ALL)
        self._offer_least(_USUAL)
        self.kind.chosen.connect(self._choose_kind)
        self.least.chosen.connect(self._choose_least)
        self.table.sort_wanted.connect(self.sort_by)
        self.table.mark_sorted(self.column)
        self.setFocusProxy(self.table)

    def _lay_out(self, theme: Theme) -> None:
        controls = QHBoxLayout(self._controls)
        controls.setContentsMargins(0, 0, 0, 0)
        controls.setSpacing(8)
        for button in (self.kind, self.least):
            controls.addWidget(button)
        frame = Surface(theme, "surface", "TRBL")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(1, 1, 2, 2)
        inside.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 14)
        column.setSpacing(8)
        column.addWidget(frame, 1)
        column.addWidget(self.words)

    def header_controls(self) -> QWidget:
        """Which group, and the fewest rounds of a row."""
        return self._controls

    def show_data(self, shown: Shown | None) -> None:
        """Another rating, other habits."""
        if shown is not self._shown:
            self._shown, self._asked = shown, False
            self._show(())
        self._ask()

    def _ask(self) -> None:
        if self._shown is not None and not self._asked and self.isVisible():
            self._asked = True
            self.words.setText(_("Looking for habits…"))
            self._panel.habits(self._show)

    def _show(self, habits: Sequence[Habit]) -> None:
        player = self._shown.history.player if self._shown is not None else ""
        alone = _("On my own")  # where all play for themselves a team is called like its player
        self.model.show([replace(each, title=alone) if _is_of(each, player) else each for each in habits])
        self._arrange()

    def _arrange(self) -> None:
        kinds = [kind for kind in KINDS if self.kind.value in (_ALL, kind)]
        self.model.arrange(kinds, int(self.least.value), self.column)
        self.words.setText(self._explained() if self.model.rowCount() else _("Nothing has so many rounds yet."))

    def _explained(self) -> str:
        return _(
            "Expected are the wins that the chances said before each round add up to. The line is what luck alone "
            "reaches, 9 times in 10, the dashed mark what was expected, the dot what came."
        )

    def sort_by(self, key: str) -> None:
        """Sort each group by a column; by the same once more turns it round."""
        self.column = f"-{key}" if key == self.column else key
        self.table.mark_sorted(self.column)
        self._arrange()

    def _choose_kind(self, kind: str) -> None:
        self.kind.show_choices(self.kind.choices, kind)
        self._arrange()

    def _choose_least(self, least: str) -> None:
        self._offer_least(int(least))
        self._arrange()

    def _offer_least(self, least: int) -> None:
        choices = [
            (str(each), _("{n} rounds or more").format(n=each) if each > 1 else _("Any rounds")) for each in LEAST
        ]
        self.least.show_choices(choices, str(least))

    def showEvent(self, event: QShowEvent) -> None:
        """Now they are wanted."""
        super().showEvent(event)
        self._ask()


def _is_of(habit: Habit, player: str) -> bool:
    return habit.kind == "team" and habit.name == player
