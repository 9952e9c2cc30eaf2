"""The environment `.venv/`: created once and updated when its inputs change."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from devtools import stamp
from devtools.checkout import DEV_REQUIREMENTS, LOCK, PROJECT, ROOT, RUNTIME_REQUIREMENTS, VENV, program
from devtools.errors import SetupError
from devtools.lock import locked
from devtools.system import say


def prepare(*, dev: bool) -> None:
    """Bring `.venv/` up to date for running, with `dev` also for checking and testing.

    Raises:
        SetupError: Python could not create it, or packages could not be downloaded.
    """
    with locked(LOCK, on_wait=lambda: say("Another process is setting up this checkout; waiting for it.")) as lock:
        wanted = _wanted_stamp(dev=dev)
        found = stamp.read_stamp(VENV)
        if wanted.items() <= found.items():
            return
        if _must_be_recreated(found):
            _remove(VENV)
        stamp.begin(VENV)
        if not (VENV / "pyvenv.cfg").exists():
            _create(lock)
        _install(DEV_REQUIREMENTS if dev else RUNTIME_REQUIREMENTS, lock)
        stamp.finish(VENV, wanted)


def _wanted_stamp(*, dev: bool) -> dict[str, str]:
    """Return the required stamp; one of the development packages serves for running."""
    wanted = {"python": stamp.python_identity(VENV), "runtime": stamp.digest([RUNTIME_REQUIREMENTS, PROJECT])}
    return wanted | {"dev": stamp.digest([DEV_REQUIREMENTS])} if dev else wanted


def _must_be_recreated(found: dict[str, str]) -> bool:
    """Return whether `.venv/` is unfinished, broken, or of another Python or path.

    One that a user created by hand is kept.
    """
    if not VENV.exists():
        return False
    changed = bool(found) and found.get("python") != stamp.python_identity(VENV)
    return changed or stamp.is_unfinished(VENV) or not _works()


def _works() -> bool:
    """Return whether the environment's Python starts, has this version and has pip."""
    version = sys.version_info[:2]
    probe = f"import pip, sys; sys.exit(sys.version_info[:2] != {version})"
    try:
        return subprocess.run([program("python"), "-I", "-c", probe], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _remove(venv: Path) -> None:
    say(f"Removing {venv}: it is incomplete, broken or of another Python.")
    shutil.rmtree(venv)


def _create(lock: int) -> None:
    say(f"Creating {VENV} with Python {'.'.join(map(str, sys.version_info[:3]))}.")
    # The Python that this one's environment is based on, if any: that environment may be about to be replaced.
    python = getattr(sys, "_base_executable", sys.executable)
    command = [python, "-I", "-m", "venv", str(VENV)]
    if not _succeeds(command, lock):
        raise SetupError(f"Python could not create an environment; its output is above.\nTried: {' '.join(command)}")


def _install(requirements: Path, lock: int) -> None:
    """Install exactly the pinned packages, then the checkout as an editable install."""
    say(f"Installing the packages of {requirements.name}; the first time this takes some minutes.")
    # Wheels only: a source package would need a compiler. trueskill is pure Python and has no wheel.
    formats = ("--only-binary", ":all:", "--no-binary", "trueskill")
    _pip(lock, "--require-hashes", *formats, "--requirement", str(requirements))
    _pip(lock, "--no-deps", "--no-build-isolation", "--no-index", "--editable", str(ROOT))


def _pip(lock: int, *arguments: str) -> None:
    quiet = () if sys.stderr.isatty() else ("--quiet",)
    command = [str(program("python")), "-I", "-m", "pip", "install", "--no-input", *quiet, *arguments]
    if not _succeeds(command, lock):
        raise SetupError(
            "The Python packages could not be installed; pip's output is above.\n"
            f"Tried: {' '.join(command)}\n"
            "Check the network, and pip's configuration if yours needs a proxy or an index of its own; "
            "then run the same command again."
        )


def _succeeds(command: Sequence[str], lock: int) -> bool:
    """Run a command that changes the environment and inherits its lock."""
    # Packages go into the environment, whatever the user's pip settings say.
    environ = {key: value for key, value in os.environ.items() if key not in {"PIP_USER", "PIP_TARGET", "PIP_PREFIX"}}
    environ["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    inherited = () if sys.platform == "win32" else (lock,)
    ended = subprocess.run(
        command, env=environ, stdin=subprocess.DEVNULL, stdout=sys.stderr, pass_fds=inherited, check=False
    )
    return ended.returncode == 0
