"""Passwords of servers: asked for, saved, and sent to whom."""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from join_helpers import (
    SECRET,
    FakeArenaServer,
    LongRunningGame,
    add_secret_store,
    click_button,
    connect_address,
    enter_password,
    game_on_path,
    password_dialog,
    press_enter_on,
    prompt_bar,
    row_of_server,
    select_row_of,
)
from PySide6.QtCore import Qt
from timeouts import LIMIT_S, SINGLE_ATTEMPT
from window_helpers import AppDriver, OpenApp, small_network

from browser_app.bridge import join_queries
from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.paths import user_paths
from browser_app.storage.setting_declarations import PLAY_NOW_COUNTDOWN_S
from browser_app.ui.play import join_controller
from browser_app.ui.play.play_now_bar import PlayNowState


class TestPasswords:
    @pytest.fixture
    def arena(self) -> FakeArenaServer:
        return FakeArenaServer("Locked", g_needpass="1")

    def test_password_goes_to_game_only(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        store = add_secret_store(app)
        server = press_enter_on(app, arena)
        dialog = password_dialog(app)
        assert not dialog.confirm_button.isEnabled()
        app.bot.keyClicks(dialog.field, "two words")
        assert "no space" in dialog.message_label.text()
        assert not dialog.confirm_button.isEnabled()
        dialog.field.clear()
        enter_password(app, SECRET)
        app.wait(lambda: game.was_started)
        assert game.arguments == ["+password", SECRET, "+connect", str(connect_address(app, server))]
        assert store.passwords == {}
        folder = user_paths().settings
        assert all(SECRET.encode() not in file.read_bytes() for file in folder.rglob("*") if file.is_file())

    def test_saved_once_game_ran_a_while(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        store = add_secret_store(app)
        app.window.join_controller._services.game_monitor._successful_run_s = 0.0
        server = press_enter_on(app, arena)
        app.wait(password_dialog(app).save_box.isChecked)
        enter_password(app, SECRET)
        app.wait(lambda: game.was_started)
        app.wait(lambda: app.catalogue.password_saved[server])
        assert list(store.passwords.values()) == [SECRET]
        game.end()
        app.wait(lambda: not app.window.join_controller._services.game_monitor.is_running)
        assert app.window.join_controller.passwords.dialog is None

    def test_not_saved_when_game_exits_early(
        self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame
    ) -> None:
        store = add_secret_store(app)
        server = press_enter_on(app, arena)
        app.wait(password_dialog(app).save_box.isChecked)
        enter_password(app, SECRET)
        app.wait(lambda: game.was_started)
        game.end()
        app.wait(lambda: not app.window.join_controller._services.game_monitor.is_running)
        assert store.passwords == {}
        assert not app.window.join_controller.passwords.has_unconfirmed_password(server)

    def test_not_saved_without_check_mark(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        store = add_secret_store(app)
        app.window.join_controller._services.game_monitor._successful_run_s = 0.0
        press_enter_on(app, arena)
        app.wait(password_dialog(app).save_box.isChecked)
        app.bot.keyClick(password_dialog(app).save_box, Qt.Key.Key_Space)
        enter_password(app, SECRET)
        app.wait(lambda: game.was_started)
        with app.bot.waitSignal(app.window.join_controller._services.game_monitor.join_confirmed):
            pass
        assert store.passwords == {}

    def test_password_of_cancelled_join_is_not_saved(
        self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame
    ) -> None:
        store = add_secret_store(app)
        app.window.join_controller._services.game_monitor._successful_run_s = 0.0
        app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 9.0)
        server = press_enter_on(app, arena)
        app.wait(password_dialog(app).save_box.isChecked)
        enter_password(app, "wrong")
        app.wait(lambda: app.play_now_bar.is_counting_down)
        app.play_now_bar.button.click()
        app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 0.0)
        app.window.join_controller.passwords.set_link_password(server, SECRET)
        app.window.join_controller.join(server)
        with app.bot.waitSignal(app.window.join_controller._services.game_monitor.join_confirmed):
            pass
        assert (game.arguments or [])[:2] == ["+password", SECRET]
        assert not app.window.join_controller.passwords.has_unconfirmed_password(server)
        assert store.passwords == {}

    def test_missing_keyring_is_shown(
        self, app: AppDriver, arena: FakeArenaServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(app.program.backend.server_launcher, "check_launch", lambda _: None)
        press_enter_on(app, arena)
        app.wait(lambda: "No keyring" in password_dialog(app).save_box.text())
        assert not password_dialog(app).save_box.isEnabled()
        app.bot.keyClick(password_dialog(app), Qt.Key.Key_Escape)
        app.wait(lambda: app.window.join_controller.passwords.dialog is None)
        assert app.play_now_bar.button.state is not PlayNowState.BUSY

    def test_saved_password_can_be_replaced(
        self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame
    ) -> None:
        add_secret_store(app)
        server = row_of_server(app, arena)
        assert app.program.backend.server_launcher.save_password(server, "old")
        app.program.backend.server_launcher.notify_lists_changed()
        app.window.join_controller.join_with_password(server)
        enter_password(app, SECRET)
        app.wait(lambda: game.was_started)
        assert (game.arguments or [])[:2] == ["+password", SECRET]

    def test_changed_server_asks_before_sending(
        self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame
    ) -> None:
        add_secret_store(app)
        server, launcher = row_of_server(app, arena), app.program.backend.server_launcher
        assert launcher.save_password(server, SECRET)
        launcher.notify_lists_changed()
        arena.info["d0_blind_id"] = f"1 {'K' * 44}@other"
        press_enter_on(app, arena)
        for button in ("Enter password…", "Send saved password"):
            app.wait(prompt_bar(app).isVisible)
            headline, changes = prompt_bar(app).shown_texts()
            assert headline == "“Locked” may not be the server that the password was saved for"
            assert changes == "The key that identifies the server has changed."
            assert not game.was_started
            click_button(app, button)
            if button == "Enter password…":
                app.bot.keyClick(password_dialog(app), Qt.Key.Key_Escape)
                press_enter_on(app, arena)
        app.wait(lambda: game.was_started)
        assert (game.arguments or [])[:2] == ["+password", SECRET]
        assert not launcher.password_warning(server)

    def test_answers_on_known_ports_do_not_count(
        self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Somebody forges answers while the server itself is silent."""
        monkeypatch.setattr(join_queries, "RECHECK_TIMING", SINGLE_ATTEMPT)
        monkeypatch.setattr(join_controller, "ANSWER_TIMEOUT_S", LIMIT_S)
        server, recheck = select_row_of(app, arena), app.window.join_controller._services.server_recheck
        info = app.catalogue.server_info(server)
        assert info is not None
        answer = QueryResult(app.catalogue.targets[server], QueryStatus.OK, info, None, 1.0, False, 1, 1.0)
        arena.silent, requests_before = True, arena.request_count
        app.press(Qt.Key.Key_Return)
        enter_password(app, SECRET)
        app.wait(lambda: arena.request_count > requests_before)
        app.live.merge_results([answer])
        recheck._check_scan()
        assert recheck._scan is not None
        assert recheck.seconds_since_check(server) == math.inf
        assert not game.was_started
        app.live.merge_results([replace(answer, own_port=True)])
        assert recheck.seconds_since_check(server) < LIMIT_S
        app.live.merge_results([replace(answer, info=replace(info, stable_key="d0:forged"))])
        assert recheck.seconds_since_check(server) == math.inf


class TestThroughSteam:
    """NS2 is started by passing an address to Steam."""

    @pytest.fixture
    def steam(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LongRunningGame]:
        library = tmp_path / ".local/share/Steam/steamapps"
        library.mkdir(parents=True)
        (library / "appmanifest_4920.acf").touch()
        monkeypatch.setenv("HOME", str(tmp_path))
        with game_on_path(tmp_path / "bin", monkeypatch, "steam") as game:
            game.end()
            yield game

    @pytest.mark.linux
    def test_saving_password_is_asked(self, open_app: OpenApp, steam: LongRunningGame) -> None:
        with small_network(games=("ns2",), servers=4) as network:
            app = open_app(*(f"--server={url}" for url in network.sources.servers))
            store = add_secret_store(app)
            server = app.servers()[0]
            app.catalogue.password[server] = 1
            app.window.join_controller.join(server)
            app.wait(password_dialog(app).save_box.isChecked)
            enter_password(app, SECRET)
            app.wait(lambda: steam.was_started)
            assert "link" in app.play_now_bar.shown_texts()[2]
            assert not app.live.is_paused
            assert "password" in prompt_bar(app).shown_texts()[0]
            click_button(app, "Yes, save")
            assert prompt_bar(app).isHidden()
            app.wait(lambda: list(store.passwords.values()) == [SECRET])
