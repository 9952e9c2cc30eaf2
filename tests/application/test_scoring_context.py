"""The games among which Play Now chooses."""

import pytest

from browser_app.application.scoring_context import playable_games, played_games_filter
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.games import load_games
from browser_app.paths import resource_folder, user_paths
from browser_app.storage.setting_declarations import PLAYED_GAMES
from browser_app.storage.settings_store import Settings

GAMES = load_games(resource_folder() / "games")


@pytest.mark.parametrize(
    ("installed", "named", "playable"),
    [
        (None, (), None),
        (None, ("ns2",), None),
        (frozenset(), (), frozenset()),
        (frozenset({"xonotic"}), (), frozenset({"xonotic"})),
        (frozenset({"xonotic"}), ("ns2",), frozenset({"xonotic", "ns2"})),
    ],
)
def test_named_games_are_playable(
    installed: frozenset[str] | None, named: tuple[str, ...], playable: frozenset[str] | None
) -> None:
    catalogue = Catalogue(GAMES)
    catalogue.installed_games = installed
    assert playable_games(catalogue, named) == playable


@pytest.mark.parametrize(
    ("played", "named", "text"),
    [
        ((), (), ""),
        (("xonotic", "ns2"), (), "game:ns2,xonotic"),
        (("xonotic", "no) such"), (), "game:xonotic"),
        (("xonotic",), ("ns2",), ""),
    ],
)
def test_games_that_the_user_plays(played: tuple[str, ...], named: tuple[str, ...], text: str) -> None:
    settings = Settings(user_paths().settings)
    settings.set(PLAYED_GAMES, played)
    assert played_games_filter(settings, Catalogue(GAMES), named) == parse_filter(text)
