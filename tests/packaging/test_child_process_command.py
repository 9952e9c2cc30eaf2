"""Command lines of child processes, in a checkout and in a frozen build."""

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
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=True)
    assert result.stdout == f"ready-room {__version__}\n"


def test_copy_on_pythonpath_is_not_imported(tmp_path: Path) -> None:
    copy = tmp_path / "browser_app"
    copy.mkdir()
    (copy / "__init__.py").write_text("raise SystemExit('the wrong copy')")
    (tmp_path / "sitecustomize.py").write_text("import sys; print('decoy on the path', file=sys.stderr)")
    command = [*child_process_command("browser_app.__main__", "ready-room"), "--version"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=True)
    assert (result.stdout, result.stderr) == (f"ready-room {__version__}\n", "decoy on the path\n")


@pytest.mark.parametrize("suffix", ["", ".exe"])
def test_frozen_build_starts_executable_beside(monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(Path("there", f"ready-room{suffix}")))
    assert child_process_command("any.module", "ready-room-worker") == (
        str(Path("there", f"ready-room-worker{suffix}")),
    )


def test_frozen_build_has_all_executables() -> None:
    calls = re.compile(r'child_process_command\("([\w.]+)", "([\w-]+)"\)')
    sources = (path.read_text("utf-8") for path in (ROOT / "browser_app").rglob("*.py"))
    commands = {call for source in sources for call in calls.findall(source)}
    spec_folder = ROOT / "packaging" / "pyinstaller"
    (line,) = re.findall(r"^EXECUTABLES = (.*)$", (spec_folder / "ready-room.spec").read_text("utf-8"), re.MULTILINE)
    executables: dict[str, str] = ast.literal_eval(line)
    assert len(commands) > 2
    assert {executable for _, executable in commands} == set(executables.values())
    for module, executable in commands:
        (file,) = (name for name, each in executables.items() if each == executable)
        assert f"from {module} import main\n" in (spec_folder / f"{file}.py").read_text("utf-8")
