"""Replies forged in the names of other servers, by one that is queried too."""

import errno
import socket
from collections.abc import Callable, Sequence

import pytest
from fake_game_servers import INFO, UNLIMITED, FakeServerThread, after, open_scanner, patient_timing, silent
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.engine.query.scan import Scan
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.query.socket_pool import MAX_OLD_PORTS, QUERIES_PER_PORT, SHARED_PORTS, SocketPool
from browser_app.engine.query.udp_sockets import RANDOM_PORTS, UdpSocket
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address

pytestmark = pytest.mark.linux  # other systems have only one loopback address

VICTIM_PORT = 27_015
BATCH = 50


def silent_targets(count: int) -> list[QueryTarget]:
    """Return addresses at which nothing listens, so that their queries stay open."""
    hosts = [f"127.77.{number // 250}.{1 + number % 250}" for number in range(count)]
    return [QueryTarget(Address(host, VICTIM_PORT), "a2s", None) for host in hosts]


def forge(victims: Sequence[QueryTarget], port: int, received: Callable[[], int]) -> None:
    """Send a reply in the name of each victim to `port`.

    No faster than they are received.
    """
    for first in range(0, len(victims), BATCH):
        batch, before = victims[first : first + BATCH], received()
        for victim in batch:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as forger:
                forger.bind(victim.address)
                forger.sendto(INFO, ("127.0.0.1", port))
        assert wait_until(lambda: received() >= before + len(batch))  # noqa: B023 - called at once


def dropped_and_answered(scan: Scan) -> tuple[int, int]:
    return scan.progress.dropped.get("unknown sender", 0), scan.progress.answered


def test_listed_server_forges_few() -> None:
    victims = silent_targets(500)
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        listed = fake_servers.add(silent)
        scan = scanner.scan([listed.target, *victims], pace=UNLIMITED, timing=patient_timing())
        assert wait_until(lambda: scan.progress.sent == 501 and bool(listed.requests))
        forge(victims, listed.requests[0].peer[1], lambda: scan.progress.received)
        not_asked, forged = dropped_and_answered(scan)
        scan.cancel()
        assert scan.wait(LIMIT_S)
    assert not_asked + forged == 500
    assert forged < QUERIES_PER_PORT


def test_forged_replies_before_join_are_ignored() -> None:
    """Even with a view of every port that the scan of a list uses."""
    (victim,) = silent_targets(1)
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        listed = [fake_servers.add(silent) for _ in range(100)]
        asked = fake_servers.add(silent)
        scan = scanner.scan(
            [each.target for each in (*listed, asked)] + [victim], pace=UNLIMITED, timing=patient_timing()
        )
        assert wait_until(lambda: scan.progress.sent == 102 and all(each.requests for each in (*listed, asked)))
        known = {each.requests[0].peer[1] for each in (*listed, asked)}
        check = scanner.scan([asked.target, victim], pace=UNLIMITED, timing=patient_timing(), own_ports=True)
        check.seal()
        assert wait_until(lambda: len(asked.requests) == 2 and check.progress.sent == 2)
        own = asked.requests[1].peer[1]
        for port in (*known, own):
            before = scan.progress.received
            forge([victim], port, lambda: scan.progress.received)
            assert scan.progress.received == before + 1
        assert not check.results
        asked.sock.sendto(INFO, ("127.0.0.1", own))
        assert wait_until(lambda: bool(check.results))
        results = [(result.target, result.own_port) for result in check.results]
        scan.cancel()
        check.cancel()
        assert scan.wait(LIMIT_S)
    assert own not in known
    assert results == [(asked.target, True)]


def test_every_check_has_new_port() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(after(0, INFO))
        background = scanner.scan([], pace=UNLIMITED)  # keeps the shared sockets open
        for _ in range(8):
            check = scanner.scan([server.target], pace=UNLIMITED, timing=patient_timing(), own_ports=True)
            check.seal()
            assert check.wait(LIMIT_S)
        background.cancel()
    ports = [request.peer[1] for request in server.requests]
    assert len(ports) == 8
    assert len(set(ports)) >= 7  # a port may be drawn twice in a row
    assert set(ports) <= set(RANDOM_PORTS)


def test_check_without_socket_fails() -> None:
    """Rather than with one of the ports that others know."""
    opened: list[UdpSocket] = []

    def open_socket(family: socket.AddressFamily, clock: EngineClock) -> UdpSocket:
        if opened:
            raise OSError(errno.EMFILE, "Too many open files")
        opened.append(UdpSocket(family, clock))
        return opened[0]

    with FakeServerThread() as fake_servers, Scanner(GameRegistry(()), open_socket=open_socket) as scanner:
        server = fake_servers.add(after(0, INFO))
        scan = scanner.scan([server.target], pace=UNLIMITED, timing=patient_timing())
        check = scanner.scan([server.target], pace=UNLIMITED, timing=patient_timing(), own_ports=True)
        check.seal()
        assert check.wait(LIMIT_S)
        assert wait_until(lambda: bool(scan.results))
        scan.cancel()
    assert [result.status for result in scan.results] == [QueryStatus.OK]
    assert [result.error for result in check.results] == ["Too many open files"]


class LimitedSocketOpener:
    """Opens real sockets, and fails after a number of them."""

    def __init__(self) -> None:
        self.clock, self.open, self.most = EngineClock(), set[UdpSocket](), 1_000

    def __call__(self) -> UdpSocket:
        if len(self.open) >= self.most:
            raise OSError(errno.EMFILE, "Too many open files")
        sock = UdpSocket(socket.AF_INET, self.clock)
        self.open.add(sock)
        return sock

    def close(self, sock: UdpSocket) -> None:
        self.open.remove(sock)
        sock.close()


class TestPool:
    @pytest.fixture
    def opener(self) -> LimitedSocketOpener:
        return LimitedSocketOpener()

    def test_ports_are_replaced_and_bounded(self, opener: LimitedSocketOpener) -> None:
        pool = SocketPool(opener, opener.close)
        used = [pool.acquire(own_port=False) for _ in range(SHARED_PORTS * QUERIES_PER_PORT)]
        assert max(map(used.count, used)) <= QUERIES_PER_PORT
        for sock in opener.open:
            sock.queries["127.0.0.1", 1] = None  # type: ignore[assignment] # an open query
        for _ in range(4 * MAX_OLD_PORTS * QUERIES_PER_PORT):
            pool.acquire(own_port=False).queries["127.0.0.1", 1] = None  # type: ignore[assignment]
        assert len(opener.open) == SHARED_PORTS + MAX_OLD_PORTS
        for sock in opener.open:
            sock.queries.clear()
        pool.close_unused()
        assert len(opener.open) == SHARED_PORTS
        pool.close()
        assert not opener.open

    def test_too_many_open_files(self, opener: LimitedSocketOpener) -> None:
        pool = SocketPool(opener, opener.close)
        opener.most = 3
        assert len({pool.acquire(own_port=False) for _ in range(500)}) == 3
        with pytest.raises(OSError, match="Too many"):
            pool.acquire(own_port=True)
        pool.close()

    def test_receive_buffers_are_bounded(self, opener: LimitedSocketOpener) -> None:
        pool = SocketPool(opener, opener.close)
        granted = pool.acquire(own_port=False).sock.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)
        assert granted <= 512 << 10
        assert 64 <= pool.reply_capacity <= SHARED_PORTS * granted // 2048
        pool.close()
