"""The virtual environment of package builds, with pinned packages and tools."""

import subprocess
import sys
from pathlib import Path

from devtools import venv_stamp
from devtools.checkout import BUILD_REQUIREMENTS, BUILD_VENV, BUILD_VENV_LOCK
from devtools.file_lock import hold_file_lock
from devtools.setup_messages import SetupError, print_note

_PIP_OPTIONS = ("--quiet", "--no-input", "--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:")


def prepare_build_venv() -> Path:
    """Create the environment unless it is up to date; return its Python.

    Raises:
        SetupError: it could not be created.
    """
    python = BUILD_VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp = {"python": venv_stamp.python_identity(BUILD_VENV), "build": venv_stamp.hash_files([BUILD_REQUIREMENTS])}
    BUILD_VENV_LOCK.parent.mkdir(exist_ok=True)
    with hold_file_lock(
        BUILD_VENV_LOCK, on_wait=lambda: print_note("Another build is preparing its tools; waiting for it.")
    ):
        if venv_stamp.read_stamp(BUILD_VENV) != stamp:
            print_note("Installing what packages are made with; the first time this takes some minutes.")
            _run_python(sys.executable, "-m", "venv", "--clear", BUILD_VENV)
            venv_stamp.mark_unfinished(BUILD_VENV)
            _run_python(python, "-m", "pip", "install", *_PIP_OPTIONS, "--requirement", BUILD_REQUIREMENTS)
            venv_stamp.write_stamp(BUILD_VENV, stamp)
    return python


def _run_python(*command: str | Path) -> None:
    words = list(map(str, command))
    if subprocess.run([words[0], "-I", *words[1:]], stdout=sys.stderr, check=False).returncode != 0:
        raise SetupError(f"The build tools could not be installed; their output is above.\nTried: {' '.join(words)}")
