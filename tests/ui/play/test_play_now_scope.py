"""Play Now follows the list on screen, or a saved filter.

It leaves out what failed.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from join_helpers import FakeArenaServer, game_on_path, open_app_with, row_of_server
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver, FakeGame, OpenApp, buttons_by_text, small_network

from browser_app import language
from browser_app.catalogue.server_value_text import server_numbers_text
from browser_app.demo.demo_network import DemoNetwork
from browser_app.paths import resource_folder
from browser_app.storage.setting_declarations import PLAY_NOW_COUNTDOWN_S, PLAY_NOW_SCOPE
from browser_app.storage.user_lists.saved_filter_store import SAVED_LIST_PREFIX
from browser_app.ui.lists.server_list_membership import ALL_LIST, BLOCKED_LIST, FAVOURITES_LIST, GAME_LIST_PREFIX
from browser_app.ui.play.play_now_bar import PlayNowState


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    """Servers of pair_app installed games and of one that is not installed."""
    with small_network(servers=30, games=("openarena", "quake3", "unvanquished")) as network:
        yield network


@pytest.fixture(autouse=True)
def _only_these_programs(installed_programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join((str(installed_programs), "/usr/bin", "/bin")))
    monkeypatch.setenv("HOME", str(tmp_path))


def choice(app: AppDriver) -> int:
    return app.window.play_now_controller.current_choice


def wait_for_choice(app: AppDriver, condition: Callable[[int], object]) -> None:
    app.wait(lambda: choice(app) >= 0 and condition(choice(app)))


def texts(app: AppDriver) -> tuple[str, str, str]:
    return app.play_now_bar.shown_texts()


def joinable(app: AppDriver, server: int) -> bool:
    c = app.catalogue
    return bool(c.installed[server]) and not c.password[server] and not c.is_unjoinable(server)


def show_list(app: AppDriver, key: str) -> None:
    app.window.servers_view.sidebar.select_list(key)


def best_of_shown(app: AppDriver) -> str:
    shown = app.servers()
    eligible = sum(joinable(app, server) for server in shown)
    return f"Best of {len(shown)} shown: " if eligible == len(shown) else f"Best of {eligible} of {len(shown)} shown: "


class TestTheListOnScreen:
    def test_better_server_left_recently_is_named(self, app: AppDriver) -> None:
        shown = [server for server in app.servers() if joinable(app, server)]
        first, last = shown[0], shown[-1]
        for server in (first, last):
            app.window.servers_view.toggle_favourite(server)
        show_list(app, FAVOURITES_LIST)
        app.catalogue.recently_left[first] = True
        app.live.rescore()
        wait_for_choice(app, lambda server: server == last)
        assert app.catalogue.score[first] > app.catalogue.score[last]
        assert texts(app)[2].startswith("The only choice of 2 shown: ")
        assert texts(app)[2].endswith(f" “{app.catalogue.name[first]}” ranks higher, but you left it recently.")

    def test_better_server_of_missing_game_is_not_named(self, app: AppDriver) -> None:
        c, shown = app.catalogue, app.servers()
        missing = next(server for server in shown if not c.installed[server])
        joined = [server for server in shown if joinable(app, server)][-1]
        for server in (missing, joined):
            app.window.servers_view.toggle_favourite(server)
        show_list(app, FAVOURITES_LIST)
        c.recently_left[missing] = True
        app.live.rescore()
        wait_for_choice(app, lambda server: server == joined)
        assert c.score[missing] > c.score[joined]
        assert "ranks higher" not in texts(app)[2]

    @pytest.mark.usefixtures("german_language")
    def test_reasons_are_shown_in_narrow_window(self, open_app: OpenApp) -> None:
        app = open_app(size=(900, 700))
        for chosen_language in ("de", language.ENGLISH):
            language.set_language(resource_folder() / "languages", chosen_language)
            app.window.play_now_controller.refresh()
            whole, shown = texts(app)[2], app.play_now_bar._sentence_label.visible_text
            assert shown != whole
            assert "…" not in shown
            first_point = whole.split("; ")[1].rstrip(".")
            assert first_point[1:] in shown

    def test_last_points_are_left_out_before_figures(self, open_app: OpenApp) -> None:
        app = open_app(size=(1280, 800))
        app.wait(lambda: choice(app) >= 0)
        app.window.servers_view.toggle_favourite(choice(app))
        app.wait(lambda: "; your favourite." in texts(app)[2])
        bar = app.play_now_bar
        app.wait(lambda: bar._sentence_label.visible_text != texts(app)[2])
        figures, point, *_others = texts(app)[2].removesuffix(".").split("; ")
        assert re.search(r": \d+ playing, (\d+ slots?|no slot) free, <?\d+ ms$", figures)
        assert bar._sentence_label.visible_text.startswith(f"{figures}; {point}")

    def test_side_list_narrows_the_choice(self, app: AppDriver) -> None:
        for game in ("openarena", "quake3", "openarena"):
            show_list(app, GAME_LIST_PREFIX + game)
            app.wait(lambda: texts(app)[2].startswith(best_of_shown(app)))
            assert choice(app) in app.servers()
            assert app.catalogue.game[choice(app)] == game

    def test_chip_and_text_filter_narrow_the_choice(self, app: AppDriver) -> None:
        view = app.window.servers_view
        before = choice(app)
        view.chip_bar.chip("players").click()
        app.wait(lambda: best_of_shown(app) in texts(app)[2])
        view.filter_controller.add_term(f'-name:"{app.catalogue.name[before]}"')
        wait_for_choice(app, lambda server: server != before and server in app.servers())
        best = max((s for s in app.servers() if joinable(app, s)), key=lambda s: app.catalogue.score[s])
        assert choice(app) == best

    def test_only_server_shown(self, app: AppDriver) -> None:
        name = app.catalogue.name[choice(app)]
        app.window.filter_field.set_text(f'name:"{name}"')
        app.wait(lambda: len(app.servers()) == 1)
        app.wait(lambda: texts(app)[2].startswith("The only one shown: "))

    def test_verification_keeps_to_the_list(self, app: AppDriver) -> None:
        app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 9.0)
        show_list(app, GAME_LIST_PREFIX + "quake3")
        shown = {app.catalogue.name[server] for server in app.servers()}
        steps: list[tuple[str, ...]] = []
        app.program.backend.play_now.step_reached.connect(
            lambda _: steps.append(app.window.play_now_popover.line_texts())
        )
        app.play_now_bar.button.click()
        app.wait(lambda: app.play_now_bar.is_counting_down)
        assert len(steps) == 2
        assert all(any(name in line for name in shown) for line in steps[0])
        assert app.window.play_now_popover.isVisible()
        assert app.window.play_now_popover.line_texts() == steps[1]
        assert sum("still the best" in line for line in steps[1]) == 1
        app.play_now_bar.button.click()
        assert not app.window.play_now_popover.isVisible()

    def test_favourites_show_what_filters_would_hide(self, app: AppDriver) -> None:
        servers = [server for server in app.servers() if joinable(app, server)][:2]
        for server in servers:
            app.window.servers_view.toggle_favourite(server)
        show_list(app, FAVOURITES_LIST)
        app.window.filter_field.set_text("players>=200")
        app.wait(lambda: texts(app)[2].startswith("Best of 2 shown: "))
        assert choice(app) in servers

    def test_my_skill_keeps_the_last_list(self, app: AppDriver) -> None:
        show_list(app, GAME_LIST_PREFIX + "quake3")
        wait_for_choice(app, lambda server: app.catalogue.game[server] == "quake3")
        before = texts(app)
        app.press(Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
        app.live.rescore()
        app.settle()
        assert texts(app) == before

    def test_search_keeps_its_list(self, app: AppDriver) -> None:
        app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 9.0)
        show_list(app, GAME_LIST_PREFIX + "unvanquished")
        app.wait(lambda: app.play_now_bar.button.state is PlayNowState.NONE_ELIGIBLE)
        app.play_now_bar.button.click()
        app.wait(lambda: texts(app)[2].startswith("Still looking, attempt 2"))
        for key in (ALL_LIST, GAME_LIST_PREFIX + "openarena"):
            show_list(app, key)
            app.wait(lambda: texts(app)[2].startswith("Still looking in the list shown at the start, attempt "))
        outside = len(app.catalogue) - int(app.live.catalogue.game.matching_rows("unvanquished".__eq__).sum())
        app.wait(lambda: "attempt 3" in texts(app)[2])
        app.wait(lambda: app.window.play_now_popover.line_texts()[0] == f"Not in the list {outside}")
        show_list(app, GAME_LIST_PREFIX + "unvanquished")
        app.wait(lambda: texts(app)[2].startswith("Still looking, attempt "))
        app.play_now_bar.button.click()
        app.wait(lambda: app.play_now_bar.button.state is PlayNowState.NONE_ELIGIBLE)
        show_list(app, GAME_LIST_PREFIX + "openarena")
        wait_for_choice(app, lambda server: app.catalogue.game[server] == "openarena")


class TestNothingEligibleInTheList:
    def test_game_that_is_not_installed(self, app: AppDriver) -> None:
        show_list(app, GAME_LIST_PREFIX + "unvanquished")
        app.wait(lambda: choice(app) < 0)
        headline, _numbers, sentence = texts(app)
        assert headline == f"None of the {len(app.servers())} shown are suitable"
        assert "Not installed: " in sentence
        shown = sum(int(number) for number in re.findall(r": (\d+)", sentence))
        assert shown == len(app.servers())

    def test_one_click_widens_the_list(self, app: AppDriver) -> None:
        show_list(app, BLOCKED_LIST)
        app.window.filter_field.set_text("players>=1")
        app.wait(lambda: texts(app)[0] == "The list shows no servers")
        assert texts(app)[2] == "Play Now uses the list on screen."
        assert app.play_now_bar.action_button.text() == "Show all"
        app.bot.mouseClick(app.play_now_bar.action_button, Qt.MouseButton.LeftButton)
        wait_for_choice(app, lambda server: joinable(app, server))
        assert app.window.servers_view.sidebar.current_key == ALL_LIST
        assert len(app.servers()) == len(app.catalogue)
        assert app.play_now_bar.action_button.isHidden()

    def test_press_offers_all_servers_this_time(self, app: AppDriver) -> None:
        app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 9.0)
        show_list(app, GAME_LIST_PREFIX + "unvanquished")
        app.wait(lambda: choice(app) < 0)
        app.play_now_bar.button.click()
        popover = app.window.play_now_popover
        app.wait(popover.suggestion_button.isVisible)
        lines = popover.line_texts()
        assert sum(int(line.rsplit(" ", 1)[1]) for line in lines) == len(app.catalogue)
        assert lines[0] == f"Not in the list {len(app.catalogue) - len(app.servers())}"
        assert popover.suggestion_button.text() == "Choose from all servers"
        app.bot.mouseClick(popover.suggestion_button, Qt.MouseButton.LeftButton)
        app.wait(lambda: app.play_now_bar.is_counting_down)
        app.play_now_bar.button.click()
        assert choice(app) < 0  # applied only once

    def test_exclusions_name_list_and_filters(self, app: AppDriver) -> None:
        show_list(app, GAME_LIST_PREFIX + "openarena")
        app.window.servers_view.filter_controller.set_filter("ping", "ping<=50")
        app.window.filter_field.set_text("players>=200")
        app.wait(lambda: texts(app)[0] == "The list shows no servers")
        app.play_now_bar.button.click()
        app.wait(app.window.play_now_popover.isVisible)
        c = app.catalogue
        listed = sum(c.game[server] == "openarena" for server in range(len(c)))
        slow = sum(c.game[server] == "openarena" and not c.ping_ms[server] <= 50 for server in range(len(c)))
        expected = {"Not in the list": len(c) - listed, "Filter: ping<=50": slow, "Filter: players>=200": listed - slow}
        assert app.window.play_now_popover.line_texts() == tuple(
            f"{label} {number}" for label, number in expected.items() if number
        )
        app.play_now_bar.button.click()

    def test_popover_stops_the_search(self, app: AppDriver) -> None:
        show_list(app, GAME_LIST_PREFIX + "unvanquished")
        app.wait(lambda: choice(app) < 0)
        app.play_now_bar.button.click()
        popover = app.window.play_now_popover
        app.wait(popover.stop_button.isVisible)
        assert popover.stop_button.text() == "Stop looking"
        app.bot.mouseClick(popover.stop_button, Qt.MouseButton.LeftButton)
        app.wait(lambda: not app.program.backend.play_now.is_running)
        assert popover.isHidden()
        assert app.play_now_bar.button.state is PlayNowState.NONE_ELIGIBLE


class TestSavedFilterAsScope:
    @pytest.fixture
    def app(self, app: AppDriver) -> AppDriver:
        app.program.storage.saved_filters.save("Quake nights", "game:quake3 players>=0")
        app.program.settings.set(PLAY_NOW_SCOPE, SAVED_LIST_PREFIX + "Quake nights")
        return app

    def test_list_on_screen_does_not_matter(self, app: AppDriver) -> None:
        show_list(app, GAME_LIST_PREFIX + "openarena")
        wait_for_choice(app, lambda server: app.catalogue.game[server] == "quake3")
        assert texts(app)[2].startswith("Best of “Quake nights”: ")

    def test_renamed_and_deleted(self, app: AppDriver) -> None:
        filters = app.window.servers_view.saved_filter_controller
        filters._rename_filter("Quake nights", "Evenings")
        assert app.program.settings.get(PLAY_NOW_SCOPE) == SAVED_LIST_PREFIX + "Evenings"
        app.wait(lambda: texts(app)[2].startswith("Best of “Evenings”: "))
        filters.delete_filter("Evenings")
        assert app.program.settings.get(PLAY_NOW_SCOPE) == ""
        app.wait(lambda: texts(app)[2].startswith(best_of_shown(app)))

    def test_exclusions_name_its_terms(self, app: AppDriver) -> None:
        app.program.storage.saved_filters.save("Quake nights", "game:quake3 players>=200")
        app.live.rescore()
        app.wait(lambda: texts(app)[0] == "No server matches “Quake nights”")
        assert app.play_now_bar.action_button.isHidden()
        app.play_now_bar.button.click()
        popover = app.window.play_now_popover
        app.wait(popover.suggestion_button.isVisible)
        others = sum(app.catalogue.game[server] != "quake3" for server in range(len(app.catalogue)))
        assert popover.line_texts() == (
            f"Filter: game:quake3 {others}",
            f"Filter: players>=200 {len(app.catalogue) - others}",
        )
        app.play_now_bar.button.click()


class TestFailures:
    @pytest.fixture
    def broken(self, app: AppDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppDriver:
        """The program with games that have no valid program file."""
        app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 0.0)
        folder = tmp_path / "broken"
        folder.mkdir()
        for name in ("openarena", "quake3"):
            (folder / name).write_bytes(b"\x00not a program")
            (folder / name).chmod(0o755)
        monkeypatch.setenv("PATH", str(folder))
        return app

    def test_launch_error_names_the_next_best(self, broken: AppDriver) -> None:
        app = broken
        first = choice(app)
        app.play_now_bar.button.click()
        app.wait(lambda: texts(app)[0] == "Could not start")
        game = app.catalogue.game[first]
        assert app.catalogue.game[choice(app)] not in (game, "unvanquished")
        next_best = f"Next best: “{app.catalogue.name[choice(app)]}”, {numbers(app)}."
        assert texts(app)[2] == f"{game} cannot be started: Exec format error. {next_best}"
        app.play_now_bar.button.click()
        app.wait(lambda: app.play_now_bar.button.state is PlayNowState.NONE_ELIGIBLE)
        assert choice(app) < 0

    def test_missing_game_is_left_out(self, app: AppDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 0.0)
        game = app.catalogue.game[choice(app)]
        FakeGame(tmp_path / "rest", "quake3" if game == "openarena" else "openarena")
        monkeypatch.setenv("PATH", str(tmp_path / "rest"))  # uninstalled since the last look
        app.play_now_bar.button.click()
        app.wait(lambda: "is not installed" in texts(app)[0])
        assert app.catalogue.game[choice(app)] not in (game, "unvanquished")
        assert texts(app)[2] == f"Next best: “{app.catalogue.name[choice(app)]}”, {numbers(app)}."


def numbers(app: AppDriver) -> str:
    return server_numbers_text(app.catalogue, choice(app))


@pytest.fixture
def arenas() -> list[FakeArenaServer]:
    return [FakeArenaServer("First", players=2), FakeArenaServer("Second")]


@pytest.fixture
def pair_app(qtbot: QtBot, qapp: QApplication, arenas: list[FakeArenaServer]) -> Iterator[AppDriver]:
    """The program with pair_app servers, of which the first is better."""
    with open_app_with(qtbot, qapp, *arenas) as app:
        app.settle()
        app.wait(lambda: choice(app) == row_of_server(app, arenas[0]))
        yield app


class TestChangesUntilTheStart:
    def test_full_after_the_check(self, pair_app: AppDriver, arenas: list[FakeArenaServer]) -> None:
        pair_app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 9.0)
        arenas[0].players = 4
        pair_app.play_now_bar.button.click()
        pair_app.wait(lambda: pair_app.play_now_bar.is_counting_down)
        headline, _numbers, sentence = texts(pair_app)
        assert headline == "Joining “Second”"
        assert sentence.startswith("“First” is full. Next best: 1/4")
        lines = pair_app.window.play_now_popover.line_texts()
        assert "Full" in lines[0]
        assert "now the best" in lines[1]

    def test_filter_no_longer_passed_after_the_check(self, pair_app: AppDriver, arenas: list[FakeArenaServer]) -> None:
        pair_app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 9.0)
        pair_app.window.filter_field.set_text("players<3")
        pair_app.wait(lambda: pair_app.window.servers_view.filter_controller.expressions)
        arenas[0].players = 3
        pair_app.play_now_bar.button.click()
        pair_app.wait(lambda: pair_app.play_now_bar.is_counting_down)
        assert texts(pair_app)[0] == "Joining “Second”"
        assert texts(pair_app)[2].startswith("“First” no longer matches your filters. Next best: 1/4")

    def test_full_during_the_countdown(self, pair_app: AppDriver, arenas: list[FakeArenaServer]) -> None:
        pair_app.program.settings.set(PLAY_NOW_COUNTDOWN_S, 9.0)
        pair_app.play_now_bar.button.click()
        pair_app.wait(lambda: pair_app.play_now_bar.is_counting_down)
        assert texts(pair_app)[0] == "Joining “First”"
        arenas[0].players = 4
        pair_app.live.query(row_of_server(pair_app, arenas[0]))
        pair_app.wait(lambda: pair_app.catalogue.players[row_of_server(pair_app, arenas[0])] == 4)
        pair_app.play_now_bar._countdown_ms = 1
        pair_app.wait(lambda: texts(pair_app)[0] == "Joining “Second”")
        assert texts(pair_app)[2].startswith("“First” is full. Still the best of 1: 1/4")

    def test_left_within_seconds(
        self,
        pair_app: AppDriver,
        arenas: list[FakeArenaServer],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
        FakeGame(tmp_path / "bin", "openarena")
        pair_app.play_now_bar.button.click()
        pair_app.wait(lambda: texts(pair_app)[0] == "Game exited early: First")
        assert texts(pair_app)[2].startswith("It ran for ")
        assert re.search(r" Next best: “Second”, 1/4, .*ms\.$", texts(pair_app)[2])
        assert choice(pair_app) == row_of_server(pair_app, arenas[1])

    def test_second_game_needs_confirmation(
        self, pair_app: AppDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with game_on_path(tmp_path / "bin", monkeypatch) as game:
            pair_app.play_now_bar.button.click()
            pair_app.wait(lambda: game.was_started)
            (tmp_path / "bin/openarena.arguments").unlink()
            pair_app.play_now_bar.button.click()
            prompt = pair_app.window.join_controller.prompts.notification_bar
            pair_app.wait(prompt.isVisible)
            assert prompt.shown_texts()[0] == "A game is already running"
            assert not pair_app.program.backend.play_now.is_running  # no server is queried before the answer
            assert not game.was_started
            pair_app.bot.mouseClick(buttons_by_text(prompt)["Join anyway"], Qt.MouseButton.LeftButton)
            pair_app.wait(lambda: game.was_started)

    def test_question_says_that_game_ended(
        self, pair_app: AppDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with game_on_path(tmp_path / "bin", monkeypatch) as game:
            pair_app.play_now_bar.button.click()
            pair_app.wait(lambda: game.was_started)
            pair_app.play_now_bar.button.click()
            prompt = pair_app.window.join_controller.prompts.notification_bar
            pair_app.wait(prompt.isVisible)
            game.end()
            pair_app.wait(lambda: "ended" in prompt.shown_texts()[0])
            assert list(buttons_by_text(prompt)) == ["Join", "Cancel"]
            pair_app.bot.mouseClick(buttons_by_text(prompt)["Cancel"], Qt.MouseButton.LeftButton)
            assert prompt.isHidden()

    def test_waiting_twice_shows_one_bar(self, pair_app: AppDriver, arenas: list[FakeArenaServer]) -> None:
        server = row_of_server(pair_app, arenas[0])
        arenas[0].players = 4
        pair_app.live.query(server)
        pair_app.wait(lambda: pair_app.catalogue.is_unjoinable(server))
        joining = pair_app.window.join_controller
        for join in (joining.wait_for_slot, joining.wait_for_slot, joining.join):
            join(server)
            pair_app.wait(lambda: joining.slot_wait.server == server)
            assert joining.slot_wait.notification_bar.isVisible()
            assert joining.prompts.notification_bar.isHidden()
        assert not joining.is_using_bar


def test_scope_survives_a_restart(open_app: OpenApp) -> None:
    app = open_app()
    app.program.storage.saved_filters.save("Mine", "game:openarena")
    app.program.settings.set(PLAY_NOW_SCOPE, SAVED_LIST_PREFIX + "Mine")
    app.end()
    again = open_app()
    wait_for_choice(again, lambda server: again.catalogue.game[server] == "openarena")
    assert texts(again)[2].startswith("Best of “Mine”: ")
