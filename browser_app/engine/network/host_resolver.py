"""Cancellable host name lookup in background threads."""

import ipaddress
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator

from browser_app.engine.cancel_token import CancelToken

MAX_LOOKUP_THREADS = 8
"""Names that are looked up at the same time."""
LOOKUP_TIMEOUT_S = 10.0
"""What looking names up may take."""

_CANCEL_CHECK_S = 0.1
"""How often a thread that waits for the resolver looks whether it is to stop."""

HostLookup = Callable[[str], Iterable[str]]
"""A host name to IP addresses, best first; OSError or UnicodeError where there are none."""


def system_lookup(host: str) -> list[str]:
    """What the system says, in its order of preference.

    Raises:
        OSError: no such host, or nobody to ask.
    """
    found = socket.getaddrinfo(host, None, type=socket.SOCK_DGRAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_ip_address(host: str) -> bool:
    """Whether nothing is to be looked up."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def resolve_host(host: str, cancel_token: CancelToken, lookup: HostLookup = system_lookup) -> tuple[str, ...]:
    """The addresses of one host; none where it is unknown, or where `cancel_token` was set meanwhile."""
    return next((addresses for _, addresses in resolve_hosts([host], cancel_token, lookup)), ())


def resolve_hosts(
    hosts: Iterable[str], cancel_token: CancelToken, lookup: HostLookup = system_lookup
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each host with its addresses, as they come; with none where it is unknown. IP addresses are their own.

    Ends early when `cancel_token` is set or `LIMIT_S` have passed. A thread that then still waits for the system's
    resolver
    ends when that gives up; it holds nothing and keeps nothing from ending.
    """
    names: queue.SimpleQueue[str] = queue.SimpleQueue()
    found: queue.SimpleQueue[tuple[str, tuple[str, ...]]] = queue.SimpleQueue()
    waiting = 0
    for host in dict.fromkeys(hosts):
        if is_ip_address(host):
            yield host, (host,)
        else:
            names.put(host)
            waiting += 1
    for number in range(min(waiting, MAX_LOOKUP_THREADS)):
        arguments = (names, found, cancel_token, lookup)
        threading.Thread(target=_run_lookups, args=arguments, name=f"name resolver {number}", daemon=True).start()
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
    found: "queue.SimpleQueue[tuple[str, tuple[str, ...]]]",
    cancel_token: CancelToken,
    lookup: HostLookup,
) -> None:
    while not cancel_token.is_cancelled:
        try:
            host = names.get_nowait()
        except queue.Empty:
            return
        try:
            addresses = tuple(lookup(host))
        except (OSError, UnicodeError):  # UnicodeError: the name has no form in the DNS
            addresses = ()
        found.put((host, addresses))
