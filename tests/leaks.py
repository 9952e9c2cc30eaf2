"""Detection of threads, sockets and timers that a test leaves behind.

A snapshot is taken before a test; afterwards everything new must be gone within a grace period, which a thread that is
ending, or a socket that it closes, may need.
"""

import gc
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from PySide6.QtCore import QTimer

_T = TypeVar("_T")

GRACE_S = 20.0
"""Time for a leftover to end. A passing test does not wait: the first check finds nothing."""
COLLECTION_INTERVAL_S = 2.0
"""Time between two garbage collections while waiting for a leftover to go."""

_OPEN_FILES = "/proc/self/fd"


@dataclass(frozen=True)
class Snapshot:
    """Threads and sockets before a test."""

    threads: frozenset[int]
    sockets: frozenset[str]


def take_snapshot() -> Snapshot:
    """Return the running threads and open sockets."""
    return Snapshot(frozenset(_threads()), frozenset(_sockets()))


def leftovers(before: Snapshot, grace_s: float = GRACE_S) -> list[str]:
    """Return texts on what is new since `before` and does not go within `grace_s`."""
    threads = _remaining(lambda: [each for each in _threads() if each not in before.threads], grace_s)
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    stacks = {ident: frame for ident, frame in sys._current_frames().items() if ident in threads}
    return [
        *(f"running thread {names.get(ident)!r}\n{_stack_text(stacks.get(ident))}" for ident in threads),
        *_remaining(lambda: [name for name in _sockets() if name not in before.sockets], grace_s),
    ]


def _stack_text(frame: FrameType | None) -> str:
    return "".join(traceback.format_stack(frame)) if frame is not None else "ended by now\n"


def active_timers() -> "dict[int, QTimer]":
    """Return active QTimers by identity, except those of widgets about to be deleted."""
    core, shiboken = sys.modules["PySide6.QtCore"], sys.modules["shiboken6"]
    core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete.value)
    wrappers = shiboken.getAllValidWrappers()  # thousands, of a few types
    timer_types = {each for each in set(map(type, wrappers)) if issubclass(each, core.QTimer)}
    return {id(each): each for each in wrappers if type(each) in timer_types and each.isActive()}


def _remaining(find: Callable[[], list[_T]], grace_s: float) -> list[_T]:
    deadline_s = time.monotonic() + grace_s
    next_collection = time.monotonic()
    while (leftovers_found := find()) and time.monotonic() < deadline_s:
        if time.monotonic() >= next_collection:  # seldom: it stops the threads that are to end
            gc.collect()
            next_collection = time.monotonic() + COLLECTION_INTERVAL_S
        time.sleep(0.01)
    return leftovers_found


def _threads() -> list[int]:
    """Return the identifiers of threads with a Python frame.

    A finished QThread stays in `threading.enumerate`, but runs nothing.
    """
    running = sys._current_frames()
    return [thread.ident for thread in threading.enumerate() if thread.ident in running]


def _sockets() -> list[str]:
    """Return open sockets by inode, on systems that list them."""
    sockets: list[str] = []
    with suppress(FileNotFoundError):
        for descriptor in os.listdir(_OPEN_FILES):  # noqa: PTH208 - twice a test, and Path takes three times as long
            with suppress(FileNotFoundError):  # the descriptor of this listing is closed again
                target = os.readlink(f"{_OPEN_FILES}/{descriptor}")  # noqa: PTH115 - see above
                if target.startswith("socket:"):
                    sockets.append(f"open {target}")
    return sockets
