"""Cancellable host name lookup in background threads.

Looks up single hosts and the hosts of servers.
"""

import logging
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from browser_app.catalogue.server_info import QueryTarget
from browser_app.diagnostics import internal_errors
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.network.address_rules import is_valid_server_address, network_scope
from browser_app.protocols.address import Address, parse_ip, unmap_ip
from browser_app.protocols.server_code import is_code_address

_log = logging.getLogger(__name__)

MAX_LOOKUP_THREADS = 8
"""Number of concurrent lookups."""
LOOKUP_TIMEOUT_S = 10.0
"""Time limit of `resolve_hosts`."""

MAX_ADDRESSES_PER_HOST = 8
"""A name server could otherwise make us contact thousands of machines."""

_CANCEL_CHECK_S = 0.1
"""Interval between checks for cancellation."""

_Found = TypeVar("_Found")
HostLookup = Callable[[str], Iterable[str]]
"""Returns the IP addresses of a host name, best first; raises OSError or UnicodeError if there are none."""


def system_lookup(host: str) -> list[str]:
    """Return the IP addresses of a host in the system's order of preference.

    Raises:
        OSError: the host is unknown, or no resolver responds.
    """
    found = socket.getaddrinfo(host, None, type=socket.SOCK_DGRAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


_UNKNOWN_HOST_ERRORS = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}


def is_unknown_host(error: Exception) -> bool:
    """Return whether a lookup failed because there is no such host.

    It may also fail because no name server answers.
    """
    return isinstance(error, UnicodeError) or getattr(error, "errno", None) in _UNKNOWN_HOST_ERRORS


def select_most_remote(addresses: Iterable[str]) -> tuple[str, ...]:
    """Return the addresses of one host that may be contacted: those farthest away.

    A name server on the Internet can add addresses of the local network or of this machine. Therefore all returned
    addresses are of one scope, the most remote of those given; unspecified, multicast and reserved ones are dropped.
    """
    canonical = dict.fromkeys(str(unmap_ip(ip)) for ip in map(parse_ip, addresses) if ip is not None)
    usable = [address for address in canonical if is_valid_server_address(Address(address, 1))]
    scopes = list(map(network_scope, usable))
    found = (address for address, scope in zip(usable, scopes, strict=True) if scope is min(scopes))
    return tuple(islice(found, MAX_ADDRESSES_PER_HOST))


def is_ip_address(host: str) -> bool:
    """Return whether a host is an IP address, so that no lookup is needed."""
    return parse_ip(host) is not None


def has_unknown_address(target: QueryTarget) -> bool:
    """Return whether the host of a server must be looked up before it can be queried."""
    return target.is_queryable and not is_ip_address(target.address.host)


def resolve_host(host: str, cancel_token: CancelToken, lookup: HostLookup = system_lookup) -> tuple[str, ...]:
    """Return the addresses of one host that may be contacted.

    Empty if it is unknown or `cancel_token` is cancelled; see `select_most_remote`.
    """
    return next((addresses for _, addresses in resolve_hosts([host], cancel_token, lookup)), ())


def resolve_hosts(
    hosts: Iterable[str], cancel_token: CancelToken, lookup: HostLookup = system_lookup
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each host with the addresses that may be contacted, as lookups complete.

    An unknown host has no addresses; `select_most_remote` decides which are left out. IP addresses are not looked up.
    Ends early when `cancel_token` is cancelled or `LOOKUP_TIMEOUT_S` have passed. A thread that still waits for the
    system's resolver ends when that gives up; it holds no resources and does not block exit.
    """
    names = []
    for host in dict.fromkeys(hosts):
        if is_ip_address(host):
            yield host, select_most_remote([host])
        else:
            names.append(host)
    for name, addresses in look_up_names(names, lambda host: _look_up_host(host, lookup), cancel_token):
        yield name, addresses or ()


def look_up_names(
    names: Iterable[str], look_up: Callable[[str], _Found], cancel_token: CancelToken
) -> Iterator[tuple[str, _Found | None]]:
    """Yield each name with its result of `look_up` in a thread; None after a bug.

    Ends as `resolve_hosts` does.
    """
    waiting_names: queue.SimpleQueue[str] = queue.SimpleQueue()
    found: queue.SimpleQueue[tuple[str, _Found | None]] = queue.SimpleQueue()
    for name in names:
        waiting_names.put(name)
    waiting = waiting_names.qsize()
    for number in range(min(waiting, MAX_LOOKUP_THREADS)):
        threading.Thread(
            target=_run_lookups,
            args=(waiting_names, found, cancel_token, look_up),
            name=f"name resolver {number}",
            daemon=True,
        ).start()
    ends = time.monotonic() + LOOKUP_TIMEOUT_S
    while waiting and not cancel_token.is_cancelled and time.monotonic() < ends:
        try:
            outcome = found.get(timeout=_CANCEL_CHECK_S)
        except queue.Empty:
            continue
        waiting -= 1
        yield outcome


def _run_lookups(
    names: "queue.SimpleQueue[str]",
    found: "queue.SimpleQueue[tuple[str, _Found | None]]",
    cancel_token: CancelToken,
    look_up: Callable[[str], _Found],
) -> None:
    while not cancel_token.is_cancelled:
        try:
            name = names.get_nowait()
        except queue.Empty:
            return
        try:
            outcome: _Found | None = look_up(name)
        except Exception:  # noqa: BLE001 - our own bug with one name must not lose the others
            internal_errors.report("resolving a host name", name)
            outcome = None
        found.put((name, outcome))


def _look_up_host(host: str, lookup: HostLookup) -> tuple[str, ...]:
    if is_code_address(Address(host, 1)):
        return ()
    try:
        return select_most_remote(lookup(host))
    except (OSError, UnicodeError) as error:  # UnicodeError: the name has no DNS form
        _log.debug("cannot resolve %r: %s", host, error)
        return ()


def group_by_hostname(targets: Iterable[QueryTarget]) -> dict[str, list[QueryTarget]]:
    """Return targets whose host is a name, grouped by that name."""
    by_name: dict[str, list[QueryTarget]] = {}
    for target in targets:
        if not is_ip_address(target.address.host):
            by_name.setdefault(target.address.host, []).append(target)
    return by_name


def resolve_named_targets(
    by_name: Mapping[str, Sequence[QueryTarget]], cancel_token: CancelToken
) -> Iterator[tuple[str, list[QueryTarget]]]:
    """Yield each known host name and its targets, as lookups complete.

    These have an IP address and keep the name. The address is IPv4 if available, because many games listen only there.
    See `resolve_hosts` for the end.
    """
    for name, addresses in resolve_hosts(by_name, cancel_token):
        if addresses:
            ip = next((address for address in addresses if ":" not in address), addresses[0])
            yield (
                name,
                [each._replace(address=Address(ip, each.address.port), host_name=name) for each in by_name[name]],
            )
