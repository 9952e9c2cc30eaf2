"""Every loop over input from outside survives every exception.

It counts it and logs it once.
"""

import logging
import select
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import pytest
from fake_game_servers import (
    INFO,
    QUICK,
    UNLIMITED,
    FakeServerThread,
    after,
    from_attempt,
    open_scanner,
    patient_timing,
    scan_all,
    silent,
)
from fake_masters import CollectingSink, udp_master
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.diagnostics import internal_errors
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.masters.broadcast_search import BroadcastQuery, BroadcastSearch
from browser_app.engine.masters.lan_discovery import LOOPBACK_BROADCAST
from browser_app.engine.masters.master_kinds import parse_master_source
from browser_app.engine.masters.master_poll import MasterPoll
from browser_app.engine.masters.master_source import MasterSource
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.network.address_rules import NetworkScope, address_family
from browser_app.engine.network.host_resolver import resolve_hosts
from browser_app.engine.query import engine_loop
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.engine.query.engine_loop import EngineLoop
from browser_app.engine.query.host_budget import HostBudget
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.reply_dispatcher import ReplyDispatcher
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.a2s.a2s_session import A2SSession
from browser_app.protocols.address import Address
from browser_app.protocols.quake.dpmaster import parse_servers_packet
from browser_app.protocols.quake.dpmaster_server import encode_servers_response
from browser_app.protocols.query_protocols import A2S, QUERY_PROTOCOLS, QueryProtocol
from browser_app.protocols.query_session import QueryParts

pytestmark = pytest.mark.expects_log

BAD = b"\xff\xff\xff\xffbad"
"""What the injected parser stumbles over."""


def counted(caplog: pytest.LogCaptureFixture) -> dict[str, int]:
    """Return the counted errors; each was logged once."""
    counts = internal_errors.counts()
    assert sum(record.levelno >= logging.ERROR for record in caplog.records) == len(counts)
    return counts


def failing_at_bad(parse: Callable[..., Any]) -> Callable[..., Any]:
    """Return a parser that stumbles over `BAD`."""

    def parse_or_fail(*args: object) -> Any:
        if BAD in args:
            raise RuntimeError
        return parse(*args)

    return parse_or_fail


def test_scanner_survives_parser(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(A2SSession, "receive", failing_at_bad(A2SSession.receive))
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        servers = [fake_servers.add(after(0, BAD, INFO)) for _ in range(100)]
        scan, results = scan_all(scanner, servers)
    assert all(result.status is QueryStatus.OK for result in results.values())
    assert scan.progress.dropped == {"unreadable": 100}
    assert counted(caplog) == {"RuntimeError while parsing a server's datagram": 100}


def _faulty_protocol(step: str) -> QueryProtocol:
    """Return A2S with a session that fails in one step."""

    def fail(*_: object) -> Any:
        raise RuntimeError(step)

    failing = property(fail) if isinstance(getattr(A2SSession, step), property) else fail
    session = type("FaultySession", (A2SSession,), {step: failing})
    return QueryProtocol(step, QueryParts.INFO, lambda parts, _server: session(parts))


@pytest.mark.slow
def test_scanner_survives_session(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    behaviours = {
        "__init__": silent,
        "build_request": silent,
        "skip_current_part": silent,
        "build_ping_probe": from_attempt(1, after(0, INFO)),
        "has_more": after(0, INFO),
    }
    faulty = {step: _faulty_protocol(step) for step in behaviours}
    monkeypatch.setattr(engine_loop, "QUERY_PROTOCOLS", MappingProxyType({**QUERY_PROTOCOLS, **faulty}))
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        bad = [fake_servers.add(behaviour, protocol=step) for step, behaviour in behaviours.items()]
        good = fake_servers.add(after(0, INFO))
        scan, results = scan_all(scanner, [*bad, good], timing=QUICK)
    assert results[good.address].status is QueryStatus.OK
    assert {results[server.address].error for server in bad} == {"unreadable"}
    assert scan.open_queries == 0
    assert counted(caplog) == {
        "RuntimeError while sending a query": 2,
        "RuntimeError while handling a timeout": 2,
        "RuntimeError while parsing a server's datagram": 1,
        "RuntimeError while handling a server's reply": 1,
    }


def test_scanner_survives_strays(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.delattr(ReplyDispatcher, "_handle_stray")
    with (
        FakeServerThread() as fake_servers,
        open_scanner() as scanner,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger,
    ):
        server = fake_servers.add(silent)
        scan = scanner.scan([server.target], pace=UNLIMITED, timing=patient_timing())
        scan.seal()
        assert wait_until(lambda: bool(server.requests))
        for _ in range(100):
            stranger.sendto(INFO, server.requests[0].peer)
        server.sock.sendto(INFO, server.requests[0].peer)
        assert scan.wait(LIMIT_S)
    assert scan.results[0].status is QueryStatus.OK
    assert counted(caplog) == {"AttributeError while handling a datagram": 100}


def test_scanner_survives_start(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    family = address_family
    unlucky = QueryTarget(Address("192.0.2.1", 1), A2S, None)

    def fail_at_unlucky(host: str) -> Any:
        if host == unlucky.address.host:
            raise RuntimeError
        return family(host)

    monkeypatch.setattr("browser_app.engine.query.engine_loop.address_family", fail_at_unlucky)
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        scan = scanner.scan([unlucky], pace=PACES["normal"])
        scan.add([fake_servers.add(after(0, INFO)).target])
        scan.seal()
        assert scan.wait(LIMIT_S)
    assert [result.status for result in scan.results] == [QueryStatus.NO_ANSWER, QueryStatus.OK]
    assert counted(caplog) == {"RuntimeError while starting a query": 1}


def test_dead_engine_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    errors: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: errors.append(args.exc_type))
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(after(0, INFO))
        with monkeypatch.context() as patch:
            patch.delattr(EngineLoop, "_tick")
            assert scanner.scan([server.target], pace=UNLIMITED).wait(LIMIT_S)
            assert wait_until(lambda: errors == [AttributeError])
        _, results = scan_all(scanner, [server])
    assert results[server.address].status is QueryStatus.OK


@pytest.mark.slow
def test_dpmaster_client_survives_parser(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(
        "browser_app.engine.masters.dpmaster_client.parse_servers_packet", failing_at_bad(parse_servers_packet)
    )
    servers = [Address("127.0.0.1", port) for port in range(20_000, 20_300)]
    packets = encode_servers_response(servers)
    collector = CollectingSink()
    with udp_master(lambda *_: [*[BAD] * 50, packets[0], *[BAD] * 50, *packets[1:]]) as master:
        source = parse_master_source(f"dpmaster://127.0.0.1:{master.port}/Xonotic/3", GameRegistry(()))
        assert source.poll(collector.sink) is None
    assert sorted(collector.addresses) == sorted(servers)
    assert counted(caplog) == {"RuntimeError while reading a master server's list": 100}


def test_lan_search_survives_parser(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(A2SSession, "receive", failing_at_bad(A2SSession.receive))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as neighbour:
        neighbour.bind(("127.0.0.1", 0))
        address = Address(*neighbour.getsockname())
        queries, budget = [BroadcastQuery(QUERY_PROTOCOLS[A2S], address.port)], HostBudget(EngineClock())
        with BroadcastSearch([LOOPBACK_BROADCAST], queries, budget) as search:
            for data in (*[BAD] * 100, INFO):
                neighbour.sendto(data, ("127.0.0.1", search.sock.getsockname()[1]))
                assert select.select([search.sock], [], [], LIMIT_S)[0]
                search.receive()
            assert search.collect_targets() == [QueryTarget(address, A2S, None)]
    assert counted(caplog) == {"RuntimeError while reading a reply from the local network": 100}


def test_resolver_survives_lookup(caplog: pytest.LogCaptureFixture) -> None:
    def lookup(host: str) -> list[str]:
        if host.startswith("bad"):
            raise RuntimeError
        return ["192.0.32.1"]

    names = [*(f"bad{number}.example" for number in range(100)), "good.example"]
    found = dict(resolve_hosts(names, CancelToken(), lookup))
    assert found == {**dict.fromkeys(names, ()), "good.example": ("192.0.32.1",)}
    assert counted(caplog) == {"RuntimeError while resolving a host name": 100}


@dataclass(frozen=True, slots=True)
class _FaultyMaster(MasterSource):
    def poll(self, sink: TargetSink) -> str | None:
        sink.add([QueryTarget(Address("127.0.0.1", 27015), A2S, None)], NetworkScope.THIS_MACHINE)
        raise RuntimeError


@pytest.mark.slow
def test_master_poll_survives_master(caplog: pytest.LogCaptureFixture) -> None:
    found: list[QueryTarget] = []
    with udp_master(lambda *_: encode_servers_response([Address("127.0.0.1", 20_000)])) as master:
        good = parse_master_source(f"dpmaster://127.0.0.1:{master.port}/Xonotic/3", GameRegistry(()))
        poll = MasterPoll([*[_FaultyMaster("file:bad")] * 20, good], found.extend)
        poll.start()
        assert poll.wait(LIMIT_S)
    assert [(state.ok, state.error) for state in poll.states] == [(False, "stopped by an internal error")] * 20 + [
        (True, None)
    ]
    assert len(found) == 21
    assert counted(caplog) == {"RuntimeError while polling a master server": 20}
