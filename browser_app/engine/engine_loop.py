"""The engine's thread: it sleeps until something comes or is due, and alone touches the sockets."""

import selectors
import socket
import time
from collections import deque
from collections.abc import Callable

from browser_app.catalogue.facts import Target
from browser_app.engine import switch_interval
from browser_app.engine.listener import Listener
from browser_app.engine.query import Query
from browser_app.engine.questioner import Questioner, Reader
from browser_app.engine.scan import Scan
from browser_app.engine.timestamps import STAMP_OPTION, Clock
from browser_app.engine.udp_sockets import UdpSocket, family_of
from browser_app.protocols import QUERY_PROTOCOLS

OpenSocket = Callable[[socket.AddressFamily, Clock], UdpSocket]

_RECEIVED_AT_ONCE = 128
"""Datagrams taken from one socket before sending has its turn again, whoever floods us."""
_TAKEN_IN_AT_ONCE = 500
"""New targets looked at before receiving and sending have their turn again."""
_MAX_UNDRAINED = 80
"""Silence is not believed while datagrams wait to be read. After so many rounds everything has been read that was there
when they began, since a receive buffer holds no more: what still comes is a flood."""
_DOZE_S, _LONG_DOZE_S = 0.002, 0.004
"""Where the kernel stamps arrivals, reading them a little later changes no ping, and a wake-up costs more than a
datagram. So the engine sleeps, whatever arrives, for the first or, where the next packet is due within the second,
until then; never while datagrams wait, which a flood would then push out of the receive buffer."""
_SELECTABLE = 960
"""select() takes descriptors below 1,024 only; some room is left for the sockets that follow."""


def _make_selector(descriptor: int) -> selectors.BaseSelector:
    """By select(), which sleeps to the microsecond where epoll has steps of a millisecond."""
    return selectors.SelectSelector() if descriptor < _SELECTABLE else selectors.DefaultSelector()


class EngineLoop:
    """One run of the engine: `run` in a thread of its own; `look_at` and `stop` from any thread.

    Sockets are open, and Python's switch interval is short, only while there is a scan.
    """

    def __init__(self, read: Reader, open_socket: OpenSocket, clock: Clock) -> None:
        self._clock = clock
        self._open_socket = open_socket
        self._questioner = Questioner(clock, read)
        self._scans: list[Scan] = []
        self._listener = Listener(self._questioner, self._scans)
        self._sockets: dict[socket.AddressFamily, UdpSocket | None] = {}
        self._changed: deque[Scan] = deque()
        self._stopping = False
        self._ended = False
        self._undrained = 0
        self._wake_out, self._wake_in = socket.socketpair()
        self._wake_in.setblocking(False)
        self._wake_out.setblocking(False)
        self._selector = _make_selector(self._wake_in.fileno())
        self._selector.register(self._wake_in, selectors.EVENT_READ, self._woken)

    def look_at(self, scan: Scan) -> None:
        """Something about `scan` changed from outside."""
        self._changed.append(scan)
        self._wake()
        if self._ended:
            self._end_all()

    def stop(self) -> None:
        """Let `run` return; scans that are open then end as if cancelled."""
        self._stopping = True
        self._wake()

    def _wake(self) -> None:
        try:
            self._wake_out.send(b"!")
        except OSError:  # full: it wakes anyway; closed: nobody is left to wake
            return

    def _woken(self) -> bool:
        self._wake_in.recv(4096)
        return True

    def run(self) -> None:
        """Work until `stop`."""
        try:
            while not self._stopping:
                self._tick()
        finally:
            self._ended = True
            self._end_all()
            self._selector.close()
            self._wake_in.close()
            self._wake_out.close()

    def _end_all(self) -> None:
        for scan in [*self._scans, *self._changed]:
            self._leave(scan)

    def _tick(self) -> None:
        wait_s = self._wait_s(self._clock.now_ns())
        self._clock.sleeps(wait_s)
        doze_s = self._doze_s(wait_s)
        if doze_s:
            time.sleep(doze_s)
        ready = self._selector.select(wait_s if wait_s is None else max(0.0, wait_s - doze_s))
        now_ns = self._clock.tick()
        drained = [key.data() for key, _ in ready]
        self._undrained = 0 if all(drained) else self._undrained + 1
        self._look_at_changed()
        self._take_in()
        if not self._undrained or self._undrained > _MAX_UNDRAINED:
            self._questioner.expire_due(now_ns)
        self._questioner.send_due(self._clock.now_ns())
        for scan in [scan for scan in self._scans if scan.complete]:
            self._leave(scan)

    def _wait_s(self, now_ns: int) -> float | None:
        if any(scan.incoming for scan in self._scans):
            return 0.0
        next_ns = self._questioner.next_ns(now_ns)
        return None if next_ns is None else max(0, next_ns - now_ns) / 1e9

    def _doze_s(self, wait_s: float | None) -> float:
        """How long to sleep whatever arrives."""
        if STAMP_OPTION is None or not self._scans or self._undrained:
            return 0.0
        return wait_s if wait_s is not None and wait_s <= _LONG_DOZE_S else _DOZE_S

    def _receive(self, sock: UdpSocket) -> bool:
        """Take what is there, within bounds; whether that was all."""
        received = self._listener.received
        for _ in range(_RECEIVED_AT_ONCE):
            try:
                datagram = sock.receive()
            except BlockingIOError:
                return True
            if datagram is not None:
                received(*datagram)
        return False

    # Scans come and go

    def _look_at_changed(self) -> None:
        while self._changed:
            scan = self._changed.popleft()
            if scan.finished.is_set():
                continue
            if scan not in self._scans:
                self._enter(scan)
            if scan.cancelled:
                self._leave(scan)

    def _enter(self, scan: Scan) -> None:
        if not self._scans:
            switch_interval.shorten()
        self._scans.append(scan)

    def _leave(self, scan: Scan) -> None:
        if scan in self._scans:
            self._scans.remove(scan)
            scan.incoming.clear()
            self._questioner.drop(scan)
            if not self._scans:
                switch_interval.restore()
                self._close_sockets()
        scan.end()

    def _take_in(self) -> None:
        room = _TAKEN_IN_AT_ONCE
        for scan in self._scans:
            incoming = scan.incoming
            while incoming and room:
                room -= 1
                self._begin(scan, incoming.popleft())

    def _begin(self, scan: Scan, target: Target) -> None:
        protocol = QUERY_PROTOCOLS.get(target.protocol)
        family = family_of(target.address.host)
        sock = self._socket(family) if family is not None else None
        if protocol is None:
            scan.refuse(target, f"unknown protocol {target.protocol!r}")
        elif family is None:
            scan.refuse(target, "not an IP address")
        elif sock is None:
            scan.refuse(target, "this machine has no IPv6" if family == socket.AF_INET6 else "this machine has no IPv4")
        elif not 1 <= target.address.port <= 65535:
            scan.refuse(target, "impossible port")
        else:
            self._questioner.begin(Query(target, scan, protocol, sock))

    # Sockets

    def _socket(self, family: socket.AddressFamily) -> UdpSocket | None:
        """The one socket of `family`; None where this machine has none."""
        if family not in self._sockets:
            try:
                sock = self._open_socket(family, self._clock)
            except OSError:
                self._sockets[family] = None
            else:
                self._sockets[family] = sock
                self._selector.register(sock, selectors.EVENT_READ, lambda: self._receive(sock))
                self._questioner.window = sock.window
        return self._sockets[family]

    def _close_sockets(self) -> None:
        for sock in self._sockets.values():
            if sock is not None:
                self._selector.unregister(sock)
                sock.close()
        self._sockets.clear()
