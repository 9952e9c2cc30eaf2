"""Search for games that links start: which of them can be found."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from browser_app.bridge import steam_game_search
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.steam_game_search import SteamGameSearch
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address

GAMES = load_games(resource_folder() / "games")


@pytest.fixture
def search(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[SteamGameSearch]:
    monkeypatch.setattr(steam_game_search, "can_find_games", lambda: True)
    background = BackgroundTasks()
    search = SteamGameSearch(background, GAMES)
    yield search
    search.close()
    background.close()


@pytest.mark.parametrize(
    ("game", "is_searched"), [("ns2", True), ("assaultcube", True), ("mta", False), ("ss14", False), (None, False)]
)
def test_only_recognisable_games_are_searched(search: SteamGameSearch, game: str | None, is_searched: bool) -> None:
    assert search.start(1, Address("192.0.2.7", 2000), game) is is_searched
    assert search.timer.isActive() is is_searched
