"""One set-up at a time, also when the one that holds the lock was killed."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from devtools.lock import locked

DEADLINE_S = 30.0


def test_free_lock_is_got_at_once(tmp_path: Path) -> None:
    waited: list[bool] = []
    for _ in range(2):
        with locked(tmp_path / "lock", lambda: waited.append(True)):
            pass
    assert waited == []


def test_second_waits_for_first(tmp_path: Path) -> None:
    order: list[str] = []
    waiting = threading.Event()

    def second() -> None:
        with locked(tmp_path / "lock", waiting.set):
            order.append("second")

    with locked(tmp_path / "lock", lambda: None):
        thread = threading.Thread(target=second)
        thread.start()
        assert waiting.wait(DEADLINE_S)
        order.append("first")
    thread.join(DEADLINE_S)
    assert order == ["first", "second"]


@pytest.mark.posix
def test_lock_outlives_parent(tmp_path: Path) -> None:
    waiting = threading.Event()
    installer = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with locked(tmp_path / "lock", lambda: None) as held:
        child = subprocess.Popen(installer, stdin=subprocess.PIPE, pass_fds=[held])

    def end_the_installer() -> None:
        waiting.set()
        child.communicate(timeout=DEADLINE_S)

    with locked(tmp_path / "lock", end_the_installer):
        assert waiting.is_set()
