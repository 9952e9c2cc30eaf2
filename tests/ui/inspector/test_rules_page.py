"""Rules page: search, copying, and tags and rules as filters."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver

from browser_app.catalogue.server_info import ServerInfo
from browser_app.ui.inspector.rules_page import MAX_TAGS, RulesPage, filter_term_for_rule
from browser_app.ui.widgets.theme import Theme

CTRL = Qt.KeyboardModifier.ControlModifier
RULES = {"g_maxplayers": "16", "Fraglimit": "20", "hostname": "<b>Bold</b>", "timelimit": "20"}


@pytest.fixture
def info(app: AppDriver) -> ServerInfo:
    info = app.catalogue.server_info(app.servers()[0])
    assert info is not None
    return replace(info, rules=RULES, tags=("ctf", "grappling hook", "ctf", 'a"quote', ""))


@pytest.fixture
def page(qtbot: QtBot, qapp: QApplication) -> RulesPage:
    page = RulesPage(Theme(qapp, "light"))
    qtbot.addWidget(page)
    page.resize(300, 600)
    page.show()
    return page


def keys(page: RulesPage) -> list[str]:
    return [key for key, _value in page.list_view.list_model.items]


def test_search_matches_all_words(page: RulesPage, info: ServerInfo) -> None:
    page.show_rules(info, is_querying=False)
    assert keys(page) == ["Fraglimit", "g_maxplayers", "hostname", "timelimit"]
    page.search_field.setText("LIMIT 20")
    assert keys(page) == ["Fraglimit", "timelimit"]
    assert page.line_texts()[0] == "2 of 4 rules"
    page.show_rules(replace(info, rules={"fraglimit": "5"}), is_querying=False)  # the search is kept for another server
    assert keys(page) == []
    page.search_field.clear()
    assert page.line_texts() == ["1 rule, as reported by the server.", "fraglimit: 5"]


def test_keeps_and_copies_selected_rule(qtbot: QtBot, page: RulesPage, info: ServerInfo) -> None:
    page.show_rules(info, is_querying=False)
    page.list_view.setFocus()
    page.list_view.setCurrentIndex(page.list_view.list_model.index(2))
    page.show_rules(replace(info, rules=RULES | {"a": "new"}), is_querying=False)
    assert page.list_view.selected_item() == ("hostname", "<b>Bold</b>")
    qtbot.keyClick(page.list_view, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "hostname: <b>Bold</b>"
    with qtbot.waitSignal(page.status_reported):
        page.copy_button.click()
    assert QGuiApplication.clipboard().text().splitlines() == page.line_texts()[1:]


def test_server_without_rules(page: RulesPage, info: ServerInfo) -> None:
    page.show_rules(None, is_querying=True)
    assert page.line_texts() == ["Loading rules…"]
    assert not page.search_field.isVisible()
    assert not page.copy_button.isVisible()
    assert not page.tag_row.isVisible()
    page.show_rules(replace(info, rules=None), is_querying=False)
    assert page.line_texts() == ["No rules from this server."]


def test_tags_wrap_and_are_limited(page: RulesPage, info: ServerInfo) -> None:
    page.show_rules(info, is_querying=False)
    assert page.tag_row.tags == ("ctf", "grappling hook")
    one_line = page.tag_row.height()
    page.show_rules(replace(info, tags=tuple(f"tag {n} {'x' * n}" for n in range(90))), is_querying=False)
    assert len(page.tag_row.buttons) == MAX_TAGS
    assert page.tag_row.height() > 3 * one_line
    assert all(page.tag_row.rect().contains(button.geometry()) for button in page.tag_row.buttons)


def test_tag_filters(app: AppDriver) -> None:
    app.window.servers_view.filter_controller.set_filter("text", "ping<500 | fav:yes")
    tags = app.window.servers_view.inspector.rules_page.tag_row
    tags.show_tags(["grappling hook"])
    app.bot.mouseClick(tags.buttons[0], Qt.MouseButton.LeftButton)
    assert app.window.filter_field.text() == '(ping<500 | fav:yes) tag:"grappling hook"'
    tags.buttons[0].click()
    assert app.window.filter_field.text() == '(ping<500 | fav:yes) tag:"grappling hook"'


def _offered(page: RulesPage, line: int) -> list[str]:
    """Return the menu's texts after triggering the first entry."""
    page.list_view.customContextMenuRequested.emit(
        page.list_view.visualRect(page.list_view.list_model.index(line)).center()
    )
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    words = [action.text() for action in menu.actions() if action.text()]
    menu.actions()[0].trigger()
    menu.close()
    return words


def test_rule_filters_by_known_value(qtbot: QtBot, page: RulesPage, info: ServerInfo) -> None:
    rules = {"a_map": "Q3DM6", "b_mode": "ctf", "c_tags": "Grappling Hook", "d_limit": "20", "e_quote": 'a"quote'}
    page.show_rules(replace(info, rules=rules, map="q3dm6", mode="ctf"), is_querying=False)
    for line, term in enumerate(('map:"Q3DM6"', 'mode:"ctf"', 'tag:"Grappling Hook"')):
        with qtbot.waitSignal(page.filter_requested) as wanted:
            assert _offered(page, line) == [f"Filter by {term}", "Copy line", "Copy value"]
        assert wanted.args == [term]
    for line in (3, 4):
        assert _offered(page, line) == ["Copy line", "Copy value"]


def test_button_offers_all_filters(qtbot: QtBot, page: RulesPage, info: ServerInfo) -> None:
    page.show_rules(replace(info, rules={"limit": "20"}, map="q3dm6"), is_querying=False)
    assert not page.filter_button.isVisible()
    rules = {"a_map": "q3dm6", "b_map": "q3dm6", "c_mode": "ctf", "limit": "20"}
    page.show_rules(replace(info, rules=rules, map="q3dm6", mode="ctf", tags=()), is_querying=False)
    page.filter_button.click()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions()] == ['map:"q3dm6"', 'mode:"ctf"']
    with qtbot.waitSignal(page.filter_requested) as wanted:
        menu.actions()[1].trigger()
    assert wanted.args == ['mode:"ctf"']
    menu.close()


def test_rule_filter_keeps_server(app: AppDriver) -> None:
    server = app.servers()[0]
    info = app.catalogue.server_info(server)
    assert info is not None
    app.window.servers_view.inspector.rules_page.filter_requested.emit(filter_term_for_rule(info.map.upper(), info))
    assert app.window.filter_field.text() == f'map:"{info.map.upper()}"'
    assert server in app.servers()
    assert all(app.catalogue.map[each] == info.map for each in app.servers())
