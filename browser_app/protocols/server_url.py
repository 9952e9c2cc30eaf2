"""URLs of single servers: `PROTOCOL://HOST:PORT`."""

from ipaddress import IPv4Address

from browser_app.language import gettext as _
from browser_app.protocols.address import Address, parse_address, parse_ip, shorten
from browser_app.protocols.query_protocols import PROTOCOL_SYNONYMS, QUERY_PROTOCOLS

_BROADCAST = IPv4Address("255.255.255.255")


def parse_server_url(url: str) -> tuple[str, Address]:
    """Parse `PROTOCOL://HOST:PORT`; protocols with SRV records have a default port.

    Raises:
        ValueError: the protocol is unknown or the address invalid.
    """
    protocol, address = split_server_url(url)
    service = QUERY_PROTOCOLS[protocol].srv_service
    return protocol, parse_address(address, None if service is None else service.port)


def split_server_url(url: str) -> tuple[str, str]:
    """Split a server URL into a known protocol and the unparsed address.

    Raises:
        ValueError: the text is not a server URL or its protocol is unknown.
    """
    protocol, separator, address = url.partition("://")
    if not separator:
        text = _("not a server URL such as a2s://{address}")
        raise ValueError(text.format(address=shorten(url) or "HOST:PORT"))
    return validate_protocol(protocol), address.removesuffix("/")


def validate_protocol(protocol: object) -> str:
    """Return the name of a query protocol, which may be given by a synonym.

    Raises:
        ValueError: there is no such protocol.
    """
    name = PROTOCOL_SYNONYMS.get(protocol, protocol) if isinstance(protocol, str) else ""
    if name not in QUERY_PROTOCOLS:
        text = _("unknown protocol “{protocol}”, must be one of {known}")
        raise ValueError(
            text.format(protocol=shorten("" if protocol is None else str(protocol)), known=", ".join(QUERY_PROTOCOLS))
        )
    return QUERY_PROTOCOLS[name].name  # one string object for all servers


def is_queryable_address(address: Address) -> bool:
    """Return whether an address is a host name or a unicast IP address."""
    ip = parse_ip(address.host)
    return ip is None or not (ip.is_unspecified or ip.is_multicast or ip == _BROADCAST)
