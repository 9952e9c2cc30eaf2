"""SRV records (RFC 2782): the host and port of a domain's service.

The system's resolver cannot ask for them; dnspython asks the system's name servers. The first look-up imports it.
"""

import logging
from collections.abc import Callable, Sequence
from typing import Final

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.network.host_resolver import is_ip_address, look_up_names
from browser_app.protocols.address import Address, normalize_host
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS

_log = logging.getLogger(__name__)

SRV_TIMEOUT_S: Final = 3.0
"""Time limit of one look-up, for all name servers."""

SrvLookup = Callable[[str], Address | None]
"""Returns where the service of a full name, such as `_minecraft._tcp.example.org`, is; None if there is no record."""


def look_up_srv(name: str) -> Address | None:
    """Return host and port of the first record; None without one or without an answer."""
    import dns.exception
    import dns.resolver

    try:
        answer = dns.resolver.resolve(f"{name}.", "SRV", lifetime=SRV_TIMEOUT_S, search=False)
        record = min(answer, key=lambda each: (each.priority, -each.weight))
        host = normalize_host(record.target.to_text(omit_final_dot=True))
    except (dns.exception.DNSException, OSError, ValueError) as error:
        _log.debug("no SRV record of %r: %s", name, error)
        return None
    return Address(host, record.port) if record.port and not is_ip_address(host) else None


def follow_srv_records(
    targets: Sequence[QueryTarget], cancel_token: CancelToken, look_up: SrvLookup = look_up_srv
) -> list[QueryTarget]:
    """Return the targets, some of them at the host and port of their SRV record.

    Like the games, it asks only for servers with a host name and the usual port of their protocol. Blocks for some
    seconds at most.
    """
    names = {target: name for target in targets if (name := _build_service_name(target))}
    found = dict(look_up_names(dict.fromkeys(names.values()), look_up, cancel_token))
    addresses = {target: address for target, name in names.items() if (address := found.get(name))}
    return [target._replace(address=addresses.get(target, target.address)) for target in targets]


def _build_service_name(target: QueryTarget) -> str:
    """Return the name whose SRV record locates a server; empty if it has none."""
    host, port = target.address
    service = QUERY_PROTOCOLS[target.protocol].srv_service
    if service is None or port != service.port or is_ip_address(host):
        return ""
    return f"{service.name}.{host}"
