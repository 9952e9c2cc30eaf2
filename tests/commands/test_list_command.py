"""`list`: every documented key, order, filters, formats, and what becomes of servers that answer wrongly or never."""

import csv
import io
import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from loopback_servers import Handler, a2s, always, dpmaster, quake3, serving, silent
from program_runner import Program
from timeouts import LIMIT_S

from browser_app.app import run_program
from browser_app.application import poll_session
from browser_app.catalogue.server_filter import FILTER_FIELDS
from browser_app.catalogue.server_orders import SORT_KEYS
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.engine.server_poll import start_poll
from browser_app.protocols.address import Address
from browser_app.protocols.quake3 import Quake3Player

DOCUMENTED = {
    "address", "connect", "protocol", "game", "status", "error", "name", "map", "mode", "players", "bots",
    "spectators", "max_players", "reserved", "password", "version", "performance", "server_skill", "country",
    "ping_ms", "ping_samples", "attempts", "score", "factors",
}  # fmt: skip
FAST = "--pace=unlimited"
PEOPLE = [Quake3Player("^2Ann", "12", 48, None), Quake3Player("Sarge", "3", 0, None), Quake3Player("Bo", "5", 61, None)]
QUICK = QueryTiming(waits_s=(0.1, 0.1, 0.6), late_reply_wait_s=0.1, min_follow_up_wait_s=0.4)
"""For servers that answer soon or never."""
PATIENT = QueryTiming(waits_s=(LIMIT_S,) * 3, min_follow_up_wait_s=LIMIT_S)
"""For servers that answer the first request."""


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silent servers are given up soon."""
    monkeypatch.setattr(poll_session, "start_poll", partial(start_poll, timing=QUICK))


@pytest.fixture
def some_servers() -> Iterator[list[str]]:
    """Words that name six servers: four answer, one is silent, one talks nonsense."""
    handlers: tuple[Handler, ...] = (
        a2s(name="Gamma", players=13, bots=1, map="pl_badwater"),
        a2s(name="alpha", players=4, bots=0, password=True, map="ctf_2fort"),
        a2s(name="Beta", players=24, bots=0, map="cp_steel"),
        quake3(PEOPLE),
        silent,
        always(b"\xff\xff\xff\xffI\x11nonsense"),
    )
    with serving(*handlers) as addresses:
        yield [f"--server={'quake3' if number == 3 else 'a2s'}://{address}" for number, address in enumerate(addresses)]


def names(servers: list[dict[str, Any]]) -> list[str | None]:
    return [server["name"] for server in servers]


def test_every_documented_key_is_there_and_unknown_is_null(program: Program, some_servers: list[str]) -> None:
    ran = program("list", *some_servers, FAST, "--format=json")
    assert ran.status == 0
    assert ran.err == ""
    document = ran.json
    assert {"masters", "servers", "sent", "received", "dropped", "elapsed_s"} <= set(document)
    assert document["masters"] == []
    assert isinstance(document["dropped"], int)
    assert all(set(server) >= DOCUMENTED for server in document["servers"])
    by_status = {server["status"]: server for server in document["servers"] if server["status"] != "ok"}
    assert set(by_status) == {"no answer", "malformed"}
    for server in by_status.values():
        unknown = DOCUMENTED - {"address", "protocol", "status", "error", "attempts", "factors", "ping_samples"}
        assert {key for key in unknown if server[key] is not None} == set()
        assert server["error"]
        assert server["ping_samples"] == []
        assert server["attempts"] == 3
    assert document["dropped"] >= 1


def test_what_a_steam_server_says(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poll_session, "start_poll", partial(start_poll, timing=PATIENT))
    with serving(a2s(name="One\x07 \u202eTwo", port=27020)) as (address,):
        (server,) = program("list", f"--server=a2s://{address}", FAST, "--format=json").servers
    assert server["name"] == "One Two"
    assert (server["players"], server["bots"]) == (7, 2)
    assert server["max_players"] == 24
    assert server["connect"] == "127.0.0.1:27020"
    assert server["address"] == str(address)
    assert (server["game"], server["map"], server["version"]) == ("tf2", "pl_upward", "9543365")
    assert (server["password"], server["spectators"], server["reserved"]) == (False, None, None)
    assert (server["performance"], server["server_skill"], server["country"]) == (None, None, None)
    assert server["ping_samples"] == [server["ping_ms"]]
    assert server["ping_ms"] > 0
    assert server["attempts"] == 1


def test_an_ns2_server_named_by_its_address_tells_the_skill_in_its_rules(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poll_session, "start_poll", partial(start_poll, timing=PATIENT))
    tags = "344|ns2||149|34|50|80|shine"
    veil = a2s(
        rules={b"AverageSkill": b"1777.25"}, appid=4920, folder="naturalselection2", map="ns2_veil", keywords=tags
    )
    with serving(veil) as (address,):
        (server,) = program("list", f"--server=a2s://{address}", FAST, "--format=json").servers
    assert (server["game"], server["version"], server["server_skill"]) == ("ns2", "344", 1777.25)
    assert len(server["ping_samples"]) == server["attempts"] == 1


def test_more_bots_than_players_is_nobody(program: Program) -> None:
    with serving(a2s(players=3, bots=5)) as (address,):
        (server,) = program("list", f"--server=a2s://{address}", FAST, "--format=json").servers
    assert (server["players"], server["bots"]) == (0, 5)


def test_what_a_quake_server_says(program: Program) -> None:
    with serving(quake3(PEOPLE)) as (address,):
        (server,) = program("list", f"--server=quake3://{address}", FAST, "--format=json").servers
    assert server["name"] == "An arena"
    assert (server["players"], server["bots"], server["max_players"], server["reserved"]) == (2, 1, 16, 2)
    assert (server["game"], server["mode"], server["mode_name"]) == ("openarena", "ffa", "Free for All")
    assert (server["password"], server["version"]) == (False, "ioq3+oa 1.36")


def test_without_words_the_best_score_is_first_and_the_unranked_last(program: Program, some_servers: list[str]) -> None:
    servers = program("list", *some_servers, FAST, "--format=json").servers
    scores = [server["score"] for server in servers]
    ranked = [score for score in scores if score is not None]
    assert ranked == sorted(ranked, reverse=True)
    assert scores[len(ranked) :] == [None, None]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("name", ["alpha", "An arena", "Beta", "Gamma"]),
        ("players", ["Beta", "Gamma", "alpha", "An arena"]),
        ("map", ["Beta", "alpha", "An arena", "Gamma"]),
    ],
)
def test_sorting_both_ways_puts_the_unknown_last(
    program: Program, some_servers: list[str], column: str, expected: list[str]
) -> None:
    first = program("list", *some_servers, FAST, "--format=json", f"--sort={column}").servers
    turned = program("list", *some_servers, FAST, "--format=json", f"--sort=-{column}").servers
    assert names(first) == [*expected, None, None]
    assert names(turned) == [*reversed(expected), None, None]


@pytest.mark.parametrize("column", ["ping_ms", "max_players", "server_skill", "favorite", "password", "perf", "fav"])
def test_columns_are_known_by_the_names_of_json_and_of_filters_too(program: Program, column: str) -> None:
    with serving(a2s(name="Gamma")) as (address,):
        assert names(program("list", f"--server=a2s://{address}", FAST, "--format=json", f"--sort={column}").servers)


def test_help_names_every_column_and_field(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program(["list", "--help"]) == 0
    said = capsys.readouterr().out.split("COL: ")[1].replace(",", " ").replace(")", " ").replace("(", " ").split()
    assert {*SORT_KEYS, *FILTER_FIELDS.numbers, *FILTER_FIELDS.texts, *FILTER_FIELDS.flags} <= set(said)


def test_filter_and_limit(program: Program, some_servers: list[str]) -> None:
    ran = program("list", *some_servers, FAST, "--format=json", "--filter=players>=4 -full", "--sort=name")
    assert names(ran.servers) == ["alpha", "Gamma"]
    assert ran.status == 0
    limited = program("list", *some_servers, FAST, "--format=json", "--limit=2")
    assert len(limited.servers) == 2
    none = program("list", *some_servers, FAST, "--format=json", "--filter=players>40")
    assert none.servers == []
    assert none.status == 1


def test_csv_has_the_keys_of_json_and_a_line_for_each_server(program: Program, some_servers: list[str]) -> None:
    ran = program("list", *some_servers, FAST, "--format=csv", "--sort=players")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert [row["players"] for row in rows] == ["24", "12", "4", "2", "", ""]
    (document,) = program("list", *some_servers, FAST, "--format=json", "--limit=1").servers
    assert set(rows[0]) == (set(document) - {"factors"}) | {f"factors.{name}" for name in document["factors"]}
    assert set(rows[0]) >= DOCUMENTED - {"factors"}


def test_csv_writes_values_as_json_does(program: Program, some_servers: list[str]) -> None:
    ran = program("list", *some_servers, FAST, "--format=csv", "--sort=name")
    alpha, arena, _, _, *others = csv.DictReader(io.StringIO(ran.out))
    assert (alpha["password"], arena["password"], others[0]["password"]) == ("true", "false", "")
    assert (alpha["tags"], alpha["spectators"], others[0]["tags"]) == ("alltalk;payload", "", "")
    assert alpha["ping_samples"] == alpha["ping_ms"]
    assert 0 < float(alpha["factors.ping"]) <= 1
    assert {row["status"] for row in others} == {"no answer", "malformed"}
    assert "None" not in ran.out
    assert "True" not in ran.out
    assert "nan" not in ran.out


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1", "'+1"),
        ("-1+1", "'-1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("＝1", "'＝1"),
        ("'quoted", "''quoted"),
        ('a,"b";c', 'a,"b";c'),
        ("plain = -1", "plain = -1"),
    ],
)
def test_no_name_in_csv_is_a_formula_and_every_one_can_be_read_back(program: Program, name: str, cell: str) -> None:
    with serving(a2s(name=name, keywords="=tag,alltalk")) as (address,):
        ran = program("list", f"--server=a2s://{address}", FAST, "--format=csv")
    (row,) = csv.DictReader(io.StringIO(ran.out))
    assert row["name"] == cell
    assert row["name"].removeprefix("'") == name
    assert row["tags"] == "'=tag;alltalk"


def test_the_table_shows_server_text_as_plain_text(program: Program) -> None:
    with serving(a2s(name="[red]not[/red] \x1b[31mcolour", map="[bold]x")) as (address,):
        ran = program("list", f"--server=a2s://{address}", FAST)
    assert ran.status == 0
    assert "[red]not[/red]" in ran.out
    assert "\x1b" not in ran.out


def test_preset_and_skill_change_the_score(program: Program) -> None:
    keywords = "A|344|ns2|14|80|0|1500|"
    ns2 = a2s(appid=4920, folder="naturalselection2", players=12, bots=0, max_players=24, keywords=keywords)
    with serving(ns2) as (address,):
        words = ("list", f"--server=a2s://{address}", FAST, "--format=json")
        (plain,) = program(*words).servers
        (in_game,) = program(*words, "--preset=in-game").servers
        (blog,) = program(*words, "--preset=blog").servers
    assert plain["game"] == "ns2"
    assert in_game["factors"]["players"] != pytest.approx(blog["factors"]["players"], rel=1e-3)
    assert plain["factors"]["players"] == blog["factors"]["players"]


def test_skill_counts_where_the_server_tells_its_own(program: Program) -> None:
    words = ("list", "--demo=40", "--format=json")
    factors = {
        server["address"]: (server["server_skill"], server["players"], server["factors"]["skill"])
        for server in program(*words, "--skill=100").servers
        if server["game"] == "ns2"
    }
    told = [factor for skill, players, factor in factors.values() if skill is not None and players > 1]
    untold = [factor for skill, _, factor in factors.values() if skill is None]
    assert told
    assert all(factor < 1 for factor in told)
    assert all(factor == 1 for factor in untold)


def test_a_server_that_two_masters_name_is_asked_once(program: Program, tmp_path: Path) -> None:
    with serving(quake3(PEOPLE)) as (server,), serving(dpmaster([server]), dpmaster([server, server])) as masters:
        listed = tmp_path / "list.json"
        listed.write_text(json.dumps({"servers": [f"quake3://{server}"]}))
        urls = [*(f"dpmaster://{master}//71" for master in masters), f"file:{listed}"]
        ran = program(
            "list", *(f"--master={url}" for url in urls), f"--server=quake3://{server}", FAST, "--format=json"
        )
    assert [each["address"] for each in ran.servers] == [str(server)]
    assert ran.json["masters"] == [
        {"url": urls[0], "ok": True, "servers": 1, "error": None},
        {"url": urls[1], "ok": True, "servers": 1, "error": None},
        {"url": urls[2], "ok": True, "servers": 1, "error": None},
    ]
    assert ran.json["sent"] == 1


def test_an_empty_list_is_no_error_and_finds_nothing(program: Program) -> None:
    with serving(dpmaster([])) as (master,):
        ran = program("list", f"--master=dpmaster://{master}/Xonotic/3", "--format=json")
    assert ran.json["masters"] == [{"url": f"dpmaster://{master}/Xonotic/3", "ok": True, "servers": 0, "error": None}]
    assert ran.servers == []
    assert ran.status == 1


def test_a_list_without_an_end_is_used_and_said_to_be_incomplete(program: Program) -> None:
    with serving(quake3(PEOPLE)) as (server,), serving(dpmaster([server], end=False)) as (master,):
        ran = program("list", f"--master=dpmaster://{master}//71", FAST, "--format=json")
    (entry,) = ran.json["masters"]
    assert entry["ok"]
    assert entry["servers"] == 1
    assert "incomplete" in entry["error"]
    assert names(ran.servers) == ["An arena"]
    assert ran.status == 0


def test_a_dead_master_costs_only_its_own_servers(program: Program) -> None:
    url = "json+http://127.0.0.1:1/list.json"
    with serving(quake3(PEOPLE)) as (server,):
        ran = program("list", f"--master={url}", f"--server=quake3://{server}", FAST, "--format=json")
    (entry,) = ran.json["masters"]
    assert entry["url"] == url
    assert (entry["ok"], entry["servers"]) == (False, 0)
    assert entry["error"]
    assert names(ran.servers) == ["An arena"]
    assert ran.status == 0


def test_nobody_answers(program: Program) -> None:
    with serving(silent) as (server,):
        ran = program("list", f"--server=a2s://{server}", FAST, "--format=json")
    assert ran.status == 3
    assert [each["status"] for each in ran.servers] == ["no answer"]
    assert "--demo" in ran.err


def test_what_list_printed_is_a_list(program: Program, some_servers: list[str], tmp_path: Path) -> None:
    first = program("list", *some_servers, FAST, "--format=json", "--sort=address")
    file = tmp_path / "published.json"
    file.write_text(first.out)
    again = program("list", f"--master=file:{file}", FAST, "--format=json", "--sort=address")
    assert [(each["address"], each["name"], each["status"]) for each in again.servers] == [
        (each["address"], each["name"], each["status"]) for each in first.servers
    ]
    assert again.json["masters"] == [{"url": f"file:{file}", "ok": True, "servers": 6, "error": None}]


def test_a_list_in_the_present_folder_and_as_browsers_write_it(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with serving(quake3()) as (server,):
        Path("a list.json").write_text(json.dumps({"servers": [f"quake3://{server}"]}))
        for url in ("file:a list.json", f"file://{tmp_path}/a%20list.json"):
            assert len(program("list", f"--master={url}", FAST, "--format=json").servers) == 1


def test_ipv6(program: Program) -> None:
    with serving(quake3(PEOPLE), hosts=["::1"]) as (address,):
        assert isinstance(address, Address)
        (server,) = program("list", f"--server=quake3://[::1]:{address.port}", FAST, "--format=json").servers
    assert server["address"] == server["connect"] == f"[::1]:{address.port}"
    assert server["name"] == "An arena"


def test_a_host_name_is_looked_up(program: Program) -> None:
    with serving(quake3(PEOPLE)) as (address,):
        (server,) = program("list", f"--server=quake3://localhost:{address.port}", FAST, "--format=json").servers
    assert (server["address"], server["name"]) == (str(address), "An arena")


def test_the_demo_key_is_never_printed(program: Program) -> None:
    ran = program("list", "--demo=12", "--format=json")
    assert all(master["ok"] for master in ran.json["masters"])
    assert len(ran.servers) == 12
    assert "D3M0" not in ran.out + ran.err


def test_a_key_in_a_url_is_made_unreadable(program: Program) -> None:
    url = "steam-web+http://127.0.0.1:9/?appid=440&key=SECRETSECRET"
    ran = program("list", f"--master={url}", "--format=json")
    assert ran.status in (2, 3)
    assert "SECRETSECRET" not in ran.out + ran.err


def test_masters_of_a_game_are_those_of_its_profile(
    program: Program, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(quake3(PEOPLE)) as (server,), serving(dpmaster([server])) as (master,):
        folder = home / "settings" / "games"
        folder.mkdir(parents=True)
        profile = (Path(__file__).parents[2] / "resources" / "games" / "openarena.toml").read_text()
        head, _, rest = profile.partition("masters = [")
        text = f'{head}masters = ["dpmaster://{master}//71"]\n{rest.partition("]")[2]}'
        (folder / "openarena.toml").write_text(text)
        ran = program("list", "--game=openarena", FAST, "--format=json")
    assert [each["url"] for each in ran.json["masters"]] == [f"dpmaster://{master}//71"]
    assert [each["game"] for each in ran.servers] == ["openarena"]
    assert os.environ["READY_ROOM_HOME"] == str(home)
