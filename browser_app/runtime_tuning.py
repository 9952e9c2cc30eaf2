"""Run-time tuning of threads, garbage collection and memory.

Everything here changes the whole process. Changes with several users at a time are counted: the first user makes the
change and the last one undoes it.
"""

import ctypes
import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SCAN_SWITCH_INTERVAL_S = 0.0005
"""With Python's default of 5 ms a busy thread delays every receive by as much (measured: 15 ms of ping error)."""
WORKER_NICE = 10
"""Added to the niceness of the rating worker, so that games and the window go first."""
_NEVER_COLLECT = 1_000_000
"""Threshold of the oldest generation; practically never reached."""
_FULL_COLLECTION_GROWTH = 1.25
"""As in CPython, whose full collections wait until new objects are a quarter of the old ones."""
_M_ARENA_MAX = -8
"""`mallopt` parameter of glibc's malloc.h."""
_C_LIBRARY = ctypes.CDLL(None) if sys.platform == "linux" else None


class _CountedChange:
    """A change to the process that lasts while it has users. Thread-safe."""

    def __init__(self, apply: Callable[[], Callable[[], object]]) -> None:
        """`apply` makes the change and returns what undoes it."""
        self._apply = apply
        self._lock = threading.Lock()
        self._users = 0

    def acquire(self) -> None:
        """Make the change unless it is in effect."""
        with self._lock:
            if self._users == 0:
                self._undo = self._apply()
            self._users += 1

    def release(self) -> None:
        """Undo the change if this was its last user."""
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._undo()


def _set_short_interval() -> Callable[[], object]:
    interval_s = sys.getswitchinterval()
    sys.setswitchinterval(SCAN_SWITCH_INTERVAL_S)
    return lambda: sys.setswitchinterval(interval_s)


def _disable_full_gc() -> Callable[[], object]:
    thresholds = gc.get_threshold()
    gc.set_threshold(*thresholds[:2], _NEVER_COLLECT)
    return lambda: gc.set_threshold(*thresholds)


_short_interval = _CountedChange(_set_short_interval)
_gc_pause = _CountedChange(_disable_full_gc)


def shorten_switch_interval() -> None:
    """Let threads take turns every 0.5 ms until `restore_switch_interval` is called."""
    _short_interval.acquire()


def restore_switch_interval() -> None:
    """Undo one call of `shorten_switch_interval`."""
    _short_interval.release()


def pause_full_gc() -> None:
    """Pause full garbage collections until `resume_full_gc` is called.

    A full collection walks through all objects while all threads wait: 60 ms with 20,000 servers, and a growing list
    causes several. Data of servers has no reference cycles, so a pause keeps hardly any memory alive.
    """
    _gc_pause.acquire()


def resume_full_gc() -> None:
    """Undo one call of `pause_full_gc`."""
    _gc_pause.release()


@contextmanager
def favour_gui_thread() -> Iterator[None]:
    """Run work in a background thread without holding up the GUI thread.

    The GUI thread waits at most 0.5 ms for its turn.
    """
    shorten_switch_interval()
    pause_full_gc()
    try:
        yield
    finally:
        resume_full_gc()
        restore_switch_interval()


def disable_automatic_gc() -> None:
    """Leave garbage collection to calls of `collect_due_garbage` in the GUI thread.

    An automatic collection runs in whichever thread allocates. In a background thread it would delete `QObject`s of
    reference cycles there, with their timers and children, and Qt crashes. No version of PySide or PyQt prevents that:
    https://riverbankcomputing.com/pipermail/pyqt/2011-August/030378.html.
    """
    gc.disable()


class _FullCollections:
    """Full collections, which take 100 ms with 20,000 servers.

    Like automatic ones, they are due after many new objects only.
    """

    def __init__(self) -> None:
        self._surviving_objects = 0

    def is_due(self) -> bool:
        """Return whether the oldest generation has grown enough since the last one."""
        return len(gc.get_objects(generation=2)) > _FULL_COLLECTION_GROWTH * self._surviving_objects

    def collect(self) -> None:
        """Collect all generations."""
        gc.collect()
        self._surviving_objects = len(gc.get_objects(generation=2))


_full_collections = _FullCollections()


def collect_due_garbage() -> None:
    """Collect the oldest generation that an automatic collection would collect now."""
    counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
    is_young_due, is_middle_due, is_old_due = (count > threshold for count, threshold in counts)
    if is_middle_due and is_old_due and _full_collections.is_due():
        _full_collections.collect()
    elif is_young_due or is_middle_due:
        gc.collect(1 if is_middle_due else 0)


def freeze_startup_objects() -> None:
    """Exclude present objects, which live until the end, from collections."""
    gc.freeze()


def freeze_late_imports() -> None:
    """Exclude what was imported after `freeze_startup_objects`, too."""
    if gc.get_freeze_count():
        gc.freeze()


def unfreeze_and_collect() -> None:
    """Collect all garbage, frozen objects included."""
    gc.unfreeze()
    gc.collect()


def lower_process_priority() -> None:
    """Lower the priority of this process by `WORKER_NICE` where the system can."""
    if hasattr(os, "nice"):
        os.nice(WORKER_NICE)


def limit_malloc_arenas() -> None:
    """Let all threads share one malloc arena.

    This has no effect on C libraries other than glibc. By default glibc keeps up to eight arenas a core for threads
    that ever ran at the same time. Every poll has a few short threads, and each arena stays as large as its largest
    list of servers was.
    """
    mallopt = getattr(_C_LIBRARY, "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, 1)


def release_free_memory() -> None:
    """Return memory that malloc has free to the system.

    This has no effect on C libraries other than glibc. By default glibc returns free memory only from the end of its
    heap. What a large task has used and freed in the middle stays, and later tasks that do not fit between newer
    objects make the heap larger still. The call takes 2 ms, in which other threads cannot allocate.
    """
    malloc_trim = getattr(_C_LIBRARY, "malloc_trim", None)
    if malloc_trim is not None:
        malloc_trim(0)
