"""Rules for which addresses a master server may list."""

import enum
import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address

from browser_app.engine.network.special_addresses import IpAddress, is_globally_reachable, is_special
from browser_app.protocols.address import Address, parse_ip, shorten, unmap_ip
from browser_app.protocols.effective_host import NAT64, embedded_ipv4

_THIS_NETWORK = IPv4Network("0.0.0.0/8")
_LOCAL_DOMAINS = (".localhost", ".local", ".home.arpa", ".internal", ".lan", ".home")
"""Names in them differ by network: RFC 6761, 6762 and 8375, ICANN's `.internal`, and what routers use."""


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
    """Return the scope of an IP address, or of the IPv4 address in it."""
    ip = _effective_ip(_parse_ip(host))
    if ip.is_loopback:
        return NetworkScope.THIS_MACHINE
    return NetworkScope.INTERNET if is_globally_reachable(ip) else NetworkScope.LOCAL_NETWORK


def is_public_host(host: str) -> bool:
    """Return whether others can reach a host.

    This is an IP address of the Internet, or a name that is not only known in one network.
    """
    if parse_ip(host) is not None:
        return network_scope(host) is NetworkScope.INTERNET
    return "." in host and not f".{host.lower().rstrip('.')}".endswith(_LOCAL_DOMAINS)


def is_valid_server_address(address: Address) -> bool:
    """Return whether a server can be at an address.

    Not a host name, port 0, multicast, broadcast, unspecified or reserved.
    """
    try:
        return _is_valid(_effective_ip(_parse_ip(address.host)), address.port)
    except ValueError:
        return False


def may_list_address(scope: NetworkScope, address: Address) -> bool:
    """Return whether a source with this `scope` may list an address."""
    try:
        ip = _parse_ip(address.host)
    except ValueError:
        return False
    if scope is NetworkScope.INTERNET:  # what is not valid is special, too
        is_translated = isinstance(ip, IPv6Address) and ip in NAT64
        return 1 <= address.port <= 65535 and not is_special(_effective_ip(ip) if is_translated else ip)
    effective = _effective_ip(ip)
    return _is_valid(effective, address.port) and (scope is NetworkScope.THIS_MACHINE or not effective.is_loopback)


def _parse_ip(host: str) -> IpAddress:
    """Parse an IP address; raises ValueError. An IPv4-mapped one is returned as IPv4."""
    ip = parse_ip(host)
    if ip is None:
        raise ValueError(f"not an IP address: {shorten(host)!r}")
    return unmap_ip(ip)


def _effective_ip(ip: IpAddress) -> IpAddress:
    """Return the IPv4 address that an IPv6 address stands for, or the address."""
    return ip if isinstance(ip, IPv4Address) else embedded_ipv4(ip) or ip


def _is_valid(ip: IpAddress, port: int) -> bool:
    if ip.is_multicast or ip.is_unspecified or not 1 <= port <= 65535:
        return False
    if isinstance(ip, IPv4Address):  # reserved: 240.0.0.0/4, unused, and the broadcast address
        return not (ip.is_reserved or ip in _THIS_NETWORK)
    return True
