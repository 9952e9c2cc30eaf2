"""Event loop with precise timers for the demo network."""

import heapq
import itertools
import selectors
import socket
import time
from collections.abc import Callable
from typing import Any

_SPIN_WAIT_NS = 350_000
"""The last stretch before an appointment is spent polling: waking up is not more exact than this on an idle machine."""
_QUIET_NS = 150_000
"""The very last stretch belongs to the appointment: serving a socket could take longer. Requests can wait, for what
counts is when the kernel received them."""
_MIN_SELECT_NS = _SPIN_WAIT_NS + 1_000_000
"""Above this the selector may sleep, whose steps are 1 ms; below it a plain sleep, which knows smaller ones."""
_MAX_IDLE_NS = 50_000_000
"""Longest sleep of the selector: bounds the harm of a clock that is set back."""
_BATCH = 8
"""Ready sockets served between two looks at the appointments."""


class DemoEventLoop:
    """A selector and a heap of appointments; Unix time in ns, the clock of the kernel's receive stamps.

    Only `stop` may be called from another thread.
    """

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._timers: list[tuple[int, int, Callable[..., object], tuple[Any, ...]]] = []
        self._order = itertools.count()
        self._is_stopping = False
        self._wake_out, self._wake_in = socket.socketpair()
        self._wake_in.setblocking(False)
        self.watch(self._wake_in, self._drain_wakeups)

    def watch(self, sock: socket.socket, readable: Callable[[], None]) -> None:
        """Call `readable` whenever `sock` has something to read."""
        self._selector.register(sock, selectors.EVENT_READ, readable)

    def watch_writable(self, sock: socket.socket, writable: Callable[[], None]) -> None:
        """From now on call `writable` whenever `sock` takes bytes, instead of what it was watched for."""
        self._selector.modify(sock, selectors.EVENT_WRITE, writable)

    def unwatch(self, sock: socket.socket) -> None:
        """Stop watching `sock`."""
        self._selector.unregister(sock)

    def call_at(self, due_ns: int, action: Callable[..., object], *args: object) -> None:
        """Call `action(*args)` at `due_ns`, or as soon as possible if that has passed."""
        heapq.heappush(self._timers, (due_ns, next(self._order), action, args))

    def run(self) -> None:
        """Serve until `stop`."""
        while not self._is_stopping:
            self._handle_ready(self._wait(self._run_due_timers()))

    def close(self) -> None:
        """Close the loop's own sockets, not the watched ones. `run` must have returned, or never been called."""
        self._selector.close()
        self._wake_in.close()
        self._wake_out.close()

    def stop(self) -> None:
        """Let `run` return soon. Callable from any thread."""
        self._is_stopping = True
        self._wake_out.send(b"!")

    def _handle_ready(self, ready: list[tuple[selectors.SelectorKey, int]]) -> None:
        for start in range(0, len(ready), _BATCH):
            for key, _ in ready[start : start + _BATCH]:
                key.data()
            self._run_due_timers()

    def _wait(self, wait_ns: int) -> list[tuple[selectors.SelectorKey, int]]:
        """What became ready until the next appointment, which is in `next_delay_ns`."""
        if wait_ns > _MIN_SELECT_NS:
            return self._selector.select((wait_ns - _SPIN_WAIT_NS) // 1_000_000 / 1000)
        if wait_ns < _QUIET_NS:
            while self._timers[0][0] > time.time_ns():
                pass
            self._run_due_timers()
        ready = self._selector.select(0)
        if not ready and wait_ns > _SPIN_WAIT_NS:
            time.sleep((wait_ns - _SPIN_WAIT_NS) * 1e-9)
        return ready

    def _run_due_timers(self) -> int:
        """Do what is due now; the time until the next appointment, ns."""
        due, now_ns = self._timers, time.time_ns()
        while due and due[0][0] <= now_ns:
            _, _, action, args = heapq.heappop(due)
            action(*args)
        return max(0, min(due[0][0] - time.time_ns(), _MAX_IDLE_NS)) if due else _MAX_IDLE_NS

    def _drain_wakeups(self) -> None:
        self._wake_in.recv(64)
