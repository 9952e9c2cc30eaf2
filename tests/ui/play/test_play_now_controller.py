"""Play Now in the window: query, countdown, launch and cancel."""

import os
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot
from timeouts import LIMIT_S
from window_helpers import AppDriver, FakeGame, OpenApp, buttons_by_text, open_apps, small_network, use_endless_timeouts

from browser_app.bridge import user_list_updater
from browser_app.demo.demo_network import DemoNetwork
from browser_app.paths import user_paths
from browser_app.storage.setting_declarations import GAME_PROGRAMS, PLAY_NOW_COUNTDOWN_S, PLAY_NOW_SCOPE
from browser_app.storage.user_lists.visit_history_store import (
    LEFT_EARLY_S,
    RECENTLY_LEFT_S,
    SHORT_VISIT_S,
    ServerVisit,
)
from browser_app.storage.user_storage import UserStorage
from browser_app.ui.play.play_now_bar import PlayNowState
from browser_app.ui.settings.setting_rows import SteamKeyRow
from browser_app.ui.settings.settings_dialog import SettingsDialog

PRESS = QPoint(20, 20)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeGame:
    """A fake game that exits at once."""
    folder = tmp_path / "bin"
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    return FakeGame(folder, "openarena")


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    with small_network(games=("openarena",), servers=12) as network:
        yield network


@pytest.fixture
def silent_app(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppDriver]:
    """The program with servers that no longer reply, so that verification takes long."""
    with (
        small_network(games=("openarena",), servers=4) as network,
        open_apps(qtbot, qapp, network) as open_app,
    ):
        app = open_app()
        use_endless_timeouts(monkeypatch)
        for server in network.servers:
            server.responder = None
        yield app


def set_countdown(seconds: float) -> None:
    with UserStorage(user_paths()) as storage:
        storage.settings.set(PLAY_NOW_COUNTDOWN_S, seconds)


def click_play_button(app: AppDriver) -> None:
    app.bot.mouseClick(app.play_now_bar.button, Qt.MouseButton.LeftButton, pos=PRESS)


def connect_address(app: AppDriver, server: int) -> str:
    info = app.catalogue.server_info(server)
    assert info is not None
    return str(info.connect)


def test_press_verifies_counts_down_and_starts(open_app: OpenApp, game: FakeGame) -> None:
    set_countdown(9)
    app = open_app()
    chosen = app.window.play_now_controller.current_choice
    name = app.catalogue.name[chosen]
    headline, game_text, sentence = app.play_now_bar.shown_texts()
    assert headline == name
    assert re.fullmatch(r"(OpenArena|Quake III Arena), \w+ on \w+", game_text)
    assert re.search(r"\d+ playing, \d+ slots? free, (<1|\d+) ms", sentence)
    popover_texts: list[tuple[str, ...]] = []
    app.program.backend.play_now.step_reached.connect(
        lambda _: popover_texts.append(app.window.play_now_popover.line_texts())
    )
    click_play_button(app)
    assert app.play_now_bar.button.state is PlayNowState.BUSY
    app.wait(lambda: app.play_now_bar.is_counting_down)
    assert [len(lines) for lines in popover_texts] == [3, 3]
    assert all("→" not in line for line in popover_texts[0])
    assert name in popover_texts[0][0]
    assert all("→" in line for line in popover_texts[1])
    assert app.play_now_bar.shown_texts()[0].startswith("Joining ")
    assert "Starts in" in app.play_now_bar.shown_texts()[2]
    assert not game.was_started
    app.play_now_bar._countdown_ms = 1
    app.wait(lambda: game.was_started)
    started = app.play_now_bar.shown_texts()[0].removeprefix("Game started: ")
    joined = next(server for server in app.servers() if app.catalogue.name[server] == started)
    assert game.arguments == ["+connect", connect_address(app, joined)]
    assert not app.window.play_now_popover.isVisible()
    assert {item.key: item.server_count for item in app.window.servers_view.sidebar.items()}["recent"] == 1


def test_next_press_works_at_once(open_app: OpenApp, game: FakeGame) -> None:
    set_countdown(0)
    app = open_app()
    app.window.join_controller.join(app.window.play_now_controller.current_choice)
    app.wait(lambda: game.arguments is not None)
    assert app.play_now_bar.shown_texts()[0].startswith("Game started: ")
    assert app.play_now_bar.button.state is PlayNowState.READY
    set_countdown(9)
    click_play_button(app)
    app.wait(lambda: app.play_now_bar.is_counting_down or app.play_now_bar.shown_texts()[0].startswith("Game started"))


@pytest.mark.usefixtures("game")
def test_unresponsive_server_is_not_started(qtbot: QtBot, qapp: QApplication) -> None:
    set_countdown(9)
    with small_network(games=("openarena",), servers=8) as network, open_apps(qtbot, qapp, network) as open_app:
        app = open_app()
        first = app.window.play_now_controller.current_choice
        target = app.catalogue.targets[first].address
        gone = next(server for server in network.servers if server.address == target)
        gone.responder = None
        click_play_button(app)
        app.wait(lambda: app.play_now_bar.is_counting_down)
        assert app.catalogue.name[first] not in app.play_now_bar.shown_texts()[0]
        assert "No answer" in app.window.play_now_popover.line_texts()[0]


@pytest.mark.parametrize("by", ["button", "Esc"])
def test_cancel_during_verification(silent_app: AppDriver, game: FakeGame, by: str) -> None:
    app = silent_app
    click_play_button(app)
    app.wait(app.window.play_now_popover.isVisible)
    if by == "button":
        click_play_button(app)
    else:
        app.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        app.press(Qt.Key.Key_Escape)
    app.wait(lambda: app.play_now_bar.button.state is PlayNowState.READY)
    assert not app.window.play_now_popover.isVisible()
    assert not app.play_now_bar.is_counting_down
    assert game.arguments is None


def test_estimated_ping_is_marked(open_app: OpenApp) -> None:
    app = open_app()
    app.catalogue.ping_estimated[app.window.play_now_controller.current_choice] = True
    app.window.play_now_controller.refresh()
    assert ", ~" in app.play_now_bar.shown_texts()[2]


def test_cancel_join_that_replaced_a_run(silent_app: AppDriver, game: FakeGame) -> None:
    app = silent_app
    click_play_button(app)
    app.wait(app.window.play_now_popover.isVisible)
    app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 9.0)
    server = next(row for row in app.servers() if app.catalogue.password[row] == 0)
    app.window.join_controller.join(server)
    assert app.play_now_bar.is_counting_down
    app.play_now_bar.button.click()
    assert not app.window.join_controller.is_using_bar
    app.wait(lambda: app.play_now_bar.button.state is PlayNowState.READY)
    assert game.arguments is None


@pytest.mark.parametrize("by", ["button", "Esc", "Ctrl+P"])
def test_cancel_during_countdown(open_app: OpenApp, game: FakeGame, by: str) -> None:
    set_countdown(9)
    app = open_app()
    app.table.setFocus()
    app.press(Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    app.wait(lambda: app.play_now_bar.is_counting_down)
    if by == "button":
        click_play_button(app)
    else:
        key = {"Esc": Qt.Key.Key_Escape, "Ctrl+P": Qt.Key.Key_P}[by]
        app.press(key, Qt.KeyboardModifier.NoModifier if by == "Esc" else Qt.KeyboardModifier.ControlModifier)
    assert not app.play_now_bar.is_counting_down
    assert app.play_now_bar.button.state is PlayNowState.READY
    assert app.play_now_bar.shown_texts()[0] == app.catalogue.name[app.window.play_now_controller.current_choice]
    assert game.arguments is None


def test_closing_to_the_tray_cancels_countdown(
    open_app: OpenApp, game: FakeGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_countdown(9)
    app = open_app()
    app.press(Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    app.wait(lambda: app.play_now_bar.is_counting_down)
    with monkeypatch.context() as patch:
        patch.setattr(type(app.window.tray_icon), "keeps_running", True)
        app.window.close()
    assert not app.window.isVisible()
    assert not app.play_now_bar.is_counting_down
    assert game.arguments is None


def test_no_eligible_server_retries_until_cancelled(open_app: OpenApp) -> None:
    with UserStorage(user_paths()) as storage:
        storage.settings.set(PLAY_NOW_SCOPE, "players>=200")
    app = open_app()
    assert app.play_now_bar.shown_texts() == (
        "No server matches “players>=200”",
        "",
        "As chosen in the settings.",
    )
    click_play_button(app)
    app.wait(app.window.play_now_popover.isVisible)
    assert sum(int(line.rsplit(" ", 1)[1]) for line in app.window.play_now_popover.line_texts()) == len(app.catalogue)
    app.wait(lambda: re.search("attempt [2-9]", app.play_now_bar.shown_texts()[2]))
    assert app.play_now_bar.button.state is PlayNowState.BUSY
    click_play_button(app)
    app.wait(lambda: app.play_now_bar.button.state is PlayNowState.NONE_ELIGIBLE)
    assert not app.window.play_now_popover.isVisible()


@pytest.mark.usefixtures("game")
def test_no_eligible_server_offers_relaxed_filter(open_app: OpenApp) -> None:
    set_countdown(9)
    with UserStorage(user_paths()) as storage:
        storage.settings.set(PLAY_NOW_SCOPE, "players>=200")
    app = open_app()
    click_play_button(app)
    button = app.window.play_now_popover.suggestion_button
    app.wait(button.isVisible)
    assert button.text() == "Choose from all servers"
    assert re.search(r" \d+ servers are otherwise suitable", button.accessibleDescription())
    app.play_now_bar.button.setFocus()
    app.press(Qt.Key.Key_Tab)
    assert app.window.focusWidget() is button
    app.press(Qt.Key.Key_Space)
    app.wait(lambda: app.play_now_bar.is_counting_down)
    app.press(Qt.Key.Key_Escape)
    assert app.play_now_bar.shown_texts()[0] == "No server matches “players>=200”"  # applied only once


def test_suggestion_shows_full_servers(open_app: OpenApp) -> None:
    app = open_app()
    app.catalogue.players[:] = app.catalogue.usable_slots
    app.live.rescore()
    app.wait(lambda: app.play_now_bar.button.state is PlayNowState.NONE_ELIGIBLE)
    click_play_button(app)
    button = app.window.play_now_popover.suggestion_button
    app.wait(button.isVisible)
    assert button.text() == "Show full servers"
    app.bot.mouseClick(button, Qt.MouseButton.LeftButton)
    app.wait(lambda: app.window.filter_field.text() == "(full | closed) -locked")
    app.wait(lambda: app.play_now_bar.button.state is not PlayNowState.BUSY)
    assert not app.window.play_now_popover.isVisible()


def test_enter_joins_the_selected_server(open_app: OpenApp, game: FakeGame) -> None:
    set_countdown(0.1)
    app = open_app()
    app.filter("locked:no")
    app.press(Qt.Key.Key_Return)
    app.press(Qt.Key.Key_Down)
    server = app.table.selected_server()
    app.press(Qt.Key.Key_Return)
    assert app.play_now_bar.shown_texts()[0] == f"Joining “{app.catalogue.name[server]}”"
    app.wait(lambda: game.arguments is not None)
    assert game.arguments == ["+connect", connect_address(app, server)]


def test_double_click_joins(open_app: OpenApp, game: FakeGame) -> None:
    set_countdown(0.1)
    app = open_app()
    app.filter("locked:no")
    app.bot.mouseDClick(app.table.viewport(), Qt.MouseButton.LeftButton, pos=app.cell(2, "name"))
    server = app.servers()[2]
    app.wait(lambda: game.arguments is not None)
    assert game.arguments == ["+connect", connect_address(app, server)]


def test_missing_game_offers_its_website(open_app: OpenApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    set_countdown(0)
    app = open_app()
    server = next(row for row in app.servers() if app.catalogue.game[row] == "openarena")
    app.window.join_controller.join(server)
    bar = app.window.join_controller.prompts.notification_bar
    assert bar.isVisible()
    assert bar.shown_texts() == (
        "OpenArena is not installed",
        "You can get it from https://openarena.ws/download.php.",
    )
    assert app.play_now_bar.button.state is PlayNowState.NONE_ELIGIBLE
    opened: list[QUrl] = []
    receiver = PageReceiver(opened)
    QDesktopServices.setUrlHandler("https", receiver, "take")  # type: ignore[arg-type] # the stub wants bytes, Qt a text
    app.bot.mouseClick(buttons_by_text(bar)["Open website"], Qt.MouseButton.LeftButton)
    QDesktopServices.unsetUrlHandler("https")
    assert [url.host() for url in opened] == ["openarena.ws"]
    app.bot.mouseClick(buttons_by_text(bar)["Close"], Qt.MouseButton.LeftButton)
    assert not bar.isVisible()


def test_missing_program_of_settings(open_app: OpenApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    set_countdown(0)
    app = open_app()
    app.program.settings.set(GAME_PROGRAMS, {"openarena": "/no/such/openarena"})
    app.window.join_controller.join(next(row for row in app.servers() if app.catalogue.game[row] == "openarena"))
    bar = app.window.join_controller.prompts.notification_bar
    assert bar.shown_texts() == ("OpenArena cannot be started", "/no/such/openarena was not found.")
    assert "Choose program…" in buttons_by_text(bar)


def test_program_of_missing_game(open_app: OpenApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("HOME", str(tmp_path))
    set_countdown(0)
    game = FakeGame(tmp_path / "my games", "oa")
    app = open_app()
    server = next(
        row for row in app.servers() if not app.catalogue.password[row] and not app.catalogue.is_unjoinable(row)
    )
    app.window.join_controller.join(server)
    bar = app.window.join_controller.prompts.notification_bar
    app.bot.mouseClick(buttons_by_text(bar)["Choose program…"], Qt.MouseButton.LeftButton)
    dialog = app.window.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(field, QLineEdit)
    field.setText(str(tmp_path / "my games/oa"))
    app.bot.keyClick(field, Qt.Key.Key_Return)
    app.wait(lambda: game.was_started)
    assert game.arguments == ["+connect", connect_address(app, server)]
    assert not bar.isVisible()
    app.wait(lambda: bool(app.catalogue.installed.all()))


def test_nothing_installed(open_app: OpenApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    app = open_app()
    headline, _numbers, sentence = app.play_now_bar.shown_texts()
    assert headline == "None of your games is installed"
    assert re.fullmatch(r"Popular free games: OpenArena \(\d+ playing, openarena\.ws\)", sentence)
    click_play_button(app)
    popover = app.window.play_now_popover
    app.wait(popover.suggestion_button.isVisible)
    assert popover.suggestion_button.text() == "Get OpenArena"
    app.play_now_bar.cancel_requested.emit()
    FakeGame(tmp_path, "openarena")
    app.program.backend.installed_games.scan()
    app.wait(lambda: app.window.play_now_controller.current_choice >= 0)
    assert app.play_now_bar.button.state is PlayNowState.READY


class PageReceiver(QObject):
    """Receives web pages instead of the desktop's browser."""

    def __init__(self, opened: list[QUrl]) -> None:
        super().__init__()
        self._opened = opened

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self._opened.append(url)


class SlowStore:
    """A secret store that replies once unlocked, and records the asking threads."""

    def __init__(self) -> None:
        self.unlocked = threading.Event()
        self.asked_by: list[threading.Thread] = []

    def get_password(self, service: str, username: str) -> str | None:  # noqa: ARG002 (keyring's signature)
        self.asked_by.append(threading.current_thread())
        assert self.unlocked.wait(LIMIT_S)
        return "sesame"

    def set_password(self, service: str, username: str, password: str) -> None:
        """Save nothing."""

    def delete_password(self, service: str, username: str) -> None:
        """Do nothing."""


def add_locked_server(app: AppDriver, store: SlowStore) -> int:
    """Make the first server need a password that is saved."""
    server = app.servers()[0]
    app.catalogue.password[server] = 1
    storage = app.program.storage
    storage.secrets._store, storage.secrets._has_searched = store, True
    assert app.program.backend.server_launcher.save_password(server, "sesame")
    app.catalogue.set_user_lists(storage.collect_user_lists(0.0))
    return server


def test_keyring_is_read_in_a_background_thread(open_app: OpenApp, game: FakeGame) -> None:
    set_countdown(0)
    app, store = open_app(), SlowStore()
    app.window.join_controller.join(add_locked_server(app, store))
    app.wait(lambda: store.asked_by)
    assert store.asked_by[0] is not threading.main_thread()
    assert "keyring" in app.play_now_bar.shown_texts()[2]
    assert app.play_now_bar.button.state is PlayNowState.BUSY
    assert not game.was_started
    store.unlocked.set()
    app.wait(lambda: game.was_started)
    assert "sesame" in (game.arguments or [])


def test_cancel_while_keyring_is_locked(open_app: OpenApp, game: FakeGame) -> None:
    set_countdown(0)
    app, store = open_app(), SlowStore()
    app.window.join_controller.join(add_locked_server(app, store))
    app.wait(lambda: store.asked_by)
    app.press(Qt.Key.Key_Escape)
    assert app.play_now_bar.button.state is not PlayNowState.BUSY
    store.unlocked.set()
    app.bot.wait(100)
    assert not game.was_started


@pytest.mark.parametrize(
    ("stay_s", "away_s"), [(0.0, RECENTLY_LEFT_S), (SHORT_VISIT_S, LEFT_EARLY_S)], ids=["left", "left early"]
)
def test_left_server_returns_later(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch, stay_s: float, away_s: float
) -> None:
    def set_time(now: float) -> None:
        monkeypatch.setattr(user_list_updater, "time", SimpleNamespace(time=lambda: now))
        app.program.backend.sample_recorder._advance_time()

    app = open_app()
    server, now = app.window.play_now_controller.current_choice, time.time()
    app.program.storage.visit_history.add_visit(
        ServerVisit(now - stay_s, app.catalogue.targets[server].address, "", "", left_at=now)
    )
    app.program.backend.server_launcher.notify_lists_changed()
    app.live.rescore()
    app.wait(lambda: app.window.play_now_controller.current_choice != server)
    set_time(now + away_s - 1)
    app.settle()
    assert app.window.play_now_controller.current_choice != server
    set_time(now + away_s + 1)
    app.wait(lambda: app.window.play_now_controller.current_choice == server)


def test_skipped_server_is_not_chosen(open_app: OpenApp) -> None:
    app = open_app()
    first = app.window.play_now_controller.current_choice
    app.bot.mouseClick(app.play_now_bar.button.menu_button, Qt.MouseButton.LeftButton)
    menu = app.menu()
    app.window.play_now_controller.current_choice = app.servers()[
        -1
    ]  # simulates a choice that changes while the menu is open
    action = next(action for action in menu.actions() if action.text() == "Skip for an hour")
    action.trigger()
    menu.close()
    second = app.window.play_now_controller.current_choice
    assert second not in (first, app.servers()[-1])
    app.refresh()
    assert app.window.play_now_controller.current_choice != first


def test_menu_shows_server_and_settings(open_app: OpenApp) -> None:
    app = open_app()
    app.program.settings.set(PLAY_NOW_SCOPE, "players>=0")  # so that it does not follow the list
    app.window.filter_field.set_text("name:nobody-is-called-so")
    app.wait(lambda: not app.servers())

    def choose(text: str) -> None:
        app.bot.mouseClick(app.play_now_bar.button.menu_button, Qt.MouseButton.LeftButton)
        menu = app.menu()
        next(action for action in menu.actions() if action.text() == text).trigger()
        menu.close()

    choose("Show this server")
    assert app.table.selected_server() == app.window.play_now_controller.current_choice
    choose("Play Now settings…")
    dialog = app.window.findChild(SettingsDialog)
    assert dialog is not None
    row = next(row for row in dialog.rows["play_now"] if row.setting_key == PLAY_NOW_SCOPE.key)
    app.wait(lambda: not row.visibleRegion().isEmpty())
    key = dialog.findChild(SteamKeyRow)
    assert key is not None
    app.wait(lambda: not key.place_label.text().endswith("…"))  # its thread loads the keyring
    dialog.close()
