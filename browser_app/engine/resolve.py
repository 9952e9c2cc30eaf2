"""Host names to IP addresses, in threads of their own: the system's resolver cannot be interrupted."""

import ipaddress
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator

from browser_app.engine.stop import Stop

AT_ONCE = 8
"""Names that are looked up at the same time."""
LIMIT_S = 10.0
"""What looking names up may take."""

_LOOK_S = 0.1
"""How often a thread that waits for the resolver looks whether it is to stop."""

LookUp = Callable[[str], Iterable[str]]
"""A host name to IP addresses, best first; OSError or UnicodeError where there are none."""


def system_look_up(host: str) -> list[str]:
    """What the system says, in its order of preference.

    Raises:
        OSError: no such host, or nobody to ask.
    """
    found = socket.getaddrinfo(host, None, type=socket.SOCK_DGRAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_ip(host: str) -> bool:
    """Whether nothing is to be looked up."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def resolve(host: str, stop: Stop, look_up: LookUp = system_look_up) -> tuple[str, ...]:
    """The addresses of one host; none where it is unknown, or where `stop` was set meanwhile."""
    return next((addresses for _, addresses in resolve_all([host], stop, look_up)), ())


def resolve_all(
    hosts: Iterable[str], stop: Stop, look_up: LookUp = system_look_up
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each host with its addresses, as they come; with none where it is unknown. IP addresses are their own.

    Ends early when `stop` is set or `LIMIT_S` have passed. A thread that then still waits for the system's resolver
    ends when that gives up; it holds nothing and keeps nothing from ending.
    """
    names: queue.SimpleQueue[str] = queue.SimpleQueue()
    found: queue.SimpleQueue[tuple[str, tuple[str, ...]]] = queue.SimpleQueue()
    waiting = 0
    for host in dict.fromkeys(hosts):
        if is_ip(host):
            yield host, (host,)
        else:
            names.put(host)
            waiting += 1
    for number in range(min(waiting, AT_ONCE)):
        arguments = (names, found, stop, look_up)
        threading.Thread(target=_work, args=arguments, name=f"name resolver {number}", daemon=True).start()
    ends = time.monotonic() + LIMIT_S
    while waiting and not stop.is_set and time.monotonic() < ends:
        try:
            outcome = found.get(timeout=_LOOK_S)
        except queue.Empty:
            continue
        waiting -= 1
        yield outcome


def _work(
    names: "queue.SimpleQueue[str]",
    found: "queue.SimpleQueue[tuple[str, tuple[str, ...]]]",
    stop: Stop,
    look_up: LookUp,
) -> None:
    while not stop.is_set:
        try:
            host = names.get_nowait()
        except queue.Empty:
            return
        try:
            addresses = tuple(look_up(host))
        except (OSError, UnicodeError):  # UnicodeError: the name has no form in the DNS
            addresses = ()
        found.put((host, addresses))
