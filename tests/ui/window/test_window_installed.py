"""Installed games in the window: side list, filter chip, Play Now, settings."""

from pathlib import Path

import pytest
from window_helpers import AppDriver, FakeGame, OpenApp

from browser_app.storage.setting_declarations import GAME_PROGRAMS, PLAYED_GAMES

SECTIONS = ("Installed games", "Other games", "Games")


@pytest.fixture
def app(open_app: OpenApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppDriver:
    """The program on a machine with OpenArena, but not Quake III."""
    FakeGame(tmp_path / "bin", "openarena")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return open_app()


def game_list(app: AppDriver) -> list[str]:
    """Return the side list's games and their section titles."""
    items = app.window.servers_view.server_lists.sidebar_items()
    return [item.title for item in items if item.key.startswith("game:") or item.title in SECTIONS]


def games_of(app: AppDriver) -> set[str]:
    return {app.catalogue.game[server] for server in app.servers()}


def play_now_game(app: AppDriver) -> str:
    choice = app.window.play_now_controller.current_choice
    return app.catalogue.game[choice] if choice >= 0 else ""


def test_installed_games_come_first(app: AppDriver) -> None:
    assert game_list(app) == ["Installed games", "OpenArena", "Other games", "Quake III Arena"]


def test_chip_shows_installed_games_only(app: AppDriver) -> None:
    chips = app.window.servers_view.chip_controller
    installed = sum(app.catalogue.game[server] == "openarena" for server in app.servers())
    states = {state.key: state for state in chips._chip_states()}
    assert states["installed"].number == installed < len(app.servers())
    chips._on_chip_pressed("installed")
    assert games_of(app) == {"openarena"}


def test_own_program_is_found_at_once(app: AppDriver, tmp_path: Path) -> None:
    FakeGame(tmp_path / "elsewhere", "q3")
    app.program.settings.set(GAME_PROGRAMS, {"quake3": str(tmp_path / "elsewhere/q3")})
    app.wait(lambda: game_list(app)[0] == "Games")
    assert set(game_list(app)[1:]) == {"OpenArena", "Quake III Arena"}


def test_play_now_chooses_among_installed_games(app: AppDriver) -> None:
    assert play_now_game(app) == "openarena"
    app.program.settings.set(PLAYED_GAMES, ("openarena",))
    assert play_now_game(app) == "openarena"
    app.program.settings.set(PLAYED_GAMES, ("quake3",))
    app.wait(lambda: play_now_game(app) == "")
    headline, _numbers, sentence = app.play_now_bar.shown_texts()
    assert headline == "None of your games is installed"
    assert sentence.startswith("Popular games: Quake III Arena (")
