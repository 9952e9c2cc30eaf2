"""Hostile datagrams cost at most one counter."""

import random
import socket
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from a2s_samples import PLAIN_INFO, a2s_info
from fake_game_servers import (
    INFO,
    QUICK,
    UNLIMITED,
    FakeServerThread,
    after,
    open_scanner,
    patient_timing,
    scan_all,
    silent,
    status,
)
from measurements import best_of
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.server_info import QueryStatus, QueryTarget, ServerInfo
from browser_app.engine.query import engine_loop, reply_dispatcher
from browser_app.engine.query.engine_loop import _RECEIVE_BATCH
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.query.udp_sockets import ReceivedDatagram, UdpSocket
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.a2s.a2s_server import encode_info, split_source_reply
from browser_app.protocols.query_session import QueryParts


def test_other_sender_is_ignored() -> None:
    with (
        FakeServerThread() as fake_servers,
        open_scanner() as scanner,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other,
    ):
        server = fake_servers.add(silent)
        scan = scanner.scan([server.target], pace=UNLIMITED, timing=patient_timing())
        scan.seal()
        assert wait_until(lambda: bool(server.requests))
        for _ in range(5):
            other.sendto(encode_info(a2s_info(name="Elsewhere")), server.requests[0].peer)
        assert wait_until(lambda: scan.progress.received == 5)
        assert not scan.results
        server.sock.sendto(INFO, server.requests[0].peer)
        assert scan.wait(LIMIT_S)
    info = scan.results[0].info
    assert info is not None
    assert info.name == PLAIN_INFO.name
    assert scan.progress.dropped == {"unknown sender": 5}
    assert scan.progress.received == 6


def test_duplicates_count_once() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(lambda _nth, _data: [(0.0, INFO), (0.0, INFO), (0.05, INFO)])
        last = fake_servers.add(after(0.15, INFO))
        scan, results = scan_all(scanner, [server, last])
    assert len(scan.results) == len(results) == 2
    assert scan.progress.dropped == {"after the end": 2}


@pytest.mark.parametrize(
    "rubbish", [b"", b"\0", b"\0" * 64, INFO[:20], b"\xff\xff\xff\xffZ", random.Random(3).randbytes(1400)]
)
def test_valid_reply_after_garbage(rubbish: bytes) -> None:
    def error_ms() -> float:
        with FakeServerThread() as fake_servers, open_scanner() as scanner:
            server = fake_servers.add(lambda _nth, _data: [(0.0, rubbish), (0.05, INFO)])
            scan, results = scan_all(scanner, [server])
        result = results[server.address]
        assert result.status is QueryStatus.OK
        assert result.attempts == 1
        assert sum(scan.progress.dropped.values()) == 1
        return server.error_ms(result, 1)

    assert best_of(error_ms, 5.0) < 5.0


@pytest.mark.slow
def test_garbage_is_malformed() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(after(0, INFO[:20]))
        scan, results = scan_all(scanner, [server], timing=QUICK)
    result = results[server.address]
    assert result.status is QueryStatus.MALFORMED
    assert result.info is None
    assert result.error == "truncated info"
    assert result.attempts == 3
    assert scan.progress.dropped == {"truncated info": 3}


@pytest.mark.slow
def test_wrong_token_is_rejected() -> None:
    def forge_replies(nth: int, data: bytes) -> list[tuple[float, bytes]]:
        return list(status(0)(nth, data[:-8] + b"AAAAAAAA"))

    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(forge_replies, protocol="quake3")
        scan, results = scan_all(scanner, [server], timing=QUICK)
    assert results[server.address].status is QueryStatus.MALFORMED
    assert scan.progress.dropped == {"wrong token": 3}


def test_splits_in_any_order() -> None:
    parts = split_source_reply(INFO + b"\0" * 3000, 7, size=500)
    assert len(parts) > 4

    def error_ms() -> float:
        with FakeServerThread() as fake_servers, open_scanner() as scanner:
            server = fake_servers.add(lambda _nth, _data: [(0.01, part) for part in reversed(parts)])
            _, results = scan_all(scanner, [server])
        assert results[server.address].status is QueryStatus.OK
        return server.error_ms(results[server.address])

    assert best_of(error_ms, 5.0) < 5.0


@pytest.mark.slow
def test_reply_without_first_part() -> None:
    parts = split_source_reply(INFO + b"\0" * 3000, 7, size=500)
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(lambda _nth, _data: [(0.01, part) for part in parts[1:]])
        _, results = scan_all(scanner, [server], timing=QUICK)
    assert results[server.address].info is None


@pytest.mark.slow
@pytest.mark.linux  # other systems have only one loopback address
def test_flood_delays_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply_dispatcher, "MAX_BYTES_PER_QUERY", 128 * (28 + 5))
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        flooding = fake_servers.add(after(0, *[b"\xff\xff\xff\xffZ"] * 2000), host="127.0.0.2")
        others = [fake_servers.add(after(0.05, INFO)) for _ in range(20)]
        scan, results = scan_all(scanner, [flooding, *others], timing=QUICK)
        assert all(results[server.address].status is QueryStatus.OK for server in others)
    dropped = scan.progress.dropped
    assert results[flooding.address].status is QueryStatus.MALFORMED
    assert dropped["unexpected kind"] == 128
    assert dropped["too many"] > 0
    assert set(dropped) <= {"unexpected kind", "too many", "duplicate", "after the end"}


def test_spoofed_flood_is_survived() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(lambda _nth, _data: [*[(0.0, b"forged")] * 400, (0.1, INFO)])
        scan, results = scan_all(scanner, [server], timing=QUICK)
    assert results[server.address].status is QueryStatus.OK
    assert scan.progress.dropped["not this protocol"] > 128


def test_flood_keeps_engine_responsive(monkeypatch: pytest.MonkeyPatch) -> None:
    flood, dozed_at = list(range(20 * _RECEIVE_BATCH)), []

    class FloodedSocket(UdpSocket):
        """Returns thousands of datagrams before the first real one."""

        def receive(self) -> ReceivedDatagram | None:
            if not flood:
                return super().receive()
            flood.pop()
            return b"flood", ("127.0.0.9", 9), ()

    monkeypatch.setattr(engine_loop, "time", SimpleNamespace(sleep=lambda _: dozed_at.append(len(flood))))
    with FakeServerThread() as fake_servers, Scanner(GameRegistry({}), open_socket=FloodedSocket) as scanner:
        server = fake_servers.add(after(0, INFO))
        _, results = scan_all(scanner, [server])
    assert results[server.address].status is QueryStatus.OK
    assert set(dozed_at) <= {20 * _RECEIVE_BATCH, 0}


@pytest.mark.slow
def test_random_replies_never_raise() -> None:
    rng = random.Random(7)

    def noise(_nth: int, _data: bytes) -> list[tuple[float, bytes]]:
        cut = INFO[: rng.randrange(len(INFO))] + rng.randbytes(rng.randrange(40))
        return [
            (0.0, rng.choice((b"\xff\xff\xff\xff", b"\xfe\xff\xff\xff")) + rng.randbytes(rng.randrange(60))),
            (0.0, cut),
        ]

    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        servers = [fake_servers.add(noise, protocol=protocol) for protocol in ("a2s", "quake3") for _ in range(40)]
        scan, results = scan_all(scanner, servers, timing=QUICK)
    assert len(results) == 80
    assert Counter(result.status for result in results.values()).total() == 80
    assert sum(scan.progress.dropped.values()) <= scan.progress.received


@pytest.mark.expects_log
def test_own_bug_loses_one_server() -> None:
    with FakeServerThread() as fake_servers:
        bad, good = fake_servers.add(after(0, INFO)), fake_servers.add(after(0, INFO))

        def read(_reply: Any, target: QueryTarget, _want: QueryParts) -> ServerInfo:
            if target.address == bad.address:
                raise ZeroDivisionError
            return ServerInfo(None, "fine", "", target.address, 0, 0, None, 1)

        with Scanner(GameRegistry(()), read_reply=read) as scanner:
            _, results = scan_all(scanner, [bad, good], timing=QUICK)
    assert results[bad.address].status is QueryStatus.MALFORMED
    assert results[bad.address].error == "unreadable"
    assert results[good.address].status is QueryStatus.OK
