"""Input of a package's trial, and the checks of every installed program."""

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from devtools.packages.package_build import NAME
from devtools.setup_messages import SetupError, print_note

DEMO_SERVERS = 20
WINDOW_OPEN_S = 10
_COMMAND_TIMEOUT_S = 300
_TIMEOUT_STATUS = 124
"""Exit status of `timeout` (coreutils) when it had to end the command."""

CommandRunner = Callable[[Sequence[str | Path]], str]
"""Runs a command where the package is installed, on a virtual display; returns its standard output."""


@dataclass(frozen=True)
class InstalledProgram:
    """An installed program.

    Attributes:
        run: runs a command line of the program.
        program: its name or path, for `run`.
        picture_folder: a writable folder, as the program sees it.
        host_picture_folder: the same folder, as this process sees it.
    """

    run: CommandRunner
    program: str
    picture_folder: str
    host_picture_folder: Path


@dataclass(frozen=True)
class PackageTrial:
    """Input of a trial.

    Attributes:
        kind: the kind of package.
        packages: the files of all packages.
        work_folder: removed afterwards.
        output_folder: where pictures of the window are saved.
        version: the version that the program should report.
    """

    kind: str
    packages: Sequence[Path]
    work_folder: Path
    output_folder: Path
    version: str

    def find_package(self, pattern: str) -> Path:
        """Return the package whose name matches."""
        (package,) = (path for path in self.packages if fnmatch(path.name, pattern))
        return package

    def create_folder(self, name: str) -> Path:
        """Create a new folder for this trial."""
        folder = self.work_folder / f"{self.kind}-{name}"
        folder.mkdir()
        return folder


def require(condition: bool, message: str) -> None:
    """Fail the trial unless a condition holds.

    Raises:
        SetupError: it does not; `message` says what is wrong.
    """
    if not condition:
        raise SetupError(message)


def run_command(command: Sequence[str | Path], cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Run a command to its end; return its standard output.

    Raises:
        SetupError: it is missing, failed or took minutes.
    """
    argv = list(map(str, command))
    try:
        result = subprocess.run(
            argv,
            cwd=cwd,
            env=env,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_COMMAND_TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError:
        raise SetupError(f"{argv[0]} is needed and not installed here.") from None
    except subprocess.TimeoutExpired:
        raise SetupError(f"{' '.join(argv)}: no end within {_COMMAND_TIMEOUT_S} s.") from None
    if result.returncode != 0:
        output = "\n".join((result.stdout + result.stderr).splitlines()[-12:])
        raise SetupError(f"{' '.join(argv)}: ended with {result.returncode}. The end of its output:\n{output}")
    return result.stdout


def exercise_program(trial: PackageTrial, installed: InstalledProgram) -> None:
    """Use the installed program as a new user would; save pictures of its window.

    Raises:
        SetupError: it failed.
    """
    run, program = installed.run, installed.program
    version = run([program, "--version"]).strip()
    require(version == f"{NAME} {trial.version}", f"--version says {version!r}, not {trial.version}")
    lines = run([program, "list", f"--demo={DEMO_SERVERS}"]).splitlines()
    require(len(lines) > DEMO_SERVERS // 2, f"list shows {len(lines)} lines of {DEMO_SERVERS} servers")
    for view in ("servers", "skill"):
        picture = f"{installed.picture_folder}/{view}.png"
        run([program, "screenshot", picture, f"--demo={DEMO_SERVERS}", "--view", view])
        shutil.copyfile(installed.host_picture_folder / f"{view}.png", trial.output_folder / f"{trial.kind}-{view}.png")
    script = f'timeout -s INT {WINDOW_OPEN_S} "$0" --demo={DEMO_SERVERS}; test $? = {_TIMEOUT_STATUS}'
    run(["sh", "-c", script, program])
    print_note(f"{trial.kind}: --version, list, pictures and {WINDOW_OPEN_S} s of the window passed.")
