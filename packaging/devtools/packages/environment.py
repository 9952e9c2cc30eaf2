"""The environment of builds: pinned packages and tools, without the checkout."""

import subprocess
import sys
from pathlib import Path

from devtools import stamp
from devtools.checkout import BUILD_LOCK, BUILD_REQUIREMENTS, BUILD_VENV
from devtools.errors import SetupError
from devtools.lock import locked
from devtools.system import say


def prepare() -> Path:
    """Return its Python; create it if it is missing or the pins have changed.

    Raises:
        SetupError: it could not be created.
    """
    python = BUILD_VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    wanted = {"python": stamp.python_identity(BUILD_VENV), "build": stamp.digest([BUILD_REQUIREMENTS])}
    BUILD_LOCK.parent.mkdir(exist_ok=True)
    with locked(BUILD_LOCK, on_wait=lambda: say("Another build is preparing its tools; waiting for it.")):
        if stamp.read_stamp(BUILD_VENV) != wanted:
            say("Installing what packages are made with; the first time this takes some minutes.")
            _run(sys.executable, "-m", "venv", "--clear", BUILD_VENV)
            stamp.begin(BUILD_VENV)
            _run(python, "-m", "pip", "install", *_OPTIONS, "--requirement", BUILD_REQUIREMENTS)
            stamp.finish(BUILD_VENV, wanted)
    return python


_OPTIONS = ("--quiet", "--no-input", "--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:")


def _run(*command: str | Path) -> None:
    words = list(map(str, command))
    if subprocess.run([words[0], "-I", *words[1:]], stdout=sys.stderr, check=False).returncode != 0:
        raise SetupError(f"The build tools could not be installed; their output is above.\nTried: {' '.join(words)}")
