"""The `play` command: choice, dry run, start of the game and visit history."""

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from loopback_servers import a2s, quake3, serving, silent
from program_runner import Program
from timeouts import wait_until

from browser_app.catalogue.server_info import ServerIdentity
from browser_app.paths import user_paths
from browser_app.protocols.address import Address, parse_address
from browser_app.protocols.quake.quake3 import Quake3Player
from browser_app.storage import keyring_store
from browser_app.storage.database import open_database
from browser_app.storage.setting_declarations import GAME_PROGRAMS, PLAY_NOW_SCOPE, PLAYED_GAMES
from browser_app.storage.user_lists.visit_history_store import (
    RECENTLY_LEFT_S,
    SHORT_VISIT_S,
    ServerVisit,
    VisitHistory,
)
from browser_app.storage.user_storage import UserStorage

pytestmark = pytest.mark.usefixtures("quick_timing")

REJECTIONS = {
    "no answer", "full", "password", "blocked", "version", "rookie only", "filtered", "recently left", "not installed",
}  # fmt: skip
PEOPLE = [Quake3Player("^2Ann", "12", 48, None), Quake3Player("Sarge", "3", 0, None)]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a fake OpenArena on the path; return the file with its arguments by line."""
    folder, arguments_file = tmp_path / "bin", tmp_path / "arguments"
    folder.mkdir()
    program = folder / "openarena"
    part = f"{arguments_file}.part"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$0" "$@" > "{part}" && mv "{part}" "{arguments_file}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return arguments_file


@pytest.fixture
def two_servers() -> Iterator[tuple[str, str]]:
    """Run a busy OpenArena server and a nearly empty one; yield their addresses."""
    many = [Quake3Player(f"Player {number}", "3", 40, None) for number in range(8)]
    with serving(quake3(many), quake3(PEOPLE)) as (good, poor):
        yield str(good), str(poor)


def server_options(*addresses: str) -> list[str]:
    return [f"--server=quake3://{address}" for address in addresses]


def recorded_visits() -> list[ServerVisit]:
    database = open_database(user_paths().data)
    try:
        history = VisitHistory(database)
        visits = [visit for address in history.last_played() for visit in history.load_visits(address)]
        return sorted(visits, key=lambda visit: visit.joined_at, reverse=True)
    finally:
        database.close()


def test_dry_run_starts_nothing(program: Program, two_servers: tuple[str, str], game: Path) -> None:
    good, poor = two_servers
    result = program("play", *server_options(*two_servers), "--dry-run")
    assert result.status == 0
    output = result.json
    assert {"chosen", "command", "reason", "attempts", "verified", "rejected"} <= set(output)
    assert output["chosen"] == good
    assert output["command"] == [str(game.parent / "bin" / "openarena"), "+connect", good]
    assert output["installed"] is True
    assert isinstance(output["reason"], str)
    assert output["attempts"] == 1
    assert [each["address"] for each in output["verified"]] == [good, poor]
    assert all({"address", "score", "eligible", "why"} <= set(each) for each in output["verified"])
    assert set(output["rejected"]) == REJECTIONS
    assert not game.exists()
    assert recorded_visits() == []


@pytest.fixture
def no_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def most_played_game() -> Iterator[str]:
    """Run a Team Fortress 2 server with more players than any other; yield its URL."""
    with serving(a2s(players=18, bots=0)) as (address,):
        yield f"--server=a2s://{address}"


def test_game_not_installed(program: Program, two_servers: tuple[str, str], most_played_game: str, game: Path) -> None:
    result = program("play", *server_options(*two_servers), most_played_game, "--dry-run")
    assert (result.json["chosen"], result.json["installed"]) == (two_servers[0], True)
    assert result.json["rejected"]["not installed"] == 1
    only_other = program("play", *server_options(*two_servers), most_played_game, "--filter=game:tf2", "--dry-run")
    assert only_other.status == 0
    assert only_other.json["installed"] is False
    assert most_played_game.endswith(only_other.json["chosen"])
    assert only_other.json["rejected"]["not installed"] == 1
    assert "Team Fortress 2 is not installed" in only_other.err


def test_own_program_is_playable(program: Program, most_played_game: str, game: Path) -> None:
    with UserStorage(user_paths()) as storage:
        storage.settings.set(GAME_PROGRAMS, {"tf2": f"{game.parent}/bin/openarena -game tf"})
    output = program("play", most_played_game, "--dry-run").json
    assert output["installed"] is True
    assert output["command"][:-1] == [f"{game.parent}/bin/openarena", "-game", "tf", "+connect"]


def test_wrong_own_program_is_reported(program: Program, two_servers: tuple[str, str], game: Path) -> None:
    with UserStorage(user_paths()) as storage:
        storage.settings.set(GAME_PROGRAMS, {"tf2": "/no/such/tf", "openarena": f"{game.parent}/gone -window"})
    result = program("play", *server_options(*two_servers), "--dry-run")
    assert "program of Team Fortress 2: /no/such/tf was not found" in result.err
    assert f"program of OpenArena: {game.parent}/gone was not found" in result.err
    assert result.json["command"][0] == f"{game.parent}/bin/openarena"


@pytest.mark.usefixtures("no_games")
def test_wrong_own_program_alone(program: Program, two_servers: tuple[str, str]) -> None:
    with UserStorage(user_paths()) as storage:
        storage.settings.set(GAME_PROGRAMS, {"openarena": "/no/such/openarena"})
    result = program("play", *server_options(*two_servers), "--dry-run")
    assert result.json["installed"] is False
    assert result.json["problem"] == "OpenArena cannot be started: /no/such/openarena was not found"


def test_only_played_games(program: Program, two_servers: tuple[str, str], most_played_game: str, game: Path) -> None:
    with UserStorage(user_paths()) as storage:
        storage.settings.set(PLAYED_GAMES, ("tf2",))
    result = program("play", *server_options(*two_servers), most_played_game, "--dry-run")
    assert most_played_game.endswith(result.json["chosen"])
    assert result.json["installed"] is False
    assert result.json["rejected"]["filtered"] == 2


@pytest.mark.usefixtures("game")
def test_scope_of_the_settings(program: Program, two_servers: tuple[str, str]) -> None:
    good, poor = two_servers
    with UserStorage(user_paths()) as storage:
        storage.saved_filters.save("Quiet ones", "players<5")
    for scope, chosen in (("", good), ("saved:Quiet ones", poor), ("players<5", poor), ("saved:gone", good)):
        with UserStorage(user_paths()) as storage:
            storage.settings.set(PLAY_NOW_SCOPE, scope)
        output = program("play", *server_options(*two_servers), "--dry-run").json
        assert (scope, output["chosen"]) == (scope, chosen)
        assert output["rejected"]["filtered"] == (chosen == poor)
    output = program("play", *server_options(*two_servers), "--filter=players>=5", "--dry-run").json
    assert output["chosen"] == good  # an option replaces the setting


@pytest.mark.usefixtures("no_games")
def test_nothing_installed(program: Program, two_servers: tuple[str, str], most_played_game: str) -> None:
    result = program("play", *server_options(*two_servers), most_played_game)
    assert result.status == 1
    tf2, openarena = result.err.splitlines()[-2:]
    assert tf2 == "  Team Fortress 2, 18 playing: https://store.steampowered.com/app/440"
    assert openarena == "  OpenArena, 9 playing: https://openarena.ws/download.php"


@pytest.mark.usefixtures("no_games")
def test_missing_game_is_reported(program: Program, two_servers: tuple[str, str]) -> None:
    dry = program("play", *server_options(*two_servers), "--dry-run")
    assert dry.status == 0
    assert dry.json["installed"] is False
    assert dry.json["command"][1:] == ["+connect", two_servers[0]]
    result = program("play", *server_options(*two_servers))
    assert result.status == 1
    assert "OpenArena is not installed" in result.err
    assert recorded_visits() == []


def test_left_server_is_avoided(program: Program, two_servers: tuple[str, str], game: Path) -> None:
    good, poor = two_servers
    result = program("play", *server_options(*two_servers))
    assert result.status == 0
    assert result.out == ""
    assert wait_until(game.exists)
    assert game.read_text().splitlines() == [str(game.parent / "bin" / "openarena"), "+connect", good]
    (visit,) = recorded_visits()
    assert (str(visit.address), visit.game, visit.players, visit.map) == (good, "openarena", 8, "oa_dm1")
    assert visit.play_now_reason
    assert visit.play_now_reason in result.err
    elsewhere = program("play", *server_options(*two_servers), "--dry-run").json
    assert elsewhere["chosen"] == poor
    assert elsewhere["rejected"]["recently left"] == 1
    single = program("play", *server_options(good), "--dry-run").json
    assert single["chosen"] == good
    assert single["verified"][0]["why"] == "recently left"


@pytest.mark.usefixtures("game")
def test_server_left_early_is_avoided_longer(program: Program, two_servers: tuple[str, str]) -> None:
    good, poor = two_servers
    with UserStorage(user_paths()) as storage:
        left_at = time.time() - 2 * RECENTLY_LEFT_S
        for address in (good, poor):
            stay_s = SHORT_VISIT_S if address == good else 2 * SHORT_VISIT_S
            storage.visit_history.add_visit(
                ServerVisit(left_at - stay_s, parse_address(address), "", "", left_at=left_at)
            )
    result = program("play", *server_options(*two_servers), "--dry-run").json
    assert (result["chosen"], result["rejected"]["recently left"]) == (poor, 1)
    single = program("play", *server_options(good), "--dry-run").json
    assert (single["chosen"], single["verified"][0]["why"]) == (good, "recently left")


def test_rejections_are_counted(program: Program) -> None:
    handlers = (
        a2s(players=24, bots=0),
        a2s(password=True),
        a2s(map="cp_steel"),
        silent,
    )
    with serving(*handlers) as addresses:
        words = [f"--server=a2s://{address}" for address in addresses]
        result = program("play", *words, "--filter=-map:cp_steel", "--dry-run")
    assert result.status == 1
    assert (result.json["chosen"], result.json["command"], result.json["reason"]) == (None, None, None)
    assert {why: number for why, number in result.json["rejected"].items() if number} == {
        "full": 1, "password": 1, "filtered": 1, "no answer": 1,
    }  # fmt: skip


def test_attempts_are_limited(program: Program) -> None:
    with serving(a2s(password=True)) as (address,):
        result = program("play", f"--server=a2s://{address}", "--attempts=1")
    assert result.status == 1
    assert "attempt 1): 1 password" in result.err


def test_no_answer_exits_3(program: Program) -> None:
    with serving(silent) as (address,):
        result = program("play", f"--server=a2s://{address}", "--dry-run")
    assert result.status == 3
    assert "--demo" in result.err
    assert (result.json["chosen"], result.json["command"], result.json["verified"]) == (None, None, [])
    assert result.json["rejected"]["no answer"] == 1
    no_answer = program("play", "--master=json+http://127.0.0.1:1/list.json", "--dry-run")
    assert (no_answer.status, no_answer.json["chosen"], set(no_answer.json["rejected"])) == (3, None, REJECTIONS)


def test_game_gets_no_server_text(program: Program, game: Path) -> None:
    many = [Quake3Player("; rm -rf /", "3", 40, None) for _ in range(8)]
    keys = {"sv_hostname": "$(reboot) +set x y", "mapname": "oa_dm1;quit", "version": "ioq3+oa `id`"}
    with serving(quake3(many, **keys)) as (address,):
        assert program("play", f"--server=quake3://{address}").status == 0
    assert wait_until(game.exists)
    assert game.read_text().splitlines()[1:] == ["+connect", str(address)]


def test_changed_server_gets_no_password(program: Program, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = SimpleNamespace(get_password=lambda *_: "sesame", set_password=lambda *_: None)
    monkeypatch.setattr(keyring_store, "_system_secret_store", lambda: keyring)
    with serving(quake3(PEOPLE, g_needpass="1")) as (address,):
        saved_for = ServerIdentity("openarena", None, Address(address.host, 1))
        with UserStorage(user_paths()) as storage:
            assert storage.passwords.save(address, "sesame", saved_for)
        for words in (("--dry-run",), ("--attempts=1",)):
            result = program("play", f"--server=quake3://{address}", *words)
            assert f"The game address was 127.0.0.1:1 and is now {address}. Use --accept-changed-server" in result.err
            assert "sesame" not in result.out + result.err
        assert (result.status, game.exists()) == (1, False)
        accepted = program("play", f"--server=quake3://{address}", "--accept-changed-server", "--attempts=1")
        assert accepted.status == 0
        assert wait_until(game.exists)
        assert "sesame" in game.read_text().splitlines()
        assert "sesame" in program("play", f"--server=quake3://{address}", "--dry-run").json["command"]


def test_demo_has_its_own_history(program: Program, game: Path) -> None:
    program("play", "--demo=20", "--filter=game:openarena", "--attempts=1")
    assert recorded_visits() == []
