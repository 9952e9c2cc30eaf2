"""The window and the command line agree for one person.

The same scores, order and choice.
"""

import json
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from window_helpers import AppDriver, OpenApp, small_network

from browser_app.app import run_program
from browser_app.application import player_forecasts
from browser_app.application.player_forecasts import forecast_players, update_forecasts
from browser_app.catalogue import catalogue
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Floats
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.server_history import make_server_history
from browser_app.engine.catalogue_snapshot import build_snapshot
from browser_app.paths import user_paths
from browser_app.protocols.server_url import parse_server_url
from browser_app.ranking.play_now_choice import choose_servers
from browser_app.storage.own_skill.skill_sample_store import StoredIdentity
from browser_app.storage.setting_declarations import (
    FAVOURITES_ON_TOP,
    OWN_SKILL,
    PLAY_NOW_SCOPE,
    RANKING_PRESET,
    SCORE_USES_FORECAST,
)
from browser_app.storage.user_lists.friend_store import FRIEND_GROUPS, Friend, FriendKind
from browser_app.storage.user_lists.saved_filter_store import SAVED_LIST_PREFIX
from browser_app.storage.user_lists.server_list_store import BlockKind, Favourite
from browser_app.storage.user_storage import UserStorage

TEAMS = ("marines", "aliens")


def make_rounds(number: int = 30) -> list[dict[str, Any]]:
    """Return rounds of four against four in changing teams.

    The player h wins two of three.
    """
    rounds = []
    for n in range(number):
        players = "abcdefgh"[n % 7 :] + "abcdefgh"[: n % 7]
        team_of = {player: TEAMS[place % 2] for place, player in enumerate(players)}
        stays = {player: [{"team": team, "enter": 0, "leave": 900}] for player, team in team_of.items()}
        winner = team_of["h"] if n % 3 else TEAMS[team_of["h"] == TEAMS[0]]
        rounds.append(
            {
                "id": f"r{n}",
                "game": "ns2",
                "started": f"2021-01-{1 + n % 28:02}T{n // 28:02}:00:00Z",
                "duration": 900,
                "teams": list(TEAMS),
                "winner": winner,
                "players": [{"id": player, "stays": stays[player]} for player in players],
            }
        )
    return rounds


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    with small_network(servers=16, games=("openarena", "ns2")) as network:
        yield network


@pytest.fixture(autouse=True)
def equal_pings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show the same ping for all servers that answered.

    Measured ones differ from poll to poll.
    """

    def shown_ping(samples: Floats) -> Floats:
        return np.where(np.isnan(samples).all(axis=1), np.nan, 40.0)

    monkeypatch.setattr(catalogue, "shown_ping", shown_ping)


def set_up_user(storage: UserStorage, network: DemoNetwork) -> None:
    """Store a person who has everything that changes a score.

    Two skills, a preset, lists and a known past.
    """
    settings, now = storage.settings, time.time()
    settings.set(OWN_SKILL, {"xonotic": 1700.0})
    settings.set(RANKING_PRESET, "in-game")
    settings.set(SCORE_USES_FORECAST, True)
    storage.round_store.add_file("/rounds", "rounds", list(enumerate(make_rounds(), 1)))
    storage.identities.add(StoredIdentity("ns2", "name", "h"))
    specs = list(zip([parse_server_url(url)[1] for url in network.sources.servers], network.specs, strict=True))
    full = [(address, spec) for address, spec in specs if spec.server.players]
    (liked, _), (disliked, _), (_, met) = full[:3]
    storage.favourites.add(Favourite(liked, "", now))
    storage.blocked.add(BlockKind.ADDRESS, str(disliked), now)
    friend = met.server.players[0].name
    storage.friends.add_all([Friend(FriendKind.NAME, friend, FRIEND_GROUPS[0], now)])
    storage.saved_filters.save("Busy", "players>=2 -locked")
    settings.set(PLAY_NOW_SCOPE, f"{SAVED_LIST_PREFIX}Busy")
    for batch in make_server_history(specs, now, time.gmtime, 1):
        storage.server_samples.add_series(batch).result()
    storage.database.flush()


@pytest.fixture
def app(open_app: OpenApp, network: DemoNetwork) -> AppDriver:
    """The window of that person, with record and forecasts."""
    with UserStorage(user_paths()) as storage:
        set_up_user(storage, network)
    app = open_app()
    backend = app.program.backend
    app.wait(lambda: "ns2" in backend.skill_backend.model.own_skill_by_game())
    app.wait(lambda: np.isfinite(app.catalogue.forecast_players()).any())
    for server in range(len(app.catalogue)):
        app.live.query(server)
    app.wait(lambda: app.catalogue.friends.max() > 0)
    app.live.rescore()
    return app


def window_servers(app: AppDriver, forecast_time: float) -> list[dict[str, Any]]:
    """Return what the window knows of its servers, as `list` prints it, best first."""
    c = app.catalogue
    forecast_players(c, app.program.backend.storage.server_samples)
    update_forecasts(c, forecast_time)
    app.live.rescore()
    rows = sorted(range(len(c)), key=lambda row: -c.score[row])
    return [
        {
            "address": str(c.targets[row].address),
            "score": c.score[row],
            "gain": c.gain[row],
            "factors": c.factors_of(row),
        }
        for row in rows
    ]


def run_json(capsys: pytest.CaptureFixture[str], network: DemoNetwork, *words: str) -> Any:
    """Run a command on the network's servers and return what it prints."""
    capsys.readouterr()
    assert run_program([*words, *(f"--server={url}" for url in network.sources.servers)]) == 0
    return json.loads(capsys.readouterr().out)


def test_same_scores_gains_and_order(
    app: AppDriver,
    capsys: pytest.CaptureFixture[str],
    network: DemoNetwork,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times: list[float] = []

    def update_and_record(catalogue: Catalogue, now: float) -> None:
        times.append(now)
        update_forecasts(catalogue, now)

    monkeypatch.setattr(player_forecasts, "update_forecasts", update_and_record)
    app.program.backend.storage.database.flush()  # both read the same samples
    printed = run_json(capsys, network, "list", "--format=json")["servers"]
    for mine, theirs in zip(printed, window_servers(app, times[-1]), strict=True):
        assert mine["address"] == theirs["address"]
        for factor, value in theirs["factors"].items():
            assert (factor, mine["factors"][factor]) == (factor, pytest.approx(value, rel=1e-3))
        assert mine["score"] == pytest.approx(theirs["score"], rel=1e-3)
        assert mine["gain"] == pytest.approx(theirs["gain"], rel=1e-2)
    for factor in ("skill", "favorite", "friends", "blocked", "forecast"):
        assert len({each["factors"][factor] for each in printed}) > 1, factor


def test_same_order_with_favourites_on_top(
    app: AppDriver, capsys: pytest.CaptureFixture[str], network: DemoNetwork
) -> None:
    with UserStorage(user_paths()) as storage:
        storage.settings.set(FAVOURITES_ON_TOP, True)
    app.program.backend.settings.set(FAVOURITES_ON_TOP, True)
    order = app.window.servers_view.server_order
    order.set_sort_column("-name")
    rows = app.window.servers_view.shown_servers()
    assert app.catalogue.favourite[rows].tolist() == [True] + [False] * (len(rows) - 1)
    shown = [str(app.catalogue.targets[row].address) for row in rows]
    printed = run_json(capsys, network, "list", "--format=json", "--sort=-name", "--filter=-blocked")["servers"]
    assert [each["address"] for each in printed] == shown


def test_same_choice_of_play_now(app: AppDriver, capsys: pytest.CaptureFixture[str], network: DemoNetwork) -> None:
    app.settle()
    controller = app.window.play_now_controller
    candidates = build_snapshot(app.catalogue, controller.scope.options()).candidates
    printed = run_json(capsys, network, "play", "--dry-run")
    assert printed["chosen"] == str(app.catalogue.targets[controller.current_choice].address)
    assert printed["installed"] is True
    assert list(printed["rejected"].values()) == list(choose_servers(candidates).excluded_counts.values())
    assert printed["rejected"]["filtered"] > 0
    assert printed["rejected"]["blocked"] + printed["rejected"]["not installed"] > 0


def test_named_skill_replaces_every_other(open_app: OpenApp, network: DemoNetwork) -> None:
    with UserStorage(user_paths()) as storage:
        storage.settings.set(OWN_SKILL, {"ns2": 2500.0})
    app = open_app("--skill=1234", *(f"--server={url}" for url in network.sources.servers))
    assert set(app.program.backend.scoring.own_skill.values()) == {1234.0}
    inputs = app.catalogue.last_ranking_inputs
    assert inputs is not None
    assert set(inputs.player_skill[app.catalogue.game.matching_rows("ns2".__eq__)]) == {1234.0}
