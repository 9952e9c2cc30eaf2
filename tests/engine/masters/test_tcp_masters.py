"""Master servers over TCP: whole, broken, endless and absent lists."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from fake_masters import CollectingSink
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters import tcp_master_client
from browser_app.engine.masters.master_kinds import master_url_problem, parse_master_source
from browser_app.engine.network.request_errors import RequestError
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address

Serve = Callable[[socket.socket], None]
LIST = b"".join(b"addserver 127.0.0.%d 28785\n" % number for number in range(1, 101)) + b"\0"


@contextmanager
def tcp_master(serve: Serve) -> Iterator[int]:
    """Run a master that serves one client; returns its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(LIMIT_S)

        def accept() -> None:
            try:
                sock, _peer = listener.accept()
            except OSError:
                return
            with sock:
                sock.settimeout(LIMIT_S)
                try:
                    serve(sock)
                except OSError:
                    return

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.close()
            thread.join(LIMIT_S)


def sending(*parts: bytes) -> Serve:
    def serve(sock: socket.socket) -> None:
        assert sock.recv(100) == b"list\n"
        for part in parts:
            sock.sendall(part)

    return serve


def poll(port: int, collector: CollectingSink, scheme: str = "sauerbraten") -> None:
    parse_master_source(f"{scheme}+tcp://127.0.0.1:{port}", GameRegistry([])).poll(collector.sink)


def test_list_is_read_in_parts() -> None:
    collector = CollectingSink()
    with tcp_master(sending(LIST[:30], LIST[30:1000], LIST[1000:])) as port:
        poll(port, collector)
    assert collector.addresses == [Address(f"127.0.0.{number}", 28786) for number in range(1, 101)]
    assert collector.batches[0][0] == QueryTarget(Address("127.0.0.1", 28786), "cube2", None)


def test_servers_before_an_error_count() -> None:
    collector = CollectingSink()
    with tcp_master(sending(LIST[:-1], b"x" * 9000)) as port, pytest.raises(RequestError, match="line too long"):
        poll(port, collector)
    assert len(collector.addresses) == 100


@pytest.mark.parametrize("text", [b"<html>\n", b"7"])
def test_other_texts_are_reported(text: bytes) -> None:
    with tcp_master(sending(text)) as port, pytest.raises(RequestError, match="not a list"):
        poll(port, CollectingSink())


def test_size_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp_master_client, "MAX_LIST_BYTES", 1 << 20)
    line = b"addserver 127.0.0.1 28785" + b" " * 4000 + b"\n"
    with tcp_master(sending(*[line * 64] * 8)) as port, pytest.raises(RequestError, match="larger than 1 MiB"):
        poll(port, CollectingSink())


def test_small_parts_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp_master_client, "_MAX_SMALL_CHUNKS", 5)
    monkeypatch.setattr(tcp_master_client, "_CHUNK_BYTES", 3)
    with tcp_master(sending(LIST)) as port, pytest.raises(RequestError, match="too small"):
        poll(port, CollectingSink())


def test_cancelling_ends_silent_connection() -> None:
    collector = CollectingSink()
    waiting = threading.Event()

    def stay_silent(sock: socket.socket) -> None:
        sock.recv(100)
        waiting.set()
        sock.recv(100)

    def cancel() -> None:
        waiting.wait(LIMIT_S)
        collector.cancel_token.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    with tcp_master(stay_silent) as port, pytest.raises(RequestError):
        poll(port, collector)
    canceller.join()
    assert collector.addresses == []


def test_silent_master_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp_master_client, "READ_TIMEOUT_S", 0.1)

    def stay_silent(sock: socket.socket) -> None:
        while sock.recv(100):
            pass

    with tcp_master(stay_silent) as port, pytest.raises(RequestError, match="no answer"):
        poll(port, CollectingSink())


def test_absent_master_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(RequestError, match="connection refused"):
        poll(port, CollectingSink())


@pytest.mark.parametrize("url", ["sauerbraten+tcp://h", "sauerbraten+tcp://h:1/x", "sauerbraten://h:1", "x+tcp://h:1"])
def test_other_urls_are_refused(url: str) -> None:
    assert master_url_problem(url) is not None
