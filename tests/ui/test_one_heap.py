"""Memory stays flat: no thread leaves a heap of its own behind."""

import subprocess
import sys

import pytest

THREADS = """
import sys
import threading

if "shared" in sys.argv:
    from browser_app.window_app.one_heap import share_one_heap
    share_one_heap()
all_there = threading.Barrier(6)

def work():
    kept = [bytes(60_000 + n) for n in range(20)]  # large enough for malloc, too small for pages of their own
    all_there.wait()

threads = [threading.Thread(target=work) for _ in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
HEAPS = """
import re
HEAP = 64 << 20  # glibc begins a thread's heap at a multiple of its most
rows = [re.match(r"([0-9a-f]+)-\\S+ rw-p 0+ 00:00 0\\s*$", line) for line in open("/proc/self/maps")]
print(sum(row is not None and int(row[1], 16) % HEAP == 0 for row in rows))
"""


def heaps(*words: str) -> int:
    """How many heaps beside the process's own six threads leave behind."""
    program = [sys.executable, "-c", THREADS + HEAPS, *words]
    return int(subprocess.run(program, capture_output=True, text=True, check=True, timeout=60).stdout)


@pytest.mark.linux
def test_threads_leave_no_heap_of_their_own_behind() -> None:
    if heaps() == 0:
        pytest.skip("this C library has one heap anyway")
    assert heaps("shared") == 0
