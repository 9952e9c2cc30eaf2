"""The bar of the running game, and joining its server again."""

import time
from collections.abc import Iterator

import pytest
from join_helpers import (
    FakeArenaServer,
    LongRunningGame,
    connect_address,
    open_app_with,
    row_of_server,
)
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver, buttons_by_text

from browser_app.application import server_launcher
from browser_app.bridge import steam_game_search
from browser_app.launch.launch_plan import LaunchPlan
from browser_app.launch.running_games import FoundGame, FoundProcess
from browser_app.protocols.address import Address
from browser_app.ui.play.running_game_bar import RunningGameBar
from browser_app.ui.widgets.value_text import clock_time_text
from browser_app.ui.window_state import capture_state, restore_state


@pytest.fixture
def app(qtbot: QtBot, qapp: QApplication) -> Iterator[AppDriver]:
    with open_app_with(qtbot, qapp, FakeArenaServer("Arena")) as app:
        yield app


def bar_of(app: AppDriver) -> RunningGameBar:
    return app.window.join_controller.running_game_bar


def join(app: AppDriver, game: LongRunningGame) -> int:
    """Join the server, and wait for the game."""
    server = row_of_server(app, FakeArenaServer("Arena"))
    app.window.join_controller.join(server)
    app.wait(lambda: bar_of(app).server >= 0)
    app.wait(lambda: game.was_started)
    return server


def test_rejoins_after_the_game(app: AppDriver, game: LongRunningGame, monkeypatch: pytest.MonkeyPatch) -> None:
    bar = bar_of(app)
    assert bar.notification_bar.isHidden()
    before = clock_time_text(time.time())
    server = join(app, game)
    assert bar.text in (f"On “Arena” since {before}", f"On “Arena” since {clock_time_text(time.time())}")
    assert buttons_by_text(bar.notification_bar) == {}
    assert server in app.window.join_controller.rows_in_use()
    bar.rejoin()  # nothing while it runs
    bar.hide_ended_game()
    assert bar.notification_bar.isVisible()
    game.end()
    app.wait(lambda: bar.can_rejoin)
    assert bar.text.startswith("The game on “Arena” ended at ")
    started: list[int] = []
    monkeypatch.setattr(app.program.backend.server_launcher, "launch", lambda row, *_: started.append(row))
    buttons_by_text(bar.notification_bar)["Rejoin"].click()
    app.wait(lambda: started)
    assert started == [server]
    assert bar.can_rejoin  # the end of a game that Steam starts is unknown
    assert bar.text.startswith("Joined “Arena” at ")
    buttons_by_text(bar.notification_bar)["Close"].click()
    assert bar.notification_bar.isHidden()
    assert bar.text == ""


def rebuild(app: AppDriver) -> None:
    """Restore the window's state in place of a new window."""
    state, joining = capture_state(app.window), app.window.join_controller
    joining.close()
    joining.running_game_bar.hide_ended_game()
    assert joining.started_games.search is None
    restore_state(app.window, state)


def test_rebuilt_window_keeps_the_ended_game(app: AppDriver, game: LongRunningGame) -> None:
    server, bar = join(app, game), bar_of(app)
    game.end()
    app.wait(lambda: bar.can_rejoin)
    texts = bar.notification_bar.shown_texts()
    assert texts[0].startswith("The game on “Arena” ended at ")
    rebuild(app)
    assert (bar.server, bar.notification_bar.shown_texts()) == (server, texts)
    assert [*buttons_by_text(bar.notification_bar)] == ["Rejoin", "Close"]


def test_rebuilt_window_keeps_the_start(app: AppDriver, game: LongRunningGame) -> None:
    server = join(app, game)
    (running,) = app.window.join_controller.running_games()
    state = capture_state(app.window)
    app.window.join_controller.close()
    assert row_of_server(app, FakeArenaServer("Arena")) == server
    restore_state(app.window, state)
    (restored,) = app.window.join_controller.running_games()
    assert (restored.started_at, restored.started_s) == (running.started_at, running.started_s)


def test_password_to_be_saved_delays_rebuild(app: AppDriver, game: LongRunningGame) -> None:
    server, busy = join(app, game), app.program.restart_monitor.is_busy
    passwords = app.window.join_controller.passwords
    assert not busy()
    passwords._passwords_to_save[server] = "typed"
    assert busy()
    passwords.discard_password(server)
    assert not busy()


@pytest.fixture
def steam(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> list[FoundGame]:
    """The games that run, none at first; every game is started by Steam."""
    found: list[FoundGame] = []
    monkeypatch.setattr(steam_game_search, "can_find_games", lambda: True)
    monkeypatch.setattr(steam_game_search, "find_running_games", lambda _games: list(found))
    plan = LaunchPlan(None, "steam://run/4920", is_installed=True, method="steam")
    monkeypatch.setattr(app.program.backend.server_launcher, "plan", lambda *_: plan)
    monkeypatch.setattr(server_launcher, "start_game", lambda _plan: None)
    return found


def test_game_that_steam_starts_is_found(
    app: AppDriver, steam: list[FoundGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = row_of_server(app, FakeArenaServer("Arena"))
    bar, search = bar_of(app), app.window._services.steam_game_search
    app.window.join_controller.join(server)
    app.wait(lambda: bar.server == server)
    assert bar.notification_bar.shown_texts()[1] == "The game starts through a link."
    search.search()
    steam.append(FoundGame(1, 1, None, Address("192.0.2.7", 27015)))
    search._on_found(steam)  # another game
    assert search.timer.isActive()
    steam.append(FoundGame(2, 2, None, connect_address(app, server)))
    has_ended: list[bool] = []
    monkeypatch.setattr(FoundProcess, "poll", lambda _process: 0 if has_ended else None)
    search.search()
    app.wait(lambda: bar.text.startswith("On “Arena” since "))
    assert not search.timer.isActive()
    assert app.live.is_paused
    assert app.window.join_controller.is_game_running
    has_ended.append(True)
    app.wait(lambda: bar.can_rejoin)
    assert not app.live.is_paused


def test_rebuilt_window_searches_on(app: AppDriver, steam: list[FoundGame], monkeypatch: pytest.MonkeyPatch) -> None:
    server = row_of_server(app, FakeArenaServer("Arena"))
    bar, search = bar_of(app), app.window._services.steam_game_search
    app.window.join_controller.join(server)
    app.wait(lambda: bar.server == server)
    search.search()
    texts, before = bar.notification_bar.shown_texts(), search.current
    rebuild(app)
    assert (bar.notification_bar.shown_texts(), search.current) == (texts, before)
    monkeypatch.setattr(FoundProcess, "poll", lambda _process: None)
    steam.append(FoundGame(2, 2, None, connect_address(app, server)))
    search.search()
    app.wait(lambda: bar.text.startswith("On “Arena” since "))


def test_search_for_game_ends(app: AppDriver, steam: list[FoundGame], monkeypatch: pytest.MonkeyPatch) -> None:
    assert steam == []
    monkeypatch.setattr(steam_game_search, "MAX_SEARCHES", 1)
    bar, search = bar_of(app), app.window._services.steam_game_search
    app.window.join_controller.join(row_of_server(app, FakeArenaServer("Arena")))
    app.wait(lambda: bar.server >= 0)
    headline = bar.text
    search.search()
    search.search()
    assert not search.timer.isActive()
    assert bar.notification_bar.shown_texts() == (
        headline,
        "The game starts through a link; Ready Room cannot detect when it ends.",
    )
