"""Why no master server, or only few, could be reached."""

import enum
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress

from browser_app.engine.masters.lan_discovery import LAN_URL
from browser_app.engine.masters.master_poll import MasterState

_PUBLIC_ADDRESSES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses for documentation (RFC 5737, RFC 3849)."""
_DISCARD_PORT = 9


class Outage(enum.Enum):
    """Cause of an outage; of several, the one that the user can do most about."""

    NO_NETWORK = "no network"
    NO_NAMES = "no host name can be resolved"
    NO_MASTER = "no master server answers"
    FEW_MASTERS = "few master servers answer"


def has_internet_route() -> bool:
    """Return whether this machine has a route to the Internet; nothing is sent."""
    for family, address in _PUBLIC_ADDRESSES:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.connect((address, _DISCARD_PORT))
            return True
    return False


def find_outage(states: Sequence[MasterState], has_route: Callable[[], bool]) -> Outage | None:
    """Return why most masters have delivered no list.

    None if they have, or if none was polled. `has_route` returns whether the Internet can be reached at all. A missing
    key is no outage, and neither is a local network without servers.
    """
    polled = [state for state in states if state.is_done and not state.needs_steam_key and state.url != LAN_URL]
    failed = [state for state in polled if not state.ok]
    if 2 * len(failed) <= len(polled):
        return None
    if not has_route():
        return Outage.NO_NETWORK
    if len(failed) > 1 and all(state.is_host_unknown for state in failed):
        return Outage.NO_NAMES
    return Outage.FEW_MASTERS if len(failed) < len(polled) else Outage.NO_MASTER
