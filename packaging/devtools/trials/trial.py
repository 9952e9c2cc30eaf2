"""What every package's trial checks, however it was installed."""

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from devtools.errors import SetupError
from devtools.packages.build import NAME
from devtools.system import say

SERVERS = 20
OPEN_S = 10
_LIMIT_S = 300
_STILL_OPEN = 124
"""Exit status of `timeout` when it had to end the command."""

Start = Callable[[Sequence[str | Path]], str]
"""Runs a command where the package is installed, on a virtual display; returns its standard output."""


@dataclass(frozen=True)
class Installed:
    """An installed program.

    Attributes:
        start: Starts the program.
        program: Its name or path, for `start`.
        folder: A writable folder, by the program's path.
        seen_as: The same folder, by this process's path.
    """

    start: Start
    program: str
    folder: str
    seen_as: Path


@dataclass(frozen=True)
class Trial:
    """Input of a trial.

    Attributes:
        kind: The kind of package.
        files: All packages.
        work: A work folder; removed afterwards.
        out: Where screenshots of the window are kept.
        version: The version that the program should report.
    """

    kind: str
    files: Sequence[Path]
    work: Path
    out: Path
    version: str

    def file(self, pattern: str) -> Path:
        """Return the package whose name matches."""
        (found,) = (path for path in self.files if fnmatch(path.name, pattern))
        return found

    def folder(self, name: str) -> Path:
        """Create a new folder for this trial."""
        folder = self.work / f"{self.kind}-{name}"
        folder.mkdir()
        return folder


def require(fact: bool, otherwise: str) -> None:
    """Stop unless a condition holds.

    Raises:
        SetupError: it does not; `otherwise` says what is wrong.
    """
    if not fact:
        raise SetupError(otherwise)


def run(command: Sequence[str | Path], cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Run a command to its end; return its standard output.

    Raises:
        SetupError: it is missing, failed or took minutes.
    """
    words = list(map(str, command))
    try:
        ran = subprocess.run(
            words, cwd=cwd, env=env, capture_output=True, text=True, errors="replace", timeout=_LIMIT_S, check=False
        )
    except FileNotFoundError:
        raise SetupError(f"{words[0]} is needed and not installed here.") from None
    except subprocess.TimeoutExpired:
        raise SetupError(f"{' '.join(words)}: no end within {_LIMIT_S} s.") from None
    if ran.returncode != 0:
        last = "\n".join((ran.stdout + ran.stderr).splitlines()[-12:])
        raise SetupError(f"{' '.join(words)}: ended with {ran.returncode}. The end of its output:\n{last}")
    return ran.stdout


def use(trial: Trial, installed: Installed) -> None:
    """Use the installed program as a new user would; screenshots go to `trial.out`.

    Raises:
        SetupError: it failed.
    """
    start, program = installed.start, installed.program
    said = start([program, "--version"]).strip()
    require(said == f"{NAME} {trial.version}", f"--version says {said!r}, not {trial.version}")
    listed = start([program, "list", f"--demo={SERVERS}"]).splitlines()
    require(len(listed) > SERVERS // 2, f"list shows {len(listed)} lines of {SERVERS} servers")
    for view in ("servers", "skill"):
        start([program, "screenshot", f"{installed.folder}/{view}.png", f"--demo={SERVERS}", "--view", view])
        shutil.copyfile(installed.seen_as / f"{view}.png", trial.out / f"{trial.kind}-{view}.png")
    start(["sh", "-c", f'timeout -s INT {OPEN_S} "$0" --demo={SERVERS}; test $? = {_STILL_OPEN}', program])
    say(f"{trial.kind}: --version, list, pictures and {OPEN_S} s of the window are right.")
