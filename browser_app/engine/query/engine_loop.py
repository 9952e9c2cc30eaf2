"""The engine's thread: event loop over the scanner's UDP sockets."""

import logging
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable

from browser_app import runtime_tuning
from browser_app.catalogue.server_info import QueryTarget
from browser_app.diagnostics import internal_errors
from browser_app.engine.network.address_rules import address_family
from browser_app.engine.query.engine_clock import TIMESTAMP_OPTION, EngineClock
from browser_app.engine.query.host_budget import HostBudget
from browser_app.engine.query.query_scheduler import UNREADABLE, QueryScheduler, ReplyReader, socket_error_text
from browser_app.engine.query.reply_dispatcher import ReplyDispatcher
from browser_app.engine.query.scan import Scan
from browser_app.engine.query.server_query import ServerQuery
from browser_app.engine.query.socket_pool import SocketPool
from browser_app.engine.query.stream_sockets import StreamPool, StreamSocket
from browser_app.engine.query.udp_sockets import UdpSocket
from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS

SocketFactory = Callable[[socket.AddressFamily, EngineClock], UdpSocket]

_log = logging.getLogger(__name__)

_RECEIVE_BATCH = 32
"""Datagrams received from one socket before the next send, even in a flood."""
_ADMIT_BATCH = 500
"""New targets admitted before the next receive and send."""
_MAX_UNDRAINED_ROUNDS = 80
"""While datagrams wait to be read, no query times out. After this many rounds everything that was waiting at their
start has been read, because a receive buffer holds no more: what still arrives is a flood.
"""
_SLEEP_S, _LONG_SLEEP_S = 0.002, 0.004
"""With kernel timestamps, reading datagrams a little later does not change the ping, and a wake-up costs more than a
datagram. So the engine sleeps for the first time even if datagrams arrive, or until the next packet is due if that is
within the second; never while datagrams wait, because a flood would overflow the receive buffer.
"""
_MAX_SELECT_DESCRIPTOR = 768
"""select() only accepts descriptors below 1,024; the difference is left for sockets opened later."""


def _create_selector(descriptor: int) -> selectors.BaseSelector:
    """Return a select() selector, which sleeps with microsecond precision.

    epoll has steps of a millisecond.
    """
    return selectors.SelectSelector() if descriptor < _MAX_SELECT_DESCRIPTOR else selectors.DefaultSelector()


class EngineLoop:
    """One run of the engine.

    `run` in its own thread; `notify_changed` and `stop` from any thread. Sockets are open, and Python's switch interval
    is short, only while there is a scan.
    """

    def __init__(
        self, read_reply: ReplyReader, open_socket: SocketFactory, clock: EngineClock, budget: HostBudget
    ) -> None:
        self._clock = clock
        self._open_socket = open_socket
        self._scheduler = QueryScheduler(clock, budget, read_reply)
        self._scans: list[Scan] = []
        self._dispatcher = ReplyDispatcher(self._scheduler, self._scans)
        self._pools: dict[socket.AddressFamily, SocketPool | None] = {}
        self._stream_pools: dict[socket.AddressFamily, StreamPool] = {}
        self._watched_streams: set[StreamSocket] = set()
        self._changed_scans: deque[Scan] = deque()
        self._is_stopping = False
        self._has_ended = False
        self._undrained_rounds = 0
        self._wake_out, self._wake_in = socket.socketpair()
        self._wake_in.setblocking(False)
        self._wake_out.setblocking(False)
        self._selector = _create_selector(self._wake_in.fileno())
        self._selector.register(self._wake_in, selectors.EVENT_READ, self._drain_wakeups)

    def notify_changed(self, scan: Scan) -> None:
        """Wake the engine because another thread changed `scan`."""
        self._changed_scans.append(scan)
        self._wake()
        if self._has_ended:
            self._finish_all_scans()

    def stop(self) -> None:
        """Make `run` return; open scans then end as if cancelled."""
        self._is_stopping = True
        self._wake()

    def _wake(self) -> None:
        try:
            self._wake_out.send(b"!")
        except OSError:  # full: it wakes up anyway; closed: it has ended
            return

    def _drain_wakeups(self) -> bool:
        self._wake_in.recv(4096)
        return True

    def run(self) -> None:
        """Run until `stop`."""
        try:
            while not self._is_stopping:
                self._tick()
        finally:
            self._has_ended = True
            self._finish_all_scans()
            self._selector.close()
            self._wake_in.close()
            self._wake_out.close()

    def _finish_all_scans(self) -> None:
        for scan in [*self._scans, *self._changed_scans]:
            self._remove_scan(scan)

    def _tick(self) -> None:
        wait_s = self._wait_s(self._clock.now_ns())
        self._clock.before_sleep(wait_s)
        sleep_s = self._sleep_s(wait_s)
        if sleep_s:
            time.sleep(sleep_s)
        ready = self._selector.select(wait_s if wait_s is None else max(0.0, wait_s - sleep_s))
        now_ns = self._clock.after_wake()
        drained = [key.data() for key, _ in ready]
        self._undrained_rounds = 0 if all(drained) else self._undrained_rounds + 1
        self._process_changed_scans()
        self._admit_targets()
        if not self._undrained_rounds or self._undrained_rounds > _MAX_UNDRAINED_ROUNDS:
            self._scheduler.handle_timeouts(now_ns)
        self._scheduler.send_due(self._clock.now_ns())
        for scan in [scan for scan in self._scans if scan.is_complete]:
            self._remove_scan(scan)
        for pool in (*self._pools.values(), *self._stream_pools.values()):
            if pool is not None:
                pool.close_unused()

    def _wait_s(self, now_ns: int) -> float | None:
        if any(scan.incoming for scan in self._scans):
            return 0.0
        next_ns = self._scheduler.next_ns(now_ns)
        return None if next_ns is None else max(0, next_ns - now_ns) / 1e9

    def _sleep_s(self, wait_s: float | None) -> float:
        """Return how long to sleep regardless of arriving datagrams."""
        if TIMESTAMP_OPTION is None or not self._scans or self._undrained_rounds:
            return 0.0
        return wait_s if wait_s is not None and wait_s <= _LONG_SLEEP_S else _SLEEP_S

    def _receive(self, sock: UdpSocket) -> bool:
        """Receive a limited number of datagrams; return whether the socket is drained."""
        on_datagram = self._dispatcher.on_datagram
        for _ in range(_RECEIVE_BATCH):
            try:
                datagram = sock.receive()
            except BlockingIOError:
                return True
            if datagram is None:
                continue
            try:
                on_datagram(sock, *datagram)
            except Exception:  # noqa: BLE001 - our own bug with one datagram must not end all scans
                internal_errors.report("handling a datagram", Address(*datagram[1]))
        return False

    def _handle_stream(self, stream: StreamSocket) -> bool:
        """Advance a connection; return True, as what is left to receive is reported again."""
        for address, query in [*stream.queries.items()]:  # without one, it is to be closed
            try:
                self._advance_stream(stream)
            except Exception:  # noqa: BLE001 - our own bug with one connection must not end all scans
                internal_errors.report("handling a connection", Address(*address))
                self._scheduler.abandon(query)
        return True

    def _advance_stream(self, stream: StreamSocket) -> None:
        """Connect, send or receive what is possible now."""
        try:
            if stream.is_connecting:
                stream.finish_connecting()
                self._dispatcher.on_connected(stream)
            elif stream.wants_to_write:
                stream.flush()
            data, ancillary = stream.receive()
        except BlockingIOError:
            return
        except OSError as error:
            self._dispatcher.on_stream_ended(stream, socket_error_text(error))
            return
        if data:
            self._dispatcher.on_datagram(stream, data, next(iter(stream.queries)), ancillary)
        else:
            self._dispatcher.on_stream_ended(stream, "the server closed the connection")

    # Adding and removing scans

    def _process_changed_scans(self) -> None:
        while self._changed_scans:
            scan = self._changed_scans.popleft()
            if scan.finished.is_set():
                continue
            if scan not in self._scans:
                self._add_scan(scan)
            if scan.is_cancelled:
                self._remove_scan(scan)

    def _add_scan(self, scan: Scan) -> None:
        if not self._scans:
            runtime_tuning.shorten_switch_interval()
        self._scans.append(scan)

    def _remove_scan(self, scan: Scan) -> None:
        if scan in self._scans:
            self._scans.remove(scan)
            scan.incoming.clear()
            self._scheduler.remove_scan(scan)
            if not self._scans:
                runtime_tuning.restore_switch_interval()
                self._close_pools()
            _log.debug("scan finished: %s", scan.progress)
        scan.finish()

    def _admit_targets(self) -> None:
        remaining = _ADMIT_BATCH
        for scan in self._scans:
            incoming = scan.incoming
            while incoming and remaining:
                remaining -= 1
                target = incoming.popleft()
                try:
                    self._start_query(scan, target)
                except Exception:  # noqa: BLE001 - our own bug in one target must not end all scans
                    internal_errors.report("starting a query", target.address)
                    scan.reject_target(target, UNREADABLE)

    def _start_query(self, scan: Scan, target: QueryTarget) -> None:
        protocol = QUERY_PROTOCOLS.get(target.protocol)
        family = address_family(target.address.host)
        if protocol is None:
            scan.reject_target(target, f"unknown protocol {target.protocol!r}")
            return
        if family is None:
            scan.reject_target(target, "not an IP address")
            return
        pool = self._get_stream_pool(family) if protocol.is_stream else self._get_pool(family)
        if pool is None:
            missing = "IPv6" if family == socket.AF_INET6 else "IPv4"
            scan.reject_target(target, f"this machine has no {missing}")
        elif not 1 <= target.address.port <= 65535:
            scan.reject_target(target, "impossible port")
        else:
            self._scheduler.add(ServerQuery(target, scan, protocol, pool))

    # Sockets

    def _get_pool(self, family: socket.AddressFamily) -> SocketPool | None:
        """Return the sockets of `family`; None if this machine lacks it."""
        if family not in self._pools:
            try:
                pool = SocketPool(lambda: self._open(family), self._close)
            except OSError as error:
                _log.info("no %s socket: %s", family.name, error)
                self._pools[family] = None
            else:
                self._pools[family] = pool
                self._scheduler.unpaced_window = pool.reply_capacity
        return self._pools[family]

    def _get_stream_pool(self, family: socket.AddressFamily) -> StreamPool:
        """Return the connections of `family`."""
        if family not in self._stream_pools:
            self._stream_pools[family] = StreamPool(
                lambda: StreamSocket(family, self._clock, self._watch_stream), self._close_stream
            )
        return self._stream_pools[family]

    def _watch_stream(self, stream: StreamSocket) -> None:
        """Wait for what a connection needs next."""
        events = selectors.EVENT_WRITE if stream.is_connecting else selectors.EVENT_READ
        if stream.wants_to_write:
            events |= selectors.EVENT_WRITE
        if stream in self._watched_streams:
            self._selector.modify(stream, events, lambda: self._handle_stream(stream))
        else:
            self._watched_streams.add(stream)
            self._selector.register(stream, events, lambda: self._handle_stream(stream))

    def _close_stream(self, stream: StreamSocket) -> None:
        if stream in self._watched_streams:
            self._watched_streams.remove(stream)
            self._selector.unregister(stream)
        stream.close()

    def _open(self, family: socket.AddressFamily) -> UdpSocket:
        sock = self._open_socket(family, self._clock)
        self._selector.register(sock, selectors.EVENT_READ, lambda: self._receive(sock))
        return sock

    def _close(self, sock: UdpSocket) -> None:
        self._selector.unregister(sock)
        sock.close()

    def _close_pools(self) -> None:
        for pool in (*self._pools.values(), *self._stream_pools.values()):
            if pool is not None:
                pool.close()
        self._pools.clear()
        self._stream_pools.clear()
