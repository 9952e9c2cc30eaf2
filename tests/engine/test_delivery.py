"""What is taken of what one master names, and what all masters together may name."""

import pytest
from fake_masters import udp_master
from patience import LIMIT_S

from browser_app.catalogue.facts import Target
from browser_app.engine import delivery as delivery_module
from browser_app.engine import udp_master as udp_master_module
from browser_app.engine.address_rules import Reach
from browser_app.engine.delivery import Delivery
from browser_app.engine.host_room import HostRoom
from browser_app.engine.master_source import DpMaster
from browser_app.engine.masters import MasterPoll
from browser_app.engine.stop import Stop
from browser_app.protocols.address import Address
from browser_app.protocols.dpmaster_server import write_servers

PORTS = range(20_000, 20_300)


def at(host: str, ports: range = PORTS) -> list[Target]:
    return [Target(Address(host, port), "a2s", None) for port in ports]


def collected(hosts: HostRoom | None = None) -> tuple[list[Target], Delivery]:
    taken: list[Target] = []
    return taken, Delivery(taken.extend, Stop(), hosts)


def test_nobody_aims_us_at_one_address() -> None:
    taken, delivery = collected()
    for _ in range(2):  # masters repeat themselves
        delivery.put([*at("8.8.8.8"), *at("8.8.4.4", PORTS[:5])], Reach.INTERNET)
    assert taken == at("8.8.8.8")[:256] + at("8.8.4.4", PORTS[:5])
    assert delivery.count == 261
    assert delivery.left_out == ["44 of more than 256 servers of one address were left out"]


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_this_machine_may_have_many_servers(host: str) -> None:
    taken, delivery = collected()
    delivery.put(at(host), Reach.MACHINE)
    assert taken == at(host)
    assert delivery.left_out == []


def test_masters_together_may_name_no_more_than_one_of_them() -> None:
    hosts = HostRoom([Address("8.8.8.8", 20_299)])
    first, one = collected(hosts)
    second, two = collected(hosts)
    one.put(at("8.8.8.8", PORTS[:200]), Reach.INTERNET)
    two.put(at("8.8.8.8", PORTS[190:]), Reach.INTERNET)
    assert first == at("8.8.8.8", PORTS[:200])
    assert second == at("8.8.8.8", PORTS[190:255]) + at("8.8.8.8", PORTS[299:])
    assert one.left_out == []
    assert two.left_out == ["44 of more than 256 servers of one address were left out"]


def test_what_is_left_out_counts_as_taken_up() -> None:
    taken, delivery = collected()
    for low in range(1, 65_000, 1_000):
        delivery.put(at("8.8.8.8", range(low, low + 1_000)), Reach.INTERNET)
    delivery.put(at("8.8.4.4", range(1, 65_000)), Reach.INTERNET)
    delivery.put(at("9.9.9.9"), Reach.INTERNET)
    assert len(taken) == 512
    assert delivery.full


def test_only_so_many_names_are_looked_up_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery_module, "MAX_NAMES", 2)
    named = [Target(Address(host, 9), "a2s", None) for host in ("a.invalid", "localhost", "localhost.", "b.invalid")]
    taken, delivery = collected()
    delivery.put_named(named, Reach.NETWORK)
    assert taken == []  # localhost is not for others
    assert delivery.left_out == ["2 of more than 2 host names were left out"]
    taken, delivery = collected()
    delivery.put_named(named, Reach.MACHINE)
    assert [target.address.host for target in taken] == ["127.0.0.1"]
    assert delivery.left_out == []


def test_the_master_says_what_was_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(udp_master_module, "reach_of", lambda _: Reach.INTERNET)
    servers = [target.address for target in at("8.8.8.8")]
    taken: list[Target] = []
    with udp_master(lambda *_: write_servers(servers)) as master:
        source = DpMaster("x", Address("127.0.0.1", master.port), "Xonotic", 3, "darkplaces", None)
        poll = MasterPoll([source], lambda _, targets: taken.extend(targets))
        poll.start()
        assert poll.wait(LIMIT_S)
    (state,) = poll.states
    assert (state.ok, state.servers, len(taken)) == (True, 256, 256)
    assert state.error == "44 of more than 256 servers of one address were left out"
