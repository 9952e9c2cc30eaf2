"""The checkout's virtual environment, `.venv/`: kept up to date with its inputs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from devtools import venv_stamp
from devtools.checkout import (
    DEV_REQUIREMENTS,
    PYPROJECT,
    ROOT,
    RUNTIME_REQUIREMENTS,
    VENV,
    VENV_LOCK,
    venv_program,
)
from devtools.file_lock import hold_file_lock
from devtools.setup_messages import SetupError, print_note


def prepare_checkout_venv(*, dev: bool) -> None:
    """Bring `.venv/` up to date for running, with `dev` also for checking and testing.

    Raises:
        SetupError: Python could not create it, or packages could not be downloaded.
    """
    with hold_file_lock(
        VENV_LOCK, on_wait=lambda: print_note("Another process is setting up this checkout; waiting for it.")
    ) as lock:
        required_stamp = _required_stamp(dev=dev)
        present_stamp = venv_stamp.read_stamp(VENV)
        if required_stamp.items() <= present_stamp.items():
            return
        if _must_be_recreated(present_stamp):
            _remove(VENV)
        venv_stamp.mark_unfinished(VENV)
        if not (VENV / "pyvenv.cfg").exists():
            _create(lock)
        _install(DEV_REQUIREMENTS if dev else RUNTIME_REQUIREMENTS, lock)
        venv_stamp.write_stamp(VENV, required_stamp)


def _required_stamp(*, dev: bool) -> dict[str, str]:
    """Return the stamp that is up to date; one for development has that for running."""
    stamp = {
        "python": venv_stamp.python_identity(VENV),
        "runtime": venv_stamp.hash_files([RUNTIME_REQUIREMENTS, PYPROJECT]),
    }
    return stamp | {"dev": venv_stamp.hash_files([DEV_REQUIREMENTS])} if dev else stamp


def _must_be_recreated(present_stamp: dict[str, str]) -> bool:
    """Return whether `.venv/` is unfinished, broken, or of another Python or path.

    One that a user created by hand is kept.
    """
    if not VENV.exists():
        return False
    has_other_python = bool(present_stamp) and present_stamp.get("python") != venv_stamp.python_identity(VENV)
    return has_other_python or venv_stamp.is_unfinished(VENV) or not _is_usable()


def _is_usable() -> bool:
    """Return whether the environment's Python starts, has this version and has pip."""
    version = sys.version_info[:2]
    probe = f"import pip, sys; sys.exit(sys.version_info[:2] != {version})"
    try:
        return (
            subprocess.run([venv_program("python"), "-I", "-c", probe], capture_output=True, check=False).returncode
            == 0
        )
    except OSError:
        return False


def _remove(venv: Path) -> None:
    print_note(f"Removing {venv}: it is incomplete, broken or of another Python.")
    shutil.rmtree(venv)


def _create(lock: int) -> None:
    print_note(f"Creating {VENV} with Python {'.'.join(map(str, sys.version_info[:3]))}.")
    # The Python that this one's environment is based on, if any: that environment may be about to be replaced.
    python = getattr(sys, "_base_executable", sys.executable)
    command = [python, "-I", "-m", "venv", str(VENV)]
    if not _run_installer(command, lock):
        raise SetupError(f"Python could not create an environment; its output is above.\nTried: {' '.join(command)}")


def _install(requirements: Path, lock: int) -> None:
    """Install exactly the pinned packages, then the checkout as an editable install."""
    print_note(f"Installing the packages of {requirements.name}; the first time this takes some minutes.")
    # Wheels only: a source package would need a compiler. trueskill is pure Python and has no wheel.
    formats = ("--only-binary", ":all:", "--no-binary", "trueskill")
    _pip_install(lock, "--require-hashes", *formats, "--requirement", str(requirements))
    _pip_install(lock, "--no-deps", "--no-build-isolation", "--no-index", "--editable", str(ROOT))


def _pip_install(lock: int, *arguments: str) -> None:
    quiet = () if sys.stderr.isatty() else ("--quiet",)
    command = [str(venv_program("python")), "-I", "-m", "pip", "install", "--no-input", *quiet, *arguments]
    if not _run_installer(command, lock):
        raise SetupError(
            "The Python packages could not be installed; pip's output is above.\n"
            f"Tried: {' '.join(command)}\n"
            "Check the network, and pip's configuration if yours needs a proxy or an index of its own; "
            "then run the same command again."
        )


def _run_installer(command: Sequence[str], lock: int) -> bool:
    """Run a command that inherits the environment's lock; return whether it succeeded."""
    # Packages go into the environment, whatever the user's pip settings say.
    environ = {key: value for key, value in os.environ.items() if key not in {"PIP_USER", "PIP_TARGET", "PIP_PREFIX"}}
    environ["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    inherited_fds = () if sys.platform == "win32" else (lock,)
    result = subprocess.run(
        command, env=environ, stdin=subprocess.DEVNULL, stdout=sys.stderr, pass_fds=inherited_fds, check=False
    )
    return result.returncode == 0
