"""Limits of the servers that one master, and all masters together, may list."""

import pytest
from fake_masters import udp_master
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters import dpmaster_client as udp_master_module
from browser_app.engine.masters import target_sink as delivery_module
from browser_app.engine.masters.dpmaster_client import DpMaster
from browser_app.engine.masters.master_poll import MasterPoll
from browser_app.engine.masters.target_sink import MasterPollContext, PerHostLimit, TargetSink
from browser_app.engine.network.address_rules import NetworkScope
from browser_app.protocols.address import Address
from browser_app.protocols.dpmaster_server import encode_servers_response

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
    assert sink.omission_messages == ["44 servers left out: more than 256 at one address"]


def test_large_numbers_are_grouped() -> None:
    _, sink = collected()
    sink.add(at("8.8.8.8", range(1_000, 2_500)), NetworkScope.INTERNET)
    assert sink.omission_messages == ["1\u2009244 servers left out: more than 256 at one address"]


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_loopback_has_no_limit(host: str) -> None:
    taken, sink = collected()
    sink.add(at(host), NetworkScope.THIS_MACHINE)
    assert taken == at(host)
    assert sink.omission_messages == []


def test_masters_share_host_limit() -> None:
    hosts = PerHostLimit([Address("8.8.8.8", 20_299)])
    first, one = collected(hosts)
    second, two = collected(hosts)
    one.add(at("8.8.8.8", PORTS[:200]), NetworkScope.INTERNET)
    two.add(at("8.8.8.8", PORTS[190:]), NetworkScope.INTERNET)
    assert first == at("8.8.8.8", PORTS[:200])
    assert second == at("8.8.8.8", PORTS[190:255]) + at("8.8.8.8", PORTS[299:])
    assert one.omission_messages == []
    assert two.omission_messages == ["44 servers left out: more than 256 at one address"]


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
    assert sink.omission_messages == ["2 servers left out: more than 2 host names listed"]
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
    assert state.error == "44 servers left out: more than 256 at one address"
