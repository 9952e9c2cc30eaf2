"""Other processes of the program: started the same way wherever it lies."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from devtools.checkout import ROOT

from browser_app import __version__
from browser_app.child_process_command import child_process_command


def test_current_folder_is_not_imported(tmp_path: Path) -> None:
    for trap in ("sys.py", "argparse.py", "browser_app.py"):
        (tmp_path / trap).write_text("raise SystemExit('the wrong module')")
    command = [*child_process_command("browser_app.__main__", "ready-room"), "--version"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=True)
    assert ran.stdout == f"ready-room {__version__}\n"


def test_another_copy_is_not_imported(tmp_path: Path) -> None:
    """One on PYTHONPATH, which precedes an installed one."""
    copy = tmp_path / "browser_app"
    copy.mkdir()
    (copy / "__init__.py").write_text("raise SystemExit('the wrong copy')")
    (tmp_path / "sitecustomize.py").write_text("import sys; print('decoy on the path', file=sys.stderr)")
    command = [*child_process_command("browser_app.__main__", "ready-room"), "--version"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=True)
    assert (ran.stdout, ran.stderr) == (f"ready-room {__version__}\n", "decoy on the path\n")


@pytest.mark.parametrize("suffix", ["", ".exe"])
def test_package_starts_neighbour(monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(Path("there", f"ready-room{suffix}")))
    assert child_process_command("any.module", "ready-room-worker") == (
        str(Path("there", f"ready-room-worker{suffix}")),
    )


def test_folder_of_its_own_has_all_of_them() -> None:
    calls = re.compile(r'child_process_command\("([\w.]+)", "([\w-]+)"\)')
    wanted = {call for path in (ROOT / "browser_app").rglob("*.py") for call in calls.findall(path.read_text("utf-8"))}
    recipe = ROOT / "packaging" / "pyinstaller"
    (line,) = re.findall(r"^STARTS = (.*)$", (recipe / "ready-room.spec").read_text("utf-8"), re.MULTILINE)
    starts: dict[str, str] = ast.literal_eval(line)
    assert len(wanted) > 2
    assert {executable for _, executable in wanted} == set(starts.values())
    for module, executable in wanted:
        (file,) = (name for name, each in starts.items() if each == executable)
        assert f"from {module} import main\n" in (recipe / f"{file}.py").read_text("utf-8")
