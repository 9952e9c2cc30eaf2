"""Debian's OpenArena and Nexuiz servers: found, ranked, joined, read as quakestat."""

import json
import math
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from game_servers import GUARD_S, quakestat, running
from installed_servers import nexuiz, openarena
from loopback_servers import dpmaster, serving
from measurements import best_of
from timeouts import wait_until

from browser_app.app import run_program
from browser_app.paths import user_paths
from browser_app.protocols.address import Address
from browser_app.storage.database import open_database
from browser_app.storage.user_lists.visit_history_store import ServerVisit, VisitHistory

pytestmark = pytest.mark.linux

Found = dict[str, Any]


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Address]]:
    """Both servers by the id of their game."""
    folder = tmp_path_factory.mktemp("servers")
    starts = {"openarena": openarena, "nexuiz": nexuiz}
    with ExitStack() as ends:
        yield {game: ends.enter_context(running(start(folder / game), folder / game)) for game, start in starts.items()}


@pytest.fixture
def masters(servers: dict[str, Address]) -> Iterator[list[str]]:
    """Words that name two masters which know them."""
    with serving(dpmaster([servers["openarena"]]), dpmaster([servers["nexuiz"]])) as (one, other):
        yield [f"--master=dpmaster://{one}//71", f"--master=dpmaster://{other}/Nexuiz/3"]


@pytest.fixture(autouse=True)
def wait_for_flood_guard() -> Iterator[None]:
    """Wait until the servers' flood guards allow the next query."""
    yield
    time.sleep(GUARD_S)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Found:
    assert run_program(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_they_are_listed_and_ranked(
    servers: dict[str, Address], masters: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    def ping_ms() -> float:
        found = printed(capsys, "list", *masters, "--format=json")
        check_list(found, servers)
        time.sleep(GUARD_S)
        return math.inf if found["dropped"] else max(row["ping_ms"] for row in found["servers"])

    assert 0 < best_of(ping_ms, 250) < 250


def check_list(found: Found, servers: dict[str, Address]) -> None:
    """The two are named, ranked, and described as they are started."""
    assert [(each["ok"], each["servers"], each["error"]) for each in found["masters"]] == [(True, 1, None)] * 2
    rows = {row["game"]: row for row in found["servers"]}
    assert {game: row["address"] for game, row in rows.items()} == {
        game: str(address) for game, address in servers.items()
    }
    assert {row["status"] for row in rows.values()} == {"ok"}
    scores = [row["score"] for row in found["servers"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)
    assert (rows["openarena"]["map"], rows["openarena"]["mode"], rows["openarena"]["max_players"]) == (
        "oa_dm1",
        "ffa",
        16,
    )
    assert (rows["nexuiz"]["map"], rows["nexuiz"]["mode"], rows["nexuiz"]["version"]) == ("aggressor", "dm", "2.5.2")


@pytest.mark.parametrize(
    ("game", "protocol", "kind"), [("openarena", "quake3", "q3s"), ("nexuiz", "darkplaces", "nexuizs")]
)
def test_info_equals_what_quakestat_reads(
    servers: dict[str, Address], capsys: pytest.CaptureFixture[str], game: str, protocol: str, kind: str
) -> None:
    theirs = quakestat(kind, servers[game])
    ours = printed(capsys, "info", f"{protocol}://{servers[game]}", "--format=json")
    assert theirs["status"] == "online"
    assert ours["address"] == theirs["address"]
    assert ours["name"] == theirs["name"]
    assert ours["map"] == theirs["map"]
    assert ours["max_players"] == theirs["maxplayers"]
    assert ours["players"] + ours["bots"] + (ours["spectators"] or 0) == theirs["numplayers"]
    assert [(row["name"], row["ping_ms"] or 0) for row in ours["player_list"]] == [
        (row["name"], row["ping"]) for row in theirs["players"]
    ]
    assert ours["bots"] == sum(row["ping"] == 0 for row in theirs["players"])
    assert rules_that_differ(ours["rules"], theirs["rules"]) == {}


def rules_that_differ(ours: dict[str, str], theirs: dict[str, str]) -> dict[str, tuple[object, object]]:
    """Return the rules that differ.

    quakestat takes some keys out into own fields, and adds what an info reply says.
    """
    changing = {"g_timestamp"}
    only_in_info = {"voip", "pure", "gametype", "g_humanplayers", "protocol"} if "sv_hostname" in ours else set()
    return {
        key: (ours.get(key), value)
        for key, value in theirs.items()
        if key not in changing | only_in_info and ours.get(key) != value and key != "gamename"
    } | {
        key: (value, None)
        for key, value in ours.items()
        if key not in changing and key not in theirs and key not in ("mapname", "sv_maxclients", "clients")
    }


@pytest.fixture
def fake_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put programs named like the games on an otherwise empty path.

    Each writes its arguments to `NAME.said`.
    """
    folder = tmp_path / "games"
    folder.mkdir()
    for name in ("openarena", "nexuiz"):
        file = folder / name
        said = tmp_path / f"{name}.said"
        file.write_text(f'#!/bin/sh\nprintf "%s\\n" "$0" "$@" > "{said}.part" && /bin/mv "{said}.part" "{said}"\n')
        file.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return folder


def joins() -> list[ServerVisit]:
    database = open_database(user_paths().data)
    try:
        history = VisitHistory(database)
        visits = [visit for address in history.last_played() for visit in history.load_visits(address)]
        return sorted(visits, key=lambda visit: visit.joined_at, reverse=True)
    finally:
        database.close()


def said(file: Path) -> list[str]:
    """The stand-in's arguments, as soon as it has run."""
    assert wait_until(file.exists)
    return file.read_text().splitlines()


@pytest.mark.parametrize("game", ["openarena", "nexuiz"])
def test_play_joins(
    servers: dict[str, Address],
    masters: list[str],
    fake_games: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    game: str,
) -> None:
    address = servers[game]
    assert run_program(["play", *masters, f"--filter=game:{game}", "--attempts=1"]) == 0
    assert said(tmp_path / f"{game}.said") == [str(fake_games / game), "+connect", str(address)]
    (join,) = joins()
    assert (join.address, join.game) == (address, game)
    assert join.play_now_reason in capsys.readouterr().err
    time.sleep(GUARD_S)
    again = printed(capsys, "play", *masters, "--dry-run")
    (other,) = {"openarena", "nexuiz"} - {game}
    assert again["chosen"] == str(servers[other])
    assert again["rejected"]["recently left"] == 1
