"""Child: floods the UDP sockets of a process with forged datagrams.

Usage: `flooder.py PID RATE COUNT < addresses`.

Every other one claims to be from one of the game servers named on standard input (`HOST:PORT` a line), the others from
unknown addresses. Prints a line when it begins; the file COUNT holds how many were sent. Forging the sender takes a raw
socket, thus root; nothing leaves the loopback network. Ends with its parent.
"""

import ctypes
import os
import random
import socket
import struct
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

BURST_S = 0.002
CHECK_INTERVAL_S = 0.02
SETTLED_S = 0.2
"""A socket may get its port some time after it was opened."""
MAX_CATCH_UP, MAX_BACKLOG_S = 4, 1.0
"""Datagrams that are late are sent at up to this many times the rate; older ones are dropped."""
MAX_BATCH = 1024
"""The most datagrams that the kernel takes in one call."""
PAYLOADS = (
    b"\xff\xff\xff\xffI\x11forged\0",
    b"\xff\xff\xff\xffstatusResponse\n\\challenge\\forged00\\sv_hostname\\forged\n",
    b"\xfe\xff\xff\xff\1\0\0\0\x20\0\xe0\4" + b"x" * 40,
    b"\xff\xff\xff\xffA\1\2\3",
    b"rubbish" * 10,
)
_PORT = slice(22, 24)
"""Where a datagram's destination port stands."""
_IOVEC = np.dtype([("base", "u8"), ("length", "u8")])
_MSGHDR = np.dtype(
    [
        ("name", "u8"), ("name_length", "u4"), ("parts", "u8"), ("parts_length", "u8"), ("control", "u8"),
        ("control_length", "u8"), ("flags", "i4"),
    ],
    align=True,
)  # fmt: skip
_MMSGHDR = np.dtype([("message", _MSGHDR), ("sent", "u4")], align=True)
"""As in sys/socket.h, on machines of 64 bits."""
_LIBC = ctypes.CDLL(None, use_errno=True)


def forged(source: tuple[str, int], payload: bytes) -> bytes:
    """Build an IPv4 packet for the loopback network.

    The kernel adds checksum and length; UDP needs no checksum; the port is open.
    """
    udp = struct.pack("!HHHH", source[1], 0, 8 + len(payload), 0) + payload
    head = struct.pack("!BBHHHBBH", 0x45, 0, 0, 0, 0, 64, socket.IPPROTO_UDP, 0)
    return head + socket.inet_aton(source[0]) + socket.inet_aton("127.0.0.1") + udp


class ForgedDatagrams:
    """Datagrams prepared as the kernel's structures.

    Each sender is combined with each payload, in turn and without end.
    """

    def __init__(self, senders: Sequence[tuple[str, int]]) -> None:
        datagrams = [forged(sender, payload) for sender in senders for payload in PAYLOADS]
        random.Random(1).shuffle(datagrams)
        self._bytes = np.array(datagrams, dtype=np.bytes_).view("u1").reshape(len(datagrams), -1)
        self._parts = np.zeros(len(datagrams), _IOVEC)
        self._parts["base"] = _addresses(self._bytes)
        self._parts["length"] = [len(datagram) for datagram in datagrams]
        self._messages = np.zeros(len(datagrams), _MMSGHDR)
        self._messages["message"]["parts"] = _addresses(self._parts)
        self._messages["message"]["parts_length"] = 1
        self._next = 0

    def aim(self, ports: Sequence[int]) -> None:
        """Send to these ports of 127.0.0.1 in turn."""
        self._bytes[:, _PORT] = np.resize(np.array(ports, dtype=">u2").view("u1"), (len(self._bytes), 2))

    def send(self, raw: socket.socket, count: int) -> int:
        """Send `count` datagrams; return how many were sent, which may be fewer.

        Raises:
            OSError: none could be sent.
        """
        count = min(count, MAX_BATCH, len(self._messages) - self._next)
        sent: int = _LIBC.sendmmsg(
            raw.fileno(), ctypes.c_void_p(self._messages[self._next :].ctypes.data), ctypes.c_uint(count), 0
        )
        if sent < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        self._next = (self._next + sent) % len(self._messages)
        return sent


def _addresses(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the address of each row in memory."""
    return rows.ctypes.data + rows.strides[0] * np.arange(len(rows), dtype="u8")


class TargetPorts:
    """The UDP ports that a process has open.

    A check is cheap while its sockets stay the same.
    """

    def __init__(self, pid: int) -> None:
        self.ports: list[int] = []
        self._descriptors = Path(f"/proc/{pid}/fd")
        self._sockets: set[str] = set()
        self._checked_s = self._changed_s = 0.0

    def have_changed(self) -> bool:
        """Return whether the ports have changed.

        They are read every `CHECK_INTERVAL_S` only.
        """
        now = time.monotonic()
        if now - self._checked_s < CHECK_INTERVAL_S:
            return False
        self._checked_s, sockets = now, self._inodes()
        if sockets != self._sockets:
            self._sockets, self._changed_s = sockets, now
        if now - self._changed_s > SETTLED_S:
            return False
        rows = [line.split() for line in Path("/proc/net/udp").read_text(encoding="ascii").splitlines()[1:]]
        before, self.ports = self.ports, [int(row[1].partition(":")[2], 16) for row in rows if row[9] in sockets]
        return self.ports != before

    def _inodes(self) -> set[str]:
        found = set()
        for link in self._descriptors.iterdir():
            try:
                target = str(link.readlink())
            except OSError:  # closed meanwhile
                continue
            if target.startswith("socket:["):
                found.add(target[8:-1])
        return found


def senders(servers: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the servers, and as many unknown addresses."""
    rng = random.Random(1)
    return servers + [(f"127.{rng.randrange(256)}.{rng.randrange(256)}.9", rng.randrange(1024, 65536)) for _ in servers]


def flood(target: TargetPorts, datagrams: ForgedDatagrams, rate: int, raw: socket.socket, count: int) -> None:
    """Send until the parent process has ended.

    `count` is the descriptor of a file that always holds how many were sent.
    """
    parent, sent, due, last_s = os.getppid(), 0, 0.0, time.monotonic()
    while os.getppid() == parent:
        if target.have_changed() and target.ports:
            datagrams.aim(target.ports)
        now = time.monotonic()
        due = min(due + (now - last_s) * rate, MAX_BACKLOG_S * rate) if target.ports else 0.0
        last_s, burst = now, min(int(due), round(MAX_CATCH_UP * BURST_S * rate))
        while burst > 0:
            left = datagrams.send(raw, burst)
            sent, due, burst = sent + left, due - left, burst - left
        os.pwrite(count, b"%012d" % sent, 0)
        time.sleep(max(0.0, now + BURST_S - time.monotonic()))


def main() -> None:
    """Send forged datagrams until the parent has ended."""
    lines = [line.rpartition(":") for line in sys.stdin.read().split()]
    datagrams = ForgedDatagrams(senders([(host, int(port)) for host, _, port in lines]))
    with (
        socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW) as raw,
        Path(sys.argv[3]).open("wb", buffering=0) as count,
    ):
        raw.connect(("127.0.0.1", 0))
        # A flood from another machine waits for none of our processors.
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
        os.write(count.fileno(), b"0")
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        flood(TargetPorts(int(sys.argv[1])), datagrams, int(sys.argv[2]), raw, count.fileno())


if __name__ == "__main__":
    main()
