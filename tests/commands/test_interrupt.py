"""Ctrl-C while modules are imported, and when all is done."""

import subprocess
import sys

import pytest
from command_line import PROCESS_S

KILL = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
IMPORT = "from browser_app.commands.interrupt import at_once, come_too_late"


def run_script(*lines: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "\n".join([IMPORT, *lines])],
        capture_output=True,
        text=True,
        check=False,
        timeout=PROCESS_S,
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
