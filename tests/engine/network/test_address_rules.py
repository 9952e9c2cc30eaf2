"""Where addresses lead to, and which ones a source may list."""

import csv
from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_network
from pathlib import Path

import pytest

from browser_app.engine.network.address_rules import (
    NetworkScope,
    is_public_host,
    is_valid_server_address,
    may_list_address,
    network_scope,
)
from browser_app.protocols.address import Address

PUBLIC = ["8.8.8.8", "2606:4700::1111", "172.32.0.1"]
NEIGHBOURS = ["10.0.0.1", "172.16.3.4", "192.168.1.10", "169.254.17.4", "100.64.0.1", "fe80::1", "fd00::1", "192.0.2.1"]
OWN = ["127.0.0.1", "127.250.1.2", "::1", "::ffff:127.0.0.1", "2002:7f00:1::1", "64:ff9b::7f00:1"]
IMPOSSIBLE = ["0.0.0.1", "0.1.2.3", "224.0.0.9", "240.1.2.3", "255.255.255.255", "::", "ff02::1", "example.org"]


@pytest.mark.parametrize("host", PUBLIC)
def test_public_in_every_scope(host: str) -> None:
    assert network_scope(host) is NetworkScope.INTERNET
    assert all(may_list_address(reach, Address(host, 27015)) for reach in NetworkScope)


@pytest.mark.parametrize("host", NEIGHBOURS)
def test_private_in_local_network(host: str) -> None:
    assert network_scope(host) is NetworkScope.LOCAL_NETWORK
    assert [may_list_address(reach, Address(host, 27015)) for reach in NetworkScope] == [False, True, True]


@pytest.mark.parametrize("host", OWN)
def test_loopback_on_this_machine(host: str) -> None:
    assert network_scope(host) is NetworkScope.THIS_MACHINE
    assert [may_list_address(reach, Address(host, 27015)) for reach in NetworkScope] == [False, False, True]


@pytest.mark.parametrize("host", IMPOSSIBLE)
def test_impossible_addresses(host: str) -> None:
    assert not is_valid_server_address(Address(host, 27015))
    assert not any(may_list_address(reach, Address(host, 27015)) for reach in NetworkScope)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_port_range(port: int) -> None:
    assert not is_valid_server_address(Address("127.0.0.1", port))
    assert is_valid_server_address(Address("127.0.0.1", 65535))
    assert not may_list_address(NetworkScope.INTERNET, Address("8.8.8.8", port))


def test_private_in_6to4_and_nat64() -> None:
    for host in ("2002:c0a8:10a::1", "64:ff9b::a00:1"):
        assert not may_list_address(NetworkScope.INTERNET, Address(host, 27015))
        assert network_scope(host) is NetworkScope.LOCAL_NETWORK


REGISTRIES = Path(__file__).parents[2] / "data" / "iana_special_purpose.csv"


def registered(reachable: str) -> Iterator[IPv4Network | IPv6Network]:
    with REGISTRIES.open() as file:
        yield from (ip_network(row["block"]) for row in csv.DictReader(file) if row["globally_reachable"] == reachable)


def ends_of(block: IPv4Network | IPv6Network) -> set[str]:
    return {str(block[0]), str(block[-1])}


def listable(hosts: set[str]) -> set[str]:
    return {host for host in hosts if may_list_address(NetworkScope.INTERNET, Address(host, 27015))}


def test_registered_blocks() -> None:
    unreachable, reachable = list(registered("no")), list(registered("yes"))
    assert (len(unreachable), len(reachable)) == (33, 13)
    assert listable(set().union(*map(ends_of, (*unreachable, *reachable)))) == set()
    assert all(network_scope(host) is NetworkScope.INTERNET for block in reachable for host in ends_of(block))
    own = {"127.0.0.0", "127.255.255.255", "::1"}
    for host in set().union(*map(ends_of, unreachable)) - own - {"2001::"}:  # 2001:: is Teredo's
        assert network_scope(host) is NetworkScope.LOCAL_NETWORK, host


def test_neighbours_of_registered_blocks() -> None:
    just_outside = {
        *("1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"),
        *("169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "198.17.255.255", "198.20.0.0"),
        *("192.88.98.255", "192.88.100.0", "203.0.112.255", "203.0.114.0", "223.255.255.255"),
        *("2000::", "2001:200::", "2001:db7:ffff::", "2001:db9::", "2003::", "3ffe:ffff::", "3fff:1000::"),
    }
    assert listable(just_outside) == just_outside


def test_addresses_with_embedded_ipv4() -> None:
    public, private = 0x08080808, 0x0A000001
    forms = {
        "::ffff:0:0": (True, 0),
        "64:ff9b::": (True, 0),
        "::": (False, 0),
        "::ffff:0:0:0": (False, 0),
        "2002::": (False, 80),
    }
    for block, (may_be_listed, shift) in forms.items():
        outside, inside = (str(IPv6Address(int(IPv6Address(block)) | v4 << shift)) for v4 in (public, private))
        assert network_scope(outside) is NetworkScope.INTERNET, block
        assert network_scope(inside) is NetworkScope.LOCAL_NETWORK, block
        assert listable({outside, inside}) == ({outside} if may_be_listed else set()), block


def test_unused_ipv6_space_is_no_server() -> None:
    unused = {"fec0::1", "64:ff9b:1::808:808", "200::1", "4000::1", "8000::1", "fe00::1", "64:ff9b:0:1::1"}
    assert listable(unused) == set()


def test_where_python_table_differs() -> None:
    """Python's own table lacks these blocks, fewer of them in later releases.

    So ours may not be derived from it.
    """
    lacking = {str(block) for block in registered("no") if block[-1].is_global}
    of_3_11_7 = {"192.0.0.0/24", "192.0.0.8/32", "192.88.99.0/24", "192.88.99.2/32"} | {
        *("64:ff9b:1::/48", "100:0:0:1::/64", "3fff::/20", "5f00::/16")
    }
    assert lacking <= of_3_11_7


@pytest.mark.parametrize("host", ["example.org", "EXAMPLE.org.", "2a00:1450::1", "local.example.org"])
def test_hosts_that_others_reach(host: str) -> None:
    assert is_public_host(host)


@pytest.mark.parametrize(
    "host", ["localhost", "nas", "Router.LAN", "nas.local.", "a.home.arpa", "db.internal", "192.168.1.1", "::1"]
)
def test_hosts_of_one_network(host: str) -> None:
    assert not is_public_host(host)
