"""The `list` command: keys, order, filters, formats, masters and failing servers."""

import csv
import io
import json
import math
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from loopback_servers import Handler, a2s, always, dpmaster, quake3, serving, silent
from program_runner import Program
from timeouts import LIMIT_S

from browser_app.app import run_program
from browser_app.application import poll_session
from browser_app.application.game_finder import GameFinder
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.server_filter import FILTER_FIELDS
from browser_app.catalogue.server_fields import SORT_KEYS
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.commands import command_polling
from browser_app.commands.output.terminal_server_table import print_servers
from browser_app.engine.masters.master_kinds import MASTER_KINDS
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.engine.server_poll import ServerPoll, start_poll
from browser_app.protocols.address import Address
from browser_app.protocols.quake.quake3 import Quake3Player

pytestmark = pytest.mark.usefixtures("quick_timing")

DOCUMENTED = {
    "address", "connect", "protocol", "game", "status", "error", "name", "map", "mode", "players", "bots",
    "spectators", "max_players", "reserved", "password", "version", "performance", "server_skill", "country",
    "ping_ms", "ping_samples", "attempts", "score", "gain", "installed", "factors",
}  # fmt: skip
FAST = "--pace=unlimited"
PEOPLE = [Quake3Player("^2Ann", "12", 48, None), Quake3Player("Sarge", "3", 0, None), Quake3Player("Bo", "5", 61, None)]
LONG_TIMING = QueryTiming(waits_s=(LIMIT_S,) * 3, min_follow_up_wait_s=LIMIT_S)
"""For servers that answer the first request."""


@pytest.fixture
def six_servers() -> Iterator[list[str]]:
    """Yield options for six servers: four answer, one is silent, one sends nonsense."""
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


def test_queries_do_not_wait_for_installed_games(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    queried, answer, was_queried_first = threading.Event(), quake3(), list[bool]()

    def answer_query(request: bytes) -> Iterable[bytes]:
        queried.set()
        return answer(request)

    def find_slowly(_finder: GameFinder) -> frozenset[str]:
        was_queried_first.append(queried.wait(LIMIT_S))
        return frozenset(("openarena",))

    monkeypatch.setattr(GameFinder, "find_all", find_slowly)
    with serving(answer_query) as (address,):
        (server,) = program("list", f"--server=quake3://{address}", FAST, "--format=json").servers
    assert was_queried_first == [True]
    assert server["installed"] is (server["game"] == "openarena")


def test_installed_games(
    program: Program, six_servers: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    openarena = tmp_path / "openarena"
    openarena.write_text("#!/bin/sh\n")
    openarena.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    servers = program("list", *six_servers, FAST, "--format=json").servers
    assert {(server["game"], server["installed"]) for server in servers} == {
        ("tf2", False), ("openarena", True), (None, None),
    }  # fmt: skip
    assert server_names(program("list", *six_servers, FAST, "--filter=installed", "--format=json").servers) == [
        "An arena"
    ]


def server_names(servers: list[dict[str, Any]]) -> list[str | None]:
    return [server["name"] for server in servers]


def test_json_keys_are_documented(program: Program, six_servers: list[str]) -> None:
    result = program("list", *six_servers, FAST, "--format=json")
    assert result.status == 0
    assert result.err == ""
    document = result.json
    assert {"masters", "servers", "sent", "received", "dropped", "elapsed_s"} <= set(document)
    assert document["masters"] == []
    assert isinstance(document["dropped"], int)
    assert all(set(server) >= DOCUMENTED for server in document["servers"])
    by_status = {server["status"]: server for server in document["servers"] if server["status"] != "ok"}
    assert set(by_status) == {"no answer", "malformed"}
    for server in by_status.values():
        unknown_keys = DOCUMENTED - {"address", "protocol", "status", "error", "attempts", "factors", "ping_samples"}
        assert {key for key in unknown_keys if server[key] is not None} == set()
        assert server["error"]
        assert server["ping_samples"] == []
        assert server["attempts"] == 3
    assert document["dropped"] >= 1


def test_first_answer_after_descriptions(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    monkeypatch.setattr(poll_session, "mark_startup", events.append)

    def merge_descriptions_first(poll: ServerPoll, merge: Callable[[], None]) -> None:
        assert poll.wait(LIMIT_S)
        assert poll.descriptions
        results = [*poll.scan.results]
        poll.scan.results.clear()
        merge()
        poll.scan.results.extend(results)
        merge()
        poll.cancel()

    monkeypatch.setattr(command_polling, "wait_for_poll", merge_descriptions_first)
    assert program("list", "--demo=6", "--format=json").servers
    assert events == ["first_answer", "scan_done"]


def test_steam_server_has_all_values(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poll_session, "start_poll", partial(start_poll, timing=LONG_TIMING))
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


def test_ns2_skill_from_rules(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poll_session, "start_poll", partial(start_poll, timing=LONG_TIMING))
    tags = "344|ns2||149|34|50|80|shine"
    veil = a2s(
        rules={b"AverageSkill": b"1777.25"}, appid=4920, folder="naturalselection2", map="ns2_veil", keywords=tags
    )
    with serving(veil) as (address,):
        (server,) = program("list", f"--server=a2s://{address}", FAST, "--format=json").servers
    assert (server["game"], server["version"], server["server_skill"]) == ("ns2", "344", 1777.25)
    assert len(server["ping_samples"]) == server["attempts"] == 1


def test_excess_bots_are_zero(program: Program) -> None:
    with serving(a2s(players=3, bots=5)) as (address,):
        (server,) = program("list", f"--server=a2s://{address}", FAST, "--format=json").servers
    assert (server["players"], server["bots"]) == (0, 5)


def test_quake_server(program: Program) -> None:
    with serving(quake3(PEOPLE)) as (address,):
        (server,) = program("list", f"--server=quake3://{address}", FAST, "--format=json").servers
    assert server["name"] == "An arena"
    assert (server["players"], server["bots"], server["max_players"], server["reserved"]) == (2, 1, 16, 2)
    assert (server["game"], server["mode"], server["mode_name"]) == ("openarena", "ffa", "Free for All")
    assert (server["password"], server["version"]) == (False, "ioq3+oa 1.36")


def test_mode_of_map_is_not_reported(program: Program, six_servers: list[str]) -> None:
    (server,) = program("list", *six_servers, FAST, "--filter=mode:pl", "--format=json").servers
    assert (server["map"], server["mode"], server["mode_name"]) == ("pl_badwater", None, None)
    assert server["map_mode"] == "pl"


def test_sorted_by_score(program: Program, six_servers: list[str]) -> None:
    servers = program("list", *six_servers, FAST, "--format=json").servers
    scores = [server["score"] for server in servers]
    ranked = [score for score in scores if score is not None]
    assert ranked == sorted(ranked, reverse=True)
    assert scores[len(ranked) :] == [None, None]
    gains = [server["gain"] for server in servers]
    assert [gain is None for gain in gains] == [score is None for score in scores]
    assert any(gain for gain in gains)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("name", ["alpha", "An arena", "Beta", "Gamma"]),
        ("players", ["Beta", "Gamma", "alpha", "An arena"]),
        ("map", ["Beta", "alpha", "An arena", "Gamma"]),
    ],
)
def test_unknown_sorts_last(program: Program, six_servers: list[str], column: str, expected: list[str]) -> None:
    first = program("list", *six_servers, FAST, "--format=json", f"--sort={column}").servers
    reversed_order = program("list", *six_servers, FAST, "--format=json", f"--sort=-{column}").servers
    assert server_names(first) == [*expected, None, None]
    assert server_names(reversed_order) == [*reversed(expected), None, None]


@pytest.mark.parametrize("column", ["ping_ms", "max_players", "server_skill", "favorite", "password", "perf", "fav"])
def test_sort_accepts_other_names(program: Program, column: str) -> None:
    with serving(a2s(name="Gamma")) as (address,):
        assert server_names(
            program("list", f"--server=a2s://{address}", FAST, "--format=json", f"--sort={column}").servers
        )


def test_help_names_fields(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program(["list", "--help"]) == 0
    words = capsys.readouterr().out.split("COL: ")[1].replace(",", " ").replace(")", " ").replace("(", " ").split()
    assert {*SORT_KEYS, *FILTER_FIELDS.numbers, *FILTER_FIELDS.texts, *FILTER_FIELDS.flags} <= set(words)


def test_help_names_master_kinds(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    assert run_program(["list", "--help"]) == 0
    text = capsys.readouterr().out.split("a master server: ")[1].partition("\n")[0]
    named = re.findall(r"[\w+-]+:(?://|(?=,)|$)", text)
    assert len(named) == len(MASTER_KINDS)
    for kind in MASTER_KINDS:
        assert any(form.startswith(start) for form in kind.forms for start in named)


def test_filter_and_limit(program: Program, six_servers: list[str]) -> None:
    result = program("list", *six_servers, FAST, "--format=json", "--filter=players>=4 -full", "--sort=name")
    assert server_names(result.servers) == ["alpha", "Gamma"]
    assert result.status == 0
    limited = program("list", *six_servers, FAST, "--format=json", "--limit=2")
    assert len(limited.servers) == 2
    none = program("list", *six_servers, FAST, "--format=json", "--filter=players>40")
    assert none.servers == []
    assert none.status == 1


def test_csv_has_keys_of_json(program: Program, six_servers: list[str]) -> None:
    result = program("list", *six_servers, FAST, "--format=csv", "--sort=players")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert [row["players"] for row in rows] == ["24", "12", "4", "2", "", ""]
    (document,) = program("list", *six_servers, FAST, "--format=json", "--limit=1").servers
    assert set(rows[0]) == (set(document) - {"factors"}) | {f"factors.{name}" for name in document["factors"]}
    assert set(rows[0]) >= DOCUMENTED - {"factors"}


def test_csv_values(program: Program, six_servers: list[str]) -> None:
    result = program("list", *six_servers, FAST, "--format=csv", "--sort=name")
    alpha, arena, _, _, *unanswered = csv.DictReader(io.StringIO(result.out))
    assert (alpha["password"], arena["password"], unanswered[0]["password"]) == ("true", "false", "")
    assert (alpha["tags"], alpha["spectators"], unanswered[0]["tags"]) == ("alltalk;payload", "", "")
    assert alpha["ping_samples"] == alpha["ping_ms"]
    assert 0 < float(alpha["factors.ping"]) <= 1
    assert {row["status"] for row in unanswered} == {"no answer", "malformed"}
    assert "None" not in result.out
    assert "True" not in result.out
    assert "nan" not in result.out


def test_unknown_map_is_null(program: Program) -> None:
    with serving(a2s(map="")) as (address,):
        listed = program("list", f"--server=a2s://{address}", FAST, "--format=json")
        table = program("list", f"--server=a2s://{address}", FAST, "--format=csv")
    assert [server["map"] for server in listed.servers] == [None]
    assert [row["map"] for row in csv.DictReader(io.StringIO(table.out))] == [""]


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
        ("a;=1+1", "a;'=1+1"),  # a new cell where the comma is the decimal separator
        ("=1;'b;;-c", "'=1;''b;;'-c"),
        ("plain = -1", "plain = -1"),
    ],
)
def test_csv_escapes_formulas(program: Program, name: str, cell: str) -> None:
    with serving(a2s(name=name, keywords="=tag,alltalk,@x")) as (address,):
        result = program("list", f"--server=a2s://{address}", FAST, "--format=csv")
    (row,) = csv.DictReader(io.StringIO(result.out))
    assert row["name"] == cell
    assert re.sub("(^|;)'", r"\1", row["name"]) == name
    assert row["tags"] == "'=tag;alltalk;'@x"


def test_table_shows_plain_text(program: Program) -> None:
    with serving(a2s(name="[red]not[/red] \x1b[31mcolour", map="[bold]x")) as (address,):
        result = program("list", f"--server=a2s://{address}", FAST)
    assert result.status == 0
    assert "[red]not[/red]" in result.out
    assert "\x1b" not in result.out


def test_table_has_scores_of_window(capsys: pytest.CaptureFixture[str]) -> None:
    address = Address("192.0.2.1", 27016)
    info = ServerInfo("tf2", "Here", "pl_upward", address, 0, 0, None, 24)
    catalogue = Catalogue({})
    catalogue.merge([QueryResult(QueryTarget(address, "a2s", "tf2"), QueryStatus.OK, info, None, 20.0, False, 1, 1.0)])
    for score, text in ((0.62, "0.62"), (0.0078, "0.008"), (0.0002, "≈0"), (math.nan, "–")):
        catalogue.score[0] = score
        print_servers(catalogue, np.array([0]))
        assert capsys.readouterr().out.splitlines()[1].split()[0] == text


def test_preset_changes_score(program: Program) -> None:
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


def test_own_skill_changes_factor(program: Program) -> None:
    words = ("list", "--demo=40", "--format=json")
    factors = {
        server["address"]: (server["server_skill"], server["players"], server["factors"]["skill"])
        for server in program(*words, "--skill=100").servers
        if server["game"] == "ns2"
    }
    known_factors = [factor for skill, players, factor in factors.values() if skill is not None and players > 1]
    unknown_factors = [factor for skill, _, factor in factors.values() if skill is None]
    assert known_factors
    assert all(factor < 1 for factor in known_factors)
    assert all(factor == 1 for factor in unknown_factors)


def test_two_masters_one_query(program: Program, tmp_path: Path) -> None:
    with serving(quake3(PEOPLE)) as (server,), serving(dpmaster([server]), dpmaster([server, server])) as masters:
        listed = tmp_path / "list.json"
        listed.write_text(json.dumps({"servers": [f"quake3://{server}"]}))
        urls = [*(f"dpmaster://{master}//71" for master in masters), f"file:{listed}"]
        result = program(
            "list", *(f"--master={url}" for url in urls), f"--server=quake3://{server}", FAST, "--format=json"
        )
    assert [each["address"] for each in result.servers] == [str(server)]
    assert result.json["masters"] == [
        {"url": urls[0], "ok": True, "servers": 1, "error": None},
        {"url": urls[1], "ok": True, "servers": 1, "error": None},
        {"url": urls[2], "ok": True, "servers": 1, "error": None},
    ]
    assert result.json["sent"] == 1


def test_empty_master_list_exits_1(program: Program) -> None:
    with serving(dpmaster([])) as (master,):
        result = program("list", f"--master=dpmaster://{master}/Xonotic/3", "--format=json")
    assert result.json["masters"] == [
        {"url": f"dpmaster://{master}/Xonotic/3", "ok": True, "servers": 0, "error": None}
    ]
    assert result.servers == []
    assert result.status == 1


def test_incomplete_list_is_used(program: Program) -> None:
    with serving(quake3(PEOPLE)) as (server,), serving(dpmaster([server], end=False)) as (master,):
        result = program("list", f"--master=dpmaster://{master}//71", FAST, "--format=json")
    (entry,) = result.json["masters"]
    assert entry["ok"]
    assert entry["servers"] == 1
    assert "incomplete" in entry["error"]
    assert server_names(result.servers) == ["An arena"]
    assert result.status == 0


def test_dead_master_is_reported(program: Program) -> None:
    url = "json+http://127.0.0.1:1/list.json"
    with serving(quake3(PEOPLE)) as (server,):
        result = program("list", f"--master={url}", f"--server=quake3://{server}", FAST, "--format=json")
    (entry,) = result.json["masters"]
    assert entry["url"] == url
    assert (entry["ok"], entry["servers"]) == (False, 0)
    assert entry["error"]
    assert server_names(result.servers) == ["An arena"]
    assert result.status == 0


def test_no_answer_exits_3(program: Program) -> None:
    with serving(silent) as (server,):
        result = program("list", f"--server=a2s://{server}", FAST, "--format=json")
    assert result.status == 3
    assert [each["status"] for each in result.servers] == ["no answer"]
    assert "--demo" in result.err


def test_output_can_be_source(program: Program, six_servers: list[str], tmp_path: Path) -> None:
    first = program("list", *six_servers, FAST, "--format=json", "--sort=address")
    file = tmp_path / "published.json"
    file.write_text(first.out)
    again = program("list", f"--master=file:{file}", FAST, "--format=json", "--sort=address")
    assert [(each["address"], each["name"], each["status"]) for each in again.servers] == [
        (each["address"], each["name"], each["status"]) for each in first.servers
    ]
    assert again.json["masters"] == [{"url": f"file:{file}", "ok": True, "servers": 6, "error": None}]


def test_file_urls(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with serving(quake3()) as (server,):
        Path("a list.json").write_text(json.dumps({"servers": [f"quake3://{server}"]}))
        for url in ("file:a list.json", f"file://{tmp_path}/a%20list.json"):
            assert len(program("list", f"--master={url}", FAST, "--format=json").servers) == 1


def test_ipv6_server_is_listed(program: Program) -> None:
    with serving(quake3(PEOPLE), hosts=["::1"]) as (address,):
        assert isinstance(address, Address)
        (server,) = program("list", f"--server=quake3://[::1]:{address.port}", FAST, "--format=json").servers
    assert server["address"] == server["connect"] == f"[::1]:{address.port}"
    assert server["name"] == "An arena"


def test_host_name_is_resolved(program: Program) -> None:
    with serving(quake3(PEOPLE)) as (address,):
        (server,) = program("list", f"--server=quake3://localhost:{address.port}", FAST, "--format=json").servers
    assert (server["address"], server["name"]) == (str(address), "An arena")


def test_host_name_that_cannot_be_resolved(program: Program) -> None:
    result = program("list", "--server=a2s://no-such-host.invalid:27015")
    assert (result.status, "host name no-such-host.invalid cannot be resolved" in result.err) == (3, True)


def test_demo_key_is_not_printed(program: Program) -> None:
    result = program("list", "--demo=12", "--format=json")
    assert all(master["ok"] for master in result.json["masters"])
    assert len(result.servers) == 12
    assert "D3M0" not in result.out + result.err


def test_key_in_url_is_redacted(program: Program) -> None:
    url = "steam-web+http://127.0.0.1:9/?appid=440&key=SECRETSECRET"
    result = program("list", f"--master={url}", "--format=json")
    assert result.status in (2, 3)
    assert "SECRETSECRET" not in result.out + result.err


def test_game_option_uses_profile_masters(program: Program, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(quake3(PEOPLE)) as (server,), serving(dpmaster([server])) as (master,):
        folder = home / "settings" / "games"
        folder.mkdir(parents=True)
        profile = (Path(__file__).parents[2] / "resources" / "games" / "openarena.toml").read_text()
        head, _, rest = profile.partition("masters = [")
        text = f'{head}masters = ["dpmaster://{master}//71"]\n{rest.partition("]")[2]}'
        (folder / "openarena.toml").write_text(text)
        result = program("list", "--game=openarena", FAST, "--format=json")
    assert [each["url"] for each in result.json["masters"]] == [f"dpmaster://{master}//71"]
    assert [each["game"] for each in result.servers] == ["openarena"]
    assert os.environ["READY_ROOM_HOME"] == str(home)
