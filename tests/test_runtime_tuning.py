"""Tuning of the switch interval, garbage collection and malloc."""

import ctypes
import gc
import mmap
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_app import runtime_tuning
from browser_app.runtime_tuning import (
    SCAN_SWITCH_INTERVAL_S,
    collect_due_garbage,
    disable_automatic_gc,
    favour_gui_thread,
    pause_full_gc,
    release_free_memory,
    restore_switch_interval,
    resume_full_gc,
    shorten_switch_interval,
)

THREADS = """
import sys
import threading

if "shared" in sys.argv:
    from browser_app.runtime_tuning import limit_malloc_arenas
    limit_malloc_arenas()
all_there = threading.Barrier(6)

def work():
    kept = [bytes(60_000 + n) for n in range(20)]  # large enough for malloc, too small for pages of their own
    all_there.wait()

threads = [threading.Thread(target=work) for _ in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
HEAPS = """
import itertools
HEAP = 64 << 20  # glibc sets so much aside for a thread's heap, at a multiple of that, and opens what is used of it
maps = [line.split()[:2] for line in open("/proc/self/maps")]
rows = [(*(int(place, 16) for place in places.split("-")), rights) for places, rights in maps]
print(sum(
    first % HEAP == 0 and last - first == HEAP and (opened, shut) == ("rw-p", "---p")
    for (first, _, opened), (_, last, shut) in itertools.pairwise(rows)
))
"""


def count_arenas(*words: str) -> int:
    """Return the number of count_arenas that six threads leave behind."""
    program = [sys.executable, "-c", THREADS + HEAPS, *words]
    return int(subprocess.run(program, capture_output=True, text=True, check=True).stdout)


@pytest.mark.linux
def test_threads_share_one_malloc_arena() -> None:
    if count_arenas() == 0:
        pytest.skip("this C library has one heap only")
    assert count_arenas("shared") == 0


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE


@pytest.mark.linux
def test_freed_memory_is_returned() -> None:
    if not hasattr(ctypes.CDLL(None), "malloc_trim"):
        pytest.skip("this C library cannot be told to return memory")
    blocks = [b"x" * 60_000 for _ in range(500)]
    last = blocks.pop()
    blocks.clear()  # the last one is in use, so malloc keeps what is before it
    before = resident_bytes()
    release_free_memory()
    assert before - resident_bytes() > 20 << 20
    del last


def test_last_user_restores_switch_interval() -> None:
    before = sys.getswitchinterval()
    shorten_switch_interval()
    shorten_switch_interval()
    restore_switch_interval()
    assert sys.getswitchinterval() == pytest.approx(SCAN_SWITCH_INTERVAL_S)
    restore_switch_interval()
    assert sys.getswitchinterval() == before


def test_last_user_resumes_full_gc() -> None:
    before = gc.get_threshold()
    pause_full_gc()
    pause_full_gc()
    resume_full_gc()
    assert gc.get_threshold()[:2] == before[:2]
    assert gc.get_threshold()[2] > before[2]
    resume_full_gc()
    assert gc.get_threshold() == before


def test_favouring_gui_thread_ends_on_errors() -> None:
    before = sys.getswitchinterval(), gc.get_threshold()
    with pytest.raises(ValueError, match="failed"), favour_gui_thread():
        raise ValueError("failed")
    assert (sys.getswitchinterval(), gc.get_threshold()) == before


@pytest.fixture
def manual_gc() -> Iterator[None]:
    was_enabled = gc.isenabled()
    disable_automatic_gc()
    yield
    if was_enabled:
        gc.enable()


class Node:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.node = self


@pytest.mark.usefixtures("manual_gc")
def test_garbage_waits_for_collection() -> None:
    collected_in = list[threading.Thread]()
    gc.collect()

    def make_garbage() -> None:
        for _ in range(2 * gc.get_threshold()[0]):
            weakref.finalize(Node(), lambda: collected_in.append(threading.current_thread()))

    thread = threading.Thread(target=make_garbage)
    thread.start()
    thread.join()
    assert not collected_in
    collect_due_garbage()
    assert set(collected_in) == {threading.main_thread()}


@pytest.mark.usefixtures("manual_gc")
def test_little_garbage_is_not_due() -> None:
    gc.collect()
    node = weakref.ref(Node())
    collect_due_garbage()
    assert node() is not None


def _make_old_garbage() -> weakref.ref[Node]:
    """Return a node that only a full collection deletes, with all generations due."""
    node = Node()
    gc.collect(1)
    gc.collect(1)
    gc.collect(0)
    return weakref.ref(node)


@pytest.mark.usefixtures("manual_gc")
def test_full_collection_waits_for_many_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_tuning, "_full_collections", runtime_tuning._FullCollections())
    monkeypatch.setattr(gc, "get_threshold", lambda: (0, 0, 0))
    first = _make_old_garbage()
    collect_due_garbage()
    assert first() is None
    second = _make_old_garbage()
    collect_due_garbage()
    assert second() is not None
    many = [list[int]() for _ in gc.get_objects()]
    third = _make_old_garbage()
    collect_due_garbage()
    assert (second(), third()) == (None, None)
    assert many
