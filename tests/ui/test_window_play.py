"""Play Now and joining in a person's hands: a press, what it asks, the countdown, the game, and Cancel everywhere."""

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
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from timeouts import LIMIT_S
from window_rig import OpenRoom, Room, StandIn, endless_scans, open_rooms, small_network

from browser_app.bridge import user_list_updater
from browser_app.demo.demo_network import DemoNetwork
from browser_app.launch.game_process import _running_processes
from browser_app.paths import user_paths
from browser_app.storage.lists.visit_history_store import RECENTLY_LEFT_S, ServerVisit
from browser_app.storage.setting_declarations import PLAY_NOW_COUNTDOWN_S, PLAY_NOW_FILTER
from browser_app.storage.user_session import UserSession
from browser_app.ui.play.play_bar import PlayNowState
from browser_app.ui.settings.setting_rows import SteamKeyRow
from browser_app.ui.settings.settings_dialog import SettingsDialog

PRESS = QPoint(20, 20)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """A game that starts at once."""
    folder = tmp_path / "bin"
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    yield StandIn(folder, "openarena")
    while _running_processes:
        _running_processes.pop().wait(LIMIT_S)


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    with small_network(games=("openarena",), servers=12) as network:
        yield network


@pytest.fixture
def mute_room(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """Servers that have fallen silent, and are waited for: asking again can be watched."""
    with (
        small_network(games=("openarena",), servers=4) as network,
        open_rooms(qtbot, qapp, network) as open_room,
    ):
        room = open_room()
        endless_scans(monkeypatch)
        for server in network.servers:
            server.responder = None
        yield room


def count_down_for(seconds: float) -> None:
    with UserSession(user_paths()) as session:
        session.settings.set(PLAY_NOW_COUNTDOWN_S, seconds)


def click_play(room: Room) -> None:
    room.bot.mouseClick(room.play_bar.button, Qt.MouseButton.LeftButton, pos=PRESS)


def address(room: Room, server: int) -> str:
    facts = room.catalogue.server_info(server)
    assert facts is not None
    return str(facts.connect)


def test_a_press_asks_again_counts_down_and_starts_the_game(open_room: OpenRoom, game: StandIn) -> None:
    count_down_for(9)
    room = open_room()
    chosen = room.window.play_now_controller.current_choice
    name = room.catalogue.name[chosen]
    assert room.play_bar.shown_texts()[0] == name
    assert room.play_bar.shown_texts()[2]
    told: list[tuple[str, ...]] = []
    room.program.backend.play_now.step_reached.connect(lambda _: told.append(room.window.play_now_popover.line_texts()))
    click_play(room)
    assert room.play_bar.button.state is PlayNowState.BUSY
    room.wait(lambda: room.play_bar.is_counting_down)
    assert [len(lines) for lines in told] == [3, 3]
    assert all("asking again" in line for line in told[0])
    assert name in told[0][0]
    assert all("→" in line for line in told[1])
    assert room.play_bar.shown_texts()[0].startswith("Joining ")
    assert "Starts in" in room.play_bar.shown_texts()[2]
    assert not game.was_started
    room.play_bar._countdown_ms = 1
    room.wait(lambda: game.was_started)
    started = room.play_bar.shown_texts()[0].removeprefix("Started ")
    joined = next(server for server in room.servers() if room.catalogue.name[server] == started)
    assert game.arguments == ["+connect", address(room, joined)]
    assert not room.window.play_now_popover.isVisible()
    assert {item.key: item.server_count for item in room.window.servers_view.sidebar.items()}["recent"] == 1


def test_after_a_start_the_next_press_works_at_once(open_room: OpenRoom, game: StandIn) -> None:
    count_down_for(0)
    room = open_room()
    room.window.join_controller.join(room.window.play_now_controller.current_choice)
    room.wait(lambda: game.arguments is not None)
    assert room.play_bar.shown_texts()[0].startswith("Started ")
    assert room.play_bar.button.state is PlayNowState.READY
    count_down_for(9)
    click_play(room)
    room.wait(lambda: room.play_bar.is_counting_down or room.play_bar.shown_texts()[0].startswith("Started"))


@pytest.mark.usefixtures("game")
def test_a_server_that_falls_silent_is_found_out_before_the_start(qtbot: QtBot, qapp: QApplication) -> None:
    count_down_for(9)
    with small_network(games=("openarena",), servers=8) as network, open_rooms(qtbot, qapp, network) as open_room:
        room = open_room()
        first = room.window.play_now_controller.current_choice
        target = room.catalogue.targets[first].address
        gone = next(server for server in network.servers if server.address == target)
        gone.responder = None
        click_play(room)
        room.wait(lambda: room.play_bar.is_counting_down)
        assert room.catalogue.name[first] not in room.play_bar.shown_texts()[0]
        assert "no answer" in room.window.play_now_popover.line_texts()[0]


@pytest.mark.parametrize("by", ["button", "Esc"])
def test_cancel_while_servers_are_asked(mute_room: Room, game: StandIn, by: str) -> None:
    room = mute_room
    click_play(room)
    room.wait(room.window.play_now_popover.isVisible)
    if by == "button":
        click_play(room)
    else:
        room.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        room.press(Qt.Key.Key_Escape)
    room.wait(lambda: room.play_bar.button.state is PlayNowState.READY)
    assert not room.window.play_now_popover.isVisible()
    assert not room.play_bar.is_counting_down
    assert game.arguments is None


def test_an_estimated_ping_is_marked_beside_the_button(open_room: OpenRoom) -> None:
    room = open_room()
    room.catalogue.ping_estimated[room.window.play_now_controller.current_choice] = True
    room.window.play_now_controller.refresh()
    assert ", ~" in room.play_bar.shown_texts()[1]


def test_cancel_of_a_join_while_the_run_that_gave_way_to_it_ends(mute_room: Room, game: StandIn) -> None:
    room = mute_room
    click_play(room)
    room.wait(room.window.play_now_popover.isVisible)
    room.program.settings.set(PLAY_NOW_COUNTDOWN_S, 9.0)
    server = next(row for row in room.servers() if room.catalogue.password[row] == 0)
    room.window.join_controller.join(server)
    assert room.play_bar.is_counting_down
    room.play_bar.button.click()
    assert not room.window.join_controller.is_using_bar
    room.wait(lambda: room.play_bar.button.state is PlayNowState.READY)
    assert game.arguments is None


@pytest.mark.parametrize("by", ["button", "Esc", "P"])
def test_cancel_while_it_counts_down(open_room: OpenRoom, game: StandIn, by: str) -> None:
    count_down_for(9)
    room = open_room()
    room.table.setFocus()
    room.press(Qt.Key.Key_P)
    room.wait(lambda: room.play_bar.is_counting_down)
    if by == "button":
        click_play(room)
    else:
        room.press({"Esc": Qt.Key.Key_Escape, "P": Qt.Key.Key_P}[by])
    assert not room.play_bar.is_counting_down
    assert room.play_bar.button.state is PlayNowState.READY
    assert room.play_bar.shown_texts()[0] == room.catalogue.name[room.window.play_now_controller.current_choice]
    assert game.arguments is None


def test_nothing_eligible_says_why_and_looks_until_cancelled(open_room: OpenRoom) -> None:
    with UserSession(user_paths()) as session:
        session.settings.set(PLAY_NOW_FILTER, "players>=200")
    room = open_room()
    assert room.play_bar.shown_texts()[0] == "No suitable server right now"
    assert "filtered" in room.play_bar.shown_texts()[2]
    click_play(room)
    room.wait(room.window.play_now_popover.isVisible)
    assert sum(int(line.rsplit(" ", 1)[1]) for line in room.window.play_now_popover.line_texts()) == len(room.catalogue)
    room.wait(
        lambda: re.search("Still looking: querying all servers again, attempt [2-9]\\.", room.play_bar.shown_texts()[2])
    )
    assert room.play_bar.button.state is PlayNowState.BUSY
    click_play(room)
    room.wait(lambda: room.play_bar.button.state is PlayNowState.NONE_ELIGIBLE)
    assert not room.window.play_now_popover.isVisible()


@pytest.mark.usefixtures("game")
def test_nothing_eligible_offers_the_step_that_helps_most(open_room: OpenRoom) -> None:
    count_down_for(9)
    with UserSession(user_paths()) as session:
        session.settings.set(PLAY_NOW_FILTER, "players>=200")
    room = open_room()
    click_play(room)
    offer = room.window.play_now_popover.suggestion_button
    room.wait(offer.isVisible)
    assert offer.text() == "Ignore the filter this time"
    assert "Nothing else stands in the way of " in offer.accessibleDescription()
    room.play_bar.button.setFocus()
    room.press(Qt.Key.Key_Tab)
    assert room.window.focusWidget() is offer
    room.press(Qt.Key.Key_Space)
    room.wait(lambda: room.play_bar.is_counting_down)
    room.press(Qt.Key.Key_Escape)
    assert room.play_bar.shown_texts()[0] == "No suitable server right now"  # it was for this time only


def test_what_cannot_be_joined_now_is_shown(open_room: OpenRoom) -> None:
    room = open_room()
    room.catalogue.players[:] = room.catalogue.usable_slots
    room.live.rescore()
    room.wait(lambda: room.play_bar.button.state is PlayNowState.NONE_ELIGIBLE)
    click_play(room)
    offer = room.window.play_now_popover.suggestion_button
    room.wait(offer.isVisible)
    assert offer.text() == "Show full servers"
    room.bot.mouseClick(offer, Qt.MouseButton.LeftButton)
    room.wait(lambda: room.window.filter_field.text() == "full:yes -locked")
    room.wait(lambda: room.play_bar.button.state is not PlayNowState.BUSY)
    assert not room.window.play_now_popover.isVisible()


def test_enter_joins_the_selected_server(open_room: OpenRoom, game: StandIn) -> None:
    count_down_for(0.1)
    room = open_room()
    room.filter("locked:no")
    room.press(Qt.Key.Key_Return)
    room.press(Qt.Key.Key_Down)
    server = room.table.selected_server()
    room.press(Qt.Key.Key_Return)
    assert room.play_bar.shown_texts()[0] == f"Joining {room.catalogue.name[server]}"
    room.wait(lambda: game.arguments is not None)
    assert game.arguments == ["+connect", address(room, server)]


def test_a_double_click_joins_the_server_under_it(open_room: OpenRoom, game: StandIn) -> None:
    count_down_for(0.1)
    room = open_room()
    room.filter("locked:no")
    room.bot.mouseDClick(room.table.viewport(), Qt.MouseButton.LeftButton, pos=room.cell(2, "name"))
    server = room.servers()[2]
    room.wait(lambda: game.arguments is not None)
    assert game.arguments == ["+connect", address(room, server)]


def test_a_game_that_is_not_there_is_said_to_be_missing(
    open_room: OpenRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    count_down_for(0)
    room = open_room()
    room.window.join_controller.join(room.window.play_now_controller.current_choice)
    strip = room.window.join_controller.prompts.notification_bar
    assert strip.isVisible()
    assert strip.shown_texts() == (
        "OpenArena is not installed",
        "You can get it from https://openarena.ws/download.php.",
    )
    assert room.play_bar.button.state is PlayNowState.READY
    opened: list[QUrl] = []
    receiver = PageReceiver(opened)
    QDesktopServices.setUrlHandler("https", receiver, "take")  # type: ignore[arg-type] # the stub wants bytes, Qt a text
    room.bot.mouseClick(strip.buttons_by_text()["Open website"], Qt.MouseButton.LeftButton)
    QDesktopServices.unsetUrlHandler("https")
    assert [url.host() for url in opened] == ["openarena.ws"]
    room.bot.mouseClick(strip.buttons_by_text()["Close"], Qt.MouseButton.LeftButton)
    assert not strip.isVisible()


class PageReceiver(QObject):
    """Takes web pages in place of the desktop's browser."""

    def __init__(self, opened: list[QUrl]) -> None:
        super().__init__()
        self._opened = opened

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self._opened.append(url)


class SlowStore:
    """A secret store that gives its secret when its user has unlocked it; says which thread asked."""

    def __init__(self) -> None:
        self.unlocked = threading.Event()
        self.asked_by: list[threading.Thread] = []

    def get_password(self, service: str, username: str) -> str | None:  # noqa: ARG002 (as keyring calls it)
        self.asked_by.append(threading.current_thread())
        assert self.unlocked.wait(LIMIT_S)
        return "sesame"

    def set_password(self, service: str, username: str, password: str) -> None:
        """Nothing is kept."""

    def delete_password(self, service: str, username: str) -> None:
        """Nothing is kept."""


def lock(room: Room, store: SlowStore) -> int:
    """A server that needs a password, which the store has."""
    server = room.servers()[0]
    room.catalogue.password[server] = 1
    session = room.program.session
    session.secrets._store, session.secrets._has_searched = store, True
    assert session.passwords.save(room.catalogue.targets[server].address, "sesame")
    room.catalogue.set_user_lists(session.user_lists(0.0))
    return server


def test_the_secret_store_is_asked_beside_the_window(open_room: OpenRoom, game: StandIn) -> None:
    count_down_for(0)
    room, store = open_room(), SlowStore()
    room.window.join_controller.join(lock(room, store))
    room.wait(lambda: store.asked_by)
    assert store.asked_by[0] is not threading.main_thread()
    assert "secret store" in room.play_bar.shown_texts()[2]
    assert room.play_bar.button.state is PlayNowState.BUSY
    assert not game.was_started
    store.unlocked.set()
    room.wait(lambda: game.was_started)
    assert "sesame" in (game.arguments or [])


def test_cancel_while_the_secret_store_asks(open_room: OpenRoom, game: StandIn) -> None:
    count_down_for(0)
    room, store = open_room(), SlowStore()
    room.window.join_controller.join(lock(room, store))
    room.wait(lambda: store.asked_by)
    room.press(Qt.Key.Key_Escape)
    assert room.play_bar.button.state is not PlayNowState.BUSY
    store.unlocked.set()
    room.bot.wait(100)
    assert not game.was_started


def test_a_server_left_recently_is_one_like_others_after_a_while(
    open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = open_room()
    server, now = room.window.play_now_controller.current_choice, time.time()
    room.program.session.visit_history.add_visit(
        ServerVisit(now, room.catalogue.targets[server].address, "", "", left_at=now)
    )
    room.program.backend.server_launcher.notify_lists_changed()
    room.live.rescore()
    room.wait(lambda: room.window.play_now_controller.current_choice != server)
    monkeypatch.setattr(user_list_updater, "time", SimpleNamespace(time=lambda: now + 2 * RECENTLY_LEFT_S))
    room.program.backend.sample_recorder._advance_time()
    room.wait(lambda: room.window.play_now_controller.current_choice == server)


def test_skipping_the_choice_chooses_the_next(open_room: OpenRoom) -> None:
    room = open_room()
    first = room.window.play_now_controller.current_choice
    room.bot.mouseClick(room.play_bar.button.menu_button, Qt.MouseButton.LeftButton)
    menu = room.menu()
    room.window.play_now_controller.current_choice = room.servers()[
        -1
    ]  # as when the choice changes while the menu is open
    action = next(action for action in menu.actions() if action.text() == "Skip for an hour")
    action.trigger()
    menu.close()
    second = room.window.play_now_controller.current_choice
    assert second not in (first, room.servers()[-1])
    room.refresh()
    assert room.window.play_now_controller.current_choice != first


def test_the_menu_shows_the_choice_wherever_it_is_and_leads_to_the_settings(open_room: OpenRoom) -> None:
    room = open_room()
    room.window.filter_field.set_text("name:nobody-is-called-so")
    room.wait(lambda: not room.servers())

    def choose(words: str) -> None:
        room.bot.mouseClick(room.play_bar.button.menu_button, Qt.MouseButton.LeftButton)
        menu = room.menu()
        next(action for action in menu.actions() if action.text() == words).trigger()
        menu.close()

    choose("Show this server")
    assert room.table.selected_server() == room.window.play_now_controller.current_choice
    choose("Play Now settings…")
    dialog = room.window.findChild(SettingsDialog)
    assert dialog is not None
    row = next(row for row in dialog.rows["play_now"] if row.setting_key == PLAY_NOW_FILTER.key)
    room.wait(lambda: not row.visibleRegion().isEmpty())
    key = dialog.findChild(SteamKeyRow)
    assert key is not None
    room.wait(
        lambda: not key.place_label.text().startswith("Asking")
    )  # a thread that goes on while the store is loaded
    dialog.close()
