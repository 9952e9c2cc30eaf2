"""The page Leaderboard: the record's players by rating, as of any day."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.application.own_skill.skill_state import SkillState
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.player.leaderboard import Leaderboard, RecordLeaderboards
from browser_app.ui.skill.leaderboard.day_dialog import day_text
from browser_app.ui.skill.leaderboard.leaderboard_controls import LeaderboardControls, day_start
from browser_app.ui.skill.leaderboard.leaderboard_rows import (
    BY_RANK,
    LeaderboardRowSource,
    PlayerPredicate,
    filter_players,
    sort_players,
)
from browser_app.ui.skill.leaderboard.leaderboard_table_view import LeaderboardTableModel, LeaderboardTableView
from browser_app.ui.skill.rating_format import rating_decimals
from browser_app.ui.widgets.basic_widgets import Label, Panel
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import join_sentences


class LeaderboardPage(QWidget):
    """The page Leaderboard, which loads its ranks when it becomes visible.

    Signals:
        status_reported: text for the status bar.
    """

    status_reported = Signal(str)

    def __init__(self, theme: Theme, skill_model: SkillModel, friend_predicate: Callable[[], PlayerPredicate]) -> None:
        """`friend_predicate` returns a test of the current friends."""
        super().__init__()
        self._skill_model, self._friend_predicate = skill_model, friend_predicate
        self._is_friend = friend_predicate()
        self._skill_state: SkillState | None = None
        self._boards: RecordLeaderboards | None = None
        self._is_requested = True  # nothing to load before `show_data`
        self.sort_column = BY_RANK
        """Key of the sorting column, with `-` if reversed."""
        self.model = LeaderboardTableModel()
        self.table = LeaderboardTableView(theme, self.model)
        self.model.setParent(self.table)
        self.controls = LeaderboardControls(theme)
        self.summary_label = Label(theme, role="text2", size=12)
        self.own_row_link = LinkButton(theme, _("Show me"))
        self.note_label = create_wrapping_label(theme)
        self._build_layout(theme)
        self._connect_signals()

    def _build_layout(self, theme: Theme) -> None:
        frame = Panel(theme, "surface", "TRBL")
        fill_box(QVBoxLayout(frame), self.table, margins=(1, 1, 1, 1))
        summary = fill_box(QHBoxLayout(), self.summary_label, self.own_row_link, Stretch(), spacing=4)
        fill_box(
            QVBoxLayout(self), self.controls, summary, Stretch(frame), self.note_label, spacing=6, margins=(0, 0, 0, 14)
        )
        self.own_row_link.hide()

    def _connect_signals(self) -> None:
        self.controls.changed.connect(self._show_board)
        self.controls.day_changed.connect(self._request_boards)
        self.controls.search_field.field_left.connect(self.table.setFocus)
        self.own_row_link.clicked.connect(self._show_own_row)
        self.table.sort_requested.connect(self.sort_by)
        self.table.row_copied.connect(lambda: self.status_reported.emit(_("Copied")))
        self.table.show_sort_order(self.sort_column)

    def show_data(self, skill_state: SkillState | None) -> None:
        """Load the ranks of another game, system or record.

        Until they arrive, the page shows the old ones.
        """
        if skill_state is None or skill_state is not self._skill_state:
            self._skill_state, self._is_requested = skill_state, False
        self._request_if_visible()

    def showEvent(self, event: QShowEvent) -> None:
        """Load the ranks if they are missing; mark the current friends."""
        super().showEvent(event)
        self._is_friend = self._friend_predicate()
        self._show_board()
        self._request_if_visible()

    def _request_if_visible(self) -> None:
        if self.isVisible() and not self._is_requested:
            self._request_boards()

    def _request_boards(self) -> None:
        self._is_requested = True
        day = self.controls.day
        self.note_label.setText(_("Ranking players…"))
        self._skill_model.queries.request_leaderboards(
            self._show_boards, before=None if day is None else day_start(day)
        )

    def _show_boards(self, found: RecordLeaderboards) -> None:
        """Show new ranks; the selected player stays selected, at first it is the user."""
        self._boards = found
        preferred = self._skill_state.now.mode if self._skill_state is not None else ""
        self.controls.show_boards(found, preferred)
        self._show_board()

    @property
    def board(self) -> Leaderboard | None:
        """The board of the chosen mode."""
        boards = self._boards.boards if self._boards is not None else ()
        return next((each for each in boards if each.mode == self.controls.mode), None)

    def sort_by(self, key: str) -> None:
        """Sort by a column; the same column again reverses the order."""
        self.sort_column = f"-{key}" if key == self.sort_column else key
        self.table.show_sort_order(self.sort_column)
        self._show_board()

    def _show_board(self) -> None:
        """Show the chosen board's players that pass the filter."""
        board, chosen = self.board, self.controls.player_filter
        if board is None:
            self.model.set_source(None, np.empty(0, np.int64))
            self.summary_label.setText("")
            self.own_row_link.hide()
            self._show_note()
            return
        selected = self._selected_player()
        decimals = rating_decimals(self._skill_model.system)
        source = LeaderboardRowSource(board, chosen.min_rounds, decimals, self._is_friend)
        rows = sort_players(board, self.sort_column, filter_players(board, chosen, self._is_friend))
        if self.model.source is not None and self.model.source.board is board:
            self.model.source = source
            self.model.set_order(rows)
            self.table.viewport().update()
        else:
            self.model.set_source(source, rows)
            self.table.show_row(board.ids.index(selected) if selected in board.ids else board.own_row)
        self._show_texts(board, source, len(rows))

    def _selected_player(self) -> str:
        """Return the id of the selected player, empty if there is none."""
        row = self.table.currentIndex().row()
        return self.model.source.board.ids[int(self.model.order[row])] if self.model.source and row >= 0 else ""

    def _show_own_row(self) -> None:
        if self.board is not None:
            self.table.show_row(self.board.own_row)
            self.table.setFocus()

    def _show_texts(self, board: Leaderboard, source: LeaderboardRowSource, shown: int) -> None:
        total, own = int((source.ranks > 0).sum()), int(source.ranks[board.own_row]) if board.own_row >= 0 else 0
        self.summary_label.setText(summary_text(total, shown, own))
        self.own_row_link.setVisible(self.model.row_of(board.own_row) is not None)
        self._show_note()

    def _show_note(self) -> None:
        """Show what the ranks are based on.

        Until the first ones arrive, the note that they are being loaded stays.
        """
        if self._boards is None:
            return
        rounds = self._boards.rounds
        words = ngettext("After {n} rated round.", "After {n} rated rounds.", rounds).format(n=integer_text(rounds))
        if self.controls.day is not None:
            words = join_sentences(_("As of the start of {day} (UTC).").format(day=day_text(self.controls.day)), words)
        legend = _("The dot is the rating, the line its 90 % range, the dashed mark your own rating.")
        self.note_label.setText(join_sentences(words, legend))


def summary_text(total: int, shown: int, own_rank: int) -> str:
    """Return the number of ranked players and the user's rank (0: none) as a text.

    If not all of them are shown, the number of those follows.
    """
    count = integer_text(total)
    if own_rank:
        text = ngettext("You are number {rank} of {n} player.", "You are number {rank} of {n} players.", total)
        text = text.format(rank=integer_text(own_rank), n=count)
    else:
        text = ngettext("{n} ranked player.", "{n} ranked players.", total).format(n=count)
    found = _("Shown: {n}.").format(n=integer_text(shown)) if shown < total else ""
    return join_sentences(text, found)
