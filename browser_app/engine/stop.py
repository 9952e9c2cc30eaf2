"""A word that ends work in another thread, at once, wherever that thread waits."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stop:
    """Set once, by anybody. Work looks at `is_set`, sleeps by `wait`, or lends it a call that wakes it."""

    __slots__ = ("_event", "_lock", "_wakers")

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._wakers: dict[object, Callable[[], None]] = {}

    @property
    def is_set(self) -> bool:
        """The work is to end."""
        return self._event.is_set()

    def set(self) -> None:
        """End the work."""
        with self._lock:
            self._event.set()
            for wake in self._wakers.values():
                wake()
            self._wakers.clear()

    def wait(self, timeout: float | None = None) -> bool:
        """Sleep until it is set, at most `timeout` seconds; whether it is."""
        return self._event.wait(timeout)

    @contextmanager
    def waking(self, wake: Callable[[], None]) -> Iterator[None]:
        """While this lasts, and never after, `set` calls `wake` once; at once when it is set already.

        `wake` must be quick and leave this object alone.
        """
        token = object()
        with self._lock:
            if self._event.is_set():
                wake()
            else:
                self._wakers[token] = wake
        try:
            yield
        finally:
            with self._lock:
                self._wakers.pop(token, None)
