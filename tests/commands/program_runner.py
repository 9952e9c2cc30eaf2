"""Runs of the program in this process or in a child process."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from browser_app.app import run_program

PROGRAM_COMMAND = (sys.executable, "-m", "browser_app")
CHECKOUT = Path(__file__).resolve().parents[2]
DISPLAY_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
PROCESS_TIMEOUT_S = 100.0
"""Timeout of a run on a busy machine; less than that of a test."""


@dataclass(frozen=True)
class RunResult:
    """Exit status and output of a run."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON value."""
        return json.loads(self.out)

    @property
    def servers(self) -> list[dict[str, Any]]:
        """The servers that `list` printed."""
        servers: list[dict[str, Any]] = self.json["servers"]
        return servers


class Program:
    """Runs the command line within this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> RunResult:
        self._capsys.readouterr()
        status = run_program(words)
        printed = self._capsys.readouterr()
        return RunResult(status, printed.out, printed.err)


def run_process(*words: str, env: Mapping[str, str | None] | None = None) -> RunResult:
    """Run the program in a child process; `env` changes its environment."""
    result = subprocess.run(
        [*PROGRAM_COMMAND, *words],
        env=changed_environment(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PROCESS_TIMEOUT_S,
        check=False,
        cwd=CHECKOUT,
    )
    return RunResult(result.returncode, result.stdout, result.stderr)


def changed_environment(changes: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """Return this process's environment with changes; None removes a variable."""
    return {name: value for name, value in {**os.environ, **(changes or {})}.items() if value is not None}
