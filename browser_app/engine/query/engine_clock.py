"""Engine clock and kernel receive timestamps."""

import struct
import sys
import time
from collections.abc import Callable, Sequence

from browser_app.engine.query.round_trips import PacketTime

SUSPEND_GAP_NS = 2_000_000_000
"""A wake-up later than this means that the process was suspended or starved: deadlines are postponed."""
LATE_WAKE_NS = 5_000_000
"""After a wake-up later than this, arrival times are treated as late."""
_LATE_MEMORY_NS = 100_000_000
"""For this long after a late wake-up, later arrivals count as late too: wake-ups by datagrams have no target time to
compare with.
"""
_CLOCK_JUMP_NS = 1_000_000
_MAX_READ_NS = 50_000

TIMESTAMP_OPTION = {"linux": 35, "darwin": 0x0400}.get(sys.platform)
"""Socket option that makes the kernel timestamp received datagrams; None if Python cannot receive timestamps.

Linux's SO_TIMESTAMPNS (asm-generic/socket.h), for which Python 3.11 has no name, and macOS's SO_TIMESTAMP
(sys/socket.h). Linux timestamps the bytes of TCP connections as well.
"""
_TIMESTAMP_STRUCT = struct.Struct("@li" if sys.platform == "darwin" else "@ll")
_FRACTION_NS = 1000 if sys.platform == "darwin" else 1
"""A timeval (µs) on macOS, a timespec (ns) on Linux."""


AncillaryData = Sequence[tuple[int, int, bytes]]
"""Ancillary data of received bytes, as returned by `recvmsg`."""
ANCILLARY_BYTES = 64


def read_kernel_timestamp_ns(ancillary: AncillaryData) -> int:
    """Return the wall-clock arrival time from the ancillary data of received bytes.

    0 if it has no timestamp.
    """
    if not ancillary:
        return 0
    data = ancillary[0][2]  # no other ancillary data is requested
    if len(data) < _TIMESTAMP_STRUCT.size:
        return 0
    seconds, fraction = _TIMESTAMP_STRUCT.unpack_from(data)
    return int(seconds * 1_000_000_000 + fraction * _FRACTION_NS)


class EngineClock:
    """Engine time, which skips suspensions of the process and jumps of the wall clock.

    Deadlines therefore do not expire during a suspension. The engine calls `before_sleep` and `after_wake` around each
    sleep.
    """

    def __init__(
        self, wall_ns: Callable[[], int] = time.time_ns, monotonic_ns: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self.wall_ns = wall_ns
        self.monotonic_ns = monotonic_ns
        self.epoch = 0
        """Number of detected wall-clock jumps: timestamps of different epochs cannot be compared."""
        self._skipped_ns = 0
        self._wait_ns: int | None = None
        self._woke_ns = 0
        self._late_until_ns = 0
        self._offset_ns = self._measure_offset_ns()

    def now_ns(self) -> int:
        """Return the engine time."""
        return self.monotonic_ns() - self._skipped_ns

    def before_sleep(self, wait_s: float | None) -> None:
        """Record that the engine intends to wake within `wait_s`; None: on an event."""
        self._wait_ns = None if wait_s is None else round(wait_s * 1e9)

    def after_wake(self) -> int:
        """Detect late wake-ups and clock jumps; return the engine time."""
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
        """Whether the machine is so busy that the engine recently woke up too late."""
        return self._woke_ns < self._late_until_ns

    def arrival_time(self, ancillary: AncillaryData) -> PacketTime:
        """Return the arrival time of bytes just received, the kernel's if it has one."""
        wall_ns = read_kernel_timestamp_ns(ancillary)
        return PacketTime(wall_ns, self.monotonic_ns(), self.epoch, not wall_ns and self.is_late)

    def _measure_offset_ns(self) -> int:
        """Measure wall clock minus monotonic clock.

        Both are read again, up to 4 times, if another thread ran in between.
        """
        for _ in range(4):
            before = self.monotonic_ns()
            wall = self.wall_ns()
            if self.monotonic_ns() - before < _MAX_READ_NS:
                break
        return wall - before
