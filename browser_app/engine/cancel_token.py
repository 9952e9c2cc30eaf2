"""Token that cancels work in another thread."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class CancelToken:
    """Set once, by anybody. Work looks at `is_cancelled`, sleeps by `wait`, or lends it a call that wakes it."""

    __slots__ = ("_callbacks", "_event", "_lock")

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: dict[object, Callable[[], None]] = {}

    @property
    def is_cancelled(self) -> bool:
        """The work is to end."""
        return self._event.is_set()

    def cancel(self) -> None:
        """End the work."""
        with self._lock:
            self._event.set()
            for wake in self._callbacks.values():
                wake()
            self._callbacks.clear()

    def wait(self, timeout: float | None = None) -> bool:
        """Sleep until it is set, at most `timeout` seconds; whether it is."""
        return self._event.wait(timeout)

    @contextmanager
    def calling_on_cancel(self, callback: Callable[[], None]) -> Iterator[None]:
        """While this lasts, and never after, `set` calls `callback` once; at once when it is set already.

        `callback` must be quick and leave this object alone.
        """
        token = object()
        with self._lock:
            if self._event.is_set():
                callback()
            else:
                self._callbacks[token] = callback
        try:
            yield
        finally:
            with self._lock:
                self._callbacks.pop(token, None)
