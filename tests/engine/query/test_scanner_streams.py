"""Queries over real TCP connections: partial replies, pings, limits, failures."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress

import pytest
from fake_game_servers import INFO, UNLIMITED, FakeServerThread, after, open_scanner
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget
from browser_app.diagnostics import internal_errors
from browser_app.engine.query import stream_slots, stream_sockets
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.engine.query.reply_dispatcher import ReplyDispatcher
from browser_app.protocols.address import Address
from browser_app.protocols.minecraft.java import (
    JavaSession,
    encode_java_packet,
    encode_java_ping,
    encode_java_status_request,
    encode_varint,
)
from browser_app.protocols.query_session import QueryParts, ReceiveStatus

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
PATIENT = QueryTiming(waits_s=(LIMIT_S,), stream_wait_s=LIMIT_S, max_probe_wait_s=LIMIT_S)
NO_PONG = QueryTiming(stream_wait_s=LIMIT_S, max_probe_wait_s=0.2)
TEXT = json.dumps({"version": {"name": "1.20.4"}, "players": {"max": 20, "online": 3}, "description": "Rig"}).encode()
STATUS = encode_java_packet(b"\0" + encode_varint(len(TEXT)) + TEXT)
PING_BYTES = len(encode_java_ping(b"token000"))


class StreamServers:
    """TCP servers on loopback, in one thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._servers: list[asyncio.Server] = []
        self._tasks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self.open_connections = 0
        self._thread.start()

    def add(self, serve: Serve) -> QueryTarget:
        """Start a server and return it as a target."""
        return asyncio.run_coroutine_threadsafe(self._start(serve), self._loop).result(LIMIT_S)

    async def _start(self, serve: Serve) -> QueryTarget:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            async with self._counted(writer):
                with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                    await serve(reader, writer)
                    await reader.read()  # until the other side closes

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._tasks[self._loop.create_task(handle(reader, writer))] = writer

        server = await asyncio.start_server(accept, "127.0.0.1", 0, backlog=200)
        self._servers.append(server)
        return QueryTarget(Address(*server.sockets[0].getsockname()), "minecraft", None)

    @asynccontextmanager
    async def _counted(self, writer: asyncio.StreamWriter) -> AsyncIterator[None]:
        self.open_connections += 1
        try:
            yield
        finally:
            self.open_connections -= 1
            writer.close()

    def call(self, function: Callable[[], None]) -> None:
        """Call a function in the thread of the servers."""
        self._loop.call_soon_threadsafe(function)

    def close(self) -> None:
        """Stop all servers."""

        async def stop() -> None:
            # Connections that are still being accepted would never be closed: neither by a server that closes before
            # they are (asserted in asyncio.Server._attach), nor by a task that is cancelled before it begins.
            for server in self._servers:
                for listener in server.sockets:
                    self._loop.remove_reader(listener.fileno())
            await asyncio.sleep(0)
            while others := asyncio.all_tasks() - {asyncio.current_task()}:
                for task in others:
                    task.cancel()
                await asyncio.gather(*others, return_exceptions=True)
            for server in self._servers:
                server.close()
            for writer in self._tasks.values():
                writer.transport.abort()
            await asyncio.sleep(0)

        asyncio.run_coroutine_threadsafe(stop(), self._loop).result(LIMIT_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture
def servers() -> Iterator[StreamServers]:
    servers = StreamServers()
    yield servers
    servers.close()


def answering(*, status_delay_s: float = 0.0, pong_delay_s: float = 0.0, part_bytes: int = 1 << 16) -> Serve:
    """Return a server that sends its status, in parts, and answers a ping."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.read(1024)
        assert request.endswith(b"\x01\0")
        await asyncio.sleep(status_delay_s)
        for first in range(0, len(STATUS), part_bytes):
            writer.write(STATUS[first : first + part_bytes])
            await writer.drain()
            await asyncio.sleep(0)
        ping = await reader.readexactly(PING_BYTES)
        await asyncio.sleep(pong_delay_s)
        writer.write(ping)

    return serve


def sending(data: bytes, *, close: bool = False, requests: list[bytes] | None = None) -> Serve:
    """Return a server that sends some bytes.

    It may record the request or close the connection.
    """

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.read(1024)
        if requests is not None:
            requests.append(request)
        writer.write(data)
        await writer.drain()
        if close:
            writer.close()

    return serve


def query(*targets: QueryTarget, timing: QueryTiming = PATIENT) -> list[QueryResult]:
    """Return the results in the order of the targets."""
    with open_scanner() as scanner:
        scan = scanner.scan(list(targets), pace=UNLIMITED, parts=QueryParts.INFO, timing=timing)
        scan.seal()
        assert scan.wait(LIMIT_S)
    results = {result.target: result for result in scan.results}
    return [results[target] for target in targets]


@pytest.mark.slow
def test_ping_is_that_of_the_ping_packet(servers: StreamServers) -> None:
    (result,) = query(servers.add(answering(status_delay_s=0.3, pong_delay_s=0.1)))
    assert result.status is QueryStatus.OK
    assert result.info is not None
    assert (result.info.name, result.info.players, result.info.version) == ("Rig", 3, "1.20.4")
    assert result.ping_ms is not None
    assert result.ping_ms >= 100.0
    assert not result.ping_estimated
    assert wait_until(lambda: not servers.open_connections)


@pytest.mark.slow
def test_request_has_the_host_name(servers: StreamServers) -> None:
    requests: list[bytes] = []
    serve = sending(STATUS, requests=requests)
    address, named = servers.add(serve), servers.add(serve)._replace(host_name="play.example.org")
    query(address, timing=NO_PONG)
    (result,) = query(named, timing=NO_PONG)
    assert requests == [
        encode_java_status_request(host, each.address.port)
        for host, each in (("127.0.0.1", address), ("play.example.org", named))
    ]
    assert b"\x10play.example.org" in requests[1]
    assert result.info is not None
    assert result.info.connect == Address("play.example.org", named.address.port)


def test_status_may_come_byte_by_byte(servers: StreamServers) -> None:
    (result,) = query(servers.add(answering(part_bytes=1)))
    assert result.status is QueryStatus.OK


@pytest.mark.slow
def test_tiny_parts_are_limited(servers: StreamServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_sockets, "RECEIVE_BYTES", 1)
    (result,) = query(servers.add(sending(encode_varint(100_000) + bytes(5_000))))
    assert (result.status, result.error) == (QueryStatus.MALFORMED, "too many")


def test_without_a_pong_the_ping_is_estimated(servers: StreamServers) -> None:
    closing, silent = (servers.add(sending(STATUS, close=close)) for close in (True, False))
    for result in query(closing, silent, timing=NO_PONG):
        assert result.status is QueryStatus.OK
        assert result.ping_ms is not None
        assert result.ping_estimated


@pytest.mark.parametrize(
    ("data", "close", "status"),
    [
        (b"", True, QueryStatus.NO_ANSWER),
        (STATUS[:40], True, QueryStatus.MALFORMED),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9, False, QueryStatus.MALFORMED),
        (b"\xff" * 9, False, QueryStatus.MALFORMED),
        (encode_java_packet(b"\0\x02[]"), False, QueryStatus.MALFORMED),
        (b"x" * (2 << 20), False, QueryStatus.MALFORMED),
    ],
)
def test_invalid_status_ends_the_query(servers: StreamServers, data: bytes, close: bool, status: QueryStatus) -> None:
    (result,) = query(servers.add(sending(data, close=close)))
    assert (result.status, result.info) == (status, None)
    assert result.error
    assert wait_until(lambda: not servers.open_connections)


@pytest.mark.expects_log
def test_internal_error_ends_one_query(servers: StreamServers, monkeypatch: pytest.MonkeyPatch) -> None:
    receive = JavaSession.receive

    def fail_at_bad(session: JavaSession, data: bytes) -> bytes | ReceiveStatus:
        if data == b"bad":
            raise RuntimeError
        return receive(session, data)

    monkeypatch.setattr(JavaSession, "receive", fail_at_bad)
    *bad, good = query(*(servers.add(sending(b"bad")) for _ in range(20)), servers.add(answering()))
    assert {(result.status, result.error) for result in bad} == {(QueryStatus.MALFORMED, "unreadable")}
    assert good.status is QueryStatus.OK
    assert internal_errors.counts() == {"RuntimeError while parsing a server's datagram": 20}
    monkeypatch.delattr(ReplyDispatcher, "on_connected")
    (result,) = query(servers.add(answering()))
    assert (result.status, result.error) == (QueryStatus.MALFORMED, "unreadable")
    assert internal_errors.counts()["AttributeError while handling a connection"] == 1


def test_refused_connection_is_no_answer(servers: StreamServers) -> None:
    target = servers.add(answering())
    asyncio.run_coroutine_threadsafe(_close(servers), servers._loop).result(LIMIT_S)
    (result,) = query(target)
    assert (result.status, result.error) == (QueryStatus.NO_ANSWER, "Connection refused")


async def _close(servers: StreamServers) -> None:
    for server in servers._servers:
        server.close()


def test_unresponsive_server_times_out(servers: StreamServers) -> None:
    (result,) = query(servers.add(sending(b"")), timing=QueryTiming(stream_wait_s=0.2, late_reply_wait_s=0.2))
    assert (result.status, result.attempts) == (QueryStatus.NO_ANSWER, 1)


def test_connections_are_limited(servers: StreamServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_slots, "MAX_OPEN_STREAMS", 5)
    released = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await released.wait()
        await answering()(reader, writer)

    targets = [servers.add(serve) for _number in range(40)]
    with open_scanner() as scanner:
        scan = scanner.scan(targets, pace=UNLIMITED, parts=QueryParts.INFO, timing=PATIENT)
        scan.seal()
        assert wait_until(lambda: servers.open_connections == 5)
        assert scan.progress.sent == 5
        servers.call(released.set)
        assert scan.wait(LIMIT_S)
    assert {result.status for result in scan.results} == {QueryStatus.OK}


@pytest.mark.slow
def test_unresponsive_server_is_given_up_for_next(servers: StreamServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_slots, "MAX_OPEN_STREAMS", 1)
    silent, slow = servers.add(sending(b"")), servers.add(answering(status_delay_s=0.5))
    timing = QueryTiming(waits_s=(0.2,), stream_wait_s=LIMIT_S, max_probe_wait_s=LIMIT_S)
    assert [result.status for result in query(silent, slow, timing=timing)] == [QueryStatus.NO_ANSWER, QueryStatus.OK]


def test_cancelled_scan_closes_its_connections(servers: StreamServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_slots, "MAX_OPEN_STREAMS", 3)
    silent = [servers.add(sending(b"")) for _number in range(6)]
    with open_scanner() as scanner:
        scan = scanner.scan(silent, pace=UNLIMITED, parts=QueryParts.INFO, timing=PATIENT)
        assert wait_until(lambda: servers.open_connections == 3)
        scan.cancel()
        assert scan.wait(LIMIT_S)
        assert wait_until(lambda: not servers.open_connections)
        again = scanner.scan([servers.add(answering())], pace=UNLIMITED, parts=QueryParts.INFO, timing=PATIENT)
        again.seal()
        assert again.wait(LIMIT_S)
        assert again.results[0].status is QueryStatus.OK


def test_unresponsive_servers_delay_only_their_scan(servers: StreamServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_slots, "MAX_OPEN_STREAMS", 3)
    silent = [servers.add(sending(b"")) for _number in range(9)]
    honest = [servers.add(answering()) for _number in range(2)]
    with open_scanner() as scanner:
        blocking = scanner.scan(silent, pace=UNLIMITED, timing=PATIENT)
        assert wait_until(lambda: servers.open_connections == 3)
        urgent, waiting = (
            scanner.scan([target], pace=UNLIMITED, timing=PATIENT, urgent=urgent)
            for urgent, target in zip((True, False), honest, strict=True)
        )
        urgent.seal()
        waiting.seal()
        assert urgent.wait(LIMIT_S)
        assert not waiting.results
        blocking.cancel()
        assert waiting.wait(LIMIT_S)
    assert [scan.results[0].status for scan in (urgent, waiting)] == [QueryStatus.OK] * 2


def test_datagrams_and_streams_share_a_scan(servers: StreamServers) -> None:
    with FakeServerThread() as fake_servers:
        udp = fake_servers.add(after(0.0, INFO)).target
        results = query(udp, servers.add(answering()))
    assert [result.status for result in results] == [QueryStatus.OK] * 2
