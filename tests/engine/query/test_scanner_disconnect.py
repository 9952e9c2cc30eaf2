"""Servers that would repeat their reply get a disconnect packet."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from fake_game_servers import INFO, QUICK, FakeServer, FakeServerThread, open_scanner, patient_timing, scan_all
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.server_info import QueryStatus, ServerInfo
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.engine.query.host_budget import MAX_PACKETS_PER_HOST, RESERVED_PACKETS, HostBudget
from browser_app.engine.query.query_scheduler import QueryScheduler
from browser_app.engine.query.query_timing import PACES, QueryTiming
from browser_app.engine.query.reply_dispatcher import MAX_DISCONNECTS
from browser_app.engine.query.scan import Scan
from browser_app.protocols.effective_host import effective_host
from browser_app.protocols.luanti import build_disconnect, build_luanti_ping
from browser_app.protocols.query_session import QueryParts

if TYPE_CHECKING:
    from browser_app.engine.query.udp_sockets import UdpSocket


def _convert_nothing(*_: object) -> ServerInfo:
    raise NotImplementedError


GREETINGS = [bytes.fromhex(f"4f45740300010003ffdc0001000{peer}") for peer in (2, 3)]


def scan_greeting(greetings: Sequence[bytes], is_over: Callable[[FakeServer, Scan], bool]) -> tuple[FakeServer, Scan]:
    """Scan a Luanti server that answers the ping with these datagrams.

    Waits until `is_over`; returns both.
    """
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(lambda nth, _data: [(0.0, each) for each in greetings if not nth], protocol="luanti")
        silent = fake_servers.add(lambda _nth, _data: ()).target  # keeps the scan going
        scan = scanner.scan([server.target, silent], pace=PACES["unlimited"], timing=patient_timing())
        assert wait_until(lambda: is_over(server, scan))
        scan.cancel()
        assert scan.wait(LIMIT_S)
    return server, scan


def test_every_greeting_gets_a_disconnect() -> None:
    server, scan = scan_greeting(GREETINGS, lambda server, _scan: len(server.requests) == 3)
    ping, *disconnects = [request.data for request in server.requests]
    assert ping == build_luanti_ping()
    assert disconnects == [build_disconnect(greeting) for greeting in GREETINGS]
    assert [(result.target, result.status) for result in scan.results] == [(server.target, QueryStatus.OK)]
    assert scan.results[0].ping_ms is not None
    assert scan.progress.sent == 4


def test_endless_greetings_get_few_disconnects() -> None:
    _server, scan = scan_greeting(GREETINGS[:1] * 60, lambda _server, scan: scan.progress.received == 60)
    assert scan.progress.sent == 2 + MAX_DISCONNECTS


def test_disconnects_leave_urgent_packets() -> None:
    clock = EngineClock()
    budget, host = HostBudget(clock), effective_host("203.0.113.1")
    for _number in range(MAX_PACKETS_PER_HOST - RESERVED_PACKETS):
        budget.record_packet(host, clock.now_ns())
    scheduler = QueryScheduler(clock, budget, _convert_nothing)
    sent: list[bytes] = []
    sock = cast("UdpSocket", SimpleNamespace(sendto=lambda data, _address: sent.append(data)))
    for urgent in (False, True):
        scan = Scan(
            PACES["normal"],
            QueryParts.INFO,
            QueryTiming(),
            urgent=urgent,
            own_ports=False,
            games_needing_rules=(),
            on_changed=lambda _: None,
        )
        scheduler.send_disconnect(sock, ("203.0.113.1", 30000), b"bye", scan)
        assert len(sent) == urgent


@pytest.mark.slow
def test_other_protocols_get_none() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(lambda nth, _data: [(0.0, each) for each in (INFO, GREETINGS[0]) if not nth])
        silent = fake_servers.add(lambda _nth, _data: ())
        scan, _results = scan_all(scanner, [server, silent], timing=QUICK)
    assert scan.progress.dropped == {"after the end": 1}
    assert [request.data for request in server.requests if request.data.startswith(b"OEt")] == []
