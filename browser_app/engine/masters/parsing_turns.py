"""Turns of the threads that parse what master servers sent."""

import threading
import time
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from types import TracebackType
from typing import Final, Self

from browser_app import runtime_tuning

MIN_CHUNK_BYTES: Final = 16 << 10
"""Documents are parsed in parts of at least this size, however slowly they arrive."""
_MAX_REST_S: Final = 0.01


class ParsingTurns:
    """Lets one thread parse at a time, the list with the least time so far next.

    Parsing holds the interpreter lock, so that many lists at once would take the window's time and delay each other.
    This way a short list is done at once, however many long ones there are. Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_taken = False
        self._waiting: list[tuple[float, int, threading.Event]] = []
        self._order = count()

    def acquire(self, taken_s: float) -> None:
        """Wait for a turn of a list that has taken `taken_s` so far."""
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            granted = threading.Event()
            heappush(self._waiting, (taken_s, next(self._order), granted))
        granted.wait()

    def release(self) -> None:
        """End the turn and begin the next one."""
        with self._lock:
            if self._waiting:
                heappop(self._waiting)[2].set()
            else:
                self._is_taken = False


PARSING_TURNS: Final = ParsingTurns()
"""Those of the whole process."""


class ListParsing:
    """Parses one list in turns; it has the turn inside its `with` block.

    After each turn it rests as long as that took, so that parsing takes at most half of a processor. Only for the
    thread that polls the master.
    """

    def __init__(self, turns: ParsingTurns = PARSING_TURNS) -> None:
        self._turns = turns
        self._taken_s = 0.0
        self._began_s = 0.0

    def __enter__(self) -> Self:
        self._turns.acquire(self._taken_s)
        runtime_tuning.shorten_switch_interval()  # the window waits that long each time it needs the interpreter
        self._began_s = time.thread_time()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        took_s = time.thread_time() - self._began_s
        self._taken_s += took_s
        runtime_tuning.restore_switch_interval()
        time.sleep(min(took_s, _MAX_REST_S))
        self._turns.release()

    def yield_turn(self) -> None:
        """Let lists that have taken less time go first."""
        self.__exit__(None, None, None)
        self.__enter__()

    def receive(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield parts of at least `MIN_CHUNK_BYTES`, except the last.

        Others have the turn while they arrive.
        """
        chunks = iter(chunks)
        while part := self._receive_part(chunks):
            yield part

    def _receive_part(self, chunks: Iterator[bytes]) -> bytes:
        self.__exit__(None, None, None)
        try:
            part = bytearray()
            while len(part) < MIN_CHUNK_BYTES and (chunk := next(chunks, None)) is not None:
                part += chunk
            return bytes(part)
        finally:
            self.__enter__()
