"""Turns of the threads that parse the lists of master servers."""

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from heapq import heappop, heappush
from itertools import count, islice
from types import TracebackType
from typing import Final, Self, TypeVar

from browser_app import runtime_tuning

SLICE_S: Final = 0.0005
"""Processor time after which a turn should end: the window waits for the end of a turn again and again in one frame."""
RESTS_PER_TURN: Final = 3.0
"""Time without work after a turn, as a multiple of the turn's: all lists together take a quarter of a processor."""
_MAX_REST_S: Final = 0.05
_STEP_S: Final = 0.008
"""Lists whose times differ by less go on in the order in which they began: if all took turns, all would end late. One
of 150 servers takes 3 to 6 ms.
"""

_Item = TypeVar("_Item")


class ParsingTurns:
    """Lets one thread parse at a time, in steps of `_STEP_S`.

    The next is that of the list with the least time so far. The threads need the interpreter lock, so that many at once
    would take the window's time and delay each other. Thus a short list is parsed soon, however many long ones there
    are. Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_taken = False
        self._waiting: list[tuple[int, int, threading.Event]] = []
        self._numbers = count()

    def next_number(self) -> int:
        """Return the number of a list that begins now."""
        return next(self._numbers)

    def acquire(self, number: int, taken_s: float) -> None:
        """Wait for a turn of the list with this number, which has taken `taken_s` so far."""
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            granted = self._enqueue(number, taken_s)
        granted.wait()

    def yield_to_next(self, number: int, taken_s: float) -> None:
        """End the turn of a list; return when it has the next one, which may be at once."""
        with self._lock:
            granted = self._enqueue(number, taken_s)
            heappop(self._waiting)[2].set()
        granted.wait()

    def _enqueue(self, number: int, taken_s: float) -> threading.Event:
        granted = threading.Event()
        heappush(self._waiting, (int(taken_s / _STEP_S), number, granted))
        return granted

    def release(self) -> None:
        """End the turn and begin the next one."""
        with self._lock:
            if self._waiting:
                heappop(self._waiting)[2].set()
            else:
                self._is_taken = False


PARSING_TURNS: Final = ParsingTurns()
"""Shared by the whole process."""


class ListParsing:
    """Work on one list in turns.

    It has the turn inside its `with` blocks, which may be nested. After each turn it rests for `RESTS_PER_TURN` times
    as long as that took, before others have theirs. Only for the thread that polls the master.
    """

    def __init__(self, turns: ParsingTurns = PARSING_TURNS) -> None:
        self._turns = turns
        self._number = turns.next_number()
        self._taken_s = 0.0
        self._depth = 0
        self._began_s: float | None = None
        """Processor time of this thread when its turn began; None without the turn."""

    def __enter__(self) -> Self:
        if not self._depth:
            self._begin()
        self._depth += 1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if not self._depth:
            self._end()

    def _begin(self) -> None:
        self._turns.acquire(self._number, self._taken_s)
        self._start_clock()

    def _end(self) -> None:
        self._rest()
        self._turns.release()

    def _start_clock(self) -> None:
        runtime_tuning.shorten_switch_interval()  # the window waits that long each time it needs the interpreter
        self._began_s = time.thread_time()

    def _rest(self) -> None:
        took_s = self._turn_s
        self._taken_s += took_s
        self._began_s = None
        runtime_tuning.restore_switch_interval()
        time.sleep(min(RESTS_PER_TURN * took_s, _MAX_REST_S))

    @property
    def _turn_s(self) -> float:
        return 0.0 if self._began_s is None else time.thread_time() - self._began_s

    @property
    def is_due(self) -> bool:
        """Whether the turn should end."""
        return self._turn_s >= SLICE_S

    def yield_turn(self) -> None:
        """Rest, and let lists that have taken less time go first. Only with the turn."""
        self._rest()
        self._turns.yield_to_next(self._number, self._taken_s)
        self._start_clock()

    def yield_when_due(self) -> None:
        """Rest, and let lists that have taken less time go first, if the turn should end."""
        if self.is_due:
            self.yield_turn()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Leave the turn to others. Has no effect without it."""
        has_turn = self._began_s is not None
        if has_turn:
            self._end()
        try:
            yield
        finally:
            if has_turn:
                self._begin()

    def wait_for_each(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """Yield items that come from elsewhere; others have the turn until they are there."""
        items = iter(items)
        while True:
            with self.waiting():
                found = list(islice(items, 1))
            if not found:
                return
            yield found[0]
