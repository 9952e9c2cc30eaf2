"""The page Habits: where the user wins more or less than expected."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.application.own_skill.skill_state import SkillState
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.language import gettext as _
from browser_app.player.habits import Habit
from browser_app.ui.skill.habits.habit_columns import HABIT_GROUP_TITLES
from browser_app.ui.skill.habits.habit_table_view import HabitTableModel, HabitTableView
from browser_app.ui.widgets.basic_widgets import Panel
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.buttons import MenuButton
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.theme import Theme

MIN_ROUNDS_CHOICES = (1, 5, 10, 25, 50)
"""Choices for the minimum number of rounds in a row."""
_DEFAULT_MIN_ROUNDS, _ALL_GROUPS = 5, "all"


class HabitsPage(QWidget):
    """The page Habits, which loads the habits when it becomes visible."""

    def __init__(self, theme: Theme, skill_model: SkillModel) -> None:
        super().__init__()
        self._skill_model = skill_model
        self._skill_state: SkillState | None = None
        self._is_requested = False
        self.sort_column = "verdict"
        """Key of the sorting column, with `-` if descending."""
        self.model = HabitTableModel()
        self.table = HabitTableView(theme, self.model)
        self.model.setParent(self.table)
        self.note_label = create_wrapping_label(theme)
        self.group_menu, self.min_rounds_menu = MenuButton(theme, _("Group")), MenuButton(theme, _("Minimum rounds"))
        self._header_widget = QWidget()
        self._build_layout(theme)
        self.group_menu.show_choices(
            ((_ALL_GROUPS, _("All groups")), *((kind, _(title)) for kind, title in HABIT_GROUP_TITLES.items())),
            _ALL_GROUPS,
        )
        self._fill_min_rounds_menu(_DEFAULT_MIN_ROUNDS)
        self.group_menu.value_chosen.connect(self._set_group)
        self.min_rounds_menu.value_chosen.connect(self._set_min_rounds)
        self.table.sort_requested.connect(self.sort_by)
        self.table.show_sort_order(self.sort_column)
        self.setFocusProxy(self.table)

    def _build_layout(self, theme: Theme) -> None:
        fill_box(QHBoxLayout(self._header_widget), self.group_menu, self.min_rounds_menu)
        frame = Panel(theme, "surface", "TRBL")
        fill_box(QVBoxLayout(frame), self.table, margins=(1, 1, 1, 1))
        fill_box(QVBoxLayout(self), Stretch(frame), self.note_label, margins=(0, 0, 0, 14))

    def header_controls(self) -> QWidget:
        """Return the menus for the group and the minimum number of rounds."""
        return self._header_widget

    def show_data(self, skill_state: SkillState | None) -> None:
        """Load the habits of another rating."""
        if skill_state is not self._skill_state:
            self._skill_state, self._is_requested = skill_state, False
            self._show_habits(())
        self._request_habits()

    def _request_habits(self) -> None:
        if self._skill_state is not None and not self._is_requested and self.isVisible():
            self._is_requested = True
            self.note_label.setText(_("Analysing habits…"))
            self._skill_model.queries.request_habits(self._show_habits)

    def _show_habits(self, habits: Sequence[Habit]) -> None:
        player = self._skill_state.history.player if self._skill_state is not None else ""
        alone = _("Solo")  # in free-for-all modes a team is named after its player
        self.model.set_habits([replace(each, title=alone) if _is_own_team(each, player) else each for each in habits])
        self._update_rows()

    def _update_rows(self) -> None:
        kinds = [kind for kind in HABIT_GROUP_TITLES if self.group_menu.current_value in (_ALL_GROUPS, kind)]
        self.model.arrange(kinds, int(self.min_rounds_menu.current_value), self.sort_column)
        self.note_label.setText(
            self._legend_text() if self.model.rowCount() else _("No entries with that many rounds yet.")
        )

    def _legend_text(self) -> str:
        return _(
            "Expected: sum of the win chances predicted before each round. The line is the 90 % range "
            "of pure luck, the dashed mark the expected wins, the dot the actual wins."
        )

    def sort_by(self, key: str) -> None:
        """Sort each group by a column; the same column again reverses the order."""
        self.sort_column = f"-{key}" if key == self.sort_column else key
        self.table.show_sort_order(self.sort_column)
        self._update_rows()

    def _set_group(self, kind: str) -> None:
        self.group_menu.show_choices(self.group_menu.choices, kind)
        self._update_rows()

    def _set_min_rounds(self, least: str) -> None:
        self._fill_min_rounds_menu(int(least))
        self._update_rows()

    def _fill_min_rounds_menu(self, least: int) -> None:
        choices = [
            (str(each), _("{n} rounds or more").format(n=each) if each > 1 else _("No minimum"))
            for each in MIN_ROUNDS_CHOICES
        ]
        self.min_rounds_menu.show_choices(choices, str(least))

    def showEvent(self, event: QShowEvent) -> None:
        """Load the habits if they are missing."""
        super().showEvent(event)
        self._request_habits()


def _is_own_team(habit: Habit, player: str) -> bool:
    return habit.kind == "team" and habit.name == player
