"""Joining a server: prompts, the query before the start, passwords.

And what follows the start.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from join_helpers import (
    FakeArenaServer,
    LongRunningGame,
    MemorySecretStore,
    connect_address,
    game_on_path,
    open_app_with,
    row_of_server,
    save_setting,
    select_row_of,
)
from loopback_servers import serving
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from timeouts import LIMIT_S, SINGLE_ATTEMPT
from window_helpers import AppDriver, OpenApp, small_network

from browser_app.bridge import join_queries
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.paths import user_paths
from browser_app.protocols.address import Address
from browser_app.storage.setting_declarations import OWN_VERSIONS, PAUSE_IN_GAME, PLAY_NOW_COUNTDOWN_S
from browser_app.ui.play import join_controller
from browser_app.ui.play.password_prompt import PasswordDialog
from browser_app.ui.play.play_bar import PlayNowState
from browser_app.ui.widgets.notification_bar import NotificationBar

SECRET = "s3same!"  # noqa: S105 (a made-up one)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LongRunningGame]:
    with game_on_path(tmp_path / "bin", monkeypatch) as game:
        yield game


@pytest.fixture
def arena() -> FakeArenaServer:
    return FakeArenaServer("Arena")


@pytest.fixture
def app(
    qtbot: QtBot, qapp: QApplication, arena: FakeArenaServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AppDriver]:
    """The program with one server that is always queried again before a start."""
    monkeypatch.setattr(join_controller, "JOIN_ANSWER_MAX_AGE_S", 0.0)
    with open_app_with(qtbot, qapp, arena) as app:
        yield app


def prompt_bar(app: AppDriver) -> NotificationBar:
    return app.window.join_controller.prompts.notification_bar


def click_button(app: AppDriver, text: str) -> None:
    """Click a button of the prompt."""
    app.bot.mouseClick(prompt_bar(app).buttons_by_text()[text], Qt.MouseButton.LeftButton)


def press_enter_on(app: AppDriver, arena: FakeArenaServer) -> int:
    """Press Enter on the server's row."""
    server = select_row_of(app, arena)
    app.press(Qt.Key.Key_Return)
    return server


def password_dialog(app: AppDriver) -> PasswordDialog:
    """Wait for the password dialog."""
    app.wait(lambda: app.window.join_controller.passwords.dialog is not None)
    found = app.window.join_controller.passwords.dialog
    assert found is not None
    app.wait(found.isVisible)
    return found


def add_secret_store(app: AppDriver) -> MemorySecretStore:
    """Give the system a secret store."""
    store, secrets = MemorySecretStore(), app.program.session.secrets
    secrets._store, secrets._has_searched = store, True
    return store


def enter_password(app: AppDriver, password: str) -> None:
    """Type the password and press Enter."""
    dialog = password_dialog(app)
    app.bot.keyClicks(dialog.field, password)
    app.bot.keyClick(dialog.field, Qt.Key.Key_Return)


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

    def test_new_map_is_shown(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        select_row_of(app, arena)
        arena.info["mapname"] = "oa_dm7"
        app.press(Qt.Key.Key_Return)
        app.wait(lambda: game.was_started)
        assert app.play_bar.shown_texts() == ("Started Arena", "", "The map is now oa_dm7.")

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
            counting = [app.play_bar.is_counting_down]
            app.wait(prompt_bar(app).isVisible)
            counting.append(app.play_bar.is_counting_down)
            assert counting == [True, False]
            assert prompt_bar(app).shown_texts() == ("Arena is full", "4/4 playing.")
            assert app.play_bar.button.state is not PlayNowState.BUSY
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

    def test_silent_server_asks_first(
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
        assert app.play_bar.shown_texts()[2] == "Checking again…"
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
            (server,) = app.catalogue.add([QueryTarget(address, "quake3", None)])
            app.window.join_controller.join(server)
            assert app.play_bar.shown_texts()[2] == "Contacting the server…"
            app.wait(lambda: app.play_bar.shown_texts()[0] == "Could not start")
            assert "has never answered" in app.play_bar.shown_texts()[2]
            added.silent = False
            monkeypatch.setattr(join_queries, "RECHECK_TIMING", SINGLE_ATTEMPT)
            app.window.join_controller.join(server)
            app.wait(lambda: game.was_started)
            assert game.arguments == ["+connect", str(address)]

    def test_server_known_by_name_is_found(self, app: AppDriver, game: LongRunningGame) -> None:
        with serving(FakeArenaServer("Named")) as (address,):
            named = QueryTarget(Address("localhost", address.port), "quake3", None)
            (server,) = app.catalogue.add([named]).tolist()
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
            return float(app.play_bar.shown_texts()[2].split()[-2])

        with open_app_with(qtbot, qapp, arena, countdown_s=9.0) as app:
            press_enter_on(app, arena)
            app.wait(lambda: left_s(app) < 8.9)
            before_s = left_s(app)
            app.press(Qt.Key.Key_Return)
            assert left_s(app) <= before_s
            assert app.play_bar.is_counting_down
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
            assert app.play_bar.shown_texts()[0] == "Started Arena"


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
            app.program.session.settings.set(OWN_VERSIONS, {"openarena": version.upper()})
            press_enter_on(app, arena)
            app.wait(lambda: game.was_started)

    def test_rookie_server_asks_first(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        server = select_row_of(app, arena)
        app.catalogue.rookie_only[server] = 1.0
        app.press(Qt.Key.Key_Return)
        assert prompt_bar(app).shown_texts()[0] == "Arena is for rookies only"
        click_button(app, "Cancel")
        assert not game.was_started


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
        app.wait(lambda: app.play_bar.is_counting_down)
        app.play_bar.button.click()
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
        assert app.play_bar.button.state is not PlayNowState.BUSY

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
            assert headline == "Locked may not be the server that the password was saved for"
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
        app.program.session.settings.set(PAUSE_IN_GAME, False)
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
        history, address = app.program.session.visit_history, app.catalogue.targets[server].address
        app.wait(lambda: game.was_started and history.visits_of(address))
        assert history.visits_of(address)[0].left_at is None
        game.end()
        app.wait(lambda: history.visits_of(address)[0].left_at is not None)
        left_at = history.visits_of(address)[0].left_at
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
            app.wait(lambda: app.play_bar.shown_texts()[0] == "Game exited early: Arena")
            assert "status 127" in app.play_bar.shown_texts()[2]

    def test_own_arguments_come_first(self, app: AppDriver, arena: FakeArenaServer, game: LongRunningGame) -> None:
        server = row_of_server(app, arena)
        own = app.program.session.launch_arguments
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
            assert "link" in app.play_bar.shown_texts()[2]
            assert not app.live.is_paused
            assert "password" in prompt_bar(app).shown_texts()[0]
            click_button(app, "Yes, save")
            assert prompt_bar(app).isHidden()
            app.wait(lambda: list(store.passwords.values()) == [SECRET])
