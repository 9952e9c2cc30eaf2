"""Ctrl-C, the home folder and notes on the terminal."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from timeouts import LIMIT_S

import browser_app
from browser_app.exit_status import ExitStatus
from browser_app.process_setup import ensure_home, exit_if_interrupted, print_note

KILL = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
IMPORT = "from browser_app.process_setup import exit_if_interrupted, exiting_on_interrupt, ignore_interrupt"


def run_script(*lines: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "\n".join([IMPORT, *lines])],
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )


@pytest.mark.posix
def test_swallowed_interrupt_ends_program() -> None:
    swallow = f"    try: {KILL}\n    except KeyboardInterrupt: pass"
    result = run_script("with exiting_on_interrupt():", "  for _ in range(1):", swallow, "print('went on')")
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "ready-room: interrupted\n")


@pytest.mark.posix
def test_interrupt_is_raised_after_import() -> None:
    result = run_script(
        "with exiting_on_interrupt(): pass", f"try: {KILL}", "except KeyboardInterrupt: print('raised')"
    )
    assert (result.returncode, result.stdout) == (0, "raised\n")


@pytest.mark.posix
def test_interrupt_after_result_is_ignored() -> None:
    result = run_script("ignore_interrupt()", KILL, "print('done')")
    assert (result.returncode, result.stdout, result.stderr) == (0, "done\n", "")


@pytest.mark.posix
@pytest.mark.parametrize(
    ("end", "status"), [("raise SystemExit(130)", -signal.SIGINT), ("exit_if_interrupted(130)", 130)]
)
def test_status_of_interrupt_during_exec(tmp_path: Path, end: str, status: int) -> None:
    """Once Python itself exits with 130, the workaround can go."""
    lines = (IMPORT, "try: exec('raise KeyboardInterrupt')", "except KeyboardInterrupt: print('caught')", end)
    (tmp_path / "caught.py").write_text("\n".join(lines))
    result = subprocess.run(
        [sys.executable, "-m", "caught"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(browser_app.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    assert (result.returncode, result.stdout, result.stderr) == (status, "caught\n", "")


def test_other_status_is_unchanged() -> None:
    assert exit_if_interrupted(ExitStatus.NOTHING_FOUND) == ExitStatus.NOTHING_FOUND


@pytest.mark.posix
def test_missing_home_is_root_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "relative")
    ensure_home()
    assert Path.home().is_absolute()
    assert "HOME" not in os.environ
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)  # no such account
    ensure_home()
    assert Path.home() == Path("/")


def test_note_does_not_control_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_note("a\x1b]0;title\x07\u202egnp\x9b2J\r.json:\n\tçà „ש“ \u202f…")
    assert capsys.readouterr().err == "a\ufffd]0;title\ufffd\ufffdgnp\ufffd2J\ufffd.json:\n\tçà „ש“ \u202f…\n"
