"""Engine clock and kernel receive timestamps."""

import struct
import sys
import time
from collections.abc import Callable, Sequence

SUSPEND_GAP_NS = 2_000_000_000
"""Held up for longer than this, the process was stopped or starved: deadlines move along."""
LATE_WAKE_NS = 5_000_000
"""Woken so much later than it meant, the engine reads what arrives as late."""
_LATE_MEMORY_NS = 100_000_000
"""So long one late waking speaks for those after it, which datagrams cause: nobody knows how late these are."""
_CLOCK_JUMP_NS = 1_000_000
_MAX_READ_NS = 50_000

TIMESTAMP_OPTION = {"linux": 35, "darwin": 0x0400}.get(sys.platform)
"""Socket option that makes the kernel stamp arriving datagrams; None where Python can have no stamp. Linux's
SO_TIMESTAMPNS (asm-generic/socket.h), for which Python 3.11 has no name, and macOS's SO_TIMESTAMP (sys/socket.h)."""
_TIMESTAMP_STRUCT, _FRACTION_NS = (
    (struct.Struct("@li"), 1000) if sys.platform == "darwin" else (struct.Struct("@ll"), 1)
)
"""A timeval (µs) on macOS, a timespec (ns) on Linux."""


def kernel_timestamp_ns(ancillary: Sequence[tuple[int, int, bytes]]) -> int:
    """Arrival by the wall clock from what came with a datagram; 0 when there is no stamp."""
    if not ancillary:
        return 0
    data = ancillary[0][2]  # nothing else was asked for
    if len(data) < _TIMESTAMP_STRUCT.size:
        return 0
    seconds, fraction = _TIMESTAMP_STRUCT.unpack_from(data)
    return int(seconds * 1_000_000_000 + fraction * _FRACTION_NS)


class EngineClock:
    """Engine time, in which nothing ever happens too late because the process was stopped, and the wall clock's jumps.

    The engine calls `tick` each time it wakes.
    """

    __slots__ = (
        "_late_until_ns",
        "_offset_ns",
        "_skipped_ns",
        "_wait_ns",
        "_woke_ns",
        "epoch",
        "monotonic_ns",
        "wall_ns",
    )

    def __init__(
        self,
        wall_ns: Callable[[], int] = time.time_ns,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.wall_ns = wall_ns
        self.monotonic_ns = monotonic_ns
        self.epoch = 0
        """How often the wall clock was seen to have jumped: stamps of different epochs cannot be compared."""
        self._skipped_ns = 0
        self._wait_ns: int | None = None
        self._woke_ns = 0
        self._late_until_ns = 0
        self._offset_ns = self._measure_offset_ns()

    def now_ns(self) -> int:
        """Engine time."""
        return self.monotonic_ns() - self._skipped_ns

    def before_sleep(self, wait_s: float | None) -> None:
        """The engine means to wake within `wait_s` (None: whenever something comes)."""
        self._wait_ns = None if wait_s is None else round(wait_s * 1e9)

    def after_wake(self) -> int:
        """The engine woke; engine time."""
        offset = self._measure_offset_ns()
        if abs(offset - self._offset_ns) > _CLOCK_JUMP_NS:
            self.epoch += 1
        self._offset_ns = offset
        now_ns = self.monotonic_ns()
        late_ns = 0 if self._wait_ns is None else now_ns - self._woke_ns - self._wait_ns
        if late_ns > SUSPEND_GAP_NS:
            self._skipped_ns += late_ns
        if late_ns > LATE_WAKE_NS:
            self._late_until_ns = now_ns + _LATE_MEMORY_NS
        self._woke_ns = now_ns
        return now_ns - self._skipped_ns

    @property
    def is_late(self) -> bool:
        """The machine is so busy that the engine woke too late just now."""
        return self._woke_ns < self._late_until_ns

    def _measure_offset_ns(self) -> int:
        """Wall clock minus monotonic clock. Read again, a few times at most, when another thread came in between."""
        for _ in range(4):
            before = self.monotonic_ns()
            wall = self.wall_ns()
            if self.monotonic_ns() - before < _MAX_READ_NS:
                break
        return wall - before
