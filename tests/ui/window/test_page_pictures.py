"""Pictures of every page and dialog, which show all texts in their colours."""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from fair_games_helpers import FakeServerList, create_services, without_teams
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from rounds_helpers import FakeRoundsModel, example_explanation
from rounds_helpers import simulated_record as simulated_rounds_record
from skill_dialog_helpers import open_skill_dialogs
from skill_view_helpers import ME, FakeSkillModel, FakeSkillServices, FakeUiState, example_state, simulated_record
from systems_helpers import compared
from window_dialogs import server_dialogs
from window_helpers import AppDriver, OpenApp
from window_pictures import (
    cut_texts,
    elided_texts,
    keep_picture,
    lay_out,
    misplaced_buttons,
    narrow_fields,
    needless_scroll_bars,
    picture_folder,
    wrong_colors,
)

from browser_app import language
from browser_app.paths import resource_folder
from browser_app.player.leaderboard import RecordLeaderboards, build_leaderboards
from browser_app.player.own_predictions import RunCheckpoints
from browser_app.rating import create_rating_system
from browser_app.rating.evaluation.system_comparison import SystemComparison
from browser_app.rating.rating_explanation import RatingExplanation
from browser_app.rounds.csv_rounds import TablePreview
from browser_app.storage.setting_declarations import LANGUAGE
from browser_app.storage.settings_store import Settings
from browser_app.storage.user_lists.friend_store import Friend, FriendKind
from browser_app.ui.first_run.first_run_step import FirstRunStep
from browser_app.ui.inspector.inspector_pages import HISTORY_PAGE, INSPECTOR_PAGES
from browser_app.ui.lists.server_list_membership import ALL_LIST, FAVOURITES_LIST, FRIENDS_LIST, LAN_LIST, RECENT_LIST
from browser_app.ui.skill.fair_games.balance_dialog import BalanceDialog
from browser_app.ui.skill.fair_games.fair_games_page import FairGamesPage
from browser_app.ui.skill.fair_games.paste_players_dialog import PastePlayersDialog
from browser_app.ui.skill.leaderboard.day_dialog import DayDialog
from browser_app.ui.skill.rounds.rounds_page import RoundsPage
from browser_app.ui.skill.skill_pages import ROUNDS, SKILL_PAGES, SourcesTab
from browser_app.ui.skill.sources.column_map_dialog import ColumnMapDialog
from browser_app.ui.skill.view.skill_view import SkillView
from browser_app.ui.widgets.basic_widgets import Panel
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.palette import PALETTES
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_shortcuts import SKILL_VIEW

TABLE = TablePreview(
    ("match", "who", "side", "won by", "when", "secs"),
    (("1", "ann", "marines", "aliens", "2024-05-01 20:14", "600"), ("1", "bob", "aliens", "aliens", "", "600")),
)
PASTED_PLAYERS = "Marines\nmoth, harrow, ninepin, sable, quiet\nAliens\npim, tin kettle, you, stranger, krill, dunlin"
DIALOG_CHECKS = (narrow_fields, misplaced_buttons, needless_scroll_bars)
SIZES = ((1280, 800), (1024, 640), (900, 560))
"""The last one fits a screen of 1920 × 1200 at 200 %."""


class PictureChecker:
    """Takes pictures of widgets; finds texts that are cut or in a wrong colour."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.theme: Theme | None = None
        """The widgets' theme; light before and after each picture."""
        self.problems: list[str] = []

    def visit(self, open_app: OpenApp) -> AppDriver:
        """Open the program to take pictures of."""
        app = open_app()
        self.theme = app.program.theme
        return app

    def take(self, name: str, top: QWidget) -> None:
        """Take a picture at the widget's own size, in each theme."""
        assert self.theme is not None
        lay_out()
        size = f"{top.width()}x{top.height()}"
        self.problems += [f"{name}, {size}: {text}" for text in cut_texts(top)]
        for theme, palette in reversed(PALETTES.items()):
            self.theme.set_theme(theme)
            QApplication.processEvents()  # widgets without colours of their own follow then
            self.problems += [f"{name}, {theme}: {text}" for text in wrong_colors(top, palette)]
            if theme == "light" or picture_folder():
                keep_picture(top.grab().toImage(), f"pages/{name.replace(' ', '-')}-{theme}-{size}", self.code)

    def take_sizes(self, name: str, top: QWidget, sizes: Sequence[tuple[int, int]] = SIZES) -> None:
        """Take a picture in each size."""
        for size in sizes:
            top.resize(*size)
            self.take(name, top)

    def take_dialogs(self, bot: QtBot, opened_by: Mapping[str, Callable[[], object]]) -> None:
        """Open each dialog, take its picture and close it."""
        for name, opens in opened_by.items():
            opens()
            bot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), QDialog))
            dialog = QApplication.activeModalWidget()
            assert dialog is not None
            self.take_dialog(name, dialog)
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
            bot.waitUntil(lambda: QApplication.activeModalWidget() is None)

    def take_dialog(self, name: str, dialog: QWidget) -> None:
        """Take the picture of a dialog."""
        self.take(f"dialog {name}", dialog)
        self.problems += [f"dialog {name}: {text}" for find in DIALOG_CHECKS for text in find(dialog)]
        if dialog.width() > SIZES[-1][0]:
            self.problems.append(f"dialog {name}: width of {dialog.width()}")


class AnsweringSkillModel(FakeSkillModel):
    """A skill model whose pages all show something."""

    def __getattribute__(self, name: str) -> Any:
        own = {"compare_systems", "explain_round", "request_leaderboards"}
        return object.__getattribute__(self, name) if name in own else super().__getattribute__(name)

    def compare_systems(self, callback: Callable[[SystemComparison], object], *, own_rounds_only: bool) -> None:  # noqa: ARG002
        callback(compared())

    def explain_round(self, round_id: str, callback: Callable[[RatingExplanation], object]) -> None:  # noqa: ARG002
        callback(example_explanation())

    def request_leaderboards(self, callback: Callable[[RecordLeaderboards], object], *, before: float | None) -> None:  # noqa: ARG002
        record, system = simulated_record(), create_rating_system("ns2")
        checkpoints = RunCheckpoints(system, record)
        run, rated_rounds = checkpoints.run_before(len(record)), checkpoints.rated_rounds(len(record))
        callback(build_leaderboards(record, run, system, rated_rounds, ME))


@pytest.fixture(params=[language.ENGLISH, "de"])
def picture_checker(request: pytest.FixtureRequest, home: Path) -> Iterator[PictureChecker]:
    """Takes pictures in one language."""
    Settings(home / "settings").set(LANGUAGE, request.param)
    language.set_language(resource_folder() / "languages", request.param)
    yield PictureChecker(request.param)
    language.set_language(resource_folder() / "languages", language.ENGLISH)


def test_lists_and_inspector_pages(picture_checker: PictureChecker, open_app: OpenApp) -> None:
    app = picture_checker.visit(open_app)
    view = app.window.servers_view
    for page in INSPECTOR_PAGES:
        app.window.resize(*SIZES[0])
        view.inspector.show_page(page.key)
        app.settle()
        if page.key == HISTORY_PAGE:
            app.wait(view.inspector.history_page.stored_label.text)
        picture_checker.take_sizes(f"inspector {page.key}", app.window, SIZES[:1])
    for key in (FAVOURITES_LIST, RECENT_LIST, FRIENDS_LIST, LAN_LIST):
        view.sidebar.select_list(key)
        picture_checker.take_sizes(f"empty {key}", app.window)
    view.sidebar.select_list(ALL_LIST)
    app.filter("players>=999")
    picture_checker.take_sizes("no match", app.window)
    assert not picture_checker.problems


def test_first_steps(picture_checker: PictureChecker, open_app: OpenApp) -> None:
    app = picture_checker.visit(open_app)
    first_run, number = app.window.servers_view.first_run, 0
    first_run.open()
    while first_run.panel.isVisible():
        number += 1
        picture_checker.take_sizes(f"first run {number}", app.window)
        next(step for step in first_run.panel.findChildren(FirstRunStep) if step.isVisible()).finished.emit()
    assert not picture_checker.problems


def test_server_dialogs(picture_checker: PictureChecker, open_app: OpenApp) -> None:
    app = picture_checker.visit(open_app)
    app.window.user_lists_controller.friends_controller.save_friend(Friend(FriendKind.PATTERN, "m*", "team", 1.0))
    app.window.servers_view.filter_controller.set_filter("text", "players>1")
    about = {"about": app.window.settings_controller.open_about}
    picture_checker.take_dialogs(app.bot, {**server_dialogs(app), **about})
    assert not picture_checker.problems


def test_skill_pages_without_rounds(picture_checker: PictureChecker, open_app: OpenApp) -> None:
    app = picture_checker.visit(open_app)
    app.window.view_switch.setCurrentIndex(SKILL_VIEW)
    for page in SKILL_PAGES:
        app.window.skill_controller.view.show_page(page.key)
        picture_checker.take_sizes(f"no rounds {page.key}", app.window)
    assert not picture_checker.problems


def test_skill_pages_with_rounds(picture_checker: PictureChecker, qtbot: QtBot, theme: Theme) -> None:
    picture_checker.theme = theme
    view = SkillView(theme, FakeSkillServices(AnsweringSkillModel(example_state())).services)
    qtbot.addWidget(view)
    view.show()
    for page in SKILL_PAGES:
        view.show_page(page.key)
        picture_checker.take_sizes(f"skill {page.key}", view)
        picture_checker.problems += [f"{page.key}: elided {text}" for text in elided_texts(view)]
    view.show_page(ROUNDS)
    rounds_page = view.stack.currentWidget()
    assert isinstance(rounds_page, RoundsPage)
    rounds_page.table.toggle_row(0)
    picture_checker.take_sizes("skill explained round", view)
    assert not picture_checker.problems


def balance_pasted_players(bot: QtBot, dialog: BalanceDialog, text: str) -> None:
    """Paste players and wait until they are in teams."""
    before = dialog.shown_result
    dialog.set_pasted_players(text)
    bot.waitUntil(lambda: dialog.shown_result is not before)


def test_fair_games(picture_checker: PictureChecker, qtbot: QtBot, theme: Theme) -> None:
    picture_checker.theme = theme
    server_list = FakeServerList()
    services = create_services(FakeRoundsModel(simulated_rounds_record(60)), server_list)
    page, top = FairGamesPage(theme, services), Panel(theme, "surface")
    fill_box(QVBoxLayout(top), page, margins=(20, 14, 20, 0))
    qtbot.addWidget(top)
    server = server_list.add_server(1, "Veil EU", [("moth", 1), ("harrow", 1), ("ninepin", 2), ("stranger", 2)])
    server_list.add_server(2, "Names only", without_teams("moth", "harrow", "sable"))
    page.show_data(services.skill_model.state)
    top.show()
    qtbot.waitUntil(lambda: services.game_predictor.known_players is not None)
    services.game_predictor.select_server(server)
    qtbot.waitUntil(lambda: page.sides_table.isVisible() and len(page.server_view.list_model.items) > 1)
    picture_checker.take_sizes("fair games", top)
    page.balance_button.click()
    dialog = page.findChild(BalanceDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.shown_result is not None)
    picture_checker.take_dialog("balance", dialog)
    for name, text in (("balance without players", ""), ("balanced teams", PASTED_PLAYERS)):
        balance_pasted_players(qtbot, dialog, text)
        picture_checker.take_dialog(name, dialog)
    dialog.reject()
    services.game_predictor.close()
    assert not picture_checker.problems


def test_skill_dialogs(picture_checker: PictureChecker, qtbot: QtBot, qapp: QApplication) -> None:
    with open_skill_dialogs(qtbot, qapp) as dialogs:
        dialogs.record_players = (("22202", "moth", 214), ("99", "LowTide", 180))
        picture_checker.theme = dialogs.theme
        window, sources = dialogs.window, dialogs.sources_controller
        saved: Any = FakeUiState()
        steps: Mapping[str, Callable[[], object]] = {
            "identity": lambda: dialogs.identity_controller.open(window, "ns2"),
            "sources": lambda: sources.open(window, "ns2"),
            "folders": lambda: sources.open(window, "ns2", SourcesTab.FOLDERS),
            "request log": lambda: sources.open(window, "ns2", SourcesTab.REQUEST_LOG),
            "tables": lambda: sources.open(window, "ns2", SourcesTab.TABLES),
            "columns": lambda: ColumnMapDialog(dialogs.theme, window, saved, "rounds.csv", TABLE).open(),
            "day": lambda: DayDialog(dialogs.theme, window, *(dt.date(2017, month, 9) for month in (3, 11, 7))).open(),
            "paste": lambda: PastePlayersDialog(dialogs.theme, window, saved, lambda text: text).open(),
        }
        picture_checker.take_dialogs(qtbot, steps)
    assert not picture_checker.problems
