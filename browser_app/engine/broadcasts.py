"""Addresses that reach everybody on the networks of this machine."""

import contextlib
import socket
import struct
import sys

LIMITED = "255.255.255.255"
"""Everybody on one network, the one that the system chooses."""
LOOPBACK = "127.255.255.255"
"""Servers on this machine that listen on all addresses; known to work on Linux."""

_SIOCGIFBRDADDR = 0x8919
"""linux/sockios.h; the answer is a `struct ifreq` with a `sockaddr_in` behind the interface's name."""
_IFREQ_BYTES = 40
_IP = slice(20, 24)
_NONE = "0.0.0.0"  # noqa: S104 - compared with, nothing is bound to it


def broadcast_addresses() -> tuple[str, ...]:
    """Where to send what all IPv4 neighbours are to get, each address once, this machine first.

    On Linux these are loopback, the network of each interface (of its first address, where it has several) and the
    limited broadcast; on other systems the last alone.
    """
    return (LOOPBACK, *_of_interfaces(), LIMITED) if sys.platform == "linux" else (LIMITED,)


def _of_interfaces() -> tuple[str, ...]:
    if sys.platform != "linux":
        return ()
    from fcntl import ioctl

    found: dict[str, None] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # it has no IPv4 address, or has gone
                reply = ioctl(sock, _SIOCGIFBRDADDR, struct.pack(f"{_IFREQ_BYTES}s", name.encode()))
                found[socket.inet_ntoa(reply[_IP])] = None
    return tuple(address for address in found if address not in (_NONE, LIMITED, LOOPBACK))
