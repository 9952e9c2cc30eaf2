"""Run-time tuning of threads, garbage collection and memory.

One walks through every object while all threads stand still: 60 ms with 20,000 servers, and a list that grows brings
several. What servers told holds no cycles, so putting it off keeps hardly anything in memory.
"""

import ctypes
import gc
import sys
import threading

SCAN_SWITCH_INTERVAL_S = 0.0005
"""With Python's usual 5 ms a busy thread delays every receive by as much (measured: 15 ms of ping error)."""

_switch_lock = threading.Lock()
_switch_users = 0
_default_switch_interval_s = 0.005


def shorten_switch_interval() -> None:
    """Shorten the switch interval; undone by as many calls of `restore`."""
    global _switch_users, _default_switch_interval_s  # noqa: PLW0603 - the interval is the process's
    with _switch_lock:
        if _switch_users == 0:
            _default_switch_interval_s = sys.getswitchinterval()
            sys.setswitchinterval(SCAN_SWITCH_INTERVAL_S)
        _switch_users += 1


def restore_switch_interval() -> None:
    """The last of those who shortened it puts the switch interval back."""
    global _switch_users  # noqa: PLW0603 - the interval is the process's
    with _switch_lock:
        _switch_users -= 1
        if _switch_users == 0:
            sys.setswitchinterval(_default_switch_interval_s)


_M_ARENA_MAX = -8
"""glibc's malloc.h."""


def limit_malloc_arenas() -> None:
    """Have glibc give no thread a heap of its own; elsewhere nothing is changed.

    It keeps one for each thread that ever ran beside others, eight times as many as there are cores: every poll has a
    few short ones, and each heap stays as large as its largest list of servers was.
    """
    if sys.platform == "linux":
        set_option = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries have no such option
        if set_option is not None:
            set_option(_M_ARENA_MAX, 1)


_NEVER_COLLECT = 1_000_000

_gc_lock = threading.Lock()
_gc_pauses = 0
_default_gc_threshold = gc.get_threshold()


def pause_full_gc() -> None:
    """None from now on; undone by as many calls of `allow`."""
    global _gc_pauses, _default_gc_threshold  # noqa: PLW0603 - the collector is the process's
    with _gc_lock:
        if _gc_pauses == 0:
            _default_gc_threshold = gc.get_threshold()
            gc.set_threshold(*_default_gc_threshold[:2], _NEVER_COLLECT)
        _gc_pauses += 1


def resume_full_gc() -> None:
    """The last of those who put them off lets Python decide again."""
    global _gc_pauses  # noqa: PLW0603 - the collector is the process's
    with _gc_lock:
        _gc_pauses -= 1
        if _gc_pauses == 0:
            gc.set_threshold(*_default_gc_threshold)
