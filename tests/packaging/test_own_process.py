"""Other processes of the program: started the same way wherever it lies."""

import subprocess
import sys
from pathlib import Path

import pytest

from browser_app import __version__
from browser_app.own_process import own_process


def test_python_starts_it_whatever_lies_in_the_present_folder(tmp_path: Path) -> None:
    for trap in ("sys.py", "argparse.py", "browser_app.py"):
        (tmp_path / trap).write_text("raise SystemExit('the wrong module')")
    command = [*own_process("browser_app.__main__", "ready-room"), "--version"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == f"ready-room {__version__}\n"


@pytest.mark.parametrize("suffix", ["", ".exe"])
def test_a_program_in_a_folder_of_its_own_starts_its_neighbour(monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(Path("there", f"ready-room{suffix}")))
    assert own_process("any.module", "ready-room-worker") == (str(Path("there", f"ready-room-worker{suffix}")),)
