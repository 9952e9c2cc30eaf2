"""Waiting for a slot in a person's hands: in sight, cancelled anywhere, and ended by whatever ends it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from joining_rig import QUICK, Arena, Game, a_game, a_room, connect_of, select
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from timeouts import SINGLE_ATTEMPT
from window_rig import Room

from browser_app.bridge.desktop_notifications import (
    DesktopNotification,
    DesktopNotifier,
)
from browser_app.engine import slot_monitor
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.paths import user_paths
from browser_app.storage.setting_declarations import WHEN_SLOT_FREE
from browser_app.storage.user_session import UserSession
from browser_app.ui.play import join_controller
from browser_app.ui.play.join_prompts import NotificationBar, NotificationButton
from browser_app.ui.play.slot_wait_controller import wait_time_text
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_state import capture_state, restore_state


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    with a_game(tmp_path / "bin", monkeypatch) as game:
        yield game


@pytest.fixture
def busy() -> Arena:
    return Arena("Busy", players=4)


@pytest.fixture
def room(qtbot: QtBot, qapp: QApplication, busy: Arena) -> Iterator[Room]:
    with a_room(qtbot, qapp, busy, Arena("Calm")) as room:
        yield room


def strip(room: Room) -> NotificationBar:
    return room.window.join_controller.slot_wait.notification_bar


def question(room: Room) -> NotificationBar:
    return room.window.join_controller.prompts.notification_bar


def tell_me(room: Room) -> None:
    """Choose "tell me" in the strip."""
    choice = room.window.join_controller.slot_wait.action_switch
    room.bot.mouseClick(choice, Qt.MouseButton.LeftButton, pos=choice.tabRect(1).center())


def wait_for(room: Room, arena: Arena) -> int:
    """Press W on its row."""
    server = select(room, arena)
    room.press(Qt.Key.Key_W)
    room.wait(strip(room).isVisible)
    return server


def nobody_asks(room: Room, arena: Arena) -> bool:
    """When what was on its way has come, nothing follows."""
    room.bot.wait(300)
    asked = arena.asked
    room.bot.wait(300)
    return arena.asked == asked


def test_a_full_server_offers_waiting_and_is_joined_when_somebody_leaves(room: Room, busy: Arena, game: Game) -> None:
    server = select(room, busy)
    room.press(Qt.Key.Key_Return)
    room.wait(question(room).isVisible)
    assert question(room).shown_texts() == ("Busy is full", "4/4 playing.")
    assert list(question(room).buttons_by_text()) == ["Wait for a slot", "Join anyway", "Cancel"]
    assert room.window.focusWidget() is question(room).buttons_by_text()["Wait for a slot"]
    room.press(Qt.Key.Key_Return)
    assert question(room).isHidden()
    assert strip(room).shown_texts()[0] == "Waiting for a slot on Busy"
    assert "4/4, nobody has left yet. 0 s, asked every" in strip(room).shown_texts()[1]
    asked = busy.asked
    room.wait(lambda: busy.asked >= asked + 3)
    assert not game.was_started
    busy.players = 3
    room.wait(lambda: game.was_started)
    assert game.arguments == ["+connect", str(connect_of(room, server))]
    assert strip(room).isHidden()


def test_a_slot_that_is_taken_meanwhile_is_waited_for_again(
    room: Room, busy: Arena, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(join_controller, "JOIN_ANSWER_MAX_AGE_S", 0.0)
    wait_for(room, busy)
    busy.plans = [3, 4]  # the look that finds a slot, the question before the start
    busy.planning.set()
    room.wait(lambda: "the free slot was taken" in strip(room).shown_texts()[1])
    assert not game.was_started
    assert strip(room).isVisible()
    busy.players = 2
    room.wait(lambda: game.was_started)


def test_one_is_told_when_one_wants_that_and_the_wish_is_kept(
    room: Room, busy: Arena, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    notices: list[DesktopNotification] = []
    monkeypatch.setattr(DesktopNotifier, "show", lambda _, notice: notices.append(notice))
    server = wait_for(room, busy)
    tell_me(room)
    busy.players = 3
    room.wait(lambda: notices)
    assert (notices[0].key, notices[0].title) == (server, "A slot is free on Busy")
    assert notices[0].text == "3/4 · oa_dm1"
    assert strip(room).shown_texts()[0] == "A slot is free on Busy"
    assert strip(room).shown_texts()[1].startswith("3/4 since ")
    assert not game.was_started
    assert room.window.join_controller.slot_wait.server == -1
    with UserSession(user_paths()) as session:
        assert session.settings.get(WHEN_SLOT_FREE) == "tell"
    room.bot.mouseClick(strip(room).buttons_by_text()["Join"], Qt.MouseButton.LeftButton)
    room.wait(lambda: game.was_started)
    assert strip(room).isHidden()


@pytest.mark.usefixtures("game")
def test_who_waits_on_beside_a_free_slot_is_not_told_of_it_again_at_once(room: Room, busy: Arena) -> None:
    wait_for(room, busy)
    tell_me(room)
    busy.players = 3
    room.wait(lambda: strip(room).shown_texts()[0] == "A slot is free on Busy")
    slots = room.window.join_controller.slot_wait._slot_watch
    slots.timing = replace(QUICK, interval_s=60.0)
    asked = busy.asked
    room.bot.mouseClick(strip(room).buttons_by_text()["Keep waiting"], Qt.MouseButton.LeftButton)
    assert nobody_asks(room, busy)
    assert busy.asked == asked
    assert strip(room).shown_texts()[0] == "Waiting for a slot on Busy"


@pytest.mark.usefixtures("game")
def test_cancel_is_in_sight_and_ends_the_questions(room: Room, busy: Arena) -> None:
    wait_for(room, busy)
    asked, began_s = busy.asked, room.window.join_controller.slot_wait._started_s
    room.wait(lambda: busy.asked > asked)
    room.press(Qt.Key.Key_W)
    assert room.window.join_controller.slot_wait._started_s == began_s
    room.bot.mouseClick(strip(room).buttons_by_text()["Cancel"], Qt.MouseButton.LeftButton)
    assert strip(room).isHidden()
    assert nobody_asks(room, busy)


def test_it_ends_when_another_server_is_joined(qtbot: QtBot, qapp: QApplication, busy: Arena, game: Game) -> None:
    calm = Arena("Calm")
    with a_room(qtbot, qapp, busy, calm) as room:
        wait_for(room, busy)
        server = select(room, calm)
        room.press(Qt.Key.Key_Return)
        room.wait(lambda: game.was_started)
        assert game.arguments == ["+connect", str(connect_of(room, server))]
        assert strip(room).isHidden()
        assert nobody_asks(room, busy)


@pytest.mark.usefixtures("game")
def test_a_server_that_goes_silent_is_said_to_be_gone(room: Room, busy: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slot_monitor, "SLOT_CHECK_TIMING", QueryTiming(waits_s=(0.05,), late_reply_wait_s=0.05))
    slots = room.window.join_controller.slot_wait._slot_watch
    slots.timing = replace(QUICK, silence_limit_s=0.5)
    wait_for(room, busy)
    busy.silent = True
    room.wait(lambda: strip(room).shown_texts()[0] == "Busy no longer answers")
    assert list(strip(room).buttons_by_text()) == ["Keep waiting", "Close"]
    busy.silent = False
    monkeypatch.setattr(slot_monitor, "SLOT_CHECK_TIMING", SINGLE_ATTEMPT)
    slots.timing = QUICK
    room.bot.mouseClick(strip(room).buttons_by_text()["Keep waiting"], Qt.MouseButton.LeftButton)
    assert strip(room).shown_texts()[0] == "Waiting for a slot on Busy"
    asked = busy.asked
    room.wait(lambda: busy.asked > asked)
    room.bot.mouseClick(strip(room).buttons_by_text()["Cancel"], Qt.MouseButton.LeftButton)
    assert strip(room).isHidden()


def test_a_server_with_room_is_not_waited_for(qtbot: QtBot, qapp: QApplication) -> None:
    calm = Arena("Calm")
    with a_room(qtbot, qapp, calm) as room:
        select(room, calm)
        room.press(Qt.Key.Key_W)
        assert strip(room).isHidden()
        assert any(text.startswith("Calm is not full: 1/4") for text in room.window.status_bar.shown_texts())


def test_of_a_server_that_tells_no_players_it_is_not_said_that_it_is_not_full(room: Room, busy: Arena) -> None:
    server = select(room, busy)
    room.catalogue.players[server] = np.nan
    room.press(Qt.Key.Key_W)
    assert "Busy: players unknown" in room.window.status_bar.shown_texts()
    assert strip(room).isHidden()


@pytest.mark.usefixtures("game")
def test_closing_the_window_ends_it(room: Room, busy: Arena) -> None:
    wait_for(room, busy)
    room.end()
    assert nobody_asks(room, busy)


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (59, "59 s"), (200, "3 min 20 s"), (3905, "1 h 5 min")])
def test_the_time_waited(seconds: float, text: str) -> None:
    assert wait_time_text(seconds) == text


def test_a_window_that_is_set_up_anew_goes_on_waiting(room: Room, busy: Arena, game: Game) -> None:
    server = wait_for(room, busy)
    stand = capture_state(room.window)
    assert stand.waited_server == room.catalogue.targets[server].address
    room.window.join_controller.slot_wait.stop_waiting()
    restore_state(room.window, stand)
    room.wait(lambda: room.window.join_controller.slot_wait.server == server)
    assert not game.was_started


def test_in_less_room_the_sentence_stands_whole_under_the_headline(qtbot: QtBot, qapp: QApplication) -> None:
    theme = Theme(qapp, "light")
    strip = NotificationBar(theme)
    qtbot.addWidget(strip)
    strip.resize(900, strip.height())
    words = "Waiting for a slot on a server", "24/24, nobody has left yet. Waiting for 3 min 20 s, checking every 5 s."
    strip.show_message(*words)
    strip.show_buttons([NotificationButton("Cancel", strip.hide_message)])
    headline, sentence = strip._headline, strip._sentence

    def stacked() -> bool:
        qapp.processEvents()
        below, beside = sentence.y() >= headline.geometry().bottom(), sentence.x() > headline.geometry().right()
        assert below is not beside
        assert strip.rect().contains(headline.geometry() | sentence.geometry())
        assert sentence.width() >= sentence.sizeHint().width()
        return below

    assert not stacked()
    strip.resize(headline.sizeHint().width() + sentence.sizeHint().width() + 60, strip.height())
    assert stacked()
    strip.show_message("Gone", "No answer.")
    assert not stacked()
    strip.show_message(*words)
    assert stacked()
    theme.deleteLater()
