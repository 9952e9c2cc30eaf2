"""One heap for all threads, so that memory stays flat while the window is open."""

import ctypes
import sys

_M_ARENA_MAX = -8
"""glibc's malloc.h."""


def share_one_heap() -> None:
    """Have glibc give no thread a heap of its own; elsewhere nothing is changed.

    It keeps one for each thread that ever ran beside others, eight times as many as there are cores: every poll has a
    few short ones, and each heap stays as large as its largest list of servers was.
    """
    if sys.platform == "linux":
        set_option = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries have no such option
        if set_option is not None:
            set_option(_M_ARENA_MAX, 1)
