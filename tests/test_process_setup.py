"""Ctrl-C while modules are imported, and when all is done."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from program_runner import PROCESS_TIMEOUT_S, environment

import browser_app
from browser_app.exit_status import ExitStatus
from browser_app.process_setup import exit_if_interrupted

KILL = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
IMPORT = "from browser_app.process_setup import at_once, come_too_late, leave"


def run_script(*lines: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "\n".join([IMPORT, *lines])],
        capture_output=True,
        text=True,
        check=False,
        timeout=PROCESS_TIMEOUT_S,
    )


@pytest.mark.posix
def test_an_import_that_swallows_it_is_ended_on_the_spot() -> None:
    swallow = f"    try: {KILL}\n    except KeyboardInterrupt: pass"
    ran = run_script("with at_once():", "  for _ in range(1):", swallow, "print('went on')")
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "ready-room: interrupted\n")


@pytest.mark.posix
def test_after_the_import_it_is_raised_again() -> None:
    ran = run_script("with at_once(): pass", f"try: {KILL}", "except KeyboardInterrupt: print('raised')")
    assert (ran.returncode, ran.stdout) == (0, "raised\n")


@pytest.mark.posix
def test_when_the_result_is_out_it_changes_nothing() -> None:
    ran = run_script("come_too_late()", KILL, "print('done')")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "done\n", "")


@pytest.mark.posix
@pytest.mark.parametrize(("end", "status"), [("raise SystemExit(130)", -signal.SIGINT), ("leave(130)", 130)])
def test_the_status_tells_it_also_where_a_text_was_run(tmp_path: Path, end: str, status: int) -> None:
    """As it is while a module with dataclasses is imported. Where Python itself tells 130, `leave` can go."""
    lines = (IMPORT, "try: exec('raise KeyboardInterrupt')", "except KeyboardInterrupt: print('caught')", end)
    (tmp_path / "caught.py").write_text("\n".join(lines))
    ran = subprocess.run(
        [sys.executable, "-m", "caught"],
        cwd=tmp_path,
        env=environment({"PYTHONPATH": str(Path(browser_app.__file__).parents[1])}),
        capture_output=True,
        text=True,
        check=False,
        timeout=PROCESS_TIMEOUT_S,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (status, "caught\n", "")


def test_any_other_status_is_handed_on() -> None:
    assert exit_if_interrupted(ExitStatus.NOTHING_FOUND) == ExitStatus.NOTHING_FOUND
