"""Rules for which addresses a master server may list."""

import enum
import ipaddress
import socket
from typing import TypeAlias

from browser_app.protocols.address import Address

_IpAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_THIS_NETWORK = ipaddress.IPv4Network("0.0.0.0/8")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class NetworkScope(enum.IntEnum):
    """Where a source of addresses is.

    Each scope may list what those before it may, and more.
    """

    INTERNET = 0
    """May list public addresses only."""
    LOCAL_NETWORK = 1
    """In a private network: may also list its neighbours, but never this machine's own services."""
    THIS_MACHINE = 2
    """This machine, or the user's own input: may list every valid server address."""


def address_family(host: str) -> socket.AddressFamily | None:
    """Return the family of an IP address, None if `host` is not one.

    The engine resolves no names.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.inet_pton(family, host.partition("%")[0] if family == socket.AF_INET6 else host)
    except (OSError, ValueError):  # ValueError: not ASCII, or contains a zero
        return None
    return family


def is_loopback(host: str) -> bool:
    """Return whether an IP address is on this machine."""
    return host.startswith("127.") or host == "::1"


def network_scope(host: str) -> NetworkScope:
    """Return the scope of an IP address."""
    ip = _effective_ip(ipaddress.ip_address(host))
    if ip.is_loopback:
        return NetworkScope.THIS_MACHINE
    return NetworkScope.INTERNET if ip.is_global else NetworkScope.LOCAL_NETWORK


def is_valid_server_address(address: Address) -> bool:
    """Return whether a server can be at an address.

    Not a host name, port 0, multicast, broadcast, unspecified or reserved.
    """
    try:
        ip = _effective_ip(ipaddress.ip_address(address.host))
    except ValueError:
        return False
    if ip.is_multicast or ip.is_unspecified or not 1 <= address.port <= 65535:
        return False
    if isinstance(ip, ipaddress.IPv4Address):  # reserved: 240.0.0.0/4, unused, and the broadcast address
        return not (ip.is_reserved or ip in _THIS_NETWORK)
    return True


def may_list_address(scope: NetworkScope, address: Address) -> bool:
    """Return whether a source with this `scope` may list an address."""
    if not is_valid_server_address(address):
        return False
    ip = _effective_ip(ipaddress.ip_address(address.host))
    if scope is NetworkScope.INTERNET:
        return ip.is_global
    return scope is NetworkScope.THIS_MACHINE or not ip.is_loopback


def _effective_ip(ip: _IpAddress) -> _IpAddress:
    """Return the IPv4 address that an IPv6 address leads to.

    Only if it embeds one (6to4, NAT64, mapped).
    """
    if isinstance(ip, ipaddress.IPv4Address):
        return ip
    if ip in _NAT64:
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour or ip
