"""Which addresses lead to the same host."""

import pytest

from browser_app.protocols.effective_host import effective_host

SAME_IPV4 = [
    "8.8.4.4",
    "::8.8.4.4",
    "::ffff:808:404",
    "::ffff:0:808:404",
    "64:ff9b::808:404",
    "2002:808:404::1",
    "2002:808:404:ffff:1:2:3:4",
    "2001:0:102:304:0:8000:f7f7:fbfb",  # Teredo: the client's address is inverted
]


@pytest.mark.parametrize("host", SAME_IPV4)
def test_embedded_ipv4_is_host(host: str) -> None:
    assert effective_host(host) == ("8.8.4.4", "8.8.4.4")


def test_ipv6_subnet_is_one_host() -> None:
    subnet = {effective_host(f"2001:db8:1:2:{rest}") for rest in (":1", "ffff:ffff:ffff:ffff", "8000::")}
    assert len(subnet) == 1
    other = effective_host("2001:db8:1:3::1")
    assert other not in subnet
    assert {other.site} == {each.site for each in subnet}
    assert effective_host("2001:db8:2:2::1").site != other.site


def test_link_local_zone_is_ignored() -> None:
    assert effective_host("fe80::1%eth0") == effective_host("fe80::2")


def test_own_address_is_no_subnet() -> None:
    assert effective_host("::1") == ("::1", "::1")
    assert effective_host("::2") == ("0.0.0.2", "0.0.0.2")


def test_translation_prefix_of_local_network_is_one_site() -> None:
    assert effective_host("64:ff9b:1::a00:1").site == effective_host("64:ff9b:1:ffff::808:808").site


def test_host_name_is_unchanged() -> None:
    assert effective_host("example.org") == ("example.org", "example.org")
