"""The whole program on a network of hostile servers.

Every healthy server is still right; time and memory stay bounded.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reported_values import reported_bots, reported_map, reported_slots, shown_name

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_server import DemoServer
from browser_app.demo.faults.network_faults import MasterFault, NetworkFaults, ServerFault

pytestmark = pytest.mark.linux

PROGRAM = """
import sys
from pathlib import Path
from browser_app.app import run_program
status = run_program(sys.argv[2:])
Path(sys.argv[1]).write_text(Path("/proc/self/status").read_text())
sys.exit(status)
"""
"""The program, which leaves its own peak memory behind: `wait4` counts in the parent that a child was forked from."""

SHARES = dict.fromkeys(ServerFault, 0.04)
HARMLESS = {ServerFault.FLOOD, ServerFault.FALSE_COUNT}
"""What these servers say of themselves is well formed: they are rows, like any other."""
MASTERS = {
    "xonotic": MasterFault.NO_END,
    "warfork": MasterFault.GARBAGE,
    "openarena": MasterFault.ENDLESS,
    "quake3": MasterFault.INCOMPLETE,
    "unvanquished": MasterFault.EMPTY,
    "list": MasterFault.GARBAGE,
}


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    faults = NetworkFaults(SHARES, duplicates=0.1, reorder=0.05, jumps=0.02, jump_ms=60.0, masters=MASTERS)
    with DemoNetwork(240, (2.0, 20.0), dead=0.05, faults=faults, simulate_players=False, seed=7) as network:
        assert {server.fault for server in network.servers if server.fault is not None} == set(ServerFault)
        yield network


@pytest.fixture(scope="module")
def scanned(network: DemoNetwork, tmp_path_factory: pytest.TempPathFactory) -> "ScanOutcome":
    return ScanOutcome(network, str(tmp_path_factory.mktemp("home")))


class ScanOutcome:
    """One `list` of everything, in a process of its own."""

    def __init__(self, network: DemoNetwork, home: str) -> None:
        sources = network.sources
        words = [
            *(f"--master={url}" for url in sources.masters),
            *(f"--server={url}" for url in sources.servers),
        ]
        environment = {**os.environ, "READY_ROOM_HOME": home, "READY_ROOM_STEAM_KEY": sources.steam_key}
        began = time.monotonic()
        command = [sys.executable, "-c", PROGRAM, f"{home}.status", "list", "--format=json", "--pace=fast", *words]
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, env=environment, check=False)
        self.status, self.err = done.returncode, done.stderr
        self.seconds = time.monotonic() - began
        peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"{home}.status").read_text(encoding="ascii"))
        assert peak is not None
        self.megabytes = int(peak[1]) / 1024
        self.document: dict[str, Any] = json.loads(done.stdout)
        self.rows = {row["address"]: row for row in self.document["servers"]}


def healthy(network: DemoNetwork) -> list[DemoServer]:
    return [server for server in network.servers if server.is_alive and server.fault is None]


def test_every_healthy_server_is_right(network: DemoNetwork, scanned: ScanOutcome) -> None:
    wrong = []
    for server in healthy(network):
        row, truth = scanned.rows[str(server.address)], server.state
        ours = (row["status"], row["name"], row["map"] or "", row["bots"], row["max_players"], row["game"])
        bots = reported_bots(truth)
        if ours != ("ok", shown_name(truth), reported_map(truth), bots, reported_slots(truth), truth.game.id):
            wrong.append((row, truth))
        if row["players"] + (row["spectators"] or 0) != truth.human_count:
            wrong.append((row, truth))
    assert len(healthy(network)) > 100
    assert wrong == []


def test_false_and_unresponsive_servers_are_not_ranked(network: DemoNetwork, scanned: ScanOutcome) -> None:
    false = [server for server in network.servers if server.fault is not None and server.fault not in HARMLESS]
    dead = [server for server in network.servers if not server.is_alive]
    assert false
    assert dead
    for server in (*false, *dead):
        row = scanned.rows[str(server.address)]
        assert row["status"] in ("no answer", "malformed"), (server, row)
        assert row["score"] is None
        assert row["error"]


def test_every_server_is_listed_once(network: DemoNetwork, scanned: ScanOutcome) -> None:
    assert set(scanned.rows) == {str(server.address) for server in network.servers}
    assert len(scanned.document["servers"]) == len(network.servers)


def test_error_of_master_affects_that_master_only(network: DemoNetwork, scanned: ScanOutcome) -> None:
    assert [master["url"] for master in scanned.document["masters"]] == list(network.sources.masters)
    bad = [master for master in scanned.document["masters"] if master["error"]]
    assert bad
    assert any(master["ok"] for master in scanned.document["masters"])


def test_what_was_refused_is_counted(scanned: ScanOutcome) -> None:
    document = scanned.document
    assert document["dropped"] == sum(document["dropped_why"].values())
    assert 200 < document["dropped"] <= document["received"]
    assert len(document["dropped_why"]) >= 4


def test_it_ends_soon_and_stays_small(scanned: ScanOutcome) -> None:
    assert scanned.status == 0
    assert scanned.err == b""
    assert scanned.seconds < 60
    assert scanned.megabytes < 200
