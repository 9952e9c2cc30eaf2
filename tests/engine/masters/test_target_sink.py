"""Limits of the servers that one master, and all masters together, may list."""

import pytest
from fake_masters import udp_master
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters import target_sink as delivery_module
from browser_app.engine.masters import udp_master_client as udp_master_module
from browser_app.engine.masters.dpmaster_client import DpMaster
from browser_app.engine.masters.host_limit import MAX_LISTED_IN_ALL_LISTS, PerHostLimit
from browser_app.engine.masters.master_poll import MasterPoll
from browser_app.engine.masters.target_sink import MasterPollContext, PollQuota, TargetSink
from browser_app.engine.network.address_rules import NetworkScope
from browser_app.protocols.address import Address
from browser_app.protocols.quake.dpmaster_server import encode_servers_response

pytestmark = pytest.mark.slow

PORTS = range(20_000, 20_300)


def at(host: str, ports: range = PORTS) -> list[QueryTarget]:
    return [QueryTarget(Address(host, port), "a2s", None) for port in ports]


def collected(hosts: PerHostLimit | None = None) -> tuple[list[QueryTarget], TargetSink]:
    taken: list[QueryTarget] = []
    return taken, TargetSink(taken.extend, MasterPollContext(hosts or PerHostLimit()))


def test_limit_per_host() -> None:
    taken, sink = collected()
    for _ in range(2):  # masters repeat themselves
        sink.add([*at("8.8.8.8"), *at("8.8.4.4", PORTS[:5])], NetworkScope.INTERNET)
    assert taken == at("8.8.8.8")[:256] + at("8.8.4.4", PORTS[:5])
    assert sink.count == 261
    assert sink.omission_messages == ["44 servers left out: too many on one machine"]


def test_lists_name_no_system_services_over_tcp() -> None:
    minecraft, others = (
        [QueryTarget(Address(h, p), kind, None) for h in ("8.8.8.8", "127.0.0.1") for p in (25, 1024)]
        for kind in ("minecraft", "bedrock")
    )
    for scope, admitted in (
        (NetworkScope.INTERNET, [minecraft[1]]),
        (NetworkScope.LOCAL_NETWORK, [minecraft[1]]),
        (NetworkScope.THIS_MACHINE, minecraft),
    ):
        taken, sink = collected()
        sink.add(minecraft, scope)
        assert taken == admitted
    taken, sink = collected()
    sink.add(others, NetworkScope.INTERNET)
    assert taken == others[:2]


def test_lists_share_quota_of_connections() -> None:
    hosts = PerHostLimit()
    known, *new = [QueryTarget(Address(f"8.8.{n}.8", 25565), "minecraft", None) for n in range(9)]
    hosts.allow_known([known.address])
    context = MasterPollContext(hosts, stream_quota=PollQuota(5))
    taken: list[QueryTarget] = []
    first, second, own = (TargetSink(taken.extend, context) for _ in range(3))
    first.add(new[:3], NetworkScope.INTERNET)
    second.add([*new, known, *at("8.8.4.4")], NetworkScope.INTERNET)
    assert taken == [*new[:3], *new[:5], known, *at("8.8.4.4")[:256]]
    assert first.omission_messages == []
    assert second.omission_messages == [
        "44 servers left out: too many on one machine",
        "3 servers not queried this time: too many over TCP",
    ]
    own.add(new, NetworkScope.THIS_MACHINE)
    assert own.count == 8


def test_large_numbers_are_grouped() -> None:
    _, sink = collected()
    sink.add(at("8.8.8.8", range(1_000, 2_500)), NetworkScope.INTERNET)
    assert sink.omission_messages == ["1\u202f244 servers left out: too many on one machine"]


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_loopback_has_no_limit(host: str) -> None:
    taken, sink = collected()
    sink.add(at(host), NetworkScope.THIS_MACHINE)
    assert taken == at(host)
    assert sink.omission_messages == []


def test_limit_counts_effective_hosts() -> None:
    same = [Address(f"2606:4700:1:2:{n:x}::1", 1) for n in range(300)]
    in_site = [Address(f"2606:4700:2:{n:x}::1", 1) for n in range(1_100)]
    translated = [Address("64:ff9b::808:808", port) for port in PORTS[:100]]
    refused = [Address(f"2002:808:808:{n:x}::1", 1) for n in range(100)]
    for addresses, admitted in ((same, 256), (in_site, 1_024), (translated, 56), (refused, 0)):
        taken, sink = collected()
        sink.add(at("8.8.8.8", PORTS[:200]), NetworkScope.INTERNET)
        sink.add([QueryTarget(address, "a2s", None) for address in addresses], NetworkScope.INTERNET)
        assert [target.address for target in taken[200:]] == addresses[:admitted]


def test_masters_share_host_limit() -> None:
    hosts = PerHostLimit()
    hosts.allow_known([Address("8.8.8.8", 30_000)])
    counts = []
    for first in range(1_000, 2_500, 300):
        taken, sink = collected(hosts)
        sink.add(at("8.8.8.8", range(first, first + 300)), NetworkScope.INTERNET)
        counts.append(len(taken))
    assert counts == [256, 256, 256, 255, 0]
    assert sum(counts) + 1 == MAX_LISTED_IN_ALL_LISTS
    taken, sink = collected(hosts)
    again = [*at("8.8.8.8", range(1_000, 1_100)), *at("8.8.8.8", range(30_000, 30_001))]
    sink.add(again, NetworkScope.INTERNET)
    assert taken == again


def test_omitted_count_as_seen() -> None:
    taken, sink = collected()
    for low in range(1, 65_000, 1_000):
        sink.add(at("8.8.8.8", range(low, low + 1_000)), NetworkScope.INTERNET)
    sink.add(at("8.8.4.4", range(1, 65_000)), NetworkScope.INTERNET)
    sink.add(at("9.9.9.9"), NetworkScope.INTERNET)
    assert len(taken) == 512
    assert sink.is_full


def test_hostname_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery_module, "MAX_HOSTNAMES", 2)
    named = [
        QueryTarget(Address(host, 9), "a2s", None) for host in ("a.invalid", "localhost", "localhost.", "b.invalid")
    ]
    taken, sink = collected()
    sink.add_entries(named, NetworkScope.LOCAL_NETWORK)
    assert taken == []  # remote lists may not name localhost
    assert sink.omission_messages == ["2 servers left out: too many host names listed"]
    taken, sink = collected()
    sink.add_entries(named, NetworkScope.THIS_MACHINE)
    assert [target.address.host for target in taken] == ["127.0.0.1"]
    assert sink.omission_messages == []


def test_omissions_are_in_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(udp_master_module, "network_scope", lambda _: NetworkScope.INTERNET)
    servers = [target.address for target in at("8.8.8.8")]
    taken: list[QueryTarget] = []
    with udp_master(lambda *_: encode_servers_response(servers)) as master:
        source = DpMaster("x", Address("127.0.0.1", master.port), "Xonotic", 3, "darkplaces", None)
        poll = MasterPoll([source], taken.extend)
        poll.start()
        assert poll.wait(LIMIT_S)
    (state,) = poll.states
    assert (state.ok, state.servers, len(taken)) == (True, 256, 256)
    assert state.error == "44 servers left out: too many on one machine"
