"""Stamps of virtual environments, which record what they were created from.

An environment whose stamp is up to date is left alone. The stamp is written last and atomically. While an environment
is being changed it has a marker; an interrupted set-up, even by a power cut, therefore leaves the marker or nothing,
never a stamp.
"""

import hashlib
import json
import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_STAMP = "ready-room.json"
_UNFINISHED_MARKER = "ready-room.unfinished"


def python_identity(venv: Path) -> str:
    """Return the Python and the place that an environment is bound to."""
    return f"{platform.python_implementation()} {platform.python_version()} of {sys.base_prefix} in {venv}"


def hash_files(files: Sequence[Path]) -> str:
    """Return one hash over the names and contents of files."""
    sha256 = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        sha256.update(f"{path.name} {len(content)}\n".encode())
        sha256.update(content)
    return sha256.hexdigest()


def read_stamp(venv: Path) -> dict[str, str]:
    """Return the environment's stamp; empty if there is no readable one."""
    if is_unfinished(venv):
        return {}
    try:
        stamp = json.loads((venv / _STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in stamp.items()} if isinstance(stamp, dict) else {}


def is_unfinished(venv: Path) -> bool:
    """Return whether a set-up was interrupted while it changed the environment."""
    return (venv / _UNFINISHED_MARKER).exists()


def mark_unfinished(venv: Path) -> None:
    """Mark the environment as being changed."""
    venv.mkdir(exist_ok=True)
    (venv / _UNFINISHED_MARKER).touch()


def write_stamp(venv: Path, stamp: Mapping[str, str]) -> None:
    """Write the stamp and remove the marker."""
    draft = venv / f"{_STAMP}.new"
    draft.write_text(json.dumps(stamp, indent=1), encoding="utf-8")
    draft.replace(venv / _STAMP)
    (venv / _UNFINISHED_MARKER).unlink()
