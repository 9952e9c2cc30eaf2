"""Packets to one host, however many addresses of it are named and whoever asks."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
from fake_masters import Page, udp_master, web_server
from timeouts import LIMIT_S, wait_until

import browser_app
from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters import broadcast_search, udp_master_client
from browser_app.engine.masters.community_lists import WebListMaster
from browser_app.engine.masters.dpmaster_client import DpMaster
from browser_app.engine.masters.host_limit import MAX_LISTED_PER_HOST
from browser_app.engine.masters.lan_discovery import LanMaster
from browser_app.engine.masters.master_poll import MasterPoll
from browser_app.engine.masters.query_sources import QuerySources
from browser_app.engine.network import http_client
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.engine.query.host_budget import (
    HOSTS_PER_SITE,
    MAX_PACKETS_PER_HOST,
    MIN_SPACING_NS,
    RESERVED_PACKETS,
    HostBudget,
)
from browser_app.engine.query.query_scheduler import QueryScheduler
from browser_app.engine.query.query_timing import PACES, QueryTiming
from browser_app.engine.query.scan import Scan
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.query.server_query import ServerQuery
from browser_app.engine.query.socket_pool import SocketPool
from browser_app.engine.server_poll import start_poll
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.effective_host import EffectiveHost, effective_host
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.query_session import QueryParts

MS, SECOND, MINUTE = 1_000_000, 1_000_000_000, 60_000_000_000
START_NS = 1_000 * SECOND
VICTIM, OTHER = effective_host("8.8.4.4"), effective_host("8.8.8.8")


class ManualClock(EngineClock):
    """Engine clock that is set by hand."""

    def __init__(self) -> None:
        self.time_ns = START_NS
        super().__init__(wall_ns=lambda: self.time_ns, monotonic_ns=lambda: self.time_ns)


class UnresponsiveNetwork:
    """The real scheduler, whose packets are recorded and never answered."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.scheduler = QueryScheduler(self.clock, HostBudget(self.clock), cast("Any", None))
        self.sent_ns: dict[str, list[int]] = defaultdict(list)
        """Send times by address, or by the address that the test says packets to it arrive at."""
        self._arrives_at: dict[str, str] = {}
        self._sockets = SocketPool(lambda: cast("Any", _RecordingSocket(self)), lambda _: None)

    def record(self, address: tuple[str, int]) -> None:
        self.sent_ns[self._arrives_at[address[0]]].append(self.clock.time_ns)

    def query(self, name: str, addresses: Iterable[Address], *, urgent: bool = False) -> None:
        scan = Scan(
            PACES["fast"],
            QueryParts.INFO,
            QueryTiming(),
            urgent=urgent,
            own_ports=False,
            games_needing_rules=frozenset(),
            on_changed=lambda _: None,
        )
        for address in addresses:
            self._arrives_at[address.host] = name
            target = QueryTarget(address, "a2s", None)
            self.scheduler.add(ServerQuery(target, scan, QUERY_PROTOCOLS["a2s"], self._sockets))

    def run(self, duration_ns: int) -> None:
        ends_ns = self.clock.time_ns + duration_ns
        while self.clock.time_ns < ends_ns:
            self.scheduler.handle_timeouts(self.clock.time_ns)
            self.scheduler.send_due(self.clock.time_ns)
            next_ns = self.scheduler.next_ns(self.clock.time_ns)
            self.clock.time_ns = (
                ends_ns if next_ns is None else max(self.clock.time_ns + MS // 10, min(next_ns, ends_ns))
            )


class _RecordingSocket:
    reply_capacity = 4096

    def __init__(self, network: UnresponsiveNetwork) -> None:
        self.queries: dict[tuple[str, int], ServerQuery] = {}
        self.query_count = 0
        self._network = network

    def sendto(self, _datagram: bytes, address: tuple[str, int]) -> None:
        self._network.record(address)


def most_in_a_minute(sent_ns: Sequence[int]) -> int:
    first = most = 0
    for last, at_ns in enumerate(sent_ns):
        while sent_ns[first] <= at_ns - MINUTE:
            first += 1
        most = max(most, last - first + 1)
    return most


def one_ipv4() -> list[Address]:
    """Return 2,200 ways to write one host.

    Ports, 6to4, NAT64, Teredo, and forms that only the user may enter.
    """
    ports = [Address("8.8.4.4", port) for port in range(1, 1_001)]
    forms = [Address(f"2002:808:404:{n:x}::1", 1) for n in range(1_000)]
    forms += [Address(f"2001:0:{n:x}::f7f7:fbfb", 1) for n in range(100)]
    written = ("64:ff9b::808:404", "::808:404", "::ffff:0:808:404", "::ffff:808:404")
    return [*ports, *forms, *(Address(host, port) for host in written for port in range(1, 26))]


def test_no_host_gets_more_than_its_share() -> None:
    network = UnresponsiveNetwork()
    for _ in range(40):  # lists that name the same servers
        network.query("victim", one_ipv4()[::50])
    network.query("victim", one_ipv4())
    network.query("subnet", [Address(f"2606:4700:1:2::{n:x}", 1) for n in range(1_000)])
    network.query("site", [Address(f"2606:4700:2:{n:x}::1", 1) for n in range(4_000)])
    network.query("honest", [Address(f"9.9.{n}.9", 27_015) for n in range(100)])
    network.query("large", [Address("5.9.1.1", 27_000 + n) for n in range(MAX_LISTED_PER_HOST)])
    network.run(20 * SECOND)
    assert len(network.sent_ns["honest"]) == 3 * 100
    assert network.sent_ns["honest"][99] < START_NS + SECOND
    assert len(network.sent_ns["large"]) == 3 * MAX_LISTED_PER_HOST  # real hosts are asked in full, and soon
    network.query("victim", [Address("8.8.4.4", 5_000 + n) for n in range(500)], urgent=True)  # favourites
    network.run(80 * SECOND)
    shares = {name: most_in_a_minute(sent_ns) for name, sent_ns in network.sent_ns.items()}
    assert shares == {
        "victim": MAX_PACKETS_PER_HOST,
        "subnet": MAX_PACKETS_PER_HOST - RESERVED_PACKETS,
        "site": (MAX_PACKETS_PER_HOST - RESERVED_PACKETS) * HOSTS_PER_SITE,
        "honest": 300,
        "large": 3 * MAX_LISTED_PER_HOST,
    }
    for name in ("victim", "subnet", "large"):
        assert all(after - before >= MIN_SPACING_NS for before, after in pairwise(network.sent_ns[name])), name


def test_urgent_query_is_not_delayed_by_list() -> None:
    network = UnresponsiveNetwork()
    network.query("victim", one_ipv4())
    network.run(30 * SECOND)
    before = len(network.sent_ns["victim"])
    assert before == MAX_PACKETS_PER_HOST - RESERVED_PACKETS
    network.query("victim", [Address("8.8.4.4", 27_015)], urgent=True)
    network.run(100 * MS)
    assert len(network.sent_ns["victim"]) == before + 1


def test_limits_of_budget() -> None:
    budget = HostBudget(ManualClock())
    assert budget.earliest_send_ns(VICTIM, urgent=False) == 0
    usual = MAX_PACKETS_PER_HOST - RESERVED_PACKETS
    for n in range(MAX_PACKETS_PER_HOST):
        budget.record_packet(VICTIM, START_NS + n * MIN_SPACING_NS)
        last_ns = START_NS + n * MIN_SPACING_NS
        usual_at_ns = (
            last_ns + MIN_SPACING_NS if n < usual - 1 else START_NS + (n - usual + 1) * MIN_SPACING_NS + MINUTE
        )
        assert budget.earliest_send_ns(VICTIM, urgent=False) == usual_at_ns
        assert budget.earliest_send_ns(OTHER, urgent=False) == 0
    assert budget.earliest_send_ns(VICTIM, urgent=True) == START_NS + MINUTE
    budget.record_packet(OTHER, START_NS + 3 * MINUTE)
    assert budget.earliest_send_ns(VICTIM, urgent=False) == 0


def test_own_machine_is_only_spaced() -> None:
    budget, own = HostBudget(ManualClock()), effective_host("127.0.0.1")
    for n in range(2 * MAX_PACKETS_PER_HOST):
        budget.record_packet(own, START_NS + n)
    assert budget.earliest_send_ns(own, urgent=False) == START_NS + 2 * MAX_PACKETS_PER_HOST - 1 + MIN_SPACING_NS
    assert [budget.try_spend(own) for _ in range(3)] == [0, 0, 0]


def test_spending_is_all_or_nothing() -> None:
    clock = ManualClock()
    budget = HostBudget(clock)
    assert budget.try_spend(VICTIM) == 0
    clock.time_ns += 5 * MS
    assert budget.try_spend(VICTIM, OTHER) == 0.015
    assert budget.try_spend(OTHER) == 0
    clock.time_ns += 20 * MS
    assert budget.try_spend(VICTIM, OTHER) == 0


def test_budget_memory_is_of_one_minute() -> None:
    budget = HostBudget(ManualClock())
    for n in range(20_000):
        budget.record_packet(effective_host(f"9.{n >> 16}.{n >> 8 & 255}.{n & 255}"), START_NS + n * 10 * MS)
    assert len(budget._sent_ns) == 6_000


class NearlySpentBudget(HostBudget):
    """Budget that leaves one packet to the victim."""

    def __init__(self) -> None:
        clock = EngineClock()
        super().__init__(clock)
        self.attempts = 0
        for _ in range(MAX_PACKETS_PER_HOST - 1):
            self.record_packet(VICTIM, clock.now_ns() - SECOND)

    def try_spend(self, *hosts: EffectiveHost) -> float:
        wait_s = super().try_spend(*hosts)
        self.attempts += 1
        return wait_s


def test_masters_and_broadcasts_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(udp_master_client, "effective_host", lambda _: VICTIM)
    monkeypatch.setattr(broadcast_search, "effective_host", lambda _: VICTIM)
    with udp_master(lambda *_: []) as victim:
        address = Address("127.0.0.1", victim.port)
        masters = [DpMaster(f"{n}", address, "Xonotic", 3, "darkplaces", None) for n in range(3)]
        lan = LanMaster("lan:", (("a2s", victim.port), ("quake3", victim.port)), ("127.0.0.1",))
        budget = NearlySpentBudget()
        poll = MasterPoll([*masters, lan], lambda _: None, host_budget=budget)
        poll.start()
        assert wait_until(lambda: budget.attempts >= 4)
        poll.cancel()
        assert poll.wait(LIMIT_S)
    assert len(victim.requests) == 1


def test_connections_to_masters_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "effective_host", lambda _: VICTIM)
    with web_server({"/": Page(b'{"servers": []}')}) as web:
        masters = [WebListMaster(f"{n}", f"http://127.0.0.1:{web.port}/", frozenset()) for n in range(3)]
        budget = NearlySpentBudget()
        poll = MasterPoll(masters, lambda _: None, host_budget=budget)
        poll.start()
        assert wait_until(lambda: budget.attempts >= 3 and any(state.is_done for state in poll.states))
        poll.cancel()
        assert poll.wait(LIMIT_S)
    assert sum(state.ok for state in poll.states) == 1


def test_poll_uses_budget_of_scanner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(udp_master_client, "effective_host", lambda _: VICTIM)
    with udp_master(lambda *_: []) as master, Scanner(GameRegistry(())) as scanner:
        source = DpMaster("x", Address("127.0.0.1", master.port), "Xonotic", 3, "darkplaces", None)
        poll = start_poll(scanner, QuerySources(masters=(source,)), pace=PACES["normal"])
        assert wait_until(lambda: scanner.host_budget.earliest_send_ns(VICTIM, urgent=True) > 0)
        poll.cancel()
        assert poll.wait(LIMIT_S)


def test_all_senders_of_datagrams_are_known() -> None:
    """Whatever sends datagrams must ask the budget: add a module here once it does."""
    package = Path(browser_app.__file__).parent
    texts = {path.relative_to(package).as_posix(): path.read_text() for path in package.rglob("*.py")}
    opening = {path for path, text in texts.items() if "SOCK_DGRAM)" in text and not path.startswith("demo/")}
    sockets = "engine/query/udp_sockets.py"  # used by the scheduler only
    lookups = "engine/network/host_resolver.py"
    silent = {"engine/masters/lan_discovery.py", "engine/masters/outage.py"}  # ask for interfaces and routes
    senders = {"engine/masters/udp_master_client.py", "engine/masters/broadcast_search.py"}
    assert opening - {lookups, *silent} == {sockets, *senders}
    using = {"engine/query/query_scheduler.py", *senders}
    assert all("budget" in texts[path] for path in using)
    scanners = {path for path, text in texts.items() if " Scanner(" in text or "(Scanner(" in text}
    assert scanners == {"window_app/window_backend.py", "commands/command_polling.py"}  # one in each process
