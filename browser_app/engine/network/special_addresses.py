"""Address blocks for special purposes, in which no server on the Internet can be.

The blocks of IANA's special-purpose registries (RFC 6890), and those for which its address space registries name no
unicast use. Python's own table (`ipaddress`) lacks the newer ones, depending on the release.
"""

from bisect import bisect_right
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import TypeAlias

IpAddress: TypeAlias = IPv4Address | IPv6Address
_IpNetwork: TypeAlias = IPv4Network | IPv6Network


class _AddressBlocks:
    """Disjoint blocks of addresses of one family."""

    def __init__(self, blocks: Iterable[_IpNetwork]) -> None:
        ranges = sorted((int(block.network_address), int(block.broadcast_address)) for block in blocks)
        self._first, self._last = [first for first, _ in ranges], [last for _, last in ranges]

    def __contains__(self, number: int) -> bool:
        """Return whether an address, as a number, is in one of the blocks."""
        index = bisect_right(self._first, number) - 1
        return index >= 0 and number <= self._last[index]


_SPECIAL_IPV4 = _AddressBlocks(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.31.196.0/24",
            "192.52.193.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "192.175.48.0/24",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",  # multicast, reserved and broadcast
        ),
    )
)
_SPECIAL_IPV6 = _AddressBlocks(
    map(
        IPv6Network,
        (
            "::/3",  # all of it but 64:ff9b::/96, which is judged by the IPv4 address in it
            "2001::/23",
            "2001:db8::/32",
            "2002::/16",
            "2620:4f:8000::/48",
            "3fff::/20",
            "4000::/2",
            "8000::/1",
        ),
    )
)
_REACHABLE_IPV4 = _AddressBlocks(
    map(IPv4Network, ("192.0.0.9/32", "192.0.0.10/32", "192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24"))
)
_REACHABLE_IPV6 = _AddressBlocks(
    map(
        IPv6Network,
        (
            "2001:1::1/128",
            "2001:1::2/128",
            "2001:1::3/128",
            "2001:3::/32",
            "2001:4:112::/48",
            "2001:20::/28",
            "2001:30::/28",
            "2620:4f:8000::/48",
        ),
    )
)


def is_special(ip: IpAddress) -> bool:
    """Return whether an address is in a special-purpose or unused block.

    An IPv6 address is judged as such, whatever IPv4 address it contains.
    """
    return int(ip) in (_SPECIAL_IPV4 if isinstance(ip, IPv4Address) else _SPECIAL_IPV6)


def is_globally_reachable(ip: IpAddress) -> bool:
    """Return whether IANA's registries allow an address elsewhere on the Internet.

    Some blocks for special purposes may, such as those of anycast services.
    """
    return not is_special(ip) or int(ip) in (_REACHABLE_IPV4 if isinstance(ip, IPv4Address) else _REACHABLE_IPV6)
