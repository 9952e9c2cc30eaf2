"""Token that cancels work in another thread."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress


class CancelToken:
    """One-time cancellation flag.

    Work checks `is_cancelled`, sleeps with `wait`, or registers a callback that wakes it.
    """

    __slots__ = ("_callbacks", "_event", "_lock")

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: dict[object, Callable[[], None]] = {}

    @property
    def is_cancelled(self) -> bool:
        """Whether the work should end."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Cancel the work and call the registered callbacks."""
        with self._lock:
            self._event.set()
            for wake in self._callbacks.values():
                wake()
            self._callbacks.clear()

    def wait(self, timeout: float | None = None) -> bool:
        """Sleep until cancelled, at most `timeout` seconds.

        Returns whether it is cancelled.
        """
        return self._event.wait(timeout)

    @contextmanager
    def calling_on_cancel(self, callback: Callable[[], None]) -> Iterator[None]:
        """Call `callback` once if the token is cancelled during this context.

        If it is cancelled already, `callback` is called at once. `callback` must be quick and must not use this token.
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

    def shutting_down_on_cancel(self, sock: socket.socket) -> AbstractContextManager[None]:
        """Shut a connection down if the token is cancelled during this context.

        That wakes the thread that waits for it.
        """

        def shut_down() -> None:
            with suppress(OSError):  # not connected, or closed
                sock.shutdown(socket.SHUT_RDWR)

        return self.calling_on_cancel(shut_down)
