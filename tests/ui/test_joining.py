"""From the wish to join to the started game: what is asked first, what is asked again, and what follows."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from joining_rig import Arena, Game, MemoryStore, a_game, a_room, connect_of, select, server_of, set_before
from loopback_servers import serving
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from timeouts import LIMIT_S, SINGLE_ATTEMPT
from window_helpers import AppDriver, OpenApp, small_network

from browser_app.bridge import join_queries
from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.paths import user_paths
from browser_app.storage.setting_declarations import OWN_VERSIONS, PAUSE_IN_GAME, PLAY_NOW_COUNTDOWN_S
from browser_app.ui.play import join_controller
from browser_app.ui.play.join_prompts import NotificationBar
from browser_app.ui.play.password_prompt import PasswordDialog
from browser_app.ui.play.play_bar import PlayNowState

WORD = "s3same!"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    with a_game(tmp_path / "bin", monkeypatch) as game:
        yield game


@pytest.fixture
def arena() -> Arena:
    return Arena("Arena")


@pytest.fixture
def app(qtbot: QtBot, qapp: QApplication, arena: Arena, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppDriver]:
    """One server, always asked again before a start."""
    monkeypatch.setattr(join_controller, "JOIN_ANSWER_MAX_AGE_S", 0.0)
    with a_room(qtbot, qapp, arena) as app:
        yield app


def strip(app: AppDriver) -> NotificationBar:
    return app.window.join_controller.prompts.notification_bar


def press(app: AppDriver, words: str) -> None:
    """A button of the strip."""
    app.bot.mouseClick(strip(app).buttons_by_text()[words], Qt.MouseButton.LeftButton)


def enter(app: AppDriver, arena: Arena) -> int:
    """Enter on its row."""
    server = select(app, arena)
    app.press(Qt.Key.Key_Return)
    return server


def dialog(app: AppDriver) -> PasswordDialog:
    """The dialog that asks for a password."""
    app.wait(lambda: app.window.join_controller.passwords.dialog is not None)
    found = app.window.join_controller.passwords.dialog
    assert found is not None
    app.wait(found.isVisible)
    return found


def with_store(app: AppDriver) -> MemoryStore:
    """Give the system a secret store."""
    store, secrets = MemoryStore(), app.program.session.secrets
    secrets._store, secrets._has_searched = store, True
    return store


def give(app: AppDriver, password: str) -> None:
    """Type the password and press Enter."""
    asking = dialog(app)
    app.bot.keyClicks(asking.password_field, password)
    app.bot.keyClick(asking.password_field, Qt.Key.Key_Return)


class TestTheQuestionsBefore:
    def test_the_server_is_asked_again_before_every_start(self, app: AppDriver, arena: Arena, game: Game) -> None:
        server = select(app, arena)
        asked = arena.asked
        app.press(Qt.Key.Key_Return)
        app.wait(lambda: game.was_started)
        assert arena.asked == asked + 1
        assert game.arguments == ["+connect", str(connect_of(app, server))]

    def test_another_map_is_said(self, app: AppDriver, arena: Arena, game: Game) -> None:
        select(app, arena)
        arena.info["mapname"] = "oa_dm7"
        app.press(Qt.Key.Key_Return)
        app.wait(lambda: game.was_started)
        assert app.play_bar.shown_texts() == ("Started Arena", "", "The map is now oa_dm7.")

    def test_full_since_is_said_during_the_countdown(
        self, qtbot: QtBot, qapp: QApplication, arena: Arena, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(join_controller, "JOIN_ANSWER_MAX_AGE_S", 0.0)
        with a_room(qtbot, qapp, arena, countdown_s=9.0) as app:
            select(app, arena)
            arena.players = 4
            app.press(Qt.Key.Key_Return)
            counting = [app.play_bar.is_counting_down]
            app.wait(strip(app).isVisible)
            counting.append(app.play_bar.is_counting_down)
            assert counting == [True, False]
            assert strip(app).shown_texts() == ("Arena is full", "4/4 playing.")
            assert app.play_bar.button.state is not PlayNowState.BUSY
            press(app, "Cancel")
            assert strip(app).isHidden()
            assert app.window.focusWidget() is app.table
        assert not game.was_started

    def test_a_password_since_is_asked_for(self, app: AppDriver, arena: Arena, game: Game) -> None:
        select(app, arena)
        arena.info["g_needpass"] = "1"
        app.press(Qt.Key.Key_Return)
        give(app, WORD)
        app.wait(lambda: game.was_started)
        assert (game.arguments or [])[:2] == ["+password", WORD]

    def test_one_that_does_not_answer_is_not_joined_unasked(
        self, app: AppDriver, arena: Arena, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(join_queries, "RECHECK_TIMING", QueryTiming(waits_s=(0.05, 0.05), late_reply_wait_s=0.1))
        select(app, arena)
        arena.silent = True
        app.press(Qt.Key.Key_Return)
        app.wait(strip(app).isVisible)
        assert strip(app).shown_texts()[0] == "Arena does not answer"
        assert not game.was_started
        press(app, "Join anyway")
        app.wait(lambda: game.was_started)

    def test_the_answer_is_waited_for_no_longer_than_said(
        self, app: AppDriver, arena: Arena, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(join_controller, "ANSWER_TIMEOUT_S", 0.3)
        select(app, arena)
        arena.silent = True
        began_s = time.monotonic()
        app.press(Qt.Key.Key_Return)
        assert app.play_bar.shown_texts()[2] == "Checking again…"
        app.wait(strip(app).isVisible)
        assert 0.3 <= time.monotonic() - began_s < LIMIT_S / 2
        assert not game.was_started

    def test_one_that_never_answered_is_asked_first(
        self, app: AppDriver, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(join_queries, "RECHECK_TIMING", QueryTiming(waits_s=(0.05, 0.05), late_reply_wait_s=0.1))
        added = Arena("Added")
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

    def test_escape_takes_a_question_away(self, app: AppDriver, arena: Arena, game: Game) -> None:
        select(app, arena)
        arena.players = 4
        app.press(Qt.Key.Key_Return)
        app.wait(strip(app).isVisible)
        app.press(Qt.Key.Key_Escape)
        assert strip(app).isHidden()
        assert not game.was_started
        assert app.window.focusWidget() is app.table

    def test_another_wish_takes_the_place_of_a_question(
        self, qtbot: QtBot, qapp: QApplication, arena: Arena, game: Game
    ) -> None:
        other = Arena("Other", players=4)
        with a_room(qtbot, qapp, arena, other) as app:
            enter(app, other)
            app.wait(strip(app).isVisible)
            server = enter(app, arena)
            app.wait(lambda: game.was_started)
            assert strip(app).isHidden()
            assert game.arguments == ["+connect", str(connect_of(app, server))]

    def test_a_full_server_can_be_joined_all_the_same(self, app: AppDriver, arena: Arena, game: Game) -> None:
        arena.players = 4
        enter(app, arena)
        app.wait(strip(app).isVisible)
        press(app, "Join anyway")
        app.wait(lambda: game.was_started)

    def test_a_second_enter_does_not_begin_the_countdown_anew(
        self, qtbot: QtBot, qapp: QApplication, arena: Arena, game: Game
    ) -> None:
        def left_s(app: AppDriver) -> float:
            return float(app.play_bar.shown_texts()[2].split()[-2])

        with a_room(qtbot, qapp, arena, countdown_s=9.0) as app:
            enter(app, arena)
            app.wait(lambda: left_s(app) < 8.9)
            before_s = left_s(app)
            app.press(Qt.Key.Key_Return)
            assert left_s(app) <= before_s
            assert app.play_bar.is_counting_down
        assert not game.was_started

    def test_a_join_in_hand_takes_the_place_of_a_play_now_that_asks(
        self, qtbot: QtBot, qapp: QApplication, arena: Arena, game: Game
    ) -> None:
        with a_room(qtbot, qapp, arena, Arena("Other"), countdown_s=0.2) as app:
            server = select(app, arena)
            app.press(Qt.Key.Key_P)
            assert app.program.backend.play_now.is_running
            app.press(Qt.Key.Key_Return)
            app.wait(lambda: game.was_started)
            assert game.arguments == ["+connect", str(connect_of(app, server))]
            assert app.play_bar.shown_texts()[0] == "Started Arena"


class TestVersionsAndRookies:
    def test_another_version_is_said_plainly(self, qtbot: QtBot, qapp: QApplication, arena: Arena, game: Game) -> None:
        set_before(OWN_VERSIONS, {"openarena": "0.8.8"})
        arena.info["version"] = "ioq3+oa 1.36"
        with a_room(qtbot, qapp, arena) as app:
            its = app.catalogue.version[server_of(app, arena)]
            enter(app, arena)
            assert strip(app).shown_texts()[0] == "Arena has another version"
            assert its in strip(app).shown_texts()[1]
            assert "your game is 0.8.8" in strip(app).shown_texts()[1]
            press(app, "Join anyway")
            app.wait(lambda: game.was_started)

    def test_the_same_version_and_unknown_ones_are_no_hurdle(
        self, qtbot: QtBot, qapp: QApplication, arena: Arena, game: Game
    ) -> None:
        arena.info["version"] = "ioq3+oa 1.36"
        with a_room(qtbot, qapp, arena) as app:
            its = app.catalogue.version[server_of(app, arena)]
            app.program.session.settings.set(OWN_VERSIONS, {"openarena": its.upper()})
            enter(app, arena)
            app.wait(lambda: game.was_started)

    def test_a_server_for_rookies_asks_first(self, app: AppDriver, arena: Arena, game: Game) -> None:
        server = select(app, arena)
        app.catalogue.rookie_only[server] = 1.0
        app.press(Qt.Key.Key_Return)
        assert strip(app).shown_texts()[0] == "Arena is for rookies only"
        press(app, "Cancel")
        assert not game.was_started


class TestPasswords:
    @pytest.fixture
    def arena(self) -> Arena:
        return Arena("Locked", g_needpass="1")

    def test_a_password_is_asked_for_and_told_to_the_game_only(self, app: AppDriver, arena: Arena, game: Game) -> None:
        store = with_store(app)
        server = enter(app, arena)
        asking = dialog(app)
        assert not asking.join_button.isEnabled()
        app.bot.keyClicks(asking.password_field, "two words")
        assert "no space" in asking.problem_label.text()
        assert not asking.join_button.isEnabled()
        asking.password_field.clear()
        give(app, WORD)
        app.wait(lambda: game.was_started)
        assert game.arguments == ["+password", WORD, "+connect", str(connect_of(app, server))]
        assert store.kept == {}
        folder = user_paths().settings
        assert all(WORD.encode() not in file.read_bytes() for file in folder.rglob("*") if file.is_file())

    def test_it_is_kept_when_the_game_ran_for_a_while(self, app: AppDriver, arena: Arena, game: Game) -> None:
        store = with_store(app)
        app.window.join_controller._services.running_game._successful_run_s = 0.0
        server = enter(app, arena)
        app.wait(dialog(app).save_box.isChecked)
        give(app, WORD)
        app.wait(lambda: game.was_started)
        app.wait(lambda: app.catalogue.password_saved[server])
        assert list(store.kept.values()) == [WORD]
        game.end()
        app.wait(lambda: not app.window.join_controller._services.running_game.is_running)
        assert app.window.join_controller.passwords.dialog is None

    def test_it_is_not_kept_when_the_game_ends_at_once(self, app: AppDriver, arena: Arena, game: Game) -> None:
        store = with_store(app)
        server = enter(app, arena)
        app.wait(dialog(app).save_box.isChecked)
        give(app, WORD)
        app.wait(lambda: game.was_started)
        game.end()
        app.wait(lambda: not app.window.join_controller._services.running_game.is_running)
        assert store.kept == {}
        assert not app.window.join_controller.passwords.has_unconfirmed_password(server)

    def test_it_is_not_kept_when_that_is_not_wanted(self, app: AppDriver, arena: Arena, game: Game) -> None:
        store = with_store(app)
        app.window.join_controller._services.running_game._successful_run_s = 0.0
        enter(app, arena)
        app.wait(dialog(app).save_box.isChecked)
        app.bot.keyClick(dialog(app).save_box, Qt.Key.Key_Space)
        give(app, WORD)
        app.wait(lambda: game.was_started)
        with app.bot.waitSignal(app.window.join_controller._services.running_game.join_confirmed):
            pass
        assert store.kept == {}

    def test_one_that_was_typed_for_a_join_that_was_cancelled_is_not_kept(
        self, app: AppDriver, arena: Arena, game: Game
    ) -> None:
        store = with_store(app)
        app.window.join_controller._services.running_game._successful_run_s = 0.0
        app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 9.0)
        server = enter(app, arena)
        app.wait(dialog(app).save_box.isChecked)
        give(app, "wrong")
        app.wait(lambda: app.play_bar.is_counting_down)
        app.play_bar.button.click()
        app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 0.0)
        app.window.join_controller.passwords.set_link_password(server, WORD)
        app.window.join_controller.join(server)
        with app.bot.waitSignal(app.window.join_controller._services.running_game.join_confirmed):
            pass
        assert (game.arguments or [])[:2] == ["+password", WORD]
        assert not app.window.join_controller.passwords.has_unconfirmed_password(server)
        assert store.kept == {}

    def test_without_a_store_it_says_so(self, app: AppDriver, arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(app.program.backend.server_launcher, "check_launch", lambda _: None)
        enter(app, arena)
        app.wait(lambda: dialog(app).save_box.text().startswith("No secret store here"))
        assert not dialog(app).save_box.isEnabled()
        app.bot.keyClick(dialog(app), Qt.Key.Key_Escape)
        app.wait(lambda: app.window.join_controller.passwords.dialog is None)
        assert app.play_bar.button.state is not PlayNowState.BUSY

    def test_a_saved_one_can_be_replaced(self, app: AppDriver, arena: Arena, game: Game) -> None:
        with_store(app)
        server = server_of(app, arena)
        assert app.program.backend.server_launcher.save_password(server, "old")
        app.program.backend.server_launcher.notify_lists_changed()
        app.window.join_controller.join_with_password(server)
        give(app, WORD)
        app.wait(lambda: game.was_started)
        assert (game.arguments or [])[:2] == ["+password", WORD]


class TestAfterTheStart:
    def test_nobody_is_asked_while_the_game_runs_and_the_list_is_refreshed_then(
        self, app: AppDriver, arena: Arena, game: Game
    ) -> None:
        enter(app, arena)
        app.wait(lambda: game.was_started)
        assert app.live.is_paused
        assert not app.live.is_running
        app.rest()
        with app.bot.waitSignal(app.live.running_changed):
            game.end()
        assert not app.live.is_paused

    def test_that_can_be_switched_off(self, app: AppDriver, arena: Arena, game: Game) -> None:
        app.program.session.settings.set(PAUSE_IN_GAME, False)
        enter(app, arena)
        app.wait(lambda: game.was_started)
        assert not app.live.is_paused

    def test_that_holds_at_once_in_the_middle_of_a_game(self, app: AppDriver, arena: Arena, game: Game) -> None:
        enter(app, arena)
        app.wait(lambda: game.was_started)
        app.rest()
        with app.bot.waitSignal(app.live.running_changed):
            app.program.settings.set(PAUSE_IN_GAME, False)
        assert not app.live.is_paused
        app.program.settings.set(PAUSE_IN_GAME, True)
        assert app.live.is_paused

    def test_the_end_of_the_visit_is_remembered(self, app: AppDriver, arena: Arena, game: Game) -> None:
        server = enter(app, arena)
        app.wait(lambda: game.was_started)
        history, address = app.program.session.visit_history, app.catalogue.targets[server].address
        assert history.visits_of(address)[0].left_at is None
        game.end()
        app.wait(lambda: history.visits_of(address)[0].left_at is not None)
        left_at = history.visits_of(address)[0].left_at
        assert left_at is not None
        assert abs(left_at - time.time()) < 60
        assert app.catalogue.recently_left[server]

    def test_a_game_that_breaks_off_is_said_to_have_done_so(
        self, app: AppDriver, arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with a_game(tmp_path / "bin", monkeypatch, status=127) as game:
            enter(app, arena)
            app.wait(lambda: game.was_started)
            game.end()
            app.wait(lambda: app.play_bar.shown_texts()[0] == "The game for Arena exited early")
            assert "status 127" in app.play_bar.shown_texts()[2]

    def test_own_arguments_come_first(self, app: AppDriver, arena: Arena, game: Game) -> None:
        server = server_of(app, arena)
        own = app.program.session.launch_arguments
        own.set(app.catalogue.targets[server].address, '+set r_mode 4 "+set name A B"')
        enter(app, arena)
        app.wait(lambda: game.was_started)
        connect = str(connect_of(app, server))
        assert game.arguments == ["+set", "r_mode", "4", "+set name A B", "+connect", connect]

    def test_arguments_that_were_just_typed_are_those_of_the_start(
        self, app: AppDriver, arena: Arena, game: Game
    ) -> None:
        server = select(app, arena)
        notes = app.window.servers_view.inspector.notes_page
        app.bot.keyClicks(notes.arguments_field, "+set r_mode 4")
        app.window.join_controller.join(server)
        app.wait(lambda: game.was_started)
        assert (game.arguments or [])[:3] == ["+set", "r_mode", "4"]


class TestThroughSteam:
    """NS2 has no program of its own on the path: Steam is told an address."""

    @pytest.fixture
    def steam(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
        library = tmp_path / ".local/share/Steam/steamapps"
        library.mkdir(parents=True)
        (library / "appmanifest_4920.acf").touch()
        monkeypatch.setenv("HOME", str(tmp_path))
        with a_game(tmp_path / "bin", monkeypatch, "steam") as game:
            game.end()
            yield game

    @pytest.mark.linux
    def test_its_end_is_not_seen_and_the_password_asked_about(self, open_app: OpenApp, steam: Game) -> None:
        with small_network(games=("ns2",), servers=4) as network:
            app = open_app(*(f"--server={url}" for url in network.sources.servers))
            store = with_store(app)
            server = app.servers()[0]
            app.catalogue.password[server] = 1
            app.window.join_controller.join(server)
            app.wait(dialog(app).save_box.isChecked)
            give(app, WORD)
            app.wait(lambda: steam.was_started)
            assert "when it ends is not seen from here" in app.play_bar.shown_texts()[2]
            assert not app.live.is_paused
            assert strip(app).shown_texts()[0].startswith("Did the password of ")
            press(app, "Yes, save")
            assert strip(app).isHidden()
            app.wait(lambda: list(store.kept.values()) == [WORD])
