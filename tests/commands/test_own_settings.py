"""The user's settings and lists in `list` and `info`, and options in their place."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback_servers import a2s, quake3, serving, silent
from program_runner import Program

from browser_app.games import load_games
from browser_app.paths import resource_folder, user_paths
from browser_app.protocols.a2s.a2s import A2SPlayer
from browser_app.protocols.address import Address
from browser_app.storage.setting_declarations import (
    DISABLED_MASTERS,
    EXTRA_MASTERS,
    OWN_SKILL,
    PLAYED_GAMES,
    RANKING_PRESET,
    SCORE_USES_FORECAST,
)
from browser_app.storage.user_lists.friend_store import FRIEND_GROUPS, Friend, FriendKind
from browser_app.storage.user_lists.server_list_store import BlockKind, Favourite
from browser_app.storage.user_storage import UserStorage

pytestmark = pytest.mark.usefixtures("quick_timing")


@pytest.fixture
def server() -> Iterator[Address]:
    """Run an NS2 server with a mean skill of 1,500 points; yield its address."""
    ns2 = {"appid": 4920, "folder": "ns2", "game": "NS2", "keywords": "ns2|335|P_S1500|R_S0"}
    people = [A2SPlayer("moth", 3, 60.0)]
    with serving(a2s(people, None, **ns2, players=9, bots=0, max_players=24)) as (address,):
        yield address


def factors_of(program: Program, address: Address, *words: str, command: str = "list") -> dict[str, Any]:
    """Return the factors of a server's score."""
    result = program(command, f"--server=a2s://{address}", "--format=json", *words)
    assert result.status == 0, result.err
    factors: dict[str, Any] = (result.json["servers"][0] if command == "list" else result.json)["factors"]
    return factors


def test_own_skill_is_printed_with_its_source(program: Program, server: Address) -> None:
    source = f"--server=a2s://{server}"
    assert "Your skill" not in program("list", source).err
    with UserStorage(user_paths()) as storage:
        storage.settings.set(OWN_SKILL, {"ns2": 1640.0, "openarena": 5.0})
    line = "Your skill in Natural Selection 2: 1\u202f640 (the number you entered)\n"
    for command in (("list",), ("play", "--dry-run")):
        result = program(*command, source)
        assert result.err.count("Your skill") == 1
        assert line in result.err
    assert "Natural Selection 2: 1\u202f200 (the number you entered)" in program("list", source, "--skill=1200").err
    assert "Your skill" not in program("list", source, "--format=json").err


def test_favourites_are_queried_too(program: Program) -> None:
    openarena = load_games(resource_folder() / "games")["openarena"]
    with serving(quake3()) as (address,):
        with UserStorage(user_paths()) as storage:
            storage.settings.set(PLAYED_GAMES, ("openarena",))
            storage.settings.set(DISABLED_MASTERS, tuple(openarena.masters))
            storage.favourites.add(Favourite(address, "", 0.0, "quake3", "openarena"))
        result = program("list", "--format=json")
    assert [(each["address"], each["factors"]["favorite"] > 1) for each in result.servers] == [(str(address), True)]


def test_moved_favourite_is_reported(program: Program) -> None:
    key = "B" * 44
    with serving(silent, quake3(d0_blind_id=f"1 {key}@")) as (old, new):
        with UserStorage(user_paths()) as storage:
            storage.favourites.add(Favourite(old, "", 0.0, "quake3", "openarena", f"d0:{key}"))
        result = program("list", "--format=json", f"--server=quake3://{new}", f"--server=quake3://{old}")
    assert f"favourite {old} does not answer; {new} claims to be the same server" in result.err
    assert [each["factors"]["favorite"] > 1 for each in result.servers if each["status"] == "ok"] == [False]


def test_only_chosen_games_are_listed(program: Program, tmp_path: Path) -> None:
    openarena, community_list = load_games(resource_folder() / "games")["openarena"], tmp_path / "servers.json"
    with serving(quake3(), a2s()) as (chosen, other):
        community_list.write_text(json.dumps({"servers": [f"quake3://{chosen}", f"a2s://{other}"]}), "utf-8")
        with UserStorage(user_paths()) as storage:
            storage.settings.set(PLAYED_GAMES, ("openarena",))
            storage.settings.set(DISABLED_MASTERS, tuple(openarena.masters))
            storage.settings.set(EXTRA_MASTERS, (f"file:{community_list}",))
        result = program("list", "--format=json")
        everything = program("list", "--format=json", f"--master=file:{community_list}")
    assert [each["address"] for each in result.servers] == [str(chosen)]
    assert len(everything.servers) == 2


def test_lists_change_the_score(program: Program, server: Address) -> None:
    assert factors_of(program, server, "--preset=in-game")["friends"] == 1
    with UserStorage(user_paths()) as storage:
        storage.friends.add_all([Friend(FriendKind.NAME, "moth", FRIEND_GROUPS[0], 0.0)])
        storage.blocked.add(BlockKind.ADDRESS, str(server), 0.0)
    for command in ("list", "info"):
        factors = factors_of(program, server, "--preset=in-game", command=command)
        assert factors["friends"] > 1
        assert factors["blocked"] < 0.01


def test_options_replace_settings(program: Program, server: Address) -> None:
    plain = factors_of(program, server)
    in_game = factors_of(program, server, "--preset=in-game")
    assert in_game["players"] != plain["players"]
    assert factors_of(program, server, "--skill=3000")["skill"] < plain["skill"] == 1
    with UserStorage(user_paths()) as storage:
        storage.settings.set(OWN_SKILL, {"ns2": 3000.0})
        storage.settings.set(RANKING_PRESET, "in-game")
    assert factors_of(program, server, "--skill=1500")["skill"] == 1
    assert factors_of(program, server, "--preset=blog")["players"] == plain["players"]
    for command in ("list", "info"):
        factors = factors_of(program, server, command=command)
        assert factors["skill"] < 1
        assert factors["players"] == in_game["players"]


@pytest.mark.parametrize("command", ["list", "play --dry-run"])
def test_demo_shows_all_its_games(program: Program, command: str) -> None:
    with UserStorage(user_paths()) as storage:
        storage.settings.set(PLAYED_GAMES, ("brink",))  # the demo has none of its servers
    assert program(*command.split(), "--demo=12", "--pace=unlimited").status == 0


def test_demo_has_forecasts(program: Program) -> None:
    with UserStorage(user_paths()) as storage:
        storage.settings.set(SCORE_USES_FORECAST, True)
    result = program("list", "--demo=12", "--pace=unlimited", "--format=json")
    assert {each["factors"]["forecast"] for each in result.servers} != {1.0}


@pytest.mark.parametrize("condition", ["trend>=0", "forecast>=0"])
def test_filter_by_the_past(program: Program, condition: str) -> None:
    result = program("list", "--demo=12", "--pace=unlimited", "--format=json", "--filter", condition)
    assert result.status == 0
    assert result.servers


@pytest.mark.parametrize("condition", ["player:{}", "{}", "-(-{})"])
def test_filter_by_player_asks_for_players(program: Program, server: Address, condition: str) -> None:
    statuses = [
        program("list", f"--server=a2s://{server}", "--format=json", f"--filter={condition.format(name)}").status
        for name in ("moth", "nobody")
    ]
    assert statuses == [0, 1]


def test_demo_servers_have_countries(program: Program) -> None:
    servers = program("list", "--demo=12", "--pace=unlimited", "--format=json").servers
    assert servers
    assert all(each["country"] for each in servers)
