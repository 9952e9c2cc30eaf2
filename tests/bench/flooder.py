"""Child: floods the UDP sockets of a process with forged datagrams: `flooder.py PID RATE COUNT < addresses`.

Every other one claims to be from one of the game servers named on standard input (`HOST:PORT` a line), the others from
nobody. Forging the sender takes a raw socket, thus root; nothing leaves the loopback network. Ends with its parent.
"""

import itertools
import os
import random
import socket
import struct
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

BURST_S = 0.01
LOOK_S = 0.25
PAYLOADS = (
    b"\xff\xff\xff\xffI\x11forged\0",
    b"\xff\xff\xff\xffstatusResponse\n\\challenge\\forged00\\sv_hostname\\forged\n",
    b"\xfe\xff\xff\xff\1\0\0\0\x20\0\xe0\4" + b"x" * 40,
    b"\xff\xff\xff\xffA\1\2\3",
    b"rubbish" * 10,
)


def ports_of(pid: int) -> list[int]:
    """The UDP ports that a process has open now."""
    inodes = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = str(link.readlink())
        except OSError:  # closed meanwhile
            continue
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    rows = [line.split() for line in Path("/proc/net/udp").read_text(encoding="ascii").splitlines()[1:]]
    return [int(row[1].partition(":")[2], 16) for row in rows if row[9] in inodes]


def forged(source: tuple[str, int], port: int, payload: bytes) -> bytes:
    """An IPv4 packet on the loopback network; the kernel adds checksum and length, UDP needs none."""
    udp = struct.pack("!HHHH", source[1], port, 8 + len(payload), 0) + payload
    head = struct.pack("!BBHHHBBH", 0x45, 0, 0, 0, 0, 64, socket.IPPROTO_UDP, 0)
    return head + socket.inet_aton(source[0]) + socket.inet_aton("127.0.0.1") + udp


def forgeries(sources: Sequence[tuple[str, int]], ports: Sequence[int]) -> Iterator[bytes]:
    """Without end, each made when it is sent: the ports change with every scan."""
    ways = zip(itertools.cycle(sources), itertools.cycle(ports), itertools.cycle(PAYLOADS))
    return (forged(source, port, payload) for source, port, payload in ways)


def senders(servers: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Servers and nobodies in turn."""
    rng = random.Random(1)
    nobodies = ((f"127.{rng.randrange(256)}.{rng.randrange(256)}.9", rng.randrange(1024, 65536)) for _ in servers)
    mixed = [sender for pair in zip(servers, nobodies, strict=True) for sender in pair]
    rng.shuffle(mixed)
    return mixed


def main() -> None:
    """Flood until the parent is gone; how many were sent stands in the file."""
    pid, rate = int(sys.argv[1]), int(sys.argv[2])
    lines = [line.rpartition(":") for line in sys.stdin.read().split()]
    sources = senders([(host, int(port)) for host, _, port in lines])
    parent, sent, looked = os.getppid(), 0, 0.0
    packets: Iterator[bytes] | None = None
    known: list[int] = []
    with (
        socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW) as raw,
        Path(sys.argv[3]).open("wb", buffering=0) as count,
    ):
        due = time.monotonic()
        while os.getppid() == parent:
            if time.monotonic() - looked > LOOK_S:
                looked, found = time.monotonic(), ports_of(pid)
                if found != known:
                    known = found
                    packets = forgeries(sources, found) if found else None
            if packets is not None:
                for packet in itertools.islice(packets, round(rate * BURST_S)):
                    raw.sendto(packet, ("127.0.0.1", 0))
                    sent += 1
            due = max(due + BURST_S, time.monotonic() - 0.1)
            time.sleep(max(0.0, due - time.monotonic()))
            os.pwrite(count.fileno(), b"%012d" % sent, 0)  # there is a whole number in it at any time


if __name__ == "__main__":
    main()
