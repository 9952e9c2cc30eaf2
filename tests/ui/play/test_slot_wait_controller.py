"""Waiting for a free slot: what the bar shows, and what ends the wait."""

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from join_helpers import (
    FAST_SLOT_MONITOR,
    FakeArenaServer,
    LongRunningGame,
    connect_address,
    open_app_with,
    prompt_bar,
    select_row_of,
)
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from timeouts import SINGLE_ATTEMPT
from window_helpers import AppDriver, buttons_by_text, set_clock

from browser_app.bridge.alerts.desktop_notifications import (
    DesktopNotification,
    DesktopNotifier,
)
from browser_app.engine import slot_monitor
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.paths import user_paths
from browser_app.storage.setting_declarations import FREE_SLOT_ACTION
from browser_app.storage.user_storage import UserStorage
from browser_app.ui.play import join_controller
from browser_app.ui.play.slot_wait_controller import wait_time_text
from browser_app.ui.widgets.notification_bar import NotificationBar
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_state import capture_state, restore_state


@pytest.fixture
def busy() -> FakeArenaServer:
    return FakeArenaServer("Busy", players=4)


@pytest.fixture
def app(qtbot: QtBot, qapp: QApplication, busy: FakeArenaServer) -> Iterator[AppDriver]:
    with open_app_with(qtbot, qapp, busy, FakeArenaServer("Calm")) as app:
        yield app


def wait_bar(app: AppDriver) -> NotificationBar:
    return app.window.join_controller.slot_wait.notification_bar


def choose_notify(app: AppDriver) -> None:
    """Choose *Notify me* in the bar."""
    choice = app.window.join_controller.slot_wait.action_switch
    app.bot.mouseClick(choice, Qt.MouseButton.LeftButton, pos=choice.tabRect(1).center())


def start_waiting(app: AppDriver, arena: FakeArenaServer) -> int:
    """Press Ctrl+Enter on the server's row."""
    server = select_row_of(app, arena)
    app.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    app.wait(wait_bar(app).isVisible)
    return server


def stops_querying(app: AppDriver, arena: FakeArenaServer) -> bool:
    """Return whether no request follows once those on their way have arrived."""
    app.bot.wait(300)
    requests_before = arena.request_count
    app.bot.wait(300)
    return arena.request_count == requests_before


def test_full_server_is_joined_when_slot_frees(app: AppDriver, busy: FakeArenaServer, game: LongRunningGame) -> None:
    server = select_row_of(app, busy)
    app.press(Qt.Key.Key_Return)
    app.wait(prompt_bar(app).isVisible)
    assert prompt_bar(app).shown_texts() == ("“Busy” is full", "4/4 playing.")
    assert list(buttons_by_text(prompt_bar(app))) == ["Wait for a slot", "Join anyway", "Cancel"]
    assert app.window.focusWidget() is buttons_by_text(prompt_bar(app))["Wait for a slot"]
    app.press(Qt.Key.Key_Return)
    assert prompt_bar(app).isHidden()
    assert wait_bar(app).shown_texts()[0] == "Waiting for a slot on “Busy”"
    assert wait_bar(app).shown_texts()[1].startswith("4/4. No free slot yet.")
    requests_before = busy.request_count
    app.wait(lambda: busy.request_count >= requests_before + 3)
    assert not game.was_started
    busy.players = 3
    app.wait(lambda: game.was_started)
    assert game.arguments == ["+connect", str(connect_address(app, server))]
    assert wait_bar(app).isHidden()


@pytest.mark.parametrize("jump_s", [-3600.0, 86_400.0])
def test_wait_survives_a_clock_that_is_set(
    app: AppDriver, busy: FakeArenaServer, game: LongRunningGame, monkeypatch: pytest.MonkeyPatch, jump_s: float
) -> None:
    start_waiting(app, busy)
    set_clock(monkeypatch, jump_s)
    requests_before = busy.request_count
    app.wait(lambda: busy.request_count > requests_before + 1)
    assert re.search(r"Waiting for \d+ s, ", wait_bar(app).shown_texts()[1])
    busy.players = 2
    app.wait(lambda: game.was_started)


def test_slot_taken_before_start_waits_again(
    app: AppDriver, busy: FakeArenaServer, game: LongRunningGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(join_controller, "JOIN_ANSWER_MAX_AGE_S", 0.0)
    start_waiting(app, busy)
    busy.next_player_counts = [3, 4]  # replies to the check that finds a slot and to the query before the start
    busy.use_next_counts.set()
    app.wait(lambda: "slot was taken" in wait_bar(app).shown_texts()[1])
    assert not game.was_started
    assert wait_bar(app).isVisible()
    busy.players = 2
    app.wait(lambda: game.was_started)


def test_server_menu_stops_the_wait(app: AppDriver, busy: FakeArenaServer) -> None:
    server = start_waiting(app, busy)
    app.table.server_menu_requested.emit(server, app.table.mapToGlobal(QPoint(9, 9)))
    entries = {action.text(): action for action in app.menu().actions()}
    assert "Wait for a slot" not in entries
    entries["Stop waiting"].trigger()
    app.menu().close()
    assert wait_bar(app).isHidden()
    assert app.window.join_controller.slot_wait.server == -1


def test_notify_instead_of_join_is_saved(
    app: AppDriver, busy: FakeArenaServer, game: LongRunningGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    notices: list[DesktopNotification] = []
    monkeypatch.setattr(DesktopNotifier, "show", lambda _, notice: notices.append(notice))
    server = start_waiting(app, busy)
    choose_notify(app)
    busy.players = 3
    app.wait(lambda: notices)
    assert (notices[0].key, notices[0].title) == (server, "A slot is free on “Busy”")
    assert notices[0].text == "3/4 · oa_dm1"
    assert wait_bar(app).shown_texts()[0] == "A slot is free on “Busy”"
    assert wait_bar(app).shown_texts()[1].startswith("3/4 since ")
    assert not game.was_started
    assert app.window.join_controller.slot_wait.server == -1
    with UserStorage(user_paths()) as storage:
        assert storage.settings.get(FREE_SLOT_ACTION) == "tell"
    app.bot.mouseClick(buttons_by_text(wait_bar(app))["Join"], Qt.MouseButton.LeftButton)
    app.wait(lambda: game.was_started)
    assert wait_bar(app).isHidden()


@pytest.mark.usefixtures("game")
def test_keep_waiting_does_not_notify_at_once(app: AppDriver, busy: FakeArenaServer) -> None:
    start_waiting(app, busy)
    choose_notify(app)
    busy.players = 3
    app.wait(lambda: wait_bar(app).shown_texts()[0] == "A slot is free on “Busy”")
    slots = app.window.join_controller.slot_wait._slot_monitor
    slots.timing = replace(FAST_SLOT_MONITOR, interval_s=60.0)
    requests_before = busy.request_count
    app.bot.mouseClick(buttons_by_text(wait_bar(app))["Keep waiting"], Qt.MouseButton.LeftButton)
    assert stops_querying(app, busy)
    assert busy.request_count == requests_before
    assert wait_bar(app).shown_texts()[0] == "Waiting for a slot on “Busy”"


@pytest.mark.usefixtures("game")
def test_cancel_ends_queries(app: AppDriver, busy: FakeArenaServer) -> None:
    start_waiting(app, busy)
    requests_before, started_s = busy.request_count, app.window.join_controller.slot_wait._started_s
    app.wait(lambda: busy.request_count > requests_before)
    app.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert app.window.join_controller.slot_wait._started_s == started_s
    app.bot.mouseClick(buttons_by_text(wait_bar(app))["Cancel"], Qt.MouseButton.LeftButton)
    assert wait_bar(app).isHidden()
    assert stops_querying(app, busy)


@pytest.mark.usefixtures("game")
def test_enter_on_awaited_server_asks_nothing(app: AppDriver, busy: FakeArenaServer) -> None:
    server = start_waiting(app, busy)
    app.press(Qt.Key.Key_Return)
    app.wait(lambda: any("waiting" in text for text in app.window.status_bar.shown_texts()))
    assert prompt_bar(app).isHidden()
    assert wait_bar(app).isVisible()
    assert app.window.join_controller.slot_wait.server == server


def test_escape_in_list_or_bar_ends_it(app: AppDriver, busy: FakeArenaServer) -> None:
    start_waiting(app, busy)
    app.window.servers_view.sidebar.setFocus()
    app.press(Qt.Key.Key_Escape)
    assert wait_bar(app).isVisible()
    buttons_by_text(wait_bar(app))["Cancel"].setFocus()
    app.press(Qt.Key.Key_Escape)
    assert wait_bar(app).isHidden()
    assert app.window.focusWidget() is app.play_now_bar.button
    start_waiting(app, busy)
    app.press(Qt.Key.Key_Escape)
    assert app.window.join_controller.slot_wait.server == -1
    assert wait_bar(app).isHidden()


def test_joining_another_server_ends_it(
    qtbot: QtBot, qapp: QApplication, busy: FakeArenaServer, game: LongRunningGame
) -> None:
    calm = FakeArenaServer("Calm")
    with open_app_with(qtbot, qapp, busy, calm) as app:
        start_waiting(app, busy)
        server = select_row_of(app, calm)
        app.press(Qt.Key.Key_Return)
        app.wait(lambda: game.was_started)
        assert game.arguments == ["+connect", str(connect_address(app, server))]
        assert wait_bar(app).isHidden()
        assert stops_querying(app, busy)


@pytest.mark.usefixtures("game")
def test_unresponsive_server_ends_it(app: AppDriver, busy: FakeArenaServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slot_monitor, "SLOT_CHECK_TIMING", QueryTiming(waits_s=(0.05,), late_reply_wait_s=0.05))
    slots = app.window.join_controller.slot_wait._slot_monitor
    slots.timing = replace(FAST_SLOT_MONITOR, silence_limit_s=0.5)
    start_waiting(app, busy)
    busy.silent = True
    app.wait(lambda: wait_bar(app).shown_texts()[0] == "“Busy” no longer answers")
    assert list(buttons_by_text(wait_bar(app))) == ["Keep waiting", "Close"]
    busy.silent = False
    monkeypatch.setattr(slot_monitor, "SLOT_CHECK_TIMING", SINGLE_ATTEMPT)
    slots.timing = FAST_SLOT_MONITOR
    app.bot.mouseClick(buttons_by_text(wait_bar(app))["Keep waiting"], Qt.MouseButton.LeftButton)
    assert wait_bar(app).shown_texts()[0] == "Waiting for a slot on “Busy”"
    requests_before = busy.request_count
    app.wait(lambda: busy.request_count > requests_before)
    app.bot.mouseClick(buttons_by_text(wait_bar(app))["Cancel"], Qt.MouseButton.LeftButton)
    assert wait_bar(app).isHidden()


def test_server_with_free_slots_is_not_waited_for(qtbot: QtBot, qapp: QApplication) -> None:
    calm = FakeArenaServer("Calm")
    with open_app_with(qtbot, qapp, calm) as app:
        select_row_of(app, calm)
        app.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        assert wait_bar(app).isHidden()
        expected = "No need to wait: “Calm” has a free slot (1/4"
        assert any(text.startswith(expected) for text in app.window.status_bar.shown_texts())


def test_unknown_player_count_is_reported(app: AppDriver, busy: FakeArenaServer) -> None:
    server = select_row_of(app, busy)
    app.catalogue.players[server] = np.nan
    app.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert any("Busy" in text and "unknown" in text for text in app.window.status_bar.shown_texts())
    assert wait_bar(app).isHidden()


@pytest.mark.usefixtures("game")
def test_closing_window_ends_it(app: AppDriver, busy: FakeArenaServer) -> None:
    start_waiting(app, busy)
    app.end()
    assert stops_querying(app, busy)


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (59, "59 s"), (200, "3 min 20 s"), (3905, "1 h 05 min")])
def test_wait_time_text(seconds: float, text: str) -> None:
    assert wait_time_text(seconds) == text


def test_rebuilt_window_goes_on_waiting(app: AppDriver, busy: FakeArenaServer, game: LongRunningGame) -> None:
    server = start_waiting(app, busy)
    state = capture_state(app.window)
    assert state.waited_server == app.catalogue.targets[server].address
    app.window.join_controller.slot_wait.stop_waiting()
    restore_state(app.window, state)
    app.wait(lambda: app.window.join_controller.slot_wait.server == server)
    assert not game.was_started


def test_narrow_bar_puts_sentence_below_headline(qtbot: QtBot, qapp: QApplication) -> None:
    theme = Theme(qapp, "light")
    bar = NotificationBar(theme)
    qtbot.addWidget(bar)
    bar.resize(900, bar.height())
    message = "Waiting for a slot on a server", "24/24. No free slot yet. Waiting for 3 min 20 s, checking every 5 s."
    bar.show_message(*message)
    bar.show_buttons(("Cancel", bar.hide_message))
    headline, sentence = bar._headline, bar._sentence

    def stacked() -> bool:
        qapp.processEvents()
        below, beside = sentence.y() >= headline.geometry().bottom(), sentence.x() > headline.geometry().right()
        assert below is not beside
        assert bar.rect().contains(headline.geometry() | sentence.geometry())
        assert sentence.width() >= sentence.sizeHint().width()
        return below

    assert not stacked()
    bar.resize(headline.sizeHint().width() + sentence.sizeHint().width() + 60, bar.height())
    assert stacked()
    bar.show_message("Gone", "No answer.")
    assert not stacked()
    bar.show_message(*message)
    assert stacked()
    theme.deleteLater()


def test_blocking_the_server_ends_the_wait(app: AppDriver, busy: FakeArenaServer) -> None:
    server = start_waiting(app, busy)
    app.catalogue.blocked[server] = True
    app.wait(wait_bar(app).isHidden)
    assert app.window.join_controller.slot_wait.server < 0
