"""Child: the minimum cost of a paced scan on this machine, for comparison.

One socket, evenly sent requests, kernel receive stamps. Replies are neither parsed nor stored; no request is
repeated.
"""

import select
import socket
import struct
import time
from dataclasses import asdict
from typing import Any

from bench_child import answer_parent
from scan_result import ScanResult

REQUEST = b"\xff\xff\xff\xffTSource Engine Query\0"
TIMESTAMPNS = 35
"""SO_TIMESTAMPNS of Linux (asm-generic/socket.h), which Python 3.11 does not name."""
LIMIT_S = 30.0


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Query `servers` at `per_s`, each once."""
    servers = [(host, int(port)) for host, _, port in (server.rpartition(":") for server in request["servers"])]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, TIMESTAMPNS, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        return asdict(_scan(sock, servers, 1 / request["per_s"]))


def _scan(sock: socket.socket, servers: list[tuple[str, int]], gap_s: float) -> ScanResult:
    sent_ns: dict[tuple[str, int], int] = {}
    pings: dict[str, float] = {}
    waiting = iter(servers)
    cpu_s, began_s = time.thread_time(), time.perf_counter()
    now_s = next_s = began_s
    while len(pings) < len(servers) and now_s < began_s + LIMIT_S:
        select.select([sock], [], [], max(0.0, next_s - now_s))
        _receive(sock, sent_ns, pings)
        now_s = time.perf_counter()
        if now_s >= next_s:
            server = next(waiting, None)
            next_s += gap_s if server else LIMIT_S
            if server:
                sent_ns[server] = time.time_ns()
                sock.sendto(REQUEST, server)
    cpu_s = time.thread_time() - cpu_s
    return ScanResult(pings, time.perf_counter() - began_s, cpu_s, cpu_s)


def _receive(sock: socket.socket, sent_ns: dict[tuple[str, int], int], pings: dict[str, float]) -> None:
    while True:
        try:
            _, ancillary, _, server = sock.recvmsg(65_535, 64)
        except BlockingIOError:
            return
        seconds, nanoseconds = struct.unpack("@qq", ancillary[0][2][:16])
        pings[f"{server[0]}:{server[1]}"] = (seconds * 1_000_000_000 + nanoseconds - sent_ns[server]) / 1e6


if __name__ == "__main__":
    answer_parent(measure)
