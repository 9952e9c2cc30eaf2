import pytest

from browser_app.engine.network.address_rules import (
    NetworkScope,
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


def test_private_in_6to4_and_nat64() -> None:
    for host in ("2002:c0a8:10a::1", "64:ff9b::a00:1"):
        assert not may_list_address(NetworkScope.INTERNET, Address(host, 27015))
