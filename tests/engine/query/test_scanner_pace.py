"""Send times of packets, measured by the kernel timestamps of the servers."""

import math
import statistics
from itertools import pairwise

import pytest
from fake_game_servers import (
    INFO,
    UNLIMITED,
    FakeServer,
    FakeServerThread,
    after,
    open_scanner,
    patient_timing,
    scan_all,
    silent,
    status,
)
from measurements import best_of
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryStatus
from browser_app.engine.query.query_timing import MAX_CATCH_UP, PACES, QueryTiming

pytestmark = [
    pytest.mark.linux,
    pytest.mark.slow,
]  # other systems have only one loopback address and no such timestamps


def arrivals_ns(servers: list[FakeServer]) -> list[int]:
    return sorted(asked.at_ns for server in servers for asked in server.requests)


@pytest.mark.parametrize(("pace", "count"), [("gentle", 40), ("normal", 150), ("fast", 300)])
def test_packets_are_evenly_spaced(pace: str, count: int) -> None:
    gap_ns = PACES[pace].gap_ns

    def median_gap_ns() -> float:
        with FakeServerThread() as fake_servers, open_scanner() as scanner:
            servers = [
                fake_servers.add(after(0.01, INFO), host=f"127.4.{n // 250}.{n % 250 + 1}") for n in range(count)
            ]
            _, results = scan_all(scanner, servers, pace=PACES[pace])
        arrivals = arrivals_ns(servers)
        assert all(result.status is QueryStatus.OK for result in results.values())
        assert len(arrivals) == count
        # Never ahead of schedule, except for the allowed catch-up and a packet's own delay.
        for first in range(0, len(arrivals), 5):
            for last in range(first + 10, len(arrivals), 10):
                due_ns = (last - first - MAX_CATCH_UP) * gap_ns
                assert arrivals[last] - arrivals[first] >= due_ns - 5_000_000
        return statistics.median(b - a for a, b in pairwise(arrivals))

    # Nearly always in time: a loaded machine may delay us, but not half of the time.
    assert best_of(median_gap_ns, 2 * gap_ns) < 2 * gap_ns


def test_spacing_to_one_ip_address() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        crowded = [fake_servers.add(after(0.0, INFO), host="127.5.0.1") for _ in range(25)]
        others = [fake_servers.add(after(0.0, INFO), host=f"127.5.1.{n + 1}") for n in range(100)]
        _, results = scan_all(scanner, [*crowded, *others], pace=PACES["fast"])
    arrivals = arrivals_ns(crowded)
    assert len(results) == 125
    # Spacing counts from the last send; the sender's clock and the receiver's timestamp differ slightly.
    assert all(b - a > 19_900_000 for a, b in pairwise(arrivals))
    # The others are not delayed by the crowded host, which takes five times as long.
    assert arrivals_ns(others)[90] < arrivals[-1]


def test_darkplaces_min_interval() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        dead = fake_servers.add(silent, protocol="darkplaces")
        alive = fake_servers.add(status(0.01), protocol="darkplaces")
        scan = scanner.scan(
            [dead.target], pace=UNLIMITED, timing=QueryTiming(waits_s=(0.1, 0.1, 0.1), late_reply_wait_s=0.1)
        )
        scan.seal()
        for _ in range(2):
            scan_all(scanner, [alive])
        assert scan.wait(LIMIT_S)
    assert scan.results[0].attempts == 3
    assert len(alive.requests) == 2
    for server in (dead, alive):
        assert all(b - a > 1_045_000_000 for a, b in pairwise(arrivals_ns([server])))


def test_unlimited_pace_is_fast() -> None:
    def took_s() -> float:
        with FakeServerThread() as fake_servers, open_scanner() as scanner:
            servers = [fake_servers.add(after(0.04, INFO), host=f"127.6.{n // 250}.{n % 250 + 1}") for n in range(400)]
            scan, results = scan_all(scanner, servers, pace=UNLIMITED, timing=QueryTiming())
        assert all(result.status is QueryStatus.OK for result in results.values())
        return scan.progress.elapsed_s

    assert best_of(took_s, 1.0) < 1.0  # 0.1 s on an idle machine


def test_unresponsive_servers_cost_little() -> None:
    timing = QueryTiming(waits_s=(0.3, 5.0, 5.0), late_reply_wait_s=2.0, max_probe_wait_s=0.1)
    limit_s = sum(timing.waits_s) / 2

    def given_up_s() -> float:
        with FakeServerThread() as fake_servers, open_scanner() as scanner:
            servers = [fake_servers.add(after(0.02, INFO), host=f"127.7.0.{n + 1}") for n in range(100)]
            slow = fake_servers.add(after(0.95, INFO), host="127.7.1.1")
            dead = [fake_servers.add(silent, host=f"127.7.2.{n + 1}") for n in range(40)]
            _, results = scan_all(scanner, [slow, *servers, *dead], timing=timing)
        assert [results[server.address].attempts for server in dead] == [3] * 40
        if not all(results[server.address].status is QueryStatus.OK for server in (slow, *servers)):
            return math.inf
        assert results[slow.address].ping_estimated  # its ping proves nothing
        return max(results[server.address].received_at for server in dead) - dead[0].requests[0].at_ns / 1e9

    assert best_of(given_up_s, limit_s) < limit_s


def test_packet_loss_loses_no_server() -> None:
    with FakeServerThread() as fake_servers, open_scanner() as scanner:
        # Every third server loses the first request, every ninth the second too.
        losses = [(n % 3 == 0) + (n % 9 == 0) for n in range(90)]
        servers = [
            fake_servers.add(lambda nth, _data, lost=lost: [(0.01, INFO)] if nth >= lost else [])  # type: ignore[misc]
            for lost in losses
        ]
        _, results = scan_all(scanner, servers, timing=patient_timing(lost=2))
    assert [results[server.address].status for server in servers] == [QueryStatus.OK] * 90
    assert all(results[server.address].attempts > lost for server, lost in zip(servers, losses, strict=True))
