"""Ports that are given to one test run only."""

import subprocess
import sys
from pathlib import Path

import pytest

ASKER = "import sys; from free_ports import free_port; print(free_port(), flush=True); sys.stdin.read()"


def asker() -> "subprocess.Popen[str]":
    """Start a process that prints a port and keeps it until its input ends."""
    command = [sys.executable, "-c", ASKER]
    tests = Path(__file__).parents[1]
    return subprocess.Popen(command, cwd=tests, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@pytest.mark.linux
def test_processes_get_different_ports() -> None:
    with asker() as one, asker() as other:
        ports = {int(each.stdout.readline()) for each in (one, other) if each.stdout is not None}
        for each in (one, other):
            each.communicate()
    assert len(ports) == 2
