"""Clocks, timestamps and round trips."""

import socket
import struct
import sys

import pytest
from fake_game_servers import INFO, FakeServerThread, after, scan_all
from hypothesis import given
from hypothesis import strategies as st

from browser_app.engine.query.engine_clock import (
    SUSPEND_GAP_NS,
    TIMESTAMP_OPTION,
    AncillaryData,
    EngineClock,
    read_kernel_timestamp_ns,
)
from browser_app.engine.query.round_trips import (
    PacketTime,
    choose_nearest_round_trip,
    find_possible_round_trips,
    measure_round_trip,
)
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.query.stream_sockets import StreamSocket
from browser_app.engine.query.udp_sockets import UdpSocket
from browser_app.games.game_registry import GameRegistry

MS = 1_000_000
SENT = PacketTime(10_000 * MS, 500 * MS, 0)


class FakeTime:
    """Two clocks set by hand."""

    def __init__(self) -> None:
        self.wall_ns = 1_000_000 * MS
        self.monotonic_ns = 5 * MS
        self.clock = EngineClock(lambda: self.wall_ns, lambda: self.monotonic_ns)

    def passes(self, ns: int) -> None:
        self.wall_ns += ns
        self.monotonic_ns += ns


def test_kernel_timestamp_is_used() -> None:
    trip = measure_round_trip(SENT, PacketTime(10_040 * MS, 555 * MS, 0))
    assert trip is not None
    assert trip == (40 * MS, False, False)


@pytest.mark.parametrize(
    "received",
    [
        PacketTime(10_040 * MS, 555 * MS, 1),  # the wall clock jumped in between
        PacketTime(9_000 * MS, 555 * MS, 0),  # received before it was sent
        PacketTime(10_090 * MS, 555 * MS, 0),  # timestamp later than reading
    ],
)
def test_implausible_stamp_ignored(received: PacketTime) -> None:
    assert measure_round_trip(SENT, received) == (55 * MS, True, False)


def test_without_timestamp() -> None:
    assert measure_round_trip(SENT, PacketTime(0, 555 * MS, 3)) == (55 * MS, False, False)


def test_late_reading_is_marked() -> None:
    assert measure_round_trip(SENT, PacketTime(0, 555 * MS, 0, is_late=True)) == (55 * MS, False, True)


@pytest.mark.parametrize("monotonic_ms", [400, 500, 500 + 3_600_000])
def test_absurd_trips_are_dropped(monotonic_ms: int) -> None:
    assert measure_round_trip(SENT, PacketTime(10_040 * MS, monotonic_ms * MS, 0)) is None


def test_candidates_by_attempt() -> None:
    sent = [SENT, None, PacketTime(11_000 * MS, 1_500 * MS, 0)]
    received = PacketTime(11_300 * MS, 1_801 * MS, 0)
    assert [trip.ns // MS for trip in find_possible_round_trips(sent, received, None)] == [1_300, 300]
    assert [trip.ns // MS for trip in find_possible_round_trips(sent, received, 0)] == [1_300]
    assert [trip.ns // MS for trip in find_possible_round_trips(sent, received, 7)] == [1_300, 300]
    assert choose_nearest_round_trip(find_possible_round_trips(sent, received, None), 1_250 * MS).ns == 1_300 * MS
    assert choose_nearest_round_trip(find_possible_round_trips(sent, received, None), 350 * MS).ns == 300 * MS


@given(st.integers(-(10**15), 10**15), st.integers(-(10**15), 10**15), st.integers(0, 2))
def test_ping_is_within_seen_time(wall: int, monotonic: int, epoch: int) -> None:
    trip = measure_round_trip(SENT, PacketTime(SENT.wall_ns + wall, SENT.monotonic_ns + monotonic, epoch))
    if trip is not None:
        assert 0 < trip.ns <= monotonic + MS


def test_clock_jumps_are_counted() -> None:
    time = FakeTime()
    time.clock.after_wake()
    time.passes(50 * MS)
    time.clock.after_wake()
    assert time.clock.epoch == 0
    time.wall_ns -= 20 * MS
    time.clock.after_wake()
    time.clock.after_wake()
    assert time.clock.epoch == 1


def test_late_wake_up_is_capped() -> None:
    time = FakeTime()
    time.clock.after_wake()
    for waited_ms, late in ((54, False), (56, True), (50, True), (50, False), (50, False)):
        time.clock.before_sleep(0.05)
        time.passes(waited_ms * MS)
        time.clock.after_wake()
        assert time.clock.is_late is late


def test_suspension_does_not_age() -> None:
    time = FakeTime()
    began_ns = time.clock.after_wake()
    time.clock.before_sleep(0.5)
    time.passes(600 * MS)
    assert time.clock.after_wake() - began_ns == 600 * MS
    time.clock.before_sleep(0.5)
    time.passes(500 * MS + 10 * SUSPEND_GAP_NS)
    assert time.clock.after_wake() - began_ns == 1_100 * MS
    time.clock.before_sleep(None)
    time.passes(10 * SUSPEND_GAP_NS)
    assert time.clock.after_wake() - began_ns == 1_100 * MS + 10 * SUSPEND_GAP_NS  # it had no target time


@pytest.mark.linux
def test_linux_timestamps() -> None:
    data = struct.pack("@ll", 12, 345)
    assert read_kernel_timestamp_ns([(socket.SOL_SOCKET, 35, data)]) == 12_000_000_345
    assert read_kernel_timestamp_ns([]) == 0
    assert read_kernel_timestamp_ns([(socket.SOL_SOCKET, 35, b"")]) == 0


@pytest.mark.skipif(TIMESTAMP_OPTION is None, reason="no stamps here")
def test_system_sets_timestamps() -> None:
    clock = EngineClock()
    sock, sender = UdpSocket(socket.AF_INET, clock), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        before_ns = clock.wall_ns()
        sender.sendto(b"x", ("127.0.0.1", sock.sock.getsockname()[1]))
        sock.sock.setblocking(True)
        datagram = sock.receive()
        assert datagram is not None
        data, address, stamp = datagram
        assert data == b"x"
        assert address == ("127.0.0.1", sender.getsockname()[1])
        assert before_ns <= sock.arrival_time(stamp).wall_ns <= clock.wall_ns()
        sock.sock.setblocking(False)
        with pytest.raises(BlockingIOError):
            sock.receive()
        assert sock.reply_capacity >= 64
        assert sys.platform in ("linux", "darwin")
    finally:
        sock.close()
        sender.close()


@pytest.mark.linux
def test_stream_bytes_have_timestamps() -> None:
    clock = EngineClock()
    stream = StreamSocket(socket.AF_INET, clock, lambda _stream: None)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        stream.sendto(b"request", listening.getsockname())
        server, _ = listening.accept()
    with server:
        assert stream.sock is not None
        stream.sock.setblocking(True)
        stream.finish_connecting()
        stamp: AncillaryData = []
        while not stamp:  # Linux begins to stamp a moment after the first socket of the machine has asked for it
            before_ns = clock.wall_ns()
            server.sendall(b"x")
            data, stamp = stream.receive()
            assert data == b"x"
        assert before_ns <= stream.arrival_time(stamp).wall_ns <= clock.wall_ns()
    stream.close()


class BusyClock(EngineClock):
    """Clock of a machine that is always late."""

    __slots__ = ()
    is_late = True


class IdleClock(EngineClock):
    """Clock of a machine that is never late."""

    __slots__ = ()
    is_late = False


class UnstampedSocket(UdpSocket):
    """Socket of a system without `recvmsg`."""

    __slots__ = ()

    def __init__(self, family: socket.AddressFamily, clock: EngineClock) -> None:
        super().__init__(family, clock)
        self._recvmsg = None


@pytest.mark.parametrize(("clock", "loaded"), [(IdleClock(), False), (BusyClock(), True)])
def test_busy_ping_is_marked(clock: EngineClock, loaded: bool) -> None:
    with (
        FakeServerThread() as fake_servers,
        Scanner(GameRegistry(()), open_socket=UnstampedSocket, clock=clock) as scanner,
    ):
        _, results = scan_all(scanner, [fake_servers.add(after(0.03, INFO))])
    (result,) = results.values()
    assert (result.ping_measured_under_load, result.ping_estimated) == (loaded, False)
    assert result.ping_ms is not None
    assert result.ping_ms >= 30


@pytest.mark.skipif(TIMESTAMP_OPTION is None, reason="no stamps here")
def test_busy_ping_with_timestamp() -> None:
    with FakeServerThread() as fake_servers, Scanner(GameRegistry(()), clock=BusyClock()) as scanner:
        _, results = scan_all(scanner, [fake_servers.add(after(0.03, INFO))])
    assert not any(result.ping_measured_under_load for result in results.values())
