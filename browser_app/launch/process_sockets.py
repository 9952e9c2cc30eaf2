"""Addresses that a process of this user is connected to, from Linux's `/proc`."""

import re
import sys
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from browser_app.protocols.address import Address, unmap_ip

MAX_DESCRIPTORS = 4096
MAX_TABLE_BYTES = 4 << 20
_ESTABLISHED = "01"
_SOCKET = re.compile(r"socket:\[(\d+)\]")
_WORD_DIGITS = 8
"""Hexadecimal digits of 32 bits; addresses are words in the machine's byte order."""


class Connection(NamedTuple):
    """Remote end of a socket."""

    address: Address
    is_stream: bool
    """TCP; else UDP. Most games do not connect their UDP sockets, so that these name no server."""


def find_connections(folder: Path) -> frozenset[Connection]:
    """Return what a process is connected to; `folder` is its folder in `/proc`."""
    sockets = set(_iterate_socket_inodes(folder))
    return frozenset(
        Connection(address, is_stream=table.startswith("tcp"))
        for table in ("udp", "udp6", "tcp", "tcp6")
        for inode, address in _iterate_connections(folder / "net" / table)
        if inode in sockets
    )


def _iterate_socket_inodes(folder: Path) -> Iterator[str]:
    """Yield the inodes of a process's sockets."""
    try:
        for descriptor in islice((folder / "fd").iterdir(), MAX_DESCRIPTORS):
            try:
                match = _SOCKET.fullmatch(str(descriptor.readlink()))
            except OSError:  # closed meanwhile
                continue
            if match is not None:
                yield match[1]
    except OSError:
        return


def _iterate_connections(table: Path) -> Iterator[tuple[str, Address]]:
    """Yield inode and remote address of each connected socket of a table in `/proc`.

    See proc_net_tcp in the kernel's documentation.
    """
    try:
        with table.open("rb") as file:
            lines = file.read(MAX_TABLE_BYTES).decode("ascii", "replace").splitlines()[1:]
    except OSError:
        return
    for line in lines:
        fields = line.split()
        if len(fields) > 9 and fields[3] == _ESTABLISHED:
            try:
                yield fields[9], _parse_remote_address(fields[2])
            except ValueError:
                continue


def _parse_remote_address(text: str) -> Address:
    words, _colon, port = text.partition(":")
    packed = b"".join(
        int(words[start : start + _WORD_DIGITS], 16).to_bytes(4, sys.byteorder)
        for start in range(0, len(words), _WORD_DIGITS)
    )
    ip = IPv4Address(packed) if len(packed) == 4 else IPv6Address(packed)
    return Address(str(unmap_ip(ip)), int(port, 16))
