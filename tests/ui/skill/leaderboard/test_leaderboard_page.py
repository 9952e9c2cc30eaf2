"""The page Leaderboard: ranks, filters, days and marks."""

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot
from skill_view_helpers import ME, FakeSkillModel, example_state, simulated_record

from browser_app.player.leaderboard import Leaderboard, RecordLeaderboards, build_leaderboards
from browser_app.player.own_predictions import RunCheckpoints
from browser_app.rating.system_registry import create_rating_system
from browser_app.ui.skill.leaderboard.day_dialog import DayDialog
from browser_app.ui.skill.leaderboard.leaderboard_controls import FRIENDS_ONLY, OTHER_DAY, day_start
from browser_app.ui.skill.leaderboard.leaderboard_page import LeaderboardPage, summary_text
from browser_app.ui.skill.leaderboard.leaderboard_rows import (
    LeaderboardFilter,
    LeaderboardRow,
    LeaderboardRowSource,
    compute_ranks,
    filter_players,
    sort_players,
)
from browser_app.ui.skill.rating_format import format_points
from browser_app.ui.widgets.tables.row_table import ROW_HEIGHT
from browser_app.ui.widgets.theme import Theme

SYSTEM = create_rating_system("ns2", start=31.0, c=2.4, a=0.9)  # as in the example state
FRIEND = "p7"
RANK, NAME, RATING, UNCERTAINTY, ROUNDS, RANGE = range(6)


class FakeLeaderboardModel(FakeSkillModel):
    """A skill model that ranks the simulated record at once."""

    def __init__(self) -> None:
        super().__init__(example_state())
        self.requests: list[float | None] = []
        self.checkpoints = RunCheckpoints(SYSTEM, simulated_record())

    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, name)

    def request_leaderboards(self, callback: Callable[[RecordLeaderboards], object], *, before: float | None) -> None:
        self.requests.append(before)
        record = simulated_record()
        last = len(record) if before is None else int(np.searchsorted(record.started, before))
        run, rated_rounds = self.checkpoints.run_before(last), self.checkpoints.rated_rounds(last)
        callback(build_leaderboards(record, run, SYSTEM, rated_rounds, ME))


@pytest.fixture
def skill_model(qapp: QApplication) -> FakeLeaderboardModel:
    return FakeLeaderboardModel()


@pytest.fixture
def page(qtbot: QtBot, qapp: QApplication, skill_model: FakeLeaderboardModel) -> LeaderboardPage:
    page = LeaderboardPage(Theme(qapp, "light"), skill_model, lambda: lambda player, _name: player == FRIEND)
    qtbot.addWidget(page)
    page.resize(1000, 600)
    page.show()
    page.show_data(skill_model.state)
    return page


def column(page: LeaderboardPage, number: int) -> list[str]:
    return [page.model.cell_text(place, number) for place in range(page.model.rowCount())]


def choose(page: LeaderboardPage, menu: str, value: str) -> None:
    getattr(page.controls, menu).value_chosen.emit(value)


def test_players_are_ranked_by_rating(page: LeaderboardPage) -> None:
    board = page.board
    assert board is not None
    ranked = board.rounds >= 10
    assert page.model.rowCount() == ranked.sum()
    assert column(page, RANK)[:2] == ["1", "2"]
    assert column(page, NAME)[0] == board.names[0]
    summary = example_state().now
    assert page.summary_label.text() == summary_text(summary.ranked_players, summary.ranked_players, summary.rank or 0)
    assert board.has_estimated_sd
    assert column(page, UNCERTAINTY)[0] == "≈ " + format_points(float(board.sd[0]))
    assert column(page, RANGE)[0].count("≈ ") == 2


def test_own_row_is_selected_and_marked(page: LeaderboardPage) -> None:
    place = page.table.currentIndex().row()
    assert column(page, NAME)[place] == ME
    spoken = page.model.cell_accessible_text(place, NAME)
    assert spoken == f"Player {ME}, you"
    friend = column(page, NAME).index(FRIEND)
    assert page.model.cell_accessible_text(friend, NAME) == f"Player {FRIEND}, friend"
    page.table.selectRow(0)
    page.own_row_link.click()
    assert page.table.currentIndex().row() == place


def test_search_keeps_ranks(page: LeaderboardPage) -> None:
    rank = column(page, RANK)[column(page, NAME).index(FRIEND)]
    page.controls.search_field.set_text("P7")
    editor = page.controls.search_field.focusProxy()
    assert editor is not None
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert column(page, NAME) == [FRIEND]
    assert column(page, RANK) == [rank]
    assert page.summary_label.text().endswith("Shown: 1.")


def test_friends_only_shows_user_and_friends(page: LeaderboardPage) -> None:
    choose(page, "players_menu", FRIENDS_ONLY)
    assert sorted(column(page, NAME)) == sorted([ME, FRIEND])


def test_minimum_rounds_change_ranks(page: LeaderboardPage) -> None:
    before = page.model.rowCount()
    choose(page, "rounds_menu", "100")
    assert 0 < page.model.rowCount() < before
    assert column(page, RANK)[0] == "1"
    assert all(int(text) >= 100 for text in column(page, ROUNDS))


def test_column_sorts_and_selection_stays(page: LeaderboardPage) -> None:
    for key, number, reverse in (("name", NAME, False), ("rounds", ROUNDS, True)):
        page.sort_by(key)
        texts = column(page, number)
        values = [text.casefold() if number == NAME else int(text) for text in texts]
        assert values == sorted(values, reverse=reverse)
        page.sort_by(key)
        assert column(page, number) != texts
        assert column(page, NAME)[page.table.currentIndex().row()] == ME


def test_mode_has_its_own_board(page: LeaderboardPage) -> None:
    assert [title for _mode, title in page.controls.mode_menu.choices] == ["All modes", "ns2", "siege"]
    everywhere = column(page, ROUNDS)[page.table.currentIndex().row()]
    choose(page, "mode_menu", "siege")
    assert page.board is not None
    assert page.board.mode == "siege"
    assert int(column(page, ROUNDS)[page.table.currentIndex().row()]) < int(everywhere)


def test_day_requests_earlier_ranks(page: LeaderboardPage, skill_model: FakeLeaderboardModel) -> None:
    record = simulated_record()
    day = dt.datetime.fromtimestamp(float(record.started[200]), dt.UTC).date()
    latest = column(page, RATING)
    choose(page, "day_menu", OTHER_DAY)
    dialog = page.findChild(DayDialog)
    assert dialog is not None
    weeks = dialog.calendar.findChild(QTableView)
    assert weeks is not None
    assert sum(map(weeks.rowHeight, range(7))) <= weeks.viewport().height()
    dialog.calendar.setSelectedDate(QDate(day.year, day.month, day.day))
    assert dialog.choose_button.text().startswith(f"Show {day.day} ")
    dialog.choose_button.click()
    assert skill_model.requests == [None, day_start(day)]
    assert column(page, RATING) != latest
    assert page.controls.day_menu.current_value == day.isoformat()
    rounds = int(np.searchsorted(record.started, day_start(day)))
    assert page.note_label.text().startswith("As of the start of ")
    assert f"After {rounds} rated rounds." in page.note_label.text()
    choose(page, "day_menu", "")
    assert column(page, RATING) == latest


def test_day_before_the_first_round(page: LeaderboardPage) -> None:
    first = float(simulated_record().started[0])
    page.controls.set_day(dt.datetime.fromtimestamp(first, dt.UTC).date())
    assert column(page, RATING) == []
    assert page.note_label.text().startswith("As of the start of ")
    assert "After 0 rated rounds." in page.note_label.text()
    page.controls.set_day(None)
    assert column(page, RATING) != []


def test_new_state_reloads_ranks(page: LeaderboardPage, skill_model: FakeLeaderboardModel) -> None:
    page.show_data(skill_model.state)
    assert skill_model.requests == [None]
    page.show_data(example_state("ns2", None))
    assert skill_model.requests == [None, None]


def test_hidden_page_loads_nothing(
    qtbot: QtBot, qapp: QApplication, skill_model: FakeLeaderboardModel, page: LeaderboardPage
) -> None:
    page.hide()
    page.show_data(example_state("ns2", None))
    assert skill_model.requests == [None]
    page.show()
    assert skill_model.requests == [None, None]


def test_copied_row_is_tab_separated(page: LeaderboardPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.status_reported):
        QTest.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().split("\t")[NAME] == ME


def test_painted_rows_differ(page: LeaderboardPage) -> None:
    marked = page.table.grab().toImage()
    page.table.clearSelection()
    assert page.table.grab().toImage() != marked
    found = QAccessible.queryAccessibleInterface(page.table)
    assert found.text(QAccessible.Text.Name) == "Leaderboard"


def test_only_visible_rows_are_built(page: LeaderboardPage, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    build = LeaderboardRowSource.__call__

    def counted(source: LeaderboardRowSource, rows: Sequence[int]) -> list[LeaderboardRow]:
        built.append(len(rows))
        return build(source, rows)

    monkeypatch.setattr(LeaderboardRowSource, "__call__", counted)
    page._show_boards(
        RecordLeaderboards([board_of(np.linspace(2000.0, 0.0, 20_000).tolist(), [20] * 20_000)], 1, 0.0, 0.0)
    )
    page.table.viewport().repaint()
    page.sort_by("name")
    page.table.viewport().repaint()
    assert 0 < max(built) <= page.table.viewport().height() / ROW_HEIGHT + 2


def board_of(ratings: list[float], rounds: list[int]) -> Leaderboard:
    names = tuple(f"player {number}" for number in range(len(ratings)))
    return Leaderboard(
        "ctf", names, names, np.array(ratings),
        np.full(len(ratings), np.nan), np.full(len(ratings), np.nan), np.full(len(ratings), np.nan),
        np.array(rounds, np.int32), np.arange(len(ratings), dtype=np.int32), 1, False,
    )  # fmt: skip


def test_equal_ratings_share_rank() -> None:
    board = board_of([50.0, 40.0, 40.0, 30.0, 20.0], [10, 12, 11, 9, 30])
    assert compute_ranks(board, 10).tolist() == [1, 2, 2, 0, 4]
    assert compute_ranks(board, 1).tolist() == [1, 2, 2, 4, 5]
    assert compute_ranks(board, 99).tolist() == [0] * 5


def test_unknown_uncertainty_sorts_last_both_ways() -> None:
    board = board_of([3.0, 2.0, 1.0], [10, 10, 10])
    board.sd[1:] = (5.0, 2.0)
    rows = np.arange(3)
    assert sort_players(board, "sd", rows).tolist() == [2, 1, 0]
    assert sort_players(board, "-sd", rows).tolist() == [1, 2, 0]


def test_twenty_thousand_players_filter_quickly() -> None:
    board = board_of(np.linspace(2000.0, 0.0, 20_000).tolist(), [20] * 20_000)
    found = filter_players(board, LeaderboardFilter(10, "ER 1999"), lambda _player, _name: False)
    assert found.tolist() == [1999, *range(19_990, 20_000)]
