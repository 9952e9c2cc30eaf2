"""Exchanges recorded from real servers of the newer protocols, and servers that repeat them on loopback."""

import json
import socketserver
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

from loopback_servers import Handler
from recorded_data import OWN, data_folders

from browser_app.protocols.address import Address


class Exchange(NamedTuple):
    """One request and the datagrams, or the bytes of a stream, that answered it."""

    what: str
    request: bytes
    replies: tuple[bytes, ...]


@cache
def exchanges(name: str) -> tuple[Exchange, ...]:
    """Return the exchanges of one file that were answered."""
    text = (data_folders()[OWN] / "families" / f"{name}.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    return tuple(
        Exchange(
            row["what"],
            bytes.fromhex(row["request_hex"]),
            tuple(map(bytes.fromhex, (row["response_hex"], *row.get("more_hex", ())))),
        )
        for row in rows
        if row["response_hex"]
    )


def bedrock() -> Handler:
    """Return the handler of the Bedrock server, which repeats the time of a ping."""
    ((reply,), *_) = (each.replies for each in exchanges("minecraft-bedrock"))
    return lambda request: (reply[:1] + request[1:9] + reply[9:],) if request[:1] == b"\x01" else ()


def open_mp(**bodies: bytes) -> Handler:
    """Return the handler of the open.mp server, which repeats the header of a request.

    `bodies` replaces replies, by the letter of the request.
    """
    recorded = (
        each for each in exchanges("samp-openmp") if each.what.startswith("opcode") and "another" not in each.what
    )
    replies = {each.request[10:11]: each.replies[0][11:] for each in recorded}
    replies |= {letter.encode(): body for letter, body in bodies.items()}

    def answer(request: bytes) -> Iterable[bytes]:
        kind = request[10:11]
        if kind == b"p":
            return (request,)
        return (request[:11] + replies[kind],) if kind in replies else ()

    return answer


def ddnet(players: int) -> Handler:
    """Return the handler of the DDNet server with 0 or 45 players, which repeats the token of a request."""
    mark = "with 45 players" if players else "token 0x"
    vanilla, extended = (
        next(each for each in exchanges("ddnet06") if each.what.startswith(f"gie3 {kind}") and mark in each.what)
        for kind in ("vanilla", "extended")
    )

    def answer(request: bytes) -> Iterable[bytes]:
        if request.startswith(b"xe"):
            token = int.from_bytes(request[2:4] + request[-1:], "big")
            return [each.replace(b"1193046\0", b"%d\0" % token, 1) for each in extended.replies]
        return [each.replace(b"inf342\0", b"inf3%d\0" % request[-1], 1) for each in vanilla.replies]

    return answer


@contextmanager
def java_server(status: bytes) -> Iterator[Address]:
    """Run a server that sends a recorded status, and repeats a ping, on each connection."""

    class Connection(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            received = b""
            while not received.endswith(b"\x01\0"):
                data = self.request.recv(1024)
                if not data:
                    return
                received += data
            self.wfile.write(status)
            self.wfile.write(self.rfile.read(10))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Connection) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield Address("127.0.0.1", server.server_address[1])
        finally:
            server.shutdown()
            thread.join()
