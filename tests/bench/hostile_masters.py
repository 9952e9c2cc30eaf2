"""Child: master servers that send what costs most to parse.

Usage: `hostile_masters.py`, until standard input ends.

Says where it is in a line of JSON. 127.0.0.2 stands for the Internet (see `hostile_child.py`), 127.0.0.1 is a master of
the user's own machine, which may list any address.
"""

import json
import socket
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle, islice
from typing import Final

from browser_app.protocols.address import Address
from browser_app.protocols.quake.dpmaster_server import encode_servers_response
from browser_app.runtime_tuning import lower_process_priority

REMOTE, LOCAL = "127.0.0.2", "127.0.0.1"
SIZE = 4_190_000
"""Bytes of a document: as much as is read of a community's list, 4 MiB."""
_STEAM_PATH = "/IGameServersService/GetServerList/v1/"


def _list_of(entry: bytes) -> bytes:
    return b'{"servers":[' + b",".join([entry] * ((SIZE - 20) // (len(entry) + 1))) + b"]}"


def _numbered(entry: str, count: int) -> bytes:
    return (
        b'{"servers":[' + ",".join(entry.format(n=n, high=n >> 8, low=n & 255) for n in range(count)).encode() + b"]}"
    )


def _keys() -> bytes:
    return b'{"servers":[],' + b",".join(b'"%d":1' % number for number in range(SIZE // 11)) + b"}"


def _private() -> bytes:
    return _numbered('"a2s://10.0.{high}.{low}:1"', 65_536)


def _steam() -> bytes:
    entry = '{{"addr":"169.254.{high}.{low}:1","name":"' + "x" * 100 + '"}}'
    return b'{"response":' + _numbered(entry, 60_000) + b"}"


FORMS: Final[dict[str, Callable[[], bytes]]] = {
    "keys": _keys,
    "numbers": lambda: _list_of(b"1"),
    "floats": lambda: _list_of(b"1.5e300"),
    "lists": lambda: _list_of(b"[]"),
    "deep": lambda: b'{"servers":' + b"[" * (SIZE - 20),
    "one text": lambda: b'{"servers":["' + b"a" * (SIZE - 20) + b'"]}',
    "escapes": lambda: _list_of(b'"' + b"\\u0041" * 5_000 + b'"'),
    "repeated keys": lambda: b"{" + b",".join([b'"servers":[]'] * (SIZE // 13)) + b"}",
    "zones": lambda: _list_of(b'"a2s://[fe80::%0]:1"'),
    "protocols": lambda: _list_of(b'"x2s://192.0.2.1:1"'),
    "names": lambda: _numbered('"a2s://h{n}.invalid:1"', 150_000),
    "private": _private,
    "repeated": lambda: _list_of(b'"a2s://10.0.0.1:27015"'),
}
"""Bodies of documents; the first four are those that cost most when a document was parsed as a whole."""
_CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
RESPONSES: Final = {
    "continues": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000),
    "headers": (b"HTTP/1.1 200 OK\r\n" + b"".join(b"a: " + b"x" * 65_000 + b"\r\n" for _ in range(98)), b""),
    "small chunks": (_CHUNKED, b"1\r\n \r\n" * 1_000),
    "trailers": (_CHUNKED + b"2\r\n{}\r\n0\r\n", b"a: b\r\n" * 1_000),
}
"""Beginnings of responses, and what follows without end."""
STEAM_FORM, FLOOD_FORM, DRIP_FORM, DEAD_FORM = "Steam", "dpmaster flood", "drip", "dead servers"
"""Others: a list of Steam's, datagrams without end, a byte at a time, and 65,536 addresses where nobody answers."""


class _Pages:
    """Bodies by path: `/FORM.NUMBER`, the number telling masters apart."""

    def __init__(self) -> None:
        self._bodies = {form: make() for form, make in FORMS.items()}
        self._steam = _steam()

    def body(self, path: str) -> bytes:
        if path == _STEAM_PATH:
            return self._steam
        form, _sign, number = path.removeprefix("/").replace("_", " ").partition(".")
        if form == DEAD_FORM:
            return _numbered(f'"quake3://127.{100 + int(number)}.{{high}}.{{low}}:9"', 65_536)
        return self._bodies[form]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_: object) -> None:
        """Ignore clients that close the connection."""


def _serve_web(host: str, pages: _Pages) -> int:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            start, rest = RESPONSES.get(path[1:].partition(".")[0].replace("_", " "), (b"", b""))
            self.wfile.write(start)
            while start or rest:
                self.wfile.write(rest)
                time.sleep(0 if rest else 1)
            drips = path.startswith(f"/{DRIP_FORM}")
            body = b" " * SIZE if drips else pages.body(path)
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            while drips:
                self.wfile.write(b" ")
                time.sleep(0.01)
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = _Server((host, 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def _serve_flood() -> int:
    """Answer each request with an endless list of the same 256 private addresses."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind((REMOTE, 0))
    packets = encode_servers_response([Address(f"10.0.0.{low}", 27_960) for low in range(256)], end=False)

    def answer(peer: tuple[str, int]) -> None:
        until_s = time.monotonic() + 20
        for packet in cycle(packets):
            sock.sendto(packet, peer)
            time.sleep(0.0002)
            if time.monotonic() > until_s:
                return

    def serve() -> None:
        while True:
            peer = sock.recvfrom(4096)[1]
            threading.Thread(target=answer, args=(peer,), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    return int(sock.getsockname()[1])


def masters_of(form: str, count: int, ports: dict[str, int]) -> list[str]:
    """Return the URLs of `count` masters of a form; "all" is each form in turn."""
    forms = [*FORMS, *RESPONSES, STEAM_FORM, FLOOD_FORM, DRIP_FORM] if form == "all" else [form]
    return [_master(each, number, ports) for number, each in enumerate(islice(cycle(forms), count))]


def _master(form: str, number: int, ports: dict[str, int]) -> str:
    path = f"{form.replace(' ', '_')}.{number}"
    if form == STEAM_FORM:
        return f"steam-web+http://{LOCAL}:{ports['local']}/?appid={number + 1}"
    if form == FLOOD_FORM:
        return f"dpmaster://{REMOTE}:{ports['flood']}/Game{number}/3"
    if form == DEAD_FORM:
        return f"json+http://{LOCAL}:{ports['local']}/{path}"
    return f"json+http://{REMOTE}:{ports['remote']}/{path}"


def main() -> None:
    """Serve until standard input ends, at a low priority.

    Real masters would not run on the window's machine.
    """
    lower_process_priority()
    pages = _Pages()
    ports = {"remote": _serve_web(REMOTE, pages), "local": _serve_web(LOCAL, pages), "flood": _serve_flood()}
    sys.stdout.write(json.dumps(ports) + "\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
