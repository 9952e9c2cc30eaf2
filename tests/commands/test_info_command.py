"""The `info` command."""

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from loopback_servers import a2s, always, dpmaster, quake3, serving, silent
from program_runner import Program

from browser_app.exit_status import ExitStatus
from browser_app.protocols.a2s.a2s import A2SPlayer
from browser_app.protocols.quake.quake3 import Quake3Player

pytestmark = pytest.mark.usefixtures("quick_timing")

PEOPLE = [Quake3Player("^2Ann", "12", 48, None), Quake3Player("Sarge", "3", 0, None)]


def test_json_is_one_flat_object(program: Program) -> None:
    people = [A2SPlayer("Ann", 7, 61.5), A2SPlayer("Bo", -1, 3.25)]
    with serving(a2s(people, {b"mp_timelimit": b"30", b"odd \xff": b"\xfe"}, name="Here")) as (address,):
        result = program("info", f"a2s://{address}", "--format=json")
        same_result = program("info", f"--server=a2s://{address}", "--format=json")
    assert result.status == same_result.status == 0
    assert (result.json["name"], result.json["players"], result.json["bots"]) == ("Here", 7, 2)
    assert [(row["name"], row["score"], row["duration_s"]) for row in result.json["player_list"]] == [
        ("Ann", 7, 61.5), ("Bo", -1, 3.25),
    ]  # fmt: skip
    assert all(
        {"name", "score", "duration_s", "ping_ms", "team", "bot"} <= set(row) for row in result.json["player_list"]
    )
    assert result.json["player_list"][0]["ping_ms"] is None
    assert result.json["rules"]["mp_timelimit"] == "30"
    assert set(same_result.json) == set(result.json)


def test_csv_has_lists_as_json(program: Program) -> None:
    with (
        serving(a2s([A2SPlayer("=Ann", 7, 61.5)], {b"k": b"v"}, name="Here")) as (address,),
        serving(silent) as (silent_address,),
    ):
        result = program("info", f"a2s://{address}", "--format=csv")
        no_answer = program("info", f"a2s://{silent_address}", "--format=csv")
    (row,) = csv.DictReader(io.StringIO(result.out))
    assert (result.status, row["name"], row["players"]) == (0, "Here", "7")
    assert json.loads(row["player_list"])[0]["name"] == "=Ann"
    assert json.loads(row["rules"]) == {"k": "v"}
    (row,) = csv.DictReader(io.StringIO(no_answer.out))
    assert (no_answer.status, row["status"], row["player_list"], row["rules"]) == (3, "no answer", "", "")


def test_quake_bots_are_marked(program: Program) -> None:
    with serving(quake3(PEOPLE)) as (address,):
        output = program("info", f"quake3://{address}", "--format=json").json
    assert [(row["name"], row["ping_ms"], row["bot"]) for row in output["player_list"]] == [
        ("Ann", 48, False), ("Sarge", None, True),
    ]  # fmt: skip
    assert output["rules"]["g_gametype"] == "0"
    assert "challenge" not in output["rules"]


def test_only_server_of_file(program: Program, tmp_path: Path) -> None:
    listed = tmp_path / "list.json"
    with serving(a2s([A2SPlayer("Ann", 7, 61.5)], {b"mp_timelimit": b"30"}, name="Here")) as (address,):
        listed.write_text(json.dumps({"servers": [f"a2s://{address}"]}))
        result = program("info", f"--master=file:{listed}", f"--server=a2s://{address}", "--format=json")
    assert (result.status, result.err) == (0, "")
    assert (result.json["name"], result.json["rules"]) == ("Here", {"mp_timelimit": "30"})


def test_only_server_of_master(program: Program) -> None:
    with serving(quake3(PEOPLE)) as (server,), serving(dpmaster([server, server])) as (master,):
        result = program("info", f"--master=dpmaster://{master}//71", "--format=json")
    assert result.status == 0
    assert result.json["address"] == str(server)
    assert [row["name"] for row in result.json["player_list"]] == ["Ann", "Sarge"]


def test_several_servers_are_not_queried(program: Program) -> None:
    requests: list[bytes] = []

    def count_request(request: bytes) -> Iterable[bytes]:
        requests.append(request)
        return ()

    with serving(count_request, count_request) as servers, serving(dpmaster(servers)) as (master,):
        result = program("info", f"--master=dpmaster://{master}//71", "--format=json")
    assert result.status == 2
    assert "2" in result.err
    assert (result.out, requests) == ("", [])


def test_no_server_listed(program: Program) -> None:
    with serving(dpmaster([])) as (master,):
        result = program("info", f"--master=dpmaster://{master}//71", "--format=json")
    assert (result.status, result.out) == (1, "")
    assert "no server" in result.err
    no_answer = program("info", "--master=json+http://127.0.0.1:1/list.json")
    assert no_answer.status == 3
    assert "json+http://127.0.0.1:1/list.json: " in no_answer.err


def test_table_shows_plain_text(program: Program) -> None:
    with serving(a2s([A2SPlayer("[red]x[/red]\x1b[0m", 1, 1.0)], {b"k": b"[blink]v"})) as (address,):
        result = program("info", f"a2s://{address}")
    assert result.status == 0
    assert "[red]x[/red]" in result.out
    assert "[blink]v" in result.out
    assert "\x1b" not in result.out


def test_table_folds_long_words(program: Program) -> None:
    with serving(a2s(rules={b"key": b"0123456789" * 30})) as (address,):
        result = program("info", f"a2s://{address}", "--format=table")
    assert "".join(result.out.partition("Value")[2].split()) == "key" + "0123456789" * 30


def test_unresponsive_server(program: Program) -> None:
    with serving(silent) as (address,):
        result = program("info", f"a2s://{address}", "--format=json")
    assert result.status == 3
    assert (result.json["status"], result.json["player_list"], result.json["rules"]) == ("no answer", None, None)
    assert str(address) in result.err


def test_malformed_answer(program: Program) -> None:
    with serving(always(b"\xff\xff\xff\xffI\x11broken")) as (address,):
        result = program("info", f"a2s://{address}", "--format=json")
    assert result.json["status"] == "malformed"
    assert result.json["name"] is None
    assert result.json["error"]


def test_listed_server_is_not_queried(program: Program, tmp_path: Path) -> None:
    listed = tmp_path / "list.json"
    listed.write_text(json.dumps({"servers": ["listed://127.0.0.1:1234"]}))
    result = program("info", f"--master=file:{listed}")
    assert (result.status, result.err.count("never queried")) == (ExitStatus.NOTHING_FOUND, 1)
    assert program("info", "listed://127.0.0.1:1234").status == ExitStatus.USAGE_ERROR
