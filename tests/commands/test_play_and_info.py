"""`info`, `play` and `demo`: their documented keys, and joining from the choice to the history entry."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest
from loopback_servers import a2s, always, dpmaster, quake3, serving, silent
from program_runner import Program, run_process
from timeouts import wait_until

from browser_app.application import poll_session
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.engine.server_poll import start_poll
from browser_app.paths import user_paths
from browser_app.protocols.a2s import A2SPlayer
from browser_app.protocols.quake3 import Quake3Player
from browser_app.storage.database import open_database
from browser_app.storage.lists.visit_history_store import ServerVisit, VisitHistory

QUICK = QueryTiming(waits_s=(0.1, 0.1, 0.6), late_reply_wait_s=0.1, min_follow_up_wait_s=0.4)
REJECTIONS = {"no answer", "full", "password", "blocked", "version", "rookie only", "filtered", "recently left"}
PEOPLE = [Quake3Player("^2Ann", "12", 48, None), Quake3Player("Sarge", "3", 0, None)]


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silent servers are given up soon."""
    monkeypatch.setattr(poll_session, "start_poll", partial(start_poll, timing=QUICK))


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for OpenArena on the path; the file that it writes its arguments to, a line each."""
    folder, said = tmp_path / "bin", tmp_path / "arguments"
    folder.mkdir()
    program = folder / "openarena"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$0" "$@" > "{said}.part" && mv "{said}.part" "{said}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return said


@pytest.fixture
def two_servers() -> Iterator[tuple[str, str]]:
    """A well visited OpenArena server and a nearly empty one; their addresses."""
    many = [Quake3Player(f"Player {number}", "3", 40, None) for number in range(8)]
    with serving(quake3(many), quake3(PEOPLE)) as (good, poor):
        yield str(good), str(poor)


def sources(*addresses: str) -> list[str]:
    return [f"--server=quake3://{address}" for address in addresses]


def joins() -> list[ServerVisit]:
    database = open_database(user_paths().data)
    try:
        history = VisitHistory(database)
        visits = [visit for address in history.last_played() for visit in history.visits_of(address)]
        return sorted(visits, key=lambda visit: visit.joined_at, reverse=True)
    finally:
        database.close()


def test_info_is_one_flat_object_with_players_and_rules(program: Program) -> None:
    people = [A2SPlayer("Ann", 7, 61.5), A2SPlayer("Bo", -1, 3.25)]
    with serving(a2s(people, {b"mp_timelimit": b"30", b"odd \xff": b"\xfe"}, name="Here")) as (address,):
        ran = program("info", f"a2s://{address}", "--format=json")
        same = program("info", f"--server=a2s://{address}", "--format=json")
    assert ran.status == same.status == 0
    assert (ran.json["name"], ran.json["players"], ran.json["bots"]) == ("Here", 7, 2)
    assert [(row["name"], row["score"], row["duration_s"]) for row in ran.json["player_list"]] == [
        ("Ann", 7, 61.5), ("Bo", -1, 3.25),
    ]  # fmt: skip
    assert all({"name", "score", "duration_s", "ping_ms", "team", "bot"} <= set(row) for row in ran.json["player_list"])
    assert ran.json["player_list"][0]["ping_ms"] is None
    assert ran.json["rules"]["mp_timelimit"] == "30"
    assert set(same.json) == set(ran.json)


def test_info_as_csv_has_players_and_rules_as_json(program: Program) -> None:
    with (
        serving(a2s([A2SPlayer("=Ann", 7, 61.5)], {b"k": b"v"}, name="Here")) as (address,),
        serving(silent) as (mute,),
    ):
        ran = program("info", f"a2s://{address}", "--format=csv")
        nobody = program("info", f"a2s://{mute}", "--format=csv")
    (row,) = csv.DictReader(io.StringIO(ran.out))
    assert (ran.status, row["name"], row["players"]) == (0, "Here", "7")
    assert json.loads(row["player_list"])[0]["name"] == "=Ann"
    assert json.loads(row["rules"]) == {"k": "v"}
    (row,) = csv.DictReader(io.StringIO(nobody.out))
    assert (nobody.status, row["status"], row["player_list"], row["rules"]) == (3, "no answer", "", "")


def test_info_of_a_quake_server_tells_bots_from_people(program: Program) -> None:
    with serving(quake3(PEOPLE)) as (address,):
        found = program("info", f"quake3://{address}", "--format=json").json
    assert [(row["name"], row["ping_ms"], row["bot"]) for row in found["player_list"]] == [
        ("Ann", 48, False), ("Sarge", None, True),
    ]  # fmt: skip
    assert found["rules"]["g_gametype"] == "0"
    assert "challenge" not in found["rules"]


def test_info_of_the_one_server_that_a_file_names(program: Program, tmp_path: Path) -> None:
    listed = tmp_path / "list.json"
    with serving(a2s([A2SPlayer("Ann", 7, 61.5)], {b"mp_timelimit": b"30"}, name="Here")) as (address,):
        listed.write_text(json.dumps({"servers": [f"a2s://{address}"]}))
        ran = program("info", f"--master=file:{listed}", f"--server=a2s://{address}", "--format=json")
    assert (ran.status, ran.err) == (0, "")
    assert (ran.json["name"], ran.json["rules"]) == ("Here", {"mp_timelimit": "30"})


def test_info_of_the_one_server_that_a_master_lists(program: Program) -> None:
    with serving(quake3(PEOPLE)) as (server,), serving(dpmaster([server, server])) as (master,):
        ran = program("info", f"--master=dpmaster://{master}//71", "--format=json")
    assert ran.status == 0
    assert ran.json["address"] == str(server)
    assert [row["name"] for row in ran.json["player_list"]] == ["Ann", "Sarge"]


def test_info_asks_no_server_where_a_list_names_several(program: Program) -> None:
    asked: list[bytes] = []

    def asking(request: bytes) -> Iterable[bytes]:
        asked.append(request)
        return ()

    with serving(asking, asking) as servers, serving(dpmaster(servers)) as (master,):
        ran = program("info", f"--master=dpmaster://{master}//71", "--format=json")
    assert ran.status == 2
    assert "exactly one server is wanted, the sources name 2" in ran.err
    assert (ran.out, asked) == ("", [])


def test_info_where_no_server_is_listed(program: Program) -> None:
    with serving(dpmaster([])) as (master,):
        ran = program("info", f"--master=dpmaster://{master}//71", "--format=json")
    assert (ran.status, ran.out) == (1, "")
    assert "name no server" in ran.err
    nobody = program("info", "--master=json+http://127.0.0.1:1/list.json")
    assert nobody.status == 3
    assert "json+http://127.0.0.1:1/list.json: " in nobody.err


def test_info_as_a_table_is_plain_text(program: Program) -> None:
    with serving(a2s([A2SPlayer("[red]x[/red]\x1b[0m", 1, 1.0)], {b"k": b"[blink]v"})) as (address,):
        ran = program("info", f"a2s://{address}")
    assert ran.status == 0
    assert "[red]x[/red]" in ran.out
    assert "[blink]v" in ran.out
    assert "\x1b" not in ran.out


def test_info_as_a_table_leaves_nothing_of_a_long_word_out(program: Program) -> None:
    with serving(a2s(rules={b"key": b"0123456789" * 30})) as (address,):
        ran = program("info", f"a2s://{address}", "--format=table")
    assert "".join(ran.out.partition("Value")[2].split()) == "key" + "0123456789" * 30


def test_info_of_nobody(program: Program) -> None:
    with serving(silent) as (address,):
        ran = program("info", f"a2s://{address}", "--format=json")
    assert ran.status == 3
    assert (ran.json["status"], ran.json["player_list"], ran.json["rules"]) == ("no answer", None, None)
    assert str(address) in ran.err


def test_info_of_nonsense(program: Program) -> None:
    with serving(always(b"\xff\xff\xff\xffI\x11broken")) as (address,):
        ran = program("info", f"a2s://{address}", "--format=json")
    assert ran.json["status"] == "malformed"
    assert ran.json["name"] is None
    assert ran.json["error"]


def test_dry_run_prints_the_choice_and_starts_nothing(
    program: Program, two_servers: tuple[str, str], game: Path
) -> None:
    good, poor = two_servers
    ran = program("play", *sources(*two_servers), "--dry-run")
    assert ran.status == 0
    found = ran.json
    assert {"chosen", "command", "reason", "attempts", "verified", "rejected"} <= set(found)
    assert found["chosen"] == good
    assert found["command"] == [str(game.parent / "bin" / "openarena"), "+connect", good]
    assert found["installed"] is True
    assert isinstance(found["reason"], str)
    assert found["attempts"] == 1
    assert [each["address"] for each in found["verified"]] == [good, poor]
    assert all({"address", "score", "eligible", "why"} <= set(each) for each in found["verified"])
    assert set(found["rejected"]) == REJECTIONS
    assert not game.exists()
    assert joins() == []


def test_a_game_that_is_not_there_is_told(
    program: Program, two_servers: tuple[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    dry = program("play", *sources(*two_servers), "--dry-run")
    assert dry.status == 0
    assert dry.json["installed"] is False
    assert dry.json["command"][1:] == ["+connect", two_servers[0]]
    ran = program("play", *sources(*two_servers))
    assert ran.status == 1
    assert "OpenArena is not installed" in ran.err
    assert joins() == []


def test_play_joins_and_remembers_and_does_not_go_back_at_once(
    program: Program, two_servers: tuple[str, str], game: Path
) -> None:
    good, poor = two_servers
    ran = program("play", *sources(*two_servers))
    assert ran.status == 0
    assert ran.out == ""
    assert wait_until(game.exists)
    assert game.read_text().splitlines() == [str(game.parent / "bin" / "openarena"), "+connect", good]
    (join,) = joins()
    assert (str(join.address), join.game, join.players, join.map) == (good, "openarena", 8, "oa_dm1")
    assert join.play_now_reason
    assert join.play_now_reason in ran.err
    elsewhere = program("play", *sources(*two_servers), "--dry-run").json
    assert elsewhere["chosen"] == poor
    assert elsewhere["rejected"]["recently left"] == 1
    only = program("play", *sources(good), "--dry-run").json
    assert only["chosen"] == good
    assert only["verified"][0]["why"] == "recently left"


def test_why_servers_are_rejected(program: Program) -> None:
    handlers = (
        a2s(players=24, bots=0),
        a2s(password=True),
        a2s(map="cp_steel"),
        silent,
    )
    with serving(*handlers) as addresses:
        words = [f"--server=a2s://{address}" for address in addresses]
        ran = program("play", *words, "--filter=-map:cp_steel", "--dry-run")
    assert ran.status == 1
    assert (ran.json["chosen"], ran.json["command"], ran.json["reason"]) == (None, None, None)
    assert {why: number for why, number in ran.json["rejected"].items() if number} == {
        "full": 1, "password": 1, "filtered": 1, "no answer": 1,
    }  # fmt: skip


def test_play_gives_up_after_so_many_attempts(program: Program) -> None:
    with serving(a2s(password=True)) as (address,):
        ran = program("play", f"--server=a2s://{address}", "--attempts=1")
    assert ran.status == 1
    assert "No server fits (attempt 1): 1 password" in ran.err


def test_play_with_nobody_there(program: Program) -> None:
    with serving(silent) as (address,):
        ran = program("play", f"--server=a2s://{address}", "--dry-run")
    assert ran.status == 3
    assert "--demo" in ran.err
    assert (ran.json["chosen"], ran.json["command"], ran.json["verified"]) == (None, None, [])
    assert ran.json["rejected"]["no answer"] == 1
    nobody = program("play", "--master=json+http://127.0.0.1:1/list.json", "--dry-run")
    assert (nobody.status, nobody.json["chosen"], set(nobody.json["rejected"])) == (3, None, REJECTIONS)


def test_hostile_text_never_reaches_the_command_line(program: Program, game: Path) -> None:
    many = [Quake3Player("; rm -rf /", "3", 40, None) for _ in range(8)]
    keys = {"sv_hostname": "$(reboot) +set x y", "mapname": "oa_dm1;quit", "version": "ioq3+oa `id`"}
    with serving(quake3(many, **keys)) as (address,):
        assert program("play", f"--server=quake3://{address}").status == 0
    assert wait_until(game.exists)
    assert game.read_text().splitlines()[1:] == ["+connect", str(address)]


def test_the_demo_has_a_history_of_its_own(program: Program, game: Path) -> None:
    program("play", "--demo=20", "--filter=game:openarena", "--attempts=1")
    assert joins() == []


def test_demo_prints_its_sources_and_ends() -> None:
    ran = run_process("demo", "--servers=7", "--seconds=0.1", "--latency=5", "--seed=3")
    assert ran.status == 0
    assert {"masters", "servers"} <= set(ran.json)
    assert len(ran.json["servers"]) == 7
    assert ran.err == ""
    assert len(json.loads(ran.out)["masters"]) >= 1
