"""Server address: host and port."""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple

from browser_app.language import gettext as _

_HOST = re.compile(r"(?=.{1,253}\Z)(?!-)[A-Za-z0-9-]{1,63}(?<!-)(?:\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*\.?\Z")
_MAX_IP_LENGTH = 64
"""More than an IPv6 address with a zone takes."""
_MAX_SHOWN = 60
_ZONE = re.compile(r"[A-Za-z0-9_.-]{1,15}\Z")


class Address(NamedTuple):
    """Host and UDP port.

    Equal to, and hashed like, the plain pair that sockets return. `host` is an IPv4 or IPv6 address in its shortest
    lower-case form (no brackets), or a host name.
    """

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def printable_text(text: str) -> str:
    """Return text for a message, with `�` for control and direction characters."""
    return text if text.isprintable() else "".join(each if each.isprintable() else "\ufffd" for each in text)


def shorten(text: str) -> str:
    """Shorten untrusted text to 60 printable characters for a message."""
    return printable_text(text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…")


def parse_address(text: str, default_port: int | None = None) -> Address:
    """Parse `HOST:PORT` or `[IPv6]:PORT`.

    Raises:
        ValueError: the host is invalid, or there is no port from 1 to 65535 (and no default).
    """
    host, port_text = _split_host_port(text.strip())
    if port_text:
        port = int(port_text.lstrip("0")[:6] or 0) if port_text.isascii() and port_text.isdigit() else 0
        if not 1 <= port <= 65535:
            message = _("port must be a number from 1 to 65535, not “{port_text}”")
            raise ValueError(message.format(port_text=shorten(port_text)))
    elif default_port is not None:
        port = default_port
    else:
        raise ValueError(_("port missing in “{text}”").format(text=shorten(text)))
    return Address(normalize_host(host), port)


def _split_host_port(text: str) -> tuple[str, str]:
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or ":" not in host or (rest and not rest.startswith(":")):
            raise ValueError(_("invalid address “{text}”").format(text=shorten(text)))
        return host, rest[1:]
    if text.count(":") > 1:
        raise ValueError(_("an IPv6 address with a port needs brackets: “{text}”").format(text=shorten(text)))
    host, _separator, port = text.partition(":")
    return host, port


def normalize_host(host: str) -> str:
    """Return the canonical form of a host.

    An IPv4-mapped IPv6 address (`::ffff:1.2.3.4`) becomes IPv4.

    Raises:
        ValueError: the text is neither an IP address nor a host name.
    """
    address, percent, zone = host.partition("%")
    ip = parse_ip(address)
    # `ipaddress` accepts any text as zone (`fe80::1%eth0`); interface names are restricted.
    if isinstance(ip, IPv4Address) and not percent:
        return address  # only its canonical form is accepted
    if ip is not None and (not percent or (isinstance(ip, IPv6Address) and _ZONE.match(zone))):
        return f"{unmap_ip(ip)}{percent}{zone}"
    if not _HOST.match(host) or host.rstrip(".").rsplit(".", 1)[-1].isdigit():
        raise ValueError(_("not a host name or IP address: “{host}”").format(host=shorten(host)))
    return host.rstrip(".").lower()


def parse_ip(text: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address in a text, None if the text is no IP address.

    Recent results are cached, because several rules check each address of a list.
    """
    return _parse_ip(text) if len(text) <= _MAX_IP_LENGTH else None


def unmap_ip(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address of an IPv4-mapped IPv6 address; any other one unchanged."""
    return ip if isinstance(ip, IPv4Address) else ip.ipv4_mapped or ip


@lru_cache(maxsize=1024)
def _parse_ip(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return IPv6Address(text) if ":" in text else IPv4Address(text)
    except ValueError:
        return None
