"""Messages to the developer, output of programs, the error that stops a command."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


class SetupError(Exception):
    """A command cannot continue. The message says what was tried and what to do."""


def print_note(text: str) -> None:
    """Print to standard error; standard output belongs to the program that is run."""
    print(text, file=sys.stderr, flush=True)


def run_captured(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    pass_fds: Sequence[int] = (),
) -> subprocess.CompletedProcess[str]:
    """Run a program without input; capture its output and errors together."""
    return subprocess.run(
        command,
        cwd=cwd,
        env=env,
        pass_fds=pass_fds,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )


def last_lines(text: str, number: int = 4) -> str:
    """Return the end of a program's output, indented."""
    return "\n".join(f"    {line}" for line in text.splitlines()[-number:])
