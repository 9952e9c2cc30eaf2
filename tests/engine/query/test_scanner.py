"""Scans as seen by their owner."""

import struct
import sys
import time
from itertools import pairwise
from typing import Any

import pytest
from fake_game_servers import (
    INFO,
    QUICK,
    UNLIMITED,
    FakeServerThread,
    after,
    challenging,
    open_scanner,
    patient_timing,
    scan_all,
    silent,
    status,
)
from measurements import best_of
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.server_info import QueryStatus, QueryTarget, ServerInfo
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.engine.query.query_timing import PACES, QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.a2s.a2s import A2SPlayer
from browser_app.protocols.a2s.a2s_server import encode_players, encode_rules
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import QueryParts
from browser_app.runtime_tuning import SCAN_SWITCH_INTERVAL_S

PLAYERS = encode_players([A2SPlayer("Ann", 3, 60.0)])
RULES = encode_rules({b"sv_gravity": b"800"})


def everything(_nth: int, data: bytes) -> list[tuple[float, bytes]]:
    return [(0.0, {0x54: INFO, 0x55: PLAYERS, 0x56: RULES}[data[4]])]


def test_all_protocols_and_families() -> None:
    def worst_error_ms() -> float:
        began_s = time.time()
        with FakeServerThread() as fake_servers, open_scanner() as scanner:
            servers = [
                fake_servers.add(after(0.01, INFO)),
                fake_servers.add(status(0.01, echo=False), protocol="quake3"),
                fake_servers.add(status(0.01), protocol="darkplaces"),
                fake_servers.add(after(0.01, INFO), host="::1"),
            ]
            scan, results = scan_all(scanner, servers)
        for result in results.values():
            assert result.status is QueryStatus.OK
            assert result.info is not None
            assert result.error is None
            assert result.attempts == 1
            assert not result.ping_estimated
            assert began_s <= result.received_at <= time.time()
        progress = scan.progress
        assert (progress.targets, progress.finished, progress.answered, progress.sent, progress.received) == (
            4,
            4,
            4,
            4,
            4,
        )
        assert progress.dropped == {}
        assert not progress.is_network_down
        return max(server.error_ms(results[server.address]) for server in servers)

    assert best_of(worst_error_ms, 1.0) < 1.0


def test_code_page_of_user_is_used_at_once() -> None:
    def answer(_nth: int, data: bytes) -> list[tuple[float, bytes]]:
        texts = ("Łódź".encode("cp1250"), b"RP", b"Polski")
        return [(0.0, data + struct.pack("<?HH", False, 1, 50) + b"".join(pack_text(text) for text in texts))]

    def pack_text(text: bytes) -> bytes:
        return struct.pack("<I", len(text)) + text

    pages: dict[Address, str] = {}
    with FakeServerThread() as fake_servers, Scanner(GameRegistry(()), code_pages=lambda: pages) as scanner:
        server = fake_servers.add(answer, protocol="samp")
        names = []
        for page in ("", "cp1250", "cp1251"):
            pages[server.address] = page
            info = scan_all(scanner, [server])[1][server.address].info
            names.append("" if info is None else info.name)
    assert names == ["£ódŸ", "Łódź", "Јуdџ"]


@pytest.mark.slow
def test_unresponsive_server_gets_three_requests() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(silent)
        scan, results = scan_all(scanner, [server], timing=QUICK)
    assert len(server.requests) == 3
    result = results[server.address]
    assert result.status is QueryStatus.NO_ANSWER
    assert result.info is None
    assert result.error == "no answer to 3 requests"
    assert result.ping_ms is None
    assert result.attempts == 3
    assert scan.progress.elapsed_s >= sum(QUICK.waits_s) - 0.01


def test_challenge_is_no_attempt() -> None:
    def error_ms() -> float:
        with FakeServerThread() as fake_servers, open_scanner() as scanner:
            server = fake_servers.add(challenging(0.05))
            _, results = scan_all(scanner, [server])
        result = results[server.address]
        assert len(server.requests) == 2
        assert result.status is QueryStatus.OK
        assert result.attempts == 1
        return server.error_ms(result)

    assert best_of(error_ms, 1.0) < 1.0


def test_players_are_follow_ups() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(everything)
        _, results = scan_all(scanner, [server], parts=QueryParts.ALL)
    info = results[server.address].info
    assert info is not None
    assert info.player_list is not None
    assert [player.name for player in info.player_list] == ["Ann"]
    assert info.rules == {"sv_gravity": "800"}


def test_players_are_kept_where_they_cost_no_packet() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(status(0.0), protocol="darkplaces")
        _, results = scan_all(scanner, [server])
    info = results[server.address].info
    assert info is not None
    assert info.player_list == ()
    assert info.rules is None
    assert len(server.requests) == 1


@pytest.mark.slow
def test_missing_part_keeps_rest() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(lambda nth, data: everything(nth, data) if data[4] != 0x55 else [])
        _, results = scan_all(scanner, [server], parts=QueryParts.ALL, timing=patient_timing(leg_wait_s=0.2))
    assert sum(asked.data[4] == 0x55 for asked in server.requests) == 3
    result = results[server.address]
    assert result.info is not None
    assert result.info.player_list is None
    assert result.info.rules is not None
    assert result.attempts == 1


def test_rules_where_needed() -> None:
    profile = GameProfile("wanting", "Wanting", "W", "a2s", 27015, wants_rules=True)
    with FakeServerThread() as fake_servers, Scanner(GameRegistry([profile])) as scanner:
        server, other = fake_servers.add(everything), fake_servers.add(everything)
        scan = scanner.scan(
            [QueryTarget(server.address, "a2s", "wanting"), other.target], pace=UNLIMITED, timing=patient_timing()
        )
        scan.seal()
        assert scan.wait(LIMIT_S)
    assert [asked.data[4] for asked in server.requests] == [0x54, 0x56]
    assert [asked.data[4] for asked in other.requests] == [0x54]


def test_late_and_repeated_targets() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        first, second = fake_servers.add(after(0, INFO)), fake_servers.add(after(0, INFO))
        scan = scanner.scan([first.target], pace=UNLIMITED, timing=patient_timing())
        assert not scan.wait(0.2)
        scan.add([first.target, second.target, second.target])
        scan.seal()
        assert scan.wait(LIMIT_S)
        assert len(scan.results) == scan.progress.targets == 2
        with pytest.raises(RuntimeError):
            scan.add([first.target])


def test_empty_scan_ends() -> None:
    with open_scanner() as scanner:
        scan = scanner.scan(pace=PACES["normal"])
        assert not scan.wait(0.05)
        scan.seal()
        assert scan.wait(LIMIT_S)


@pytest.mark.parametrize(
    ("target", "error"),
    [
        (QueryTarget(Address("play.example.org", 27015), "a2s", None), "not an IP address"),
        (QueryTarget(Address("fe80::zz", 27015), "a2s", None), "not an IP address"),
        (QueryTarget(Address("\u0661.2.3.4", 27015), "a2s", None), "not an IP address"),
        (QueryTarget(Address("127.0.0.1", 27015), "gopher", None), "unknown protocol"),
        (QueryTarget(Address("127.0.0.1", 0), "a2s", None), "port"),
        (QueryTarget(Address("127.0.0.1", 70000), "a2s", None), "port"),
    ],
)
def test_impossible_targets_fail(target: QueryTarget, error: str) -> None:
    with open_scanner() as scanner:
        scan = scanner.scan([target], pace=PACES["normal"])
        scan.seal()
        assert scan.wait(LIMIT_S)
    result = scan.results.popleft()
    assert result.status is QueryStatus.NO_ANSWER
    assert error in (result.error or "")
    assert result.attempts == 0


def test_unlimited_needs_loopback() -> None:
    away = QueryTarget(Address("192.0.2.1", 27015), "a2s", None)
    with open_scanner() as scanner:
        with pytest.raises(ValueError, match="not on this machine"):
            scanner.scan([away], pace=UNLIMITED)
        scan = scanner.scan(pace=UNLIMITED)
        with pytest.raises(ValueError, match="not on this machine"):
            scan.add([away])
        scan.seal()
        assert scan.wait(LIMIT_S)
        assert scan.progress.targets == 0


def test_cancel_is_quick() -> None:
    many = [QueryTarget(Address(f"127.2.{n // 250}.{n % 250 + 1}", 9), "a2s", None) for n in range(20_000)]

    def took_s() -> float:
        with FakeServerThread() as fake_servers, open_scanner() as scanner:
            dead = fake_servers.add(silent)
            scan = scanner.scan([dead.target, *many], pace=PACES["gentle"])
            assert wait_until(lambda: bool(dead.requests))
            began = time.monotonic()
            scan.cancel()
            assert scan.wait(LIMIT_S)
            ended = time.monotonic()
            scan.add([dead.target])
            assert scan.progress.targets == 20_001
            # the scanner continues
            alive = fake_servers.add(after(0, INFO))
            _, results = scan_all(scanner, [alive])
            assert results[alive.address].status is QueryStatus.OK
        return ended - began

    assert best_of(took_s, 0.5) < 0.5  # 0.1 s on an idle machine


def test_close_ends_scans() -> None:
    with FakeServerThread() as fake_servers:
        dead = fake_servers.add(silent)
        scanner = open_scanner()
        scanner.close()
        with pytest.raises(RuntimeError):
            scanner.scan(pace=UNLIMITED)
        scanner = open_scanner()
        scan = scanner.scan([dead.target], pace=UNLIMITED)
        scanner.close()
        scanner.close()
        assert scan.finished.is_set()
        scan.add([dead.target])
        scan.cancel()


def test_two_scans_of_one_server() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(after(0.1, INFO))
        scans = [scanner.scan([server.target], pace=UNLIMITED, timing=patient_timing()) for _ in range(3)]
        for scan in scans:
            scan.seal()
        assert all(scan.wait(LIMIT_S) for scan in scans)
        assert [scan.results[0].status for scan in scans] == [QueryStatus.OK] * 3
        arrivals = [asked.at_ns for asked in server.requests]
        assert len(arrivals) == 3
        assert all(b - a > 90_000_000 for a, b in pairwise(arrivals))


def test_cancel_releases_server() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(after(0.3, INFO))
        scans = [scanner.scan([server.target], pace=UNLIMITED, timing=patient_timing()) for _ in range(3)]
        assert wait_until(lambda: bool(server.requests))
        scans[1].cancel()
        scans[0].cancel()
        scans[2].seal()
        assert scans[2].wait(LIMIT_S)
        assert scans[2].results[0].status is QueryStatus.OK
        assert not scans[0].results
        assert not scans[1].results


@pytest.mark.slow
def test_late_wait_releases_server() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        server = fake_servers.add(silent)
        lasting = scanner.scan(
            [server.target], pace=UNLIMITED, timing=QueryTiming(waits_s=(0.05,), late_reply_wait_s=2 * LIMIT_S)
        )
        lasting.seal()
        assert wait_until(lambda: bool(server.requests))
        time.sleep(0.1)
        scan_all(scanner, [server], timing=QUICK)
        assert lasting.wait(LIMIT_S / 2)
        assert lasting.results[0].error == "no answer to 1 request"


def test_unread_is_no_silence() -> None:
    skipped_ns = 0
    clock = EngineClock(lambda: time.time_ns() + skipped_ns, lambda: time.monotonic_ns() + skipped_ns)

    def read(_reply: Any, target: QueryTarget, _want: QueryParts) -> ServerInfo:
        nonlocal skipped_ns
        if not skipped_ns:  # until all have answered, and longer than the timeout
            assert wait_until(lambda: sum(len(server.delays_ms) for server in servers) == scan.progress.sent)
            skipped_ns = 1_600_000_000
        return ServerInfo(None, "fine", "", target.address, 0, 0, None, 1)

    with FakeServerThread() as fake_servers, Scanner(GameRegistry(()), read_reply=read, clock=clock) as scanner:
        servers = [fake_servers.add(after(0.05, INFO)) for _ in range(300)]
        scan = scanner.scan(pace=UNLIMITED, timing=QueryTiming(waits_s=(1.4, 1.4, 1.4)))
        scan.add([server.target for server in servers])
        scan.seal()
        assert scan.wait(LIMIT_S)
    assert scan.progress.answered == 300
    assert scan.progress.sent == 300


@pytest.mark.linux  # other systems have only one loopback address
def test_urgent_scans_go_first() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        many = [QueryTarget(Address(f"127.2.{n // 250}.{n % 250 + 1}", 9), "a2s", None) for n in range(6_000)]
        first, last = fake_servers.add(after(0, INFO)), fake_servers.add(after(0, INFO), host="127.0.0.2")
        slow = scanner.scan([*many, last.target], pace=PACES["normal"])
        hurried = scanner.scan([first.target], pace=PACES["normal"], urgent=True)
        hurried.seal()
        assert hurried.wait(LIMIT_S)
        assert not last.requests
        assert slow.progress.sent < 3_000
        slow.cancel()


def test_short_switch_interval(request: pytest.FixtureRequest) -> None:
    before = sys.getswitchinterval()
    request.addfinalizer(lambda: sys.setswitchinterval(before))
    usual = 0.004
    sys.setswitchinterval(usual)
    with FakeServerThread() as fake_servers, open_scanner() as one, open_scanner() as other:
        dead = fake_servers.add(silent)
        scans = [scanner.scan([dead.target], pace=UNLIMITED, timing=patient_timing()) for scanner in (one, other)]
        assert wait_until(lambda: len(dead.requests) == 2)
        assert sys.getswitchinterval() == pytest.approx(SCAN_SWITCH_INTERVAL_S)
        scans[0].cancel()
        assert scans[0].wait(LIMIT_S)
        assert sys.getswitchinterval() == pytest.approx(SCAN_SWITCH_INTERVAL_S)
        scans[1].cancel()
        assert scans[1].wait(LIMIT_S)
    assert sys.getswitchinterval() == pytest.approx(usual)
