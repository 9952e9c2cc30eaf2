"""Accessibility of every page and dialog: names, roles, actions and tab order."""

from collections.abc import Callable, Mapping
from pprint import pformat

from access_walk import NAME, find_problems, interface, out_of_reach, tree
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot
from skill_dialog_helpers import open_skill_dialogs
from skill_view_helpers import ME, FakeSkillModel, FakeSkillServices, FakeUiState, example_state, simulated_record
from window_dialogs import server_dialogs
from window_helpers import AppDriver

from browser_app.player.team_lineup import BalanceLineup, KnownPlayers
from browser_app.rating import create_rating_system
from browser_app.storage.user_lists.friend_store import Friend, FriendKind
from browser_app.ui.inspector.inspector_pages import INSPECTOR_PAGES
from browser_app.ui.lists.server_list_membership import (
    ALL_LIST,
    BLOCKED_LIST,
    FAVOURITES_LIST,
    FRIENDS_LIST,
    LAN_LIST,
    RECENT_LIST,
)
from browser_app.ui.skill.fair_games.balance_dialog import BalanceDialog
from browser_app.ui.skill.fair_games.paste_players_dialog import PastePlayersDialog
from browser_app.ui.skill.skill_pages import SKILL_PAGES, SourcesTab
from browser_app.ui.skill.view.skill_view import SkillView
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_shortcuts import SKILL_VIEW

Problems = dict[str, list[str]]


def walked(problems: Problems, what: str, top: QWidget) -> None:
    """Check what is visible now."""
    found = [*find_problems(top), *out_of_reach(top)]
    if found:
        problems[what] = found


def test_lists_and_inspector_pages(app: AppDriver) -> None:
    problems: Problems = {}
    inspector = app.window.servers_view.inspector
    for page in INSPECTOR_PAGES:
        inspector.show_page(page.key)
        app.settle()
        walked(problems, f"inspector {page.key}", app.window)
    for key in (FAVOURITES_LIST, RECENT_LIST, FRIENDS_LIST, LAN_LIST, BLOCKED_LIST, ALL_LIST):
        app.window.servers_view.sidebar.select_list(key)
        walked(problems, key, app.window)
    app.filter("players>=999")
    walked(problems, "nothing passes", app.window)
    app.window.servers_view.filter_controller.clear_filters()
    for fold in (
        app.window.servers_view.servers_layout.sidebar_panel,
        app.window.servers_view.servers_layout.inspector_panel,
    ):
        fold.toggle()
    walked(problems, "folded", app.window)
    assert problems == {}, pformat(problems)


def test_server_dialogs(app: AppDriver) -> None:
    problems: Problems = {}
    app.window.user_lists_controller.friends_controller.save_friend(Friend(FriendKind.PATTERN, "m*", "team", 1.0))
    app.window.servers_view.filter_controller.set_filter("text", "players>1")
    walk_dialogs(problems, server_dialogs(app), app.bot)
    assert problems == {}, pformat(problems)


def test_settings_are_not_all_read_at_once(app: AppDriver) -> None:
    """A screen reader reads the texts of a new dialog that belong to nothing."""
    app.window.settings_controller.open_settings()
    app.wait(lambda: isinstance(QApplication.activeModalWidget(), QDialog))
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    texts = [interface(label) for label in dialog.findChildren(QLabel) if label.isVisible()]
    loose = [text.text(NAME) for text in texts if not text.relations() and len(text.text(NAME).split()) > 2]
    assert len(loose) < 5, loose
    dialog.close()


def walk_dialogs(problems: Problems, opened_by: Mapping[str, Callable[[], object]], bot: QtBot) -> None:
    """Open, check and close each dialog."""
    for name, opens in opened_by.items():
        opens()
        bot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), QDialog))
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        dialog.activateWindow()
        bot.waitUntil(dialog.isActiveWindow)
        walked(problems, name, dialog)
        if not dialog.windowTitle():
            problems.setdefault(name, []).append("no title")
        close_by_press(dialog)
        bot.waitUntil(lambda: QApplication.activeModalWidget() is None)


def close_by_press(dialog: QDialog) -> None:
    """Press Cancel or Close by accessible action; press Esc if there is neither."""
    for each in tree(interface(dialog)):
        if each.role() == QAccessible.Role.Button and each.text(QAccessible.Text.Name) in ("Cancel", "Close"):
            action = each.actionInterface()
            assert action is not None
            action.doAction("Press")
            return
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_skill_pages_without_rounds(app: AppDriver) -> None:
    problems: Problems = {}
    app.window.view_switch.setCurrentIndex(SKILL_VIEW)
    for page in SKILL_PAGES:
        app.window.skill_controller.view.show_page(page.key)
        walked(problems, page.key, app.window)
    assert problems == {}, pformat(problems)


def test_skill_pages_with_rounds(qtbot: QtBot, qapp: QApplication) -> None:
    problems: Problems = {}
    theme = Theme(qapp, "light")
    view = SkillView(theme, FakeSkillServices(FakeSkillModel(example_state())).services)
    qtbot.addWidget(view)
    view.resize(1280, 714)
    view.show()
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    for page in SKILL_PAGES:
        view.show_page(page.key)
        walked(problems, page.key, view)
    theme.deleteLater()
    assert problems == {}, pformat(problems)


def test_skill_dialogs(qtbot: QtBot, qapp: QApplication) -> None:
    problems: Problems = {}
    with open_skill_dialogs(qtbot, qapp) as dialogs:
        dialogs.record_players = (("22202", "moth", 214), ("99", "LowTide", 180))
        steps: Mapping[str, Callable[[], object]] = {
            "identity": lambda: dialogs.identity_controller.open(dialogs.window, "ns2"),
            "sources": lambda: dialogs.sources_controller.open(dialogs.window, "ns2"),
            "folders": lambda: dialogs.sources_controller.open(dialogs.window, "ns2", SourcesTab.FOLDERS),
            "request log": lambda: dialogs.sources_controller.open(dialogs.window, "ns2", SourcesTab.REQUEST_LOG),
        }
        walk_dialogs(problems, steps, qtbot)
    assert problems == {}, pformat(problems)


def test_fair_games_dialogs(qtbot: QtBot, qapp: QApplication) -> None:
    problems: Problems = {}
    theme, window = Theme(qapp, "light"), QWidget()
    qtbot.addWidget(window)
    window.show()
    run = create_rating_system("ns2").new_run(simulated_record())
    names = KnownPlayers(run)
    lineup = BalanceLineup(("Marines", "Aliens"), (), ME, "ns2", "ns2_veil")
    saved = FakeUiState()
    steps: Mapping[str, Callable[[], object]] = {
        "balance": lambda: BalanceDialog(theme, window, saved, names, "ns2", lineup).open(),  # type: ignore[arg-type]
        "paste": lambda: PastePlayersDialog(theme, window, saved, lambda text: text).open(),  # type: ignore[arg-type]
    }
    walk_dialogs(problems, steps, qtbot)
    theme.deleteLater()
    assert problems == {}, pformat(problems)
