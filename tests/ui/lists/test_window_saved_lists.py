"""Favourites and saved servers across sessions, and the texts of empty lists."""

import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from timeouts import LIMIT_S
from window_helpers import AppDriver, OpenApp

from browser_app.bridge import saved_server_sync
from browser_app.catalogue.server_info import QueryStatus, SavedServer
from browser_app.storage.database import Database
from browser_app.storage.saved_servers import load_servers
from browser_app.storage.storage_errors import StorageError
from browser_app.ui.lists.server_list_membership import (
    ALL_LIST,
    BLOCKED_LIST,
    FAVOURITES_LIST,
    FRIENDS_LIST,
    RECENT_LIST,
)


def choose_list(app: AppDriver, key: str) -> None:
    keys = [item.key for item in app.window.servers_view.sidebar.items() if item.key]
    app.window.servers_view.sidebar.setFocus()
    while app.window.servers_view.sidebar.current_key != key:
        below = keys.index(key) > keys.index(app.window.servers_view.sidebar.current_key)
        app.press(Qt.Key.Key_Down if below else Qt.Key.Key_Up)


def favourites(app: AppDriver) -> set[str]:
    return {str(app.catalogue.targets[s].address) for s in app.servers() if app.catalogue.favourite[s]}


def test_favourites_are_saved(open_app: OpenApp) -> None:
    app = open_app()
    by_star = app.servers()[5]
    app.click(5, "favourite")
    app.table.select_server(by_key := next(s for s in app.servers()[8:] if s != by_star))
    app.table.setFocus()
    app.press(Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    wanted = {str(app.catalogue.targets[server].address) for server in (by_star, by_key)}
    assert favourites(app) == wanted
    assert {item.key: item.server_count for item in app.window.servers_view.sidebar.items()}[FAVOURITES_LIST] == 2
    app.end()
    again = open_app()
    assert favourites(again) == wanted
    choose_list(again, FAVOURITES_LIST)
    assert {str(again.catalogue.targets[server].address) for server in again.servers()} == wanted
    again.filter("players>=250")
    assert len(again.servers()) == 2
    again.click(0, "favourite")
    again.table.select_server(again.servers()[1])  # a selected server is kept in place
    again.live.rescore()
    assert len(again.servers()) == 1


def test_star_click_only_toggles(app: AppDriver) -> None:
    place = app.cell(3, "favourite")
    server = app.servers()[3]
    app.bot.mouseClick(app.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert app.catalogue.favourite[server]
    assert not app.play_now_bar.is_counting_down
    row = app.model.row_of(server)
    assert row is not None
    app.click(row, "favourite")
    assert not app.catalogue.favourite[server]


def test_star_needs_press_and_release(app: AppDriver) -> None:
    viewport = app.table.viewport()
    app.bot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=app.cell(3, "name"))
    app.bot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=app.cell(3, "favourite"))
    assert not app.catalogue.favourite.any()


def test_saved_servers_are_shown_first(open_app: OpenApp) -> None:
    app = open_app()
    before = set(app.names())
    app.end()
    again = open_app(shown=False)
    seen: list[object] = []

    def look(running: bool) -> None:
        if running:
            seen.extend(
                [set(again.names()), again.catalogue.saved.all(), again.window.servers_view.list_banner.shown_texts()]
            )
            seen.extend(row.is_unconfirmed for row in again.model.rows(0, 3))

    again.live.running_changed.connect(look)
    again.program.show()
    again.scanned()
    received = ("Saved servers from less than a minute ago.", "Not updated yet: 24.")
    assert seen == [before, True, received, True, True, True, True]
    assert not again.catalogue.saved.any()
    assert again.window.servers_view.list_banner.isHidden()


def test_unresponsive_saved_server_hides_later_banner(app: AppDriver) -> None:
    c, silent = app.catalogue, app.servers()[-1]
    c.saved[silent], c.status[silent] = True, QueryStatus.NO_ANSWER
    hidden: list[bool] = []
    app.live.running_changed.connect(lambda _running: hidden.append(app.window.servers_view.list_banner.isHidden()))
    app.refresh()
    assert hidden == [True, True]


def test_slow_disk_blocks_nothing(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    open_app().end()
    disk = threading.Event()
    real = load_servers

    def slow(database: Database, take: Callable[[list[SavedServer]], object]) -> None:
        assert disk.wait(LIMIT_S)
        real(database, take)

    monkeypatch.setattr(saved_server_sync, "load_servers", slow)
    again = open_app(scanned=False)
    assert again.window.servers_view.empty_page.shown_texts()[0] == "Loading saved servers…"
    again.press(Qt.Key.Key_F5)
    assert not again.live.is_running  # saved servers are queried as well
    started: list[bool] = []
    again.live.running_changed.connect(started.append)
    disk.set()
    again.wait(lambda: started)
    assert len(again.servers()) == 24
    again.scanned()
    disk.clear()
    last = open_app(scanned=False)
    last.window.close()
    threading.Timer(0.05, disk.set).start()
    last.end()
    assert last.servers() == []


def test_unreadable_list_is_reported(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_database: Database, _take: object) -> None:
        raise StorageError("database: the disk reports an error")

    monkeypatch.setattr(saved_server_sync, "load_servers", broken)
    app = open_app()
    assert len(app.servers()) == 24
    assert any("the disk reports an error" in text for text in app.window.status_bar.shown_texts())


@pytest.mark.parametrize(
    ("key", "what"),
    [
        (FAVOURITES_LIST, "No favourites yet"),
        (RECENT_LIST, "No servers joined yet"),
        (BLOCKED_LIST, "No servers blocked"),
    ],
)
def test_empty_list_texts(app: AppDriver, key: str, what: str) -> None:
    choose_list(app, key)
    assert app.servers() == []
    assert app.window.servers_view.empty_page.shown_texts()[0] == what
    app.bot.mouseClick(app.window.servers_view.empty_page.action_button, Qt.MouseButton.LeftButton)
    assert app.window.servers_view.sidebar.current_key == ALL_LIST
    assert len(app.servers()) == 24
    assert app.window.servers_view.empty_page.isHidden()


def test_empty_result_offers_clearing(app: AppDriver) -> None:
    app.filter("players>=250")
    assert app.servers() == []
    assert app.window.servers_view.empty_page.shown_texts()[0] == "No server matches the filter"
    assert app.window.servers_view.empty_page.action_button.text() == "Clear the filter"
    app.bot.mouseClick(app.window.servers_view.empty_page.action_button, Qt.MouseButton.LeftButton)
    app.wait(lambda: len(app.servers()) == 24)
    assert app.window.servers_view.empty_page.isHidden()


def test_friends_and_blocked_lists(app: AppDriver) -> None:
    friend, blocked = app.servers()[3:5]
    app.catalogue.friends[friend] = 2
    app.catalogue.blocked[blocked] = True
    app.live.rescore()
    for key, wanted in ((FRIENDS_LIST, [friend]), (BLOCKED_LIST, [blocked])):
        choose_list(app, key)
        assert app.servers() == wanted
    choose_list(app, ALL_LIST)
    assert blocked not in app.servers()
    assert {item.key: item.server_count for item in app.window.servers_view.sidebar.items()}[ALL_LIST] == 23
