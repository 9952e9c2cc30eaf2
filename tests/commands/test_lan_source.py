"""`--lan` on the command line; demo servers on loopback stand in for the network."""

import json

import pytest

from browser_app.app import run_program
from browser_app.demo.demo_network import DemoNetwork
from browser_app.engine.masters import query_sources
from browser_app.engine.masters.lan_discovery import LanMaster

LOOPBACK = "127.0.0.1"


def run_with_demo_servers(number: int, words: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, set[str]]:
    """Run the program with servers on the local network; return status and addresses."""
    with DemoNetwork(
        servers=number, simulate_players=False, latency_ms=(1.0, 5.0), games=["xonotic"], shared_host=True
    ) as network:
        addresses = [server.address for server in network.servers]
        queries = tuple(("darkplaces", address.port) for address in addresses)
        monkeypatch.setattr(query_sources, "create_lan_master", lambda _: LanMaster("lan:", queries, (LOOPBACK,)))
        return run_program(words), {str(address) for address in addresses}


def test_answers_are_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["list", "--lan", "--pace", "unlimited", "--format", "json"]
    status, addresses = run_with_demo_servers(2, words, monkeypatch)
    assert status == 0
    run_json = json.loads(capsys.readouterr().out)
    assert run_json["masters"] == [{"url": "lan:", "ok": True, "servers": 2, "error": None}]
    assert {server["address"] for server in run_json["servers"]} == addresses
    assert {(server["game"], server["status"]) for server in run_json["servers"]} == {("xonotic", "ok")}


def test_no_answer_exits_3(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(query_sources, "create_lan_master", lambda _: LanMaster("lan:", (("a2s", 1),), (LOOPBACK,)))
    assert run_program(["list", "--lan", "--format", "json"]) == 3
    (state,) = json.loads(capsys.readouterr().out)["masters"]
    assert not state["ok"]
    assert state["error"]


def test_unlimited_pace_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program(["list", "--lan", "--pace", "unlimited"]) == 2
    assert "lan: is not on this machine" in capsys.readouterr().err


def test_info_of_only_server(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["info", "--lan", "--format", "json"]
    status, addresses = run_with_demo_servers(1, words, monkeypatch)
    assert status == 0
    assert {json.loads(capsys.readouterr().out)["address"]} == addresses
    assert run_with_demo_servers(2, words, monkeypatch)[0] == 2
    assert "contain 2" in capsys.readouterr().err
