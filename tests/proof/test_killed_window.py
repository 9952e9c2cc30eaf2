"""A window that is killed in use: saved data survives, and it starts again."""

import signal
from pathlib import Path

import pytest
from killed_window import kill_windows


@pytest.mark.posix
def test_killed_window_loses_nothing(tmp_path: Path) -> None:
    """Two of the hundreds of times of `packaging/dev.py proof kill`."""
    killed = kill_windows(tmp_path, [(25, 0.0), (4, 0.0)])
    assert killed.faults == []
    assert killed.statuses == [-signal.SIGKILL] * 2
    assert len(killed.saved) >= 12  # other lines are about the window and settings
    assert {kind for kind, _name in killed.saved} >= {"note", "favourite"}
