"""The first steps: games, favourites, key and skill."""

import os
import sys
from pathlib import Path

import pytest
from access_walk import find_problems, out_of_reach
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from window_helpers import GAMES, AppDriver, OpenApp

from browser_app.application.round_imports.round_files import ROUND_FILE_WRITERS
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.storage.setting_declarations import OWN_SKILL, PLAYED_GAMES
from browser_app.storage.settings_store import Settings
from browser_app.ui.first_run.first_run_panel import FirstRunPanel
from browser_app.ui.first_run.first_run_step import FavouritesStep, SteamKeyStep
from browser_app.ui.first_run.games_step import GamesStep
from browser_app.ui.first_run.skill_step import SkillStep
from browser_app.ui.servers.server_columns import SCORE_MEANING
from browser_app.ui.widgets.form_fields import CHECK_BOX_HEIGHT
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import abbreviated_path

TOOL_TIP = Qt.ItemDataRole.ToolTipRole


@pytest.fixture
def games_step(qtbot: QtBot, theme: Theme) -> GamesStep:
    step = GamesStep(theme, GAMES)
    qtbot.addWidget(step)
    step.show()
    return step


@pytest.fixture
def skill_step(qtbot: QtBot, theme: Theme) -> SkillStep:
    step = SkillStep(theme)
    qtbot.addWidget(step)
    return step


class TestGamesStep:
    """Which games the user plays."""

    def test_installed_games_are_checked(self, games_step: GamesStep) -> None:
        games_step.show_installed(None, ())
        assert games_step.boxes == {}
        games_step.show_installed({"xonotic", "openarena", "no-such-game"}, ())
        assert games_step.chosen_games == ("openarena", "xonotic")

    def test_earlier_choice_is_checked_instead(self, games_step: GamesStep) -> None:
        games_step.show_installed({"xonotic", "openarena"}, ("xonotic", "ns2"))
        assert set(games_step.boxes) == {"xonotic", "openarena", "ns2"}
        assert set(games_step.chosen_games) == {"xonotic", "ns2"}

    def test_later_found_game_keeps_ticks(self, games_step: GamesStep) -> None:
        games_step.show_installed({"xonotic"}, ())
        games_step.boxes["xonotic"].setChecked(False)
        games_step.show_installed({"xonotic", "openarena"}, ())
        assert games_step.chosen_games == ("openarena",)

    def test_typed_name_adds_game(self, games_step: GamesStep) -> None:
        games_step.show_installed((), ())
        QTest.keyClicks(games_step.search_field, "TEAM fort")
        QTest.keyClick(games_step.search_field, Qt.Key.Key_Return)
        assert games_step.chosen_games == ("tf2",)
        assert games_step.search_field.text() == ""
        QTest.keyClicks(games_step.search_field, "no such game")
        QTest.keyClick(games_step.search_field, Qt.Key.Key_Return)
        assert games_step.chosen_games == ("tf2",)

    def test_typed_app_id_adds_game(self, qtbot: QtBot, theme: Theme) -> None:
        games = load_games(resource_folder() / "games")
        step = GamesStep(theme, games)
        qtbot.addWidget(step)
        step.show_installed((), ())
        for typed in ("4242", "730", "99999999999", "4242"):
            step.search_field.clear()
            QTest.keyClicks(step.search_field, typed)
            QTest.keyClick(step.search_field, Qt.Key.Key_Return)
        assert step.chosen_games == ("steam-4242", "cs2")
        assert step.boxes["steam-4242"].text() == "Steam game 4242"
        assert games["steam-4242"].masters == ("steam-web+https://api.steampowered.com/?appid=4242",)

    def test_listed_name_adds_game(self, games_step: GamesStep, qtbot: QtBot) -> None:
        games_step.show_installed((), ())
        games_step.activateWindow()
        qtbot.waitUntil(games_step.isActiveWindow)
        games_step.search_field.setFocus()
        QTest.keyClicks(games_step.search_field, "of duty")
        popup = games_step.search_field.completer().popup()
        assert popup is not None
        qtbot.waitUntil(popup.isVisible)
        assert popup.viewport().width() >= popup.sizeHintForColumn(0)  # no name is cut
        QTest.keyClick(popup, Qt.Key.Key_Down)
        QTest.keyClick(popup, Qt.Key.Key_Down)
        name = games_step.search_field.text()
        QTest.keyClick(popup, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: not games_step.search_field.text())
        assert [GAMES[game].name for game in games_step.chosen_games] == [name]

    def test_many_games_take_few_rows(self, games_step: GamesStep) -> None:
        games_step.resize(600, 400)
        few = games_step.sizeHint().height()
        games_step.show_installed({"xonotic"}, ())
        assert games_step.boxes["xonotic"].visibleRegion().boundingRect().height() == CHECK_BOX_HEIGHT
        games_step.show_installed(GAMES, ())
        assert len(games_step.chosen_games) > 20
        assert games_step.sizeHint().height() < few + 100

    def test_tab_reaches_boxes_before_button(self, games_step: GamesStep) -> None:
        games_step.show_installed({"xonotic", "openarena"}, ())
        reached = [games_step.search_field.nextInFocusChain()]
        while reached[-1] is not None and reached[-1] is not games_step.search_field:
            reached.append(reached[-1].nextInFocusChain())
        order = [reached.index(each) for each in (*games_step.boxes.values(), games_step.action_button)]
        assert order == sorted(order)


class TestSkillStep:
    """The user's skill."""

    def test_number_needs_field_of_game(self, skill_step: SkillStep) -> None:
        entered: list[tuple[str, float]] = []
        skill_step.skill_entered.connect(lambda game, points: entered.append((game, points)))
        skill_step.show_games([])
        assert skill_step.action_button.isHidden()
        skill_step.show_games([GAMES["ns2"]])
        assert not skill_step.action_button.isEnabled()
        QTest.keyClicks(skill_step.fields["ns2"], "16x18")
        QTest.keyClick(skill_step.fields["ns2"], Qt.Key.Key_Return)
        assert entered == [("ns2", 1618.0)]

    def test_only_given_games_are_requested(self, skill_step: SkillStep) -> None:
        skill_step.show()
        skill_step.show_games([GAMES["ns2"]])
        assert skill_step.scale_labels["ns2"].isVisible()
        QTest.keyClicks(skill_step.fields["ns2"], "1618")
        skill_step.show_games([])
        skill_step.show_known([], [])
        assert not skill_step.fields["ns2"].isVisible()
        assert not skill_step.scale_labels["ns2"].isVisible()
        assert not skill_step.action_button.isEnabled()
        assert "do not report skill" in skill_step.reason_label.text()

    def test_scale_of_tiers_is_shown(self, skill_step: SkillStep) -> None:
        skill_step.show_games([GAMES["ns2"]])
        label = skill_step.scale_labels["ns2"]
        assert not label.text()  # the first paint does not wait for it
        skill_step.show()
        assert label.isVisible()
        assert label.text().startswith("Tiers in the game: Recruit up to 300, ")
        assert label.text().endswith(", Special Ops up to 4\N{NARROW NO-BREAK SPACE}100, Sanji Survivor.")

    def test_known_skill_is_named(self, skill_step: SkillStep) -> None:
        skill_step.show_known(["Natural Selection 2"], ["Rounds are here.", "And there."])
        assert skill_step.reason_label.text().startswith("Your skill in Natural Selection 2 is known")
        assert skill_step.reason_label.text().endswith("Rounds are here. And there.")


def test_panel_shows_offered_steps_only(qtbot: QtBot, theme: Theme) -> None:
    games_step, key, skill = GamesStep(theme, GAMES), SteamKeyStep(theme), SkillStep(theme)
    panel = FirstRunPanel(theme, (games_step, FavouritesStep(theme), key, skill))
    qtbot.addWidget(panel)
    shown: list[object] = [panel._current]
    key.show_games(["Natural Selection 2"])
    games_step.next_button.click()
    shown.append(panel._current)
    key.show_games([])  # a key was entered
    assert [*shown, panel._current] == [games_step, key, skill]
    with qtbot.waitSignal(panel.closed):
        skill.next_button.click()
    panel.restart()
    assert panel._current is games_step


def test_import_shows_what_is_new(qtbot: QtBot, theme: Theme) -> None:
    step = FavouritesStep(theme)
    qtbot.addWidget(step)
    step.show_found([], str)
    assert not step.is_offered
    step.show_found([("Xonotic", 9), ("NS2", 5)], lambda: "New: 3 favourites")
    assert "14" in step.title_label.text()
    step.action_button.click()
    assert step.reason_label.text() == "New: 3 favourites"
    assert step.action_button.isHidden()


class TestWindow:
    """The steps in the window."""

    @pytest.fixture
    def app(self, open_app: OpenApp) -> AppDriver:
        """The program at its first start."""
        app = open_app(shown=False)
        app.program.show()
        app.scanned()
        app.settle()
        return app

    def test_list_and_inspector_stay_in_sight(self, app: AppDriver) -> None:
        app.window.resize(1280, 800)
        view = app.window.servers_view
        app.click(2, "name")
        assert view.first_run.panel.isVisible()
        assert view.inspector.isVisible()
        panel = view.first_run.panel
        assert panel.mapTo(view, panel.rect().bottomLeft()).y() < app.table.mapTo(view, app.table.rect().topLeft()).y()

    def test_controls_have_names_and_are_reached(self, app: AppDriver) -> None:
        first_run = app.window.servers_view.first_run
        first_run.favourites_step.show_found([("Xonotic", 9)], str)
        first_run.key_step.show_games(["Natural Selection 2"])
        for step in (first_run.games_step, first_run.favourites_step, first_run.key_step, first_run.skill_step):
            assert first_run.panel._current is step
            assert find_problems(first_run.panel) == []
            app.window.filter_field.focus_field()
            assert out_of_reach(app.window) == []
            step.next_button.setFocus()
            step.next_button.click()
            focused = app.window.focusWidget()
            assert focused is not None
            assert first_run.panel._current.isAncestorOf(focused) or focused is app.table

    def test_chosen_games_apply_at_once(self, app: AppDriver) -> None:
        app.program.backend.shown_games._uses_settings = lambda: True
        step = app.window.servers_view.first_run.games_step
        assert set(step.chosen_games) == {"openarena", "quake3"}
        step.boxes["quake3"].setChecked(False)
        step.action_button.click()
        assert app.program.settings.get(PLAYED_GAMES) == ("openarena",)
        assert {app.catalogue.game[server] for server in app.servers()} == {"openarena"}
        assert app.window.servers_view.first_run.panel._current is not step

    def test_key_is_requested_for_chosen_games_only(self, app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
        app.program.backend.shown_games._uses_settings = lambda: True
        view = app.window.servers_view
        monkeypatch.setattr(view.list_status_controller, "_games_without_key", lambda: frozenset({"cs2", "ns2"}))
        view.list_status_controller.refresh()
        assert view.first_run.key_step in view.first_run.panel._offered_steps()
        view.first_run.games_step.action_button.click()  # openarena and quake3
        assert view.first_run.key_step not in view.first_run.panel._offered_steps()
        assert view.first_run.panel._current is view.first_run.skill_step
        app.program.settings.set(PLAYED_GAMES, ("openarena", "ns2"))
        app.wait(lambda: view.first_run.key_step.is_offered)
        assert view.first_run.key_step.title_label.text() == "Natural Selection 2 needs a key"

    def test_reopened_step_shows_the_setting(self, app: AppDriver) -> None:
        first_run = app.window.servers_view.first_run
        app.program.settings.set(PLAYED_GAMES, ("xonotic", "of-a-lost-profile"))
        first_run.open()
        assert first_run.games_step.chosen_games == ("xonotic",)
        first_run.games_step.action_button.click()
        assert app.program.settings.get(PLAYED_GAMES) == ("xonotic", "of-a-lost-profile")

    def test_choice_is_saved(self, app: AppDriver) -> None:
        first_run, settings = app.window.servers_view.first_run, app.program.settings
        first_run.games_step.games_chosen.emit(["xonotic"])
        first_run.skill_step.skill_entered.emit("ns2", 1618.0)
        settings.close()
        saved = Settings(settings.path.parent)
        assert (saved.get(PLAYED_GAMES), saved.get(OWN_SKILL)) == (("xonotic",), {"ns2": 1618.0})

    def test_places_of_round_files_follow_games(self, app: AppDriver) -> None:
        first_run = app.window.servers_view.first_run
        found = ROUND_FILE_WRITERS[0].folders(sys.platform, Path.home(), os.environ)[-1]
        first_run._show_round_folders([found])
        text = first_run.skill_step.reason_label
        assert abbreviated_path(found) in text.text()
        first_run.games_step.games_chosen.emit(["xonotic"])
        assert "xonotic" in text.text()
        assert "NS2+" not in text.text()

    def test_number_is_own_skill(self, app: AppDriver) -> None:
        step = app.window.servers_view.first_run.skill_step
        step.fields["ns2"].setText("1618")
        with app.bot.waitSignal(step.finished):
            step.action_button.click()
        assert app.program.settings.get(OWN_SKILL) == {"ns2": 1618.0}
        app.wait(lambda: "Natural Selection 2" in step.reason_label.text())

    def test_closed_steps_return_from_menu(self, app: AppDriver) -> None:
        first_run = app.window.servers_view.first_run
        first_run.panel.close_button.setFocus()
        first_run.panel.close_button.click()
        assert first_run.panel.isHidden()
        assert app.table.hasFocus()
        assert not first_run.show_if_first()
        app.window._open_first_run()
        assert first_run.panel.isVisible()

    def test_score_is_explained(self, app: AppDriver) -> None:
        assert app.model.headerData(1, Qt.Orientation.Horizontal, TOOL_TIP) == SCORE_MEANING
        assert app.model.headerData(2, Qt.Orientation.Horizontal, TOOL_TIP) == "Ping"
