"""One holder of a lock at a time, also if the process that acquired it is killed."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from devtools.file_lock import hold_file_lock

TIMEOUT_S = 30.0


def test_free_lock_is_acquired_at_once(tmp_path: Path) -> None:
    waited: list[bool] = []
    for _ in range(2):
        with hold_file_lock(tmp_path / "lock", lambda: waited.append(True)):
            pass
    assert waited == []


def test_second_waits_for_first(tmp_path: Path) -> None:
    order: list[str] = []
    waiting = threading.Event()

    def second() -> None:
        with hold_file_lock(tmp_path / "lock", waiting.set):
            order.append("second")

    with hold_file_lock(tmp_path / "lock", lambda: None):
        thread = threading.Thread(target=second)
        thread.start()
        assert waiting.wait(TIMEOUT_S)
        order.append("first")
    thread.join(TIMEOUT_S)
    assert order == ["first", "second"]


@pytest.mark.posix
def test_lock_outlives_parent(tmp_path: Path) -> None:
    waiting = threading.Event()
    installer = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with hold_file_lock(tmp_path / "lock", lambda: None) as held:
        child = subprocess.Popen(installer, stdin=subprocess.PIPE, pass_fds=[held])

    def end_the_installer() -> None:
        waiting.set()
        child.communicate(timeout=TIMEOUT_S)

    with hold_file_lock(tmp_path / "lock", end_the_installer):
        assert waiting.is_set()
