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
from window_helpers import AppDriver

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
def app(qtbot: QtBot, qapp: QApplication, busy: Arena) -> Iterator[AppDriver]:
    with a_room(qtbot, qapp, busy, Arena("Calm")) as app:
        yield app


def strip(app: AppDriver) -> NotificationBar:
    return app.window.join_controller.slot_wait.notification_bar


def question(app: AppDriver) -> NotificationBar:
    return app.window.join_controller.prompts.notification_bar


def tell_me(app: AppDriver) -> None:
    """Choose "tell me" in the strip."""
    choice = app.window.join_controller.slot_wait.action_switch
    app.bot.mouseClick(choice, Qt.MouseButton.LeftButton, pos=choice.tabRect(1).center())


def wait_for(app: AppDriver, arena: Arena) -> int:
    """Press W on its row."""
    server = select(app, arena)
    app.press(Qt.Key.Key_W)
    app.wait(strip(app).isVisible)
    return server


def nobody_asks(app: AppDriver, arena: Arena) -> bool:
    """When what was on its way has come, nothing follows."""
    app.bot.wait(300)
    asked = arena.asked
    app.bot.wait(300)
    return arena.asked == asked


def test_a_full_server_offers_waiting_and_is_joined_when_somebody_leaves(
    app: AppDriver, busy: Arena, game: Game
) -> None:
    server = select(app, busy)
    app.press(Qt.Key.Key_Return)
    app.wait(question(app).isVisible)
    assert question(app).shown_texts() == ("Busy is full", "4/4 playing.")
    assert list(question(app).buttons_by_text()) == ["Wait for a slot", "Join anyway", "Cancel"]
    assert app.window.focusWidget() is question(app).buttons_by_text()["Wait for a slot"]
    app.press(Qt.Key.Key_Return)
    assert question(app).isHidden()
    assert strip(app).shown_texts()[0] == "Waiting for a slot on Busy"
    assert "4/4, nobody has left yet. 0 s, asked every" in strip(app).shown_texts()[1]
    asked = busy.asked
    app.wait(lambda: busy.asked >= asked + 3)
    assert not game.was_started
    busy.players = 3
    app.wait(lambda: game.was_started)
    assert game.arguments == ["+connect", str(connect_of(app, server))]
    assert strip(app).isHidden()


def test_a_slot_that_is_taken_meanwhile_is_waited_for_again(
    app: AppDriver, busy: Arena, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(join_controller, "JOIN_ANSWER_MAX_AGE_S", 0.0)
    wait_for(app, busy)
    busy.plans = [3, 4]  # the look that finds a slot, the question before the start
    busy.planning.set()
    app.wait(lambda: "the free slot was taken" in strip(app).shown_texts()[1])
    assert not game.was_started
    assert strip(app).isVisible()
    busy.players = 2
    app.wait(lambda: game.was_started)


def test_one_is_told_when_one_wants_that_and_the_wish_is_kept(
    app: AppDriver, busy: Arena, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    notices: list[DesktopNotification] = []
    monkeypatch.setattr(DesktopNotifier, "show", lambda _, notice: notices.append(notice))
    server = wait_for(app, busy)
    tell_me(app)
    busy.players = 3
    app.wait(lambda: notices)
    assert (notices[0].key, notices[0].title) == (server, "A slot is free on Busy")
    assert notices[0].text == "3/4 · oa_dm1"
    assert strip(app).shown_texts()[0] == "A slot is free on Busy"
    assert strip(app).shown_texts()[1].startswith("3/4 since ")
    assert not game.was_started
    assert app.window.join_controller.slot_wait.server == -1
    with UserSession(user_paths()) as session:
        assert session.settings.get(WHEN_SLOT_FREE) == "tell"
    app.bot.mouseClick(strip(app).buttons_by_text()["Join"], Qt.MouseButton.LeftButton)
    app.wait(lambda: game.was_started)
    assert strip(app).isHidden()


@pytest.mark.usefixtures("game")
def test_who_waits_on_beside_a_free_slot_is_not_told_of_it_again_at_once(app: AppDriver, busy: Arena) -> None:
    wait_for(app, busy)
    tell_me(app)
    busy.players = 3
    app.wait(lambda: strip(app).shown_texts()[0] == "A slot is free on Busy")
    slots = app.window.join_controller.slot_wait._slot_watch
    slots.timing = replace(QUICK, interval_s=60.0)
    asked = busy.asked
    app.bot.mouseClick(strip(app).buttons_by_text()["Keep waiting"], Qt.MouseButton.LeftButton)
    assert nobody_asks(app, busy)
    assert busy.asked == asked
    assert strip(app).shown_texts()[0] == "Waiting for a slot on Busy"


@pytest.mark.usefixtures("game")
def test_cancel_is_in_sight_and_ends_the_questions(app: AppDriver, busy: Arena) -> None:
    wait_for(app, busy)
    asked, began_s = busy.asked, app.window.join_controller.slot_wait._started_s
    app.wait(lambda: busy.asked > asked)
    app.press(Qt.Key.Key_W)
    assert app.window.join_controller.slot_wait._started_s == began_s
    app.bot.mouseClick(strip(app).buttons_by_text()["Cancel"], Qt.MouseButton.LeftButton)
    assert strip(app).isHidden()
    assert nobody_asks(app, busy)


def test_it_ends_when_another_server_is_joined(qtbot: QtBot, qapp: QApplication, busy: Arena, game: Game) -> None:
    calm = Arena("Calm")
    with a_room(qtbot, qapp, busy, calm) as app:
        wait_for(app, busy)
        server = select(app, calm)
        app.press(Qt.Key.Key_Return)
        app.wait(lambda: game.was_started)
        assert game.arguments == ["+connect", str(connect_of(app, server))]
        assert strip(app).isHidden()
        assert nobody_asks(app, busy)


@pytest.mark.usefixtures("game")
def test_a_server_that_goes_silent_is_said_to_be_gone(
    app: AppDriver, busy: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slot_monitor, "SLOT_CHECK_TIMING", QueryTiming(waits_s=(0.05,), late_reply_wait_s=0.05))
    slots = app.window.join_controller.slot_wait._slot_watch
    slots.timing = replace(QUICK, silence_limit_s=0.5)
    wait_for(app, busy)
    busy.silent = True
    app.wait(lambda: strip(app).shown_texts()[0] == "Busy no longer answers")
    assert list(strip(app).buttons_by_text()) == ["Keep waiting", "Close"]
    busy.silent = False
    monkeypatch.setattr(slot_monitor, "SLOT_CHECK_TIMING", SINGLE_ATTEMPT)
    slots.timing = QUICK
    app.bot.mouseClick(strip(app).buttons_by_text()["Keep waiting"], Qt.MouseButton.LeftButton)
    assert strip(app).shown_texts()[0] == "Waiting for a slot on Busy"
    asked = busy.asked
    app.wait(lambda: busy.asked > asked)
    app.bot.mouseClick(strip(app).buttons_by_text()["Cancel"], Qt.MouseButton.LeftButton)
    assert strip(app).isHidden()


def test_a_server_with_room_is_not_waited_for(qtbot: QtBot, qapp: QApplication) -> None:
    calm = Arena("Calm")
    with a_room(qtbot, qapp, calm) as app:
        select(app, calm)
        app.press(Qt.Key.Key_W)
        assert strip(app).isHidden()
        assert any(text.startswith("Calm is not full: 1/4") for text in app.window.status_bar.shown_texts())


def test_of_a_server_that_tells_no_players_it_is_not_said_that_it_is_not_full(app: AppDriver, busy: Arena) -> None:
    server = select(app, busy)
    app.catalogue.players[server] = np.nan
    app.press(Qt.Key.Key_W)
    assert "Busy: players unknown" in app.window.status_bar.shown_texts()
    assert strip(app).isHidden()


@pytest.mark.usefixtures("game")
def test_closing_the_window_ends_it(app: AppDriver, busy: Arena) -> None:
    wait_for(app, busy)
    app.end()
    assert nobody_asks(app, busy)


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (59, "59 s"), (200, "3 min 20 s"), (3905, "1 h 5 min")])
def test_the_time_waited(seconds: float, text: str) -> None:
    assert wait_time_text(seconds) == text


def test_a_window_that_is_set_up_anew_goes_on_waiting(app: AppDriver, busy: Arena, game: Game) -> None:
    server = wait_for(app, busy)
    stand = capture_state(app.window)
    assert stand.waited_server == app.catalogue.targets[server].address
    app.window.join_controller.slot_wait.stop_waiting()
    restore_state(app.window, stand)
    app.wait(lambda: app.window.join_controller.slot_wait.server == server)
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
