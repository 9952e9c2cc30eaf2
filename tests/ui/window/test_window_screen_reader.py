"""Accessibility of the window: names, announced states, tab order, keys."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from window_helpers import COLUMN_INDEX, GAMES, AppDriver

from browser_app.catalogue.server_info import QueryStatus
from browser_app.ui.inspector.inspector_pages import PLAYERS_PAGE
from browser_app.ui.inspector.score_page import ScorePage
from browser_app.ui.lists.server_list_membership import ALL_LIST, FAVOURITES_LIST
from browser_app.ui.lists.server_list_sidebar import SidebarItem
from browser_app.ui.play.play_now_bar import PlayNowState
from browser_app.ui.servers.server_columns import SERVER_COLUMNS
from browser_app.ui.servers.server_sentence import SENTENCE_KEYS, server_sentence

NAME, DESCRIPTION = QAccessible.Text.Name, QAccessible.Text.Description
SHIFT = Qt.KeyboardModifier.ShiftModifier


def interface(widget: QWidget) -> QAccessibleInterface:
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None
    return found


def tree(top: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """Yield everything visible except the table's cells."""
    yield top
    if top.role() == QAccessible.Role.Table:
        return
    for number in range(top.childCount()):
        child = top.child(number)
        if child is not None and not child.state().invisible:
            yield from tree(child)


def test_controls_have_names(app: AppDriver) -> None:
    found = list(tree(interface(app.window)))
    named = {each.text(NAME) for each in found}
    assert {"Play Now", "Filter", "Refresh (F5)", "Sidebar", "Servers", "Join", "Why"} <= named
    for each in found:
        widget = each.object()
        if isinstance(widget, QWidget) and widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
            assert each.text(NAME), widget
        if each.role() in (QAccessible.Role.Button, QAccessible.Role.EditableText, QAccessible.Role.Table):
            assert each.text(NAME), widget


def test_empty_page_is_found(app: AppDriver) -> None:
    app.filter("players>=999")
    app.wait(app.window.servers_view.empty_page.isVisible)
    named = {each.text(NAME) for each in tree(interface(app.window))}
    assert {"No server matches the filter", "Clear the filter", "Remove “players>=999”"} <= named


def test_states_are_described(app: AppDriver) -> None:
    button = interface(app.play_now_bar.button)
    assert app.catalogue.name[app.window.play_now_controller.current_choice] in button.text(DESCRIPTION)
    assert "All, 24 servers" in interface(app.window.servers_view.sidebar.view).text(DESCRIPTION)
    app.play_now_bar.show_busy("Checking 3 servers again…", "The game starts after this check.")
    assert button.text(NAME) == "Cancel"
    assert "Checking 3 servers" in button.text(DESCRIPTION)
    app.window.play_now_controller.refresh()
    app.filter("players>=many")
    edit = app.window.focusWidget()
    assert "needs a number" in interface(edit).text(DESCRIPTION)


def test_cells_have_texts(app: AppDriver) -> None:
    table = interface(app.table)
    children = [table.child(number) for number in range(2 * (len(SERVER_COLUMNS) + 1))]  # header and first row
    texts = {child.text(NAME) for child in children if child is not None}
    row = app.model.rows(0, 0)[0]
    assert server_sentence(row) in texts
    for place, column in enumerate(SERVER_COLUMNS):
        assert column.key in SENTENCE_KEYS or column.accessible_text(row) in texts
        role = Qt.ItemDataRole.AccessibleTextRole
        assert app.model.headerData(place, Qt.Orientation.Horizontal, role)


def spoken_in(app: AppDriver, column: str) -> str:
    return str(app.model.index(0, COLUMN_INDEX[column]).data(Qt.ItemDataRole.AccessibleTextRole))


def test_row_is_spoken_once(app: AppDriver) -> None:
    server = app.servers()[0]
    app.table.select_server(server)
    c = app.catalogue
    start = f"{c.name[server]}, {GAMES[c.game[server]].name}, {int(c.players[server])} of "
    sentence = spoken_in(app, "favourite")
    assert sentence.startswith(start)
    assert f"{c.ping_ms[server]:.0f} milliseconds, score {c.score[server]:.2f}" in sentence
    app.window.servers_view.toggle_favourite(server)
    assert spoken_in(app, "favourite").endswith(", favourite")
    assert [spoken_in(app, key) for key in ("score", "ping", "name", "players")] == [" "] * 4
    app.table.setFocus()
    app.press(Qt.Key.Key_Right)
    assert spoken_in(app, "score").startswith("score ")
    assert spoken_in(app, "ping") == " "


def test_bars_are_described(app: AppDriver) -> None:
    server = app.servers()[0]
    spoken = {key: app.model.cell_accessible_text(0, place) for key, place in COLUMN_INDEX.items()}
    assert spoken["score"] == f"score {app.catalogue.score[server]:.2f}, best of 24"
    third = app.model.cell_accessible_text(2, COLUMN_INDEX["score"])
    assert third == f"score {app.catalogue.score[app.servers()[2]]:.2f}, rank 3 of 24"
    assert "milliseconds" in spoken["ping"]
    assert f"{int(app.catalogue.players[server])} of " in spoken["players"]
    score_page = app.window.servers_view.inspector._page(ScorePage)
    factor = next(row for row in score_page.factor_rows.values() if row.isVisible())
    assert "penalty" in interface(factor).text(NAME)
    app.catalogue.status[server] = QueryStatus.NO_ANSWER
    app.live.rescore()
    place = app.model.row_of(server)
    assert place is not None
    assert app.model.cell_accessible_text(place, COLUMN_INDEX["score"]) == "no answer"


def test_tab_order(app: AppDriver) -> None:
    app.play_now_bar.button.setFocus()
    seen = []
    for _ in range(22):
        seen.append(interface(app.window.focusWidget()).text(NAME).partition(",")[0])
        app.press(Qt.Key.Key_Tab)
    assert seen[:4] == ["Play Now", "Filter", "Refresh (F5)", "Servers"]
    assert seen[4] == "More"
    assert seen[5:13] == ["Not full", "Has players", "No password", "Ping", "Game", "Mode", "Country", "Region"]
    lists = ["Sidebar", "Collapse the sidebar to icons", "Servers"]
    assert seen[13:] == [*lists, "Add to favourites", "Join", "Alert me", "Copy address", "More", "Why"]
    app.press(Qt.Key.Key_Backtab, SHIFT)
    assert interface(app.window.focusWidget()).text(NAME) == "Why"
    app.press(Qt.Key.Key_Tab)
    assert interface(app.window.focusWidget()).text(NAME).startswith("Show the curve of")


def test_server_menu_by_key(app: AppDriver) -> None:
    app.table.setFocus()
    app.table.select_server(app.servers()[2])
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), app.table.mapToGlobal(QPoint(0, 0)))
    QApplication.sendEvent(app.table, event)
    menu = app.menu()
    row = app.table.visualRect(app.table.currentIndex())
    assert row.contains(row.x() + 1, app.table.viewport().mapFromGlobal(menu.pos()).y())
    words = {action.text(): action for action in menu.actions()}
    assert {"Join", "Add to favourites", "Copy address", "Refresh server", "Sort by", "Columns"} <= set(words)
    titles = words["Sort by"].menu()
    assert isinstance(titles, QMenu)
    assert [action.text() for action in titles.actions() if action.isChecked()] == ["Score"]
    next(action for action in titles.actions() if action.text() == "Ping").trigger()
    next(action for action in titles.actions() if action.text() == "Favourites on top").trigger()
    menu.close()
    order = app.window.servers_view.server_order
    assert (order.sort_column, order.has_favourites_on_top) == ("ping", True)


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_buttons_react_to_keys(app: AppDriver, key: Qt.Key) -> None:
    app.rest()
    app.window.refresh_button.setFocus()
    if key == Qt.Key.Key_Return:
        app.press(Qt.Key.Key_F5)
    else:
        app.press(key)
    assert app.live.is_running
    app.scanned()


def test_focus_is_visible(app: AppDriver) -> None:
    """A focused control looks different."""
    qt_app = QApplication.instance()
    assert qt_app is not None
    for widget in (app.play_now_bar.button, app.window.refresh_button, app.window.servers_view.sidebar, app.table):
        app.window.filter_field.focus_field()
        without = widget.grab().toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        qt_app.sendPostedEvents(None, QEvent.Type.UpdateRequest)
        assert widget.grab().toImage() != without, widget


def do(each: QAccessibleInterface, name: str) -> None:
    action = each.actionInterface()
    assert action is not None, each.text(NAME)
    assert name in action.actionNames(), action.actionNames()
    action.doAction(name)


def children(widget: QWidget) -> dict[str, QAccessibleInterface]:
    parent = interface(widget)
    found = [parent.child(number) for number in range(parent.childCount())]
    return {child.text(NAME): child for child in found if child is not None}


def test_play_now_by_screen_reader(app: AppDriver) -> None:
    button = interface(app.play_now_bar.button)
    assert button.role() == QAccessible.Role.Button
    do(button, "Press")
    app.wait(lambda: app.play_now_bar.button.state is PlayNowState.BUSY)
    do(button, "Press")
    app.wait(lambda: app.play_now_bar.button.state is PlayNowState.READY)
    do(children(app.play_now_bar.button)["Play Now menu"], "Press")
    app.menu().close()


def test_tabs_by_screen_reader(app: AppDriver) -> None:
    tabs = app.window.servers_view.inspector.tabs
    assert interface(tabs).role() == QAccessible.Role.PageTabList
    players = children(tabs)["Players"]
    assert players.role() == QAccessible.Role.PageTab
    do(players, "Press")
    app.wait(lambda: app.window.servers_view.inspector.current_page == PLAYERS_PAGE)
    assert app.window.servers_view.inspector.players_page.isVisible()


def test_sidebar_by_screen_reader(app: AppDriver) -> None:
    view = app.window.servers_view.sidebar.view
    assert interface(view).role() == QAccessible.Role.List
    entries = children(view)
    assert {"All, 24 servers", "Favourites, 0 servers", "Recent, 0 servers", "Games"} <= set(entries)
    assert entries["All, 24 servers"].state().selected
    do(entries["Favourites, 0 servers"], "Toggle")
    assert app.window.servers_view.sidebar.current_key == FAVOURITES_LIST
    assert app.servers() == []
    assert view.currentIndex().row() == 1
    assert children(view)["Favourites, 0 servers"].state().selected
    assert not children(view)["Games"].state().selectable


def test_sidebar_keeps_current_item(app: AppDriver) -> None:
    side = app.window.servers_view.sidebar
    side.select_list(FAVOURITES_LIST)
    lines = side.items()
    side.set_items([*lines, SidebarItem("game:other", "", "Other", 3)])
    assert side.view.currentIndex().row() == 1
    assert side.view.selectionModel().isSelected(side.view.currentIndex())
    side.select_list("game:other")
    side.set_items(lines)
    assert side.current_key == ALL_LIST
    assert side.view.currentIndex().row() == 0
