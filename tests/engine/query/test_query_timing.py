"""Send schedule, send queue and timeouts of the scanner, without sockets."""

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.engine.query.host_budget import HostBudget
from browser_app.engine.query.query_queues import ExpiringTimes, SendPriority, SendQueue
from browser_app.engine.query.query_timing import MAX_CATCH_UP, PACES, QueryTiming, RetransmitTimer, SendSchedule
from browser_app.engine.query.scan import Scan
from browser_app.engine.query.server_query import ServerQuery
from browser_app.engine.query.udp_sockets import TokenGenerator
from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.query_session import QueryParts

MS = 1_000_000


def test_paces() -> None:
    assert {name: pace.packets_per_s for name, pace in PACES.items() if name != "unlimited"} == {
        "gentle": 75,
        "normal": 300,
        "fast": 1000,
    }
    assert [name for name, pace in PACES.items() if pace.loopback_only] == ["unlimited"]


def sends(schedule: SendSchedule, now_ns: int, gap_ns: int, burst: int = 1) -> int:
    count = 0
    while schedule.next_ns <= now_ns:
        schedule.record_packet(now_ns, gap_ns, burst)
        count += 1
    return count


def test_delays_do_not_add_up() -> None:
    schedule = SendSchedule()
    assert sum(sends(schedule, 1_000 * MS + late, 10 * MS) for late in range(0, 1_000 * MS, 13 * MS)) == 99


@given(st.lists(st.integers(0, 300), min_size=1, max_size=60), st.integers(1, 8))
def test_rate_limit(steps_ms: list[int], burst: int) -> None:
    schedule, now_ns, gap_ns, count = SendSchedule(), 0, 10 * MS, 0
    for step_ms in steps_ms:
        now_ns += step_ms * MS
        at_once = sends(schedule, now_ns, gap_ns, burst)
        assert at_once <= MAX_CATCH_UP * burst
        count += at_once
    assert count * gap_ns <= now_ns + (MAX_CATCH_UP + 1) * burst * gap_ns


def test_idle_time_is_not_saved_up() -> None:
    schedule = SendSchedule()
    assert sends(schedule, 100 * MS, 10 * MS) == 1
    schedule.mark_idle()
    assert sends(schedule, 900 * MS, 10 * MS) == 1
    schedule.pause_until(1_000 * MS)
    assert sends(schedule, 999 * MS, 10 * MS) == 0


def query(address: Address, *, urgent: bool = False, pace: str = "normal", protocol: str = "a2s") -> ServerQuery:
    scan = Scan(
        PACES[pace],
        QueryParts.INFO,
        QueryTiming(),
        urgent=urgent,
        own_ports=False,
        games_needing_rules=frozenset(),
        on_changed=lambda _scan: None,
    )
    return ServerQuery(QueryTarget(address, protocol, None), scan, QUERY_PROTOCOLS[protocol], cast("Any", None))


def test_packets_to_host_are_spaced() -> None:
    budget = HostBudget(EngineClock())
    outbox = SendQueue(budget)
    crowded = [query(Address("192.0.2.1", 1000 + n)) for n in range(3)]
    other = query(Address("192.0.2.2", 1000))
    for each in (*crowded, other):
        outbox.push(each, SendPriority.FIRST)
    assert outbox.next_ns(5) == 5
    taken = []
    for now_ns in range(0, 100 * MS, 5 * MS):
        while (popped := outbox.pop(now_ns)) is not None:
            taken.append((now_ns // MS, popped))
            budget.record_packet(popped.host, now_ns)
    assert taken == [(0, crowded[0]), (0, other), (20, crowded[1]), (40, crowded[2])]
    assert outbox.next_ns(0) is None


def test_host_spacing_holds_across_queues() -> None:
    budget = HostBudget(EngineClock())
    outbox = SendQueue(budget)
    first, second = query(Address("127.0.0.1", 1)), query(Address("127.0.0.1", 2))
    free = query(Address("127.0.0.1", 3), pace="unlimited")
    outbox.push(first, SendPriority.FIRST)
    assert outbox.pop(0) is first
    budget.record_packet(first.host, 0)
    outbox.push(second, SendPriority.FOLLOW_UP)
    assert outbox.pop(1 * MS) is None
    assert outbox.next_ns(1 * MS) == 20 * MS
    outbox.push(free, SendPriority.RETRY)
    assert outbox.pop(2 * MS) is free
    assert outbox.pop(20 * MS) is second


def test_send_queue_order() -> None:
    outbox = SendQueue(HostBudget(EngineClock()))
    hosts = iter(range(1, 100))
    pushed: list[tuple[ServerQuery, SendPriority]] = [
        (query(Address(f"192.0.2.{next(hosts)}", 1), urgent=urgent), lane)
        for urgent in (False, True)
        for lane in reversed(SendPriority)
    ]
    for each, lane in pushed:
        outbox.push(each, lane)
    popped = [outbox.pop(0) for _ in pushed]
    assert popped == [each for each, _ in reversed(pushed)]


def test_query_has_one_queue() -> None:
    outbox = SendQueue(HostBudget(EngineClock()))
    moved = query(Address("192.0.2.1", 1))
    outbox.push(moved, SendPriority.RETRY)
    outbox.push(moved, SendPriority.FOLLOW_UP)
    outbox.push(moved, SendPriority.FOLLOW_UP)
    assert outbox.pop(0) is moved
    assert outbox.pop(0) is None
    ended = query(Address("192.0.2.1", 1))
    outbox.push(ended, SendPriority.FIRST)
    ended.finish()
    assert outbox.pop(0) is None


def test_expired_times_are_dropped() -> None:
    times: ExpiringTimes[int] = ExpiringTimes()
    for n in range(10_000):
        times.set(n, n * MS + 50 * MS, n * MS)
        assert times.get(n) == n * MS + 50 * MS
        assert len(times) <= 51
    assert times.get(3) == 0
    times.set(9_999, 20_000 * MS, 10_000 * MS)
    assert times.get(9_999) == 20_000 * MS


def test_timeouts_adapt_to_pings() -> None:
    patience = RetransmitTimer(QueryTiming())
    for _ in range(49):
        patience.add_ping(40.0)
    assert [patience.wait_ns(attempt) // MS for attempt in (1, 2, 3)] == [1000, 1500, 2000]
    patience.add_ping(40.0)
    assert [patience.wait_ns(attempt) // MS for attempt in (1, 2, 3)] == [250] * 3
    for _ in range(200):
        patience.add_ping(200.0)
    assert patience.wait_ns(1) == pytest.approx(400 * MS)
    for _ in range(2000):
        patience.add_ping(900.0)
    assert [patience.wait_ns(attempt) // MS for attempt in (1, 2, 3)] == [1000, 1500, 1800]


def test_one_slow_server_does_not_raise_timeout() -> None:
    patience = RetransmitTimer(QueryTiming())
    for n in range(1000):
        patience.add_ping(1500.0 if n % 200 == 7 else 40.0)
    assert patience.wait_ns(1) == 250 * MS


def test_follow_up_timeout() -> None:
    patience = RetransmitTimer(QueryTiming())
    assert patience.follow_up_wait_ns(20 * MS) == 300 * MS
    assert patience.follow_up_wait_ns(200 * MS) == 600 * MS
    assert patience.follow_up_wait_ns(60_000 * MS) == 4_000 * MS


def test_probe_timeout() -> None:
    patience = RetransmitTimer(QueryTiming())
    assert patience.probe_wait_ns(1_040 * MS) == 1_400 * MS
    assert patience.probe_wait_ns(30_000 * MS) == 2_000 * MS


def test_tokens_are_unique_and_alphanumeric() -> None:
    tokens = TokenGenerator()
    drawn = [tokens.next() for _ in range(2000)]
    assert len(set(drawn)) == 2000
    assert all(len(token) == 8 and token.isalnum() and token.isascii() for token in drawn)
