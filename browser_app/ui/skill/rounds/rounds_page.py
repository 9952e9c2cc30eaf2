"""The page Rounds: the user's rounds, their filter and explanations."""

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.application.own_skill.skill_state import SkillState
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.catalogue.filters.filter_tree import FilterNode, MatchAll
from browser_app.language import gettext as _
from browser_app.player.co_players import CoPlayers
from browser_app.rating.rating_explanation import RatingExplanation
from browser_app.ui.filters.filter_field import FilterField
from browser_app.ui.skill.rounds.round_explanation_panel import RoundExplanationPanel
from browser_app.ui.skill.rounds.round_explanation_text import build_explanation_text
from browser_app.ui.skill.rounds.round_result_text import rounds_summary_text, unrated_reason_text
from browser_app.ui.skill.rounds.rounds_filter import filter_rounds, needs_co_players, parse_round_filter
from browser_app.ui.skill.rounds.rounds_table_columns import ROUND_COLUMNS
from browser_app.ui.skill.rounds.rounds_table_rows import NEWEST_FIRST, RoundsRowSource, sort_rounds
from browser_app.ui.skill.rounds.rounds_table_view import RoundsTableModel, RoundsTableView
from browser_app.ui.widgets.accessibility import announce
from browser_app.ui.widgets.basic_widgets import Button, Label, Panel
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import is_this_year

FILTER_WIDTH = 232


class RoundsPage(QWidget):
    """The page Rounds.

    Signals:
        status_reported: text for the status bar.
        import_requested: choose round files to import.
    """

    status_reported = Signal(str)
    import_requested = Signal()

    def __init__(self, theme: Theme, skill_model: SkillModel) -> None:
        super().__init__()
        self._theme, self._skill_model = theme, skill_model
        self._skill_state: SkillState | None = None
        self._co_players: CoPlayers | None = None
        self._filter: FilterNode = MatchAll()
        self._sort_column = NEWEST_FIRST
        self._awaited_round = ""
        """Id of the round whose explanation was requested."""
        self.model = RoundsTableModel()
        self.explanation_panel = RoundExplanationPanel(theme)
        self.table = RoundsTableView(theme, self.model, self.explanation_panel)
        self.model.setParent(self.table)
        self.filter_field = FilterField(theme, _("Map, team, won, with:…"))
        self.filter_field.setFixedWidth(FILTER_WIDTH)
        self.import_button = Button(theme, _("Import…"))
        self.summary_label = Label(theme, role="text2", size=12)
        self._header_widget = QWidget()
        self._build_layout()
        self._connect_signals()

    def _build_layout(self) -> None:
        fill_box(QHBoxLayout(self._header_widget), self.filter_field, self.import_button)
        frame = Panel(self._theme, "surface", "TRBL")
        fill_box(QVBoxLayout(frame), self.table, margins=(1, 1, 1, 1))
        fill_box(QVBoxLayout(self), self.summary_label, Stretch(frame), margins=(0, 0, 0, 16))
        self.summary_label.hide()
        QWidget.setTabOrder(self.filter_field, self.import_button)
        self.setFocusProxy(self.table)

    def _connect_signals(self) -> None:
        self.filter_field.filter_edited.connect(self._on_filter_edited)
        self.filter_field.field_left.connect(self.table.setFocus)
        self.import_button.clicked.connect(self.import_requested)
        self.table.sort_requested.connect(self.sort_by)
        self.table.expanded_round_changed.connect(self._on_round_expanded)
        self.table.copy_requested.connect(self._copy_round)
        self._skill_model.error_reported.connect(self._on_failed)

    def header_controls(self) -> QWidget:
        """Return the filter field and the import button."""
        return self._header_widget

    def show_data(self, skill_state: SkillState | None) -> None:
        """Show these rounds and keep the expanded one if it is still there."""
        expanded = self._round_id(self.table.expanded_round)
        self.table.collapse()
        self._skill_state, self._co_players = skill_state, None
        if skill_state is not None:
            self.table.show_years(not is_this_year(float(skill_state.history.started.min())))
        self.model.set_source(
            None if skill_state is None else RoundsRowSource(skill_state.history), np.empty(0, np.int64)
        )
        self._update_rows()
        self.table.show_sort_order(self._sort_column)
        if expanded:
            self.show_round(expanded)

    def show_round(self, round_id: str) -> bool:
        """Scroll to a round and expand it; return False if it is not the user's.

        Filters are cleared if needed.
        """
        if self._skill_state is None or round_id not in self._skill_state.history.ids:
            return False
        number = self._skill_state.history.ids.index(round_id)
        if self.model.row_of(number) is None:
            self.filter_field.set_text("")
            self._filter = MatchAll()
            self._update_rows()
        return self.table.show_round(number)

    def sort_by(self, key: str) -> None:
        """Sort by a column; the same column again reverses the order."""
        self._sort_column = f"-{key}" if key == self._sort_column else key
        self.table.show_sort_order(self._sort_column)
        self._update_rows()

    def _on_filter_edited(self, text: str) -> None:
        parsed = self.filter_field.parse_text(text, parse_round_filter)
        if parsed is not None:
            self._filter = parsed
            self._update_rows()
        elif self.filter_field.error is not None:
            self._show_summary(
                _("{filter}: {problem}").format(filter=text, problem=self.filter_field.error[2]), "warning"
            )

    def _update_rows(self) -> None:
        """Show the rounds that pass the filter, in the current order."""
        if self._skill_state is None:
            self._show_summary("", "text2")
            return
        history = self._skill_state.history
        if needs_co_players(self._filter) and self._co_players is None:
            self._show_summary(_("Looking up players…"), "text2")
            self._skill_model.queries.request_co_players(self._on_co_players_loaded)
            return
        passes = filter_rounds(self._filter, history, self._co_players)
        self.model.set_order(sort_rounds(history, self._sort_column, np.flatnonzero(passes).astype(np.int64)))
        self._show_summary("" if passes.all() else rounds_summary_text(history, passes), "text2")

    def _on_co_players_loaded(self, co_players: CoPlayers) -> None:
        self._co_players = co_players
        self._update_rows()

    def _show_summary(self, text: str, role: str) -> None:
        self.summary_label.set_color_role(role)
        self.summary_label.setText(text)
        self.summary_label.setVisible(bool(text))

    def _round_id(self, number: int) -> str:
        return self._skill_state.history.ids[number] if self._skill_state is not None and number >= 0 else ""

    def _on_round_expanded(self, number: int) -> None:
        self._awaited_round = ""
        self.model.explanation = -1, ""
        if number < 0 or self._skill_state is None:
            return
        why = self._skill_state.history.skip_reason[number]
        if why:
            self.explanation_panel.show_message(_("Not rated: {why}.").format(why=unrated_reason_text(why)))
            return
        round_id = self._round_id(number)
        self._awaited_round = round_id
        self.explanation_panel.show_message(_("Analysing this round…"))
        self._skill_model.queries.explain_round(round_id, lambda explanation: self._on_explained(round_id, explanation))

    def _on_explained(self, round_id: str, explanation: RatingExplanation) -> None:
        number = self.table.expanded_round
        if self._skill_state is not None and self._round_id(number) == round_id == self._awaited_round:
            self._awaited_round = ""
            approximate = bool(self._skill_state.history.approximate[number])
            explanation_text = build_explanation_text(explanation, approximate=approximate)
            self.explanation_panel.show_explanation(explanation_text)
            self.table.update_expanded_row()
            self.model.explanation = number, self.explanation_panel.plain_text
            announce(self.table, self.explanation_panel.plain_text)

    def _on_failed(self, problem: str) -> None:
        """Show an error in place of the awaited explanation."""
        if self._awaited_round:
            self._awaited_round = ""
            self.explanation_panel.show_message(problem)
            self.table.update_expanded_row()

    def _copy_round(self) -> None:
        """Copy the expanded round's explanation, else the current row."""
        index = self.table.currentIndex().row()
        if index < 0:
            return
        row = self.model.row(index)
        lines = ["\t".join(column.text(row) for column in ROUND_COLUMNS)]
        if row.id == self.table.expanded_round:
            lines.append(self.explanation_panel.plain_text)
        QGuiApplication.clipboard().setText("\n".join(lines))
        self.status_reported.emit(_("Copied"))
