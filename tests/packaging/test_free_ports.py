"""Ports that no other test run gets."""

import subprocess
import sys
from pathlib import Path

import pytest

HOLD_PORT_SCRIPT = "import sys; from free_ports import free_port; print(free_port(), flush=True); sys.stdin.read()"


def start_port_holder() -> "subprocess.Popen[str]":
    """Start a process that prints a port and keeps it until its input ends."""
    command = [sys.executable, "-c", HOLD_PORT_SCRIPT]
    tests = Path(__file__).parents[1]
    return subprocess.Popen(command, cwd=tests, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@pytest.mark.linux
def test_processes_get_different_ports() -> None:
    with start_port_holder() as holder, start_port_holder() as other_holder:
        ports = {int(each.stdout.readline()) for each in (holder, other_holder) if each.stdout is not None}
        for each in (holder, other_holder):
            each.communicate()
    assert len(ports) == 2
