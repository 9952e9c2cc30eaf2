"""Paths in a checkout."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = ROOT / "pyproject.toml"
RUNTIME_REQUIREMENTS = ROOT / "packaging" / "requirements.txt"
DEV_REQUIREMENTS = ROOT / "packaging" / "requirements-dev.txt"
BUILD_REQUIREMENTS = ROOT / "packaging" / "requirements-build.txt"
VENV = ROOT / ".venv"
VENV_LOCK = ROOT / ".venv.lock"
BUILD_VENV = ROOT / "build" / "venv"
BUILD_VENV_LOCK = ROOT / "build" / "venv.lock"
PACKAGE_FOLDER = ROOT / "dist"


def venv_program(name: str) -> Path:
    """Return the path of a program of `.venv/`, which need not exist yet."""
    if sys.platform == "win32":
        return VENV / "Scripts" / f"{name}.exe"
    return VENV / "bin" / name
