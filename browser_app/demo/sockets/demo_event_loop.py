"""Event loop with precise timers for the demo network."""

import heapq
import itertools
import selectors
import socket
import time
from collections.abc import Callable
from typing import Any

from browser_app.diagnostics import internal_errors

_SPIN_WAIT_NS = 350_000
"""The last part of a wait is spent polling: on an idle machine, waking up is no more precise than this."""
_QUIET_NS = 150_000
"""No socket is served this shortly before a timer, since that could take longer. Requests can wait: what counts is when
the kernel received them.
"""
_MIN_SELECT_NS = _SPIN_WAIT_NS + 1_000_000
"""Longer waits use the selector, which has steps of 1 ms; shorter ones a plain sleep, which is finer."""
_MAX_IDLE_NS = 50_000_000
"""Longest sleep in the selector; bounds the effect of a clock that is set back."""
_BATCH = 8
"""Ready sockets served between two checks of the timers."""


class DemoEventLoop:
    """A selector and timers in Unix time (ns), the clock of the receive stamps.

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
        """Call `writable` whenever `sock` accepts bytes, instead of the callback it had."""
        self._selector.modify(sock, selectors.EVENT_WRITE, writable)

    def watch_readable(self, sock: socket.socket, readable: Callable[[], None]) -> None:
        """Call `readable` if `sock` has something to read, not the callback it had."""
        self._selector.modify(sock, selectors.EVENT_READ, readable)

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
        """Close the loop's own sockets, not the watched ones; `run` must have returned."""
        self._selector.close()
        self._wake_in.close()
        self._wake_out.close()

    def stop(self) -> None:
        """Make `run` return soon; may be called from any thread."""
        self._is_stopping = True
        self._wake_out.send(b"!")

    def _handle_ready(self, ready: list[tuple[selectors.SelectorKey, int]]) -> None:
        for start in range(0, len(ready), _BATCH):
            for key, _ in ready[start : start + _BATCH]:
                self._call(key.data)
            self._run_due_timers()

    def _wait(self, wait_ns: int) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the sockets that become ready before the next timer, in `next_delay_ns`."""
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
        """Run the timers that are due; return the time until the next one, ns."""
        due, now_ns = self._timers, time.time_ns()
        while due and due[0][0] <= now_ns:
            _, _, action, args = heapq.heappop(due)
            self._call(action, *args)
        return max(0, min(due[0][0] - time.time_ns(), _MAX_IDLE_NS)) if due else _MAX_IDLE_NS

    @staticmethod
    def _call(action: Callable[..., object], *args: object) -> None:
        try:
            action(*args)
        except Exception:  # noqa: BLE001 (our own bug with one request must not end the whole network)
            internal_errors.report("serving the demo network", getattr(action, "__qualname__", action))

    def _drain_wakeups(self) -> None:
        self._wake_in.recv(64)
