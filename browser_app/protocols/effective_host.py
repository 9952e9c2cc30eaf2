"""Effective host of an IP address: where packets to it arrive.

One machine may have many addresses: IPv6 addresses that contain its IPv4 address, and all those of its own network.
Limits on servers and packets therefore count effective hosts.
"""

from ipaddress import IPv4Address, IPv6Address, IPv6Network
from typing import NamedTuple


class EffectiveHost(NamedTuple):
    """Host and network that packets to an address reach, as keys to compare."""

    host: str
    """An IPv4 address, or for IPv6 the /64: one subnet (RFC 4291, section 2.5.4), often of one machine."""
    site: str
    """The same IPv4 address, or for IPv6 the /48: the most that one customer usually gets (RFC 6177)."""


NAT64 = IPv6Network("64:ff9b::/96")
"""RFC 6052; the only block with embedded IPv4 addresses that servers on the Internet may have."""
_EMBEDDED_AT_END = frozenset(
    int(network.network_address) >> 32
    for network in (
        IPv6Network("::/96"),  # IPv4-compatible: RFC 4291, section 2.5.5.1
        IPv6Network("::ffff:0:0/96"),  # IPv4-mapped: RFC 4291, section 2.5.5.2
        IPv6Network("::ffff:0:0:0/96"),  # IPv4-translated: RFC 2765, section 2.1
        NAT64,
    )
)
_6TO4_PREFIX = 0x2002
"""RFC 3056, section 2: the IPv4 address follows the prefix of 16 bits."""
_TEREDO_PREFIX = 0x2001_0000
"""RFC 4380, section 4: the last 32 bits are the client's IPv4 address with all bits inverted."""
_IPV4_MASK = 0xFFFF_FFFF
_UNSPECIFIED, _LOOPBACK = 0, 1


def embedded_ipv4(ip: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address in an IPv6 address; None if it contains none.

    Packets to the IPv6 address are passed on to it.
    """
    number = int(ip)
    if number in (_UNSPECIFIED, _LOOPBACK):
        return None
    if number >> 32 in _EMBEDDED_AT_END:
        return IPv4Address(number & _IPV4_MASK)
    if number >> 112 == _6TO4_PREFIX:
        return IPv4Address(number >> 80 & _IPV4_MASK)
    if number >> 96 == _TEREDO_PREFIX:
        return IPv4Address(~number & _IPV4_MASK)
    return None


def effective_host(host: str) -> EffectiveHost:
    """Return where packets to `host`, an IP address, arrive.

    Anything else is returned unchanged.
    """
    if ":" not in host:
        return EffectiveHost(host, host)
    ip = IPv6Address(host)
    ipv4 = embedded_ipv4(ip)
    if ipv4 is not None:
        return EffectiveHost(str(ipv4), str(ipv4))
    number = int(ip)
    if number == _LOOPBACK:
        return EffectiveHost("::1", "::1")
    return EffectiveHost(f"{number >> 64:x}/64", f"{number >> 80:x}/48")
