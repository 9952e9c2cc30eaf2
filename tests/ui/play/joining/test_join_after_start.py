"""What follows the start of a game: queries, visits, arguments."""

import time
from pathlib import Path

import pytest
from join_helpers import (
    FakeArenaServer,
    LongRunningGame,
    connect_address,
    game_on_path,
    press_enter_on,
    row_of_server,
    select_row_of,
)
from window_helpers import AppDriver

from browser_app.storage.setting_declarations import PAUSE_IN_GAME


class TestAfterTheStart:
    def test_queries_pause_while_game_runs(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        press_enter_on(app, arena)
        app.wait(lambda: game.was_started)
        assert app.live.is_paused
        assert not app.live.is_running
        app.rest()
        with app.bot.waitSignal(app.live.running_changed):
            game.end()
        assert not app.live.is_paused

    def test_pause_can_be_turned_off(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        app.program.storage.settings.set(PAUSE_IN_GAME, False)
        press_enter_on(app, arena)
        app.wait(lambda: game.was_started)
        assert not app.live.is_paused

    def test_pause_setting_applies_during_game(
        self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame
    ) -> None:
        press_enter_on(app, arena)
        app.wait(lambda: game.was_started)
        app.rest()
        with app.bot.waitSignal(app.live.running_changed):
            app.program.settings.set(PAUSE_IN_GAME, False)
        assert not app.live.is_paused
        app.program.settings.set(PAUSE_IN_GAME, True)
        assert app.live.is_paused

    def test_end_of_visit_is_saved(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        server = press_enter_on(app, arena)
        history, address = app.program.storage.visit_history, app.catalogue.targets[server].address
        app.wait(lambda: game.was_started and history.load_visits(address))
        assert history.load_visits(address)[0].left_at is None
        game.end()
        app.wait(lambda: history.load_visits(address)[0].left_at is not None)
        left_at = history.load_visits(address)[0].left_at
        assert left_at is not None
        assert abs(left_at - time.time()) < 60
        assert app.catalogue.recently_left[server]

    def test_early_exit_is_reported(
        self, app: AppDriver, arena: FakeArenaServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with game_on_path(tmp_path / "bin", monkeypatch, status=127) as game:
            press_enter_on(app, arena)
            app.wait(lambda: game.was_started)
            game.end()
            app.wait(lambda: app.play_now_bar.shown_texts()[0] == "Game exited early: Arena")
            assert "status 127" in app.play_now_bar.shown_texts()[2]

    def test_own_arguments_come_first(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        server = row_of_server(app, arena)
        own = app.program.storage.launch_arguments
        own.set(app.catalogue.targets[server].address, '+set r_mode 4 "+set name A B"')
        press_enter_on(app, arena)
        app.wait(lambda: game.was_started)
        connect = str(connect_address(app, server))
        assert game.arguments == ["+set", "r_mode", "4", "+set name A B", "+connect", connect]

    def test_unsaved_arguments_are_used(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        server = select_row_of(app, arena)
        notes = app.window.servers_view.inspector.notes_page
        app.bot.keyClicks(notes.arguments_field, "+set r_mode 4")
        app.window.join_controller.join(server)
        app.wait(lambda: game.was_started)
        assert (game.arguments or [])[:3] == ["+set", "r_mode", "4"]
