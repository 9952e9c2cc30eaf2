"""Send errors and other problems of this machine."""

import errno
import itertools
import math
import os
import select
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest
from fake_game_servers import CHALLENGE, INFO, QUICK, UNLIMITED, FakeServerThread, after, patient_timing, scan_all
from measurements import best_of
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.engine.network.address_rules import address_family, is_loopback
from browser_app.engine.query import query_scheduler
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.engine.query.query_scheduler import FREE_SEND_FAILURES
from browser_app.engine.query.query_timing import PACES, QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.query.udp_sockets import UdpSocket
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address

pytestmark = pytest.mark.slow

Fault = Callable[[int], int | None]
"""Returns the errno of the n-th send of all sockets, from 0; None lets it pass."""


class FaultySocket(UdpSocket):
    """A socket whose sends fail as given."""

    __slots__ = ("_next_error", "_real")

    def __init__(self, family: socket.AddressFamily, clock: EngineClock, next_error: Callable[[], int | None]) -> None:
        super().__init__(family, clock)
        self._next_error = next_error
        self._real = self.sock.sendto
        self.sendto = self.failing

    def failing(self, data: bytes, address: Any) -> int:
        error = self._next_error()
        if error is not None:
            raise OSError(error, os.strerror(error))
        return self._real(data, address)


def faulty(fault: Fault) -> Scanner:
    errors = map(fault, itertools.count())
    return Scanner(GameRegistry(()), open_socket=lambda family, clock: FaultySocket(family, clock, errors.__next__))


def test_no_network_is_reported() -> None:
    with FakeServerThread() as fake_servers, faulty(lambda _n: errno.ENETUNREACH) as scanner:
        servers = [fake_servers.add(after(0, INFO)) for _ in range(10)]
        scan, results = scan_all(scanner, servers, timing=QUICK)
    assert scan.progress.is_network_down
    assert scan.progress.sent == 0
    assert scan.progress.elapsed_s >= 2 * QUICK.send_failure_wait_s
    for result in results.values():
        assert result.status is QueryStatus.NO_ANSWER
        assert result.attempts == 3
        assert result.error == os.strerror(errno.ENETUNREACH)


def test_short_loss_is_no_attempt() -> None:
    with (
        FakeServerThread() as fake_servers,
        faulty(lambda n: errno.EPERM if n < 10 * FREE_SEND_FAILURES else None) as scanner,
    ):
        _, results = scan_all(scanner, [fake_servers.add(after(0, INFO)) for _ in range(10)])
    assert {(result.status, result.attempts) for result in results.values()} == {(QueryStatus.OK, 1)}


def test_returning_network_is_used() -> None:
    with (
        FakeServerThread() as fake_servers,
        faulty(lambda n: errno.EPERM if n < 10 * FREE_SEND_FAILURES + 12 else None) as scanner,
    ):
        servers = [fake_servers.add(after(0, INFO)) for _ in range(10)]
        scan, results = scan_all(scanner, servers)
    assert not scan.progress.is_network_down
    assert all(result.status is QueryStatus.OK for result in results.values())
    assert {result.attempts for result in results.values()} == {2, 3}
    assert not any(result.ping_estimated for result in results.values())  # only one attempt was really sent


def test_loss_during_follow_up() -> None:
    hasty_legs = QueryTiming(waits_s=(LIMIT_S,) * 3, min_follow_up_wait_s=0.01, send_failure_wait_s=0.1)
    away_until_s = [0.0]

    def fault(nth: int) -> int | None:
        if nth == 1:  # the challenge has arrived and is to be repeated
            away_until_s[0] = time.monotonic() + 0.15
        return errno.ENETUNREACH if time.monotonic() < away_until_s[0] else None

    with FakeServerThread() as fake_servers, faulty(fault) as scanner:
        server = fake_servers.add(lambda nth, _data: [(0.0, CHALLENGE if nth == 0 else INFO)])
        _, results = scan_all(scanner, [server], timing=hasty_legs)
    assert results[server.address].status is QueryStatus.OK


def test_busy_system_is_no_attempt() -> None:
    full = (errno.ENOBUFS, errno.EAGAIN, errno.EWOULDBLOCK)
    with FakeServerThread() as fake_servers, faulty(lambda n: full[n % 3] if n < 9 else None) as scanner:
        server = fake_servers.add(after(0, INFO))
        scan, results = scan_all(scanner, [server])
    assert len(server.requests) == 1
    assert results[server.address].attempts == 1
    assert scan.progress.sent == 1


def test_busy_system_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_scheduler, "MAX_BUSY_IN_A_ROW", 10)
    with FakeServerThread() as fake_servers, faulty(lambda _n: errno.ENOBUFS) as scanner:
        server = fake_servers.add(after(0, INFO))
        _, results = scan_all(scanner, [server])
    assert results[server.address].status is QueryStatus.NO_ANSWER
    assert results[server.address].error == os.strerror(errno.ENOBUFS)


def test_machine_without_ipv6() -> None:
    def open_socket(family: socket.AddressFamily, clock: EngineClock) -> UdpSocket:
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "no such family")
        return UdpSocket(family, clock)

    with FakeServerThread() as fake_servers, Scanner(GameRegistry(()), open_socket=open_socket) as scanner:
        server = fake_servers.add(after(0, INFO))
        scan = scanner.scan(
            [server.target, QueryTarget(Address("::1", 27015), "a2s", None)], pace=UNLIMITED, timing=patient_timing()
        )
        scan.seal()
        assert scan.wait(LIMIT_S)
    by_host = {result.target.address.host: result for result in scan.results}
    assert by_host["127.0.0.1"].status is QueryStatus.OK
    assert by_host["::1"].status is QueryStatus.NO_ANSWER
    assert by_host["::1"].error == "this machine has no IPv6"


def test_no_route_is_no_loss() -> None:
    def open_socket(family: socket.AddressFamily, clock: EngineClock) -> UdpSocket:
        unreachable = errno.ENETUNREACH if family == socket.AF_INET6 else None
        return FaultySocket(socket.AF_INET, clock, lambda: unreachable)  # also on machines without IPv6

    with FakeServerThread() as fake_servers, Scanner(GameRegistry(()), open_socket=open_socket) as scanner:
        server = fake_servers.add(after(0, INFO))
        far = [QueryTarget(Address(f"2001:db8::{number}", 27015), "a2s", None) for number in range(1, 10)]
        scan = scanner.scan([server.target, *far], pace=PACES["fast"], timing=patient_timing())
        scan.seal()
        assert scan.wait(LIMIT_S)
    assert scan.progress.answered == 1
    assert scan.counters.send_errors_in_a_row >= 9
    assert not scan.progress.is_network_down


class ZonedSocket(UdpSocket):
    """Receives its datagrams as if from an interface with a number.

    The loopback's or an unused one.
    """

    __slots__ = ("_real", "zone")

    def __init__(self, zone: int) -> None:
        super().__init__(socket.AF_INET, EngineClock())
        self._real = self.sock.recvmsg
        self.zone = zone
        self._recvmsg = self.zoned

    def zoned(self, size: int, ancillary: int) -> Any:
        data, stamps, flags, (_, port) = self._real(size, ancillary)
        return data, stamps, flags, ("fe80::1", port, 0, self.zone)


@pytest.mark.posix
@pytest.mark.parametrize(("known", "host"), [(True, "fe80::1%{}"), (False, "fe80::1")])
def test_link_local_has_zone(known: bool, host: str) -> None:
    number, name = socket.if_nameindex()[0]
    sock = ZonedSocket(number if known else 0x7FFFFFFF)
    try:
        sock.sendto(b"x", ("127.0.0.1", sock.sock.getsockname()[1]))
        assert select.select([sock], [], [], LIMIT_S)[0]
        received = sock.receive()
    finally:
        sock.close()
    assert received is not None
    assert received[1][0] == host.format(name)


class PortUnreachableSocket(UdpSocket):
    """Reports unreachable ports on receive, as Windows does, and has no timestamps."""

    __slots__ = ("reports",)

    def __init__(self, family: socket.AddressFamily, clock: EngineClock) -> None:
        super().__init__(family, clock)
        self.reports = 3
        self._recvmsg = None

    def receive(self) -> Any:
        if self.reports:
            self.reports -= 1
            return None
        return super().receive()


def test_unreachable_is_ignored() -> None:
    def error_ms() -> float:
        with (
            FakeServerThread() as fake_servers,
            Scanner(GameRegistry(()), open_socket=PortUnreachableSocket) as scanner,
        ):
            server = fake_servers.add(after(0.03, INFO))
            closed = QueryTarget(Address("127.0.0.1", 9), "a2s", None)
            scan = scanner.scan([closed, server.target], pace=PACES["normal"], timing=QUICK)
            scan.seal()
            assert scan.wait(LIMIT_S)
        by_port = {result.target.address.port: result for result in scan.results}
        assert by_port[9].status is QueryStatus.NO_ANSWER
        result = by_port[server.address.port]
        assert result.status is QueryStatus.OK
        return math.inf if result.ping_estimated else server.error_ms(result)

    assert best_of(error_ms, 100.0) < 100.0


def test_address_families() -> None:
    assert address_family("192.0.2.1") == socket.AF_INET
    assert address_family("2001:db8::1") == socket.AF_INET6
    assert address_family("example.org") is None
    assert address_family("127.1") is None
    assert address_family("fe80::1%lo") == socket.AF_INET6
    assert address_family("1.2.3.4\0") is None
    assert is_loopback("127.200.1.1")
    assert is_loopback("::1")
    assert not is_loopback("128.0.0.1")
