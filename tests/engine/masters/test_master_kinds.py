"""Forms of master URLs, and new kinds of masters from registration to results."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import DescribedServer, QueryStatus, QueryTarget, ServerInfo
from browser_app.demo.demo_network import DemoNetwork
from browser_app.engine.masters import master_kinds
from browser_app.engine.masters.master_kinds import MASTER_KINDS, master_url_problem
from browser_app.engine.masters.master_source import MasterKind, MasterSource
from browser_app.engine.masters.query_sources import parse_sources
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.network.address_rules import NetworkScope
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import ServerPoll, start_poll
from browser_app.games.game_registry import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address, parse_address

GAMES = load_games(resource_folder() / "games")


@pytest.mark.parametrize(
    "url",
    [
        "dpmaster://master.example.net:27950/Xonotic/3",
        "dpmaster://master.example.net:27950//68",
        "dpmaster://[2001:db8::1]:27950//68",
        "steam-web+https://api.steampowered.com/?appid=4920",
        "steam-web+http://127.0.0.1:8080/?appid=4920",
        "steam-network:?appid=4920",
        "json+https://example.net/servers.json",
        "file:servers.json",
    ],
)
def test_valid_urls(url: str) -> None:
    assert master_url_problem(url) is None


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("master.example.net:27950", "is not a master server URL"),
        ("http://example.net/servers.json", "is not a master server URL"),
        ("dpmaster://master.example.net/Xonotic/3", "does not match dpmaster://HOST:PORT/GAMENAME/PROTOCOL"),
        ("dpmaster://master.example.net:99999/Xonotic/3", "does not match"),
        ("dpmaster://:27950/Xonotic/3", "does not match"),
        ("dpmaster://master.example.net:27950/68", "does not match"),
        ("dpmaster://master.example.net:27950/Xonotic/three", "does not match"),
        ("dpmaster://master.example.net:27950/Xo notic/3", "does not match"),
        ("dpmaster://user@master.example.net:27950/Xonotic/3", "does not match"),
        ("steam-web+https://api.steampowered.com/", "does not match"),
        ("steam-web+http://127.0.0.1/?appid=0", r"does not match steam-web+http://HOST/?appid=N"),
        ("steam-web+https://api.steampowered.com/?appid=1&key=secret", "does not match"),
        ("steam-network:?appid=x", "does not match"),
        ("json+https:///servers.json", "does not match"),
        ("json+https://[example.net/", "does not match"),
        ("file:", "does not match"),
    ],
)
def test_invalid_urls(url: str, reason: str) -> None:
    problem = master_url_problem(url)
    assert problem is not None
    assert problem.startswith(f"“{url}”")
    assert reason in problem


def test_each_scheme_has_one_kind() -> None:
    schemes = [form.partition(":")[0] for kind in MASTER_KINDS for form in kind.forms]
    assert len(set(schemes)) == len(schemes)


@dataclass(frozen=True, slots=True)
class FakeMaster(MasterSource):
    """A master that lists the server in its URL's path."""

    server: QueryTarget

    def poll(self, sink: TargetSink) -> str | None:
        sink.add([self.server], NetworkScope.THIS_MACHINE)
        return None


@dataclass(frozen=True, slots=True)
class DescribingMaster(FakeMaster):
    """A master that also describes its server, and one that it may not list."""

    def poll(self, sink: TargetSink) -> str | None:
        private = self.server._replace(address=Address("10.0.0.1", 26000))
        described = [DescribedServer(target, description(target)) for target in (private, self.server)]
        sink.add_entries(described[:1], NetworkScope.INTERNET)
        sink.add_entries(described[1:], NetworkScope.THIS_MACHINE)
        return "a toy"


def description(target: QueryTarget) -> ServerInfo:
    return ServerInfo("xonotic", "Described", "stormkeep", target.address, 3, 0, 0, 16)


def fake_kind(scheme: str, master: type[FakeMaster]) -> MasterKind:
    def parse(url: str, _games: object) -> FakeMaster:
        return master(url, QueryTarget(parse_address(url.rpartition("/")[2]), "darkplaces", None))

    return MasterKind((f"{scheme}://HOST/ADDRESS",), lambda parts: parts.path != "", parse)


@contextmanager
def finished_poll(scheme: str) -> Iterator[tuple[ServerPoll, Address]]:
    """Poll one demo server through a master of a toy kind."""
    network = DemoNetwork(1, simulate_players=False, latency_ms=(1.0, 5.0), games=["xonotic"], shared_host=True)
    with network, Scanner(GAMES) as scanner:
        (server,) = network.servers
        sources = parse_sources(GAMES, masters=[f"{scheme}://127.0.0.1/{server.address}"])
        poll = start_poll(scanner, sources, pace=PACES["unlimited"])
        assert poll.wait(LIMIT_S)
        yield poll, server.address


def test_new_kind_is_polled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(master_kinds, "MASTER_KINDS", (*MASTER_KINDS, fake_kind("toy", FakeMaster)))
    with finished_poll("toy") as (poll, address):
        (result,) = poll.scan.results
        assert (result.target.address, result.status) == (address, QueryStatus.OK)
        assert [(state.ok, state.servers, state.error) for state in poll.master_states] == [(True, 1, None)]
        assert not poll.descriptions


def test_new_kind_describes_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(master_kinds, "MASTER_KINDS", (*MASTER_KINDS, fake_kind("toy", DescribingMaster)))
    with finished_poll("toy") as (poll, address):
        (described,) = poll.descriptions
        assert described.target.address == address
        assert described.info == description(described.target)
        (result,) = poll.scan.results
        assert result.target == described.target
        assert result.info is not None
        assert result.info.name != "Described"
        assert [(state.ok, state.servers, state.error) for state in poll.master_states] == [(True, 1, "a toy")]


def test_new_kind_is_known_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(master_kinds, "MASTER_KINDS", (*MASTER_KINDS, fake_kind("toy", FakeMaster)))
    assert master_url_problem("toy://host/") is None
    assert master_url_problem("toy://host") == "“toy://host” does not match toy://HOST/ADDRESS"
    assert "toy" in (master_url_problem("nothing://") or "")
