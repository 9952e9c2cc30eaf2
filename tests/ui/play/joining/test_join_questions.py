"""What is asked before a start: the query, and prompts."""

import time

import pytest
from join_helpers import (
    SECRET,
    FakeArenaServer,
    LongRunningGame,
    click_button,
    connect_address,
    enter_password,
    open_app_with,
    press_enter_on,
    prompt_bar,
    row_of_server,
    save_setting,
    select_row_of,
)
from loopback_servers import serving
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from timeouts import LIMIT_S, SINGLE_ATTEMPT
from window_helpers import AppDriver

from browser_app.bridge import join_queries
from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.protocols.address import Address
from browser_app.storage.setting_declarations import OWN_VERSIONS
from browser_app.ui.play import join_controller
from browser_app.ui.play.play_now_bar import PlayNowState


class TestTheQuestionsBefore:
    def test_server_is_queried_before_every_start(
        self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame
    ) -> None:
        server = select_row_of(app, arena)
        requests_before = arena.request_count
        app.press(Qt.Key.Key_Return)
        app.wait(lambda: game.was_started)
        assert arena.request_count == requests_before + 1
        assert game.arguments == ["+connect", str(connect_address(app, server))]

    def test_join_from_my_skill(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        server = select_row_of(app, arena)
        app.window.skill_view.join_requested.emit(server)
        app.wait(lambda: game.was_started)
        assert game.arguments == ["+connect", str(connect_address(app, server))]

    def test_new_map_is_shown(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        select_row_of(app, arena)
        arena.info["mapname"] = "oa_dm7"
        app.press(Qt.Key.Key_Return)
        app.wait(lambda: game.was_started)
        assert app.play_now_bar.shown_texts() == ("Game started: Arena", "", "The map is now oa_dm7.")

    def test_server_that_filled_up_stops_countdown(
        self,
        qtbot: QtBot,
        qapp: QApplication,
        arena: FakeArenaServer,
        game: LongRunningGame,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(join_controller, "JOIN_ANSWER_MAX_AGE_S", 0.0)
        with open_app_with(qtbot, qapp, arena, countdown_s=9.0) as app:
            select_row_of(app, arena)
            arena.players = 4
            app.press(Qt.Key.Key_Return)
            counting = [app.play_now_bar.is_counting_down]
            app.wait(prompt_bar(app).isVisible)
            counting.append(app.play_now_bar.is_counting_down)
            assert counting == [True, False]
            assert prompt_bar(app).shown_texts() == ("“Arena” is full", "4/4 playing.")
            assert app.play_now_bar.button.state is not PlayNowState.BUSY
            click_button(app, "Cancel")
            assert prompt_bar(app).isHidden()
            assert app.window.focusWidget() is app.table
        assert not game.was_started

    def test_new_password_is_asked_for(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        select_row_of(app, arena)
        arena.info["g_needpass"] = "1"
        app.press(Qt.Key.Key_Return)
        enter_password(app, SECRET)
        app.wait(lambda: game.was_started)
        assert (game.arguments or [])[:2] == ["+password", SECRET]

    def test_unresponsive_server_needs_confirmation(
        self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(join_queries, "RECHECK_TIMING", QueryTiming(waits_s=(0.05, 0.05), late_reply_wait_s=0.1))
        select_row_of(app, arena)
        arena.silent = True
        app.press(Qt.Key.Key_Return)
        app.wait(prompt_bar(app).isVisible)
        assert "not answer" in prompt_bar(app).shown_texts()[0]
        assert not game.was_started
        click_button(app, "Join anyway")
        app.wait(lambda: game.was_started)

    def test_answer_timeout(
        self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(join_controller, "ANSWER_TIMEOUT_S", 0.3)
        select_row_of(app, arena)
        arena.silent = True
        started_s = time.monotonic()
        app.press(Qt.Key.Key_Return)
        assert app.play_now_bar.shown_texts()[2] == "Checking again…"
        app.wait(prompt_bar(app).isVisible)
        assert 0.3 <= time.monotonic() - started_s < LIMIT_S / 2
        assert not game.was_started

    def test_new_server_is_queried_first(
        self, app: AppDriver, game: LongRunningGame, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(join_queries, "RECHECK_TIMING", QueryTiming(waits_s=(0.05, 0.05), late_reply_wait_s=0.1))
        added = FakeArenaServer("Added")
        added.silent = True
        with serving(added) as (address,):
            (server,) = app.catalogue.rows.add([QueryTarget(address, "quake3", None)])
            app.window.join_controller.join(server)
            assert app.play_now_bar.shown_texts()[2] == "Contacting the server…"
            app.wait(lambda: app.play_now_bar.shown_texts()[0] == "Could not start")
            assert "has never answered" in app.play_now_bar.shown_texts()[2]
            added.silent = False
            monkeypatch.setattr(join_queries, "RECHECK_TIMING", SINGLE_ATTEMPT)
            app.window.join_controller.join(server)
            app.wait(lambda: game.was_started)
            assert game.arguments == ["+connect", str(address)]

    def test_server_known_by_name_is_found(self, app: AppDriver, game: LongRunningGame) -> None:
        with serving(FakeArenaServer("Named")) as (address,):
            named = QueryTarget(Address("localhost", address.port), "quake3", None)
            (server,) = app.catalogue.rows.add([named]).tolist()
            app.window.join_controller.join(server)
            app.wait(lambda: game.was_started)
            assert game.arguments == ["+connect", str(address)]

    def test_escape_closes_prompt(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        select_row_of(app, arena)
        arena.players = 4
        app.press(Qt.Key.Key_Return)
        app.wait(prompt_bar(app).isVisible)
        app.press(Qt.Key.Key_Escape)
        assert prompt_bar(app).isHidden()
        assert not game.was_started
        assert app.window.focusWidget() is app.table

    def test_another_join_replaces_prompt(
        self, qtbot: QtBot, qapp: QApplication, arena: FakeArenaServer, game: LongRunningGame
    ) -> None:
        other = FakeArenaServer("Other", players=4)
        with open_app_with(qtbot, qapp, arena, other) as app:
            press_enter_on(app, other)
            app.wait(prompt_bar(app).isVisible)
            server = press_enter_on(app, arena)
            app.wait(lambda: game.was_started)
            assert prompt_bar(app).isHidden()
            assert game.arguments == ["+connect", str(connect_address(app, server))]

    def test_full_server_can_be_joined_anyway(
        self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame
    ) -> None:
        arena.players = 4
        press_enter_on(app, arena)
        app.wait(prompt_bar(app).isVisible)
        click_button(app, "Join anyway")
        app.wait(lambda: game.was_started)

    def test_second_enter_does_not_restart_countdown(
        self, qtbot: QtBot, qapp: QApplication, arena: FakeArenaServer, game: LongRunningGame
    ) -> None:
        def left_s(app: AppDriver) -> float:
            return float(app.play_now_bar.shown_texts()[2].split()[-2])

        with open_app_with(qtbot, qapp, arena, countdown_s=9.0) as app:
            press_enter_on(app, arena)
            app.wait(lambda: left_s(app) < 8.9)
            before_s = left_s(app)
            app.press(Qt.Key.Key_Return)
            assert left_s(app) <= before_s
            assert app.play_now_bar.is_counting_down
        assert not game.was_started

    def test_join_replaces_running_play_now(
        self, qtbot: QtBot, qapp: QApplication, arena: FakeArenaServer, game: LongRunningGame
    ) -> None:
        with open_app_with(qtbot, qapp, arena, FakeArenaServer("Other"), countdown_s=0.2) as app:
            server = select_row_of(app, arena)
            app.press(Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
            assert app.program.backend.play_now.is_running
            app.press(Qt.Key.Key_Return)
            app.wait(lambda: game.was_started)
            assert game.arguments == ["+connect", str(connect_address(app, server))]
            assert app.play_now_bar.shown_texts()[0] == "Game started: Arena"


class TestVersionsAndRookies:
    def test_different_version_asks_first(
        self, qtbot: QtBot, qapp: QApplication, arena: FakeArenaServer, game: LongRunningGame
    ) -> None:
        save_setting(OWN_VERSIONS, {"openarena": "0.8.8"})
        arena.info["version"] = "ioq3+oa 1.36"
        with open_app_with(qtbot, qapp, arena) as app:
            version = app.catalogue.version[row_of_server(app, arena)]
            press_enter_on(app, arena)
            assert "version" in prompt_bar(app).shown_texts()[0]
            assert version in prompt_bar(app).shown_texts()[1]
            assert "0.8.8" in prompt_bar(app).shown_texts()[1]
            click_button(app, "Join anyway")
            app.wait(lambda: game.was_started)

    def test_equal_version_does_not_ask(
        self, qtbot: QtBot, qapp: QApplication, arena: FakeArenaServer, game: LongRunningGame
    ) -> None:
        arena.info["version"] = "ioq3+oa 1.36"
        with open_app_with(qtbot, qapp, arena) as app:
            version = app.catalogue.version[row_of_server(app, arena)]
            app.program.storage.settings.set(OWN_VERSIONS, {"openarena": version.upper()})
            press_enter_on(app, arena)
            app.wait(lambda: game.was_started)

    def test_rookie_server_asks_first(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        server = select_row_of(app, arena)
        app.catalogue.rookie_only[server] = 1.0
        app.press(Qt.Key.Key_Return)
        assert prompt_bar(app).shown_texts()[0] == "“Arena” is for rookies only"
        click_button(app, "Cancel")
        assert not game.was_started
