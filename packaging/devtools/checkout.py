"""Paths in a checkout."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
LOCK = ROOT / ".venv.lock"
PROJECT = ROOT / "pyproject.toml"
RUNTIME_REQUIREMENTS = ROOT / "packaging" / "requirements.txt"
DEV_REQUIREMENTS = ROOT / "packaging" / "requirements-dev.txt"
BUILD_REQUIREMENTS = ROOT / "packaging" / "requirements-build.txt"
BUILD_VENV = ROOT / "build" / "venv"
BUILD_LOCK = ROOT / "build" / "venv.lock"
PACKAGES = ROOT / "dist"


def program(name: str) -> Path:
    """Return the path of a program of the environment, which need not exist yet."""
    if sys.platform == "win32":
        return VENV / "Scripts" / f"{name}.exe"
    return VENV / "bin" / name
