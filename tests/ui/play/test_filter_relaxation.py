"""Play Now's suggestion when no server is eligible."""

from dataclasses import replace

import pytest

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.engine.catalogue_snapshot import PlayOptions
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.ui.play.filter_relaxation import best_relaxation

GAMES = load_games(resource_folder() / "games")
FITS = ServerInfo(
    game="openarena", name="A", map="m", connect=Address("10.0.0.1", 1), players=5, bots=0, spectators=0, max_players=8
)
FULL, LOCKED, ROOKIES = replace(FITS, players=8), replace(FITS, password=True), replace(FITS, rookie_only=True)
OTHER_MAP, LOCKED_AND_FULL = replace(FITS, map="other"), replace(FITS, players=8, password=True)
EVERYTHING = parse_filter("")
ONLY_M = PlayOptions(scope=parse_filter("map:m"))


def catalogue(*servers: ServerInfo) -> Catalogue:
    made = Catalogue(GAMES)
    made.merge(
        [
            QueryResult(
                QueryTarget(Address("10.0.0.1", port), "quake3", "openarena"),
                QueryStatus.OK,
                info,
                None,
                30.0,
                False,
                1,
                1e9,
            )
            for port, info in enumerate(servers, 1)
        ]
    )
    return made


@pytest.mark.parametrize(
    ("servers", "options", "text", "count"),
    [
        ((OTHER_MAP, OTHER_MAP, ROOKIES), ONLY_M, "Choose from all servers", 2),
        ((OTHER_MAP, ROOKIES, ROOKIES), ONLY_M, "Allow them this time", 2),
        ((FULL, FULL, LOCKED), PlayOptions(), "Show full servers", 2),
        ((FULL, LOCKED, LOCKED, LOCKED_AND_FULL), PlayOptions(), "Show locked servers", 2),
        ((FULL, FULL, ROOKIES), PlayOptions(), "Allow them this time", 1),
        (
            (FITS, FULL),
            PlayOptions(skipped_addresses=frozenset({Address("10.0.0.1", 1)})),
            "Include skipped servers",
            1,
        ),
    ],
)
def test_suggests_the_step_with_most_servers(
    servers: tuple[ServerInfo, ...], options: PlayOptions, text: str, count: int
) -> None:
    step = best_relaxation(catalogue(*servers), options, EVERYTHING)
    assert step is not None
    assert (step.button_text, step.servers) == (text, count)
    assert (step.options is None) == bool(step.list_filter)


@pytest.mark.parametrize("servers", [(), (LOCKED_AND_FULL,)])
def test_no_suggestion_if_no_single_step_helps(servers: tuple[ServerInfo, ...]) -> None:
    assert best_relaxation(catalogue(*servers), PlayOptions(), EVERYTHING) is None


def test_names_the_best_server() -> None:
    busy = replace(FULL, max_players=4, players=4)
    step = best_relaxation(catalogue(busy, FULL), PlayOptions(), EVERYTHING)
    assert step is not None
    assert step.best_server == 1


def test_suggests_a_game_to_install() -> None:
    nothing = PlayOptions(playable_games=frozenset())
    step = best_relaxation(catalogue(FITS, FULL), nothing, EVERYTHING)
    assert step is not None
    assert (step.headline, step.button_text) == ("OpenArena is not installed.", "Get OpenArena")
    assert (step.servers, step.best_server, step.url) == (1, 0, "https://openarena.ws/download.php")
    assert best_relaxation(catalogue(FULL), nothing, EVERYTHING) is None
