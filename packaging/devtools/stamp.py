"""A stamp that records an environment's inputs, to leave an unchanged one alone.

The stamp is written last and atomically. While an environment is being changed it has a marker; an interrupted set-up,
even by a power cut, therefore leaves the marker or nothing, never a stamp.
"""

import hashlib
import json
import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_STAMP = "ready-room.json"
_MARK = "ready-room.unfinished"


def python_identity(venv: Path) -> str:
    """Return the Python and the place that an environment is bound to."""
    return f"{platform.python_implementation()} {platform.python_version()} of {sys.base_prefix} in {venv}"


def digest(files: Sequence[Path]) -> str:
    """Return one hash over the names and contents of `files`."""
    total = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        total.update(f"{path.name} {len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()


def read_stamp(venv: Path) -> dict[str, str]:
    """Return the environment's stamp; empty if there is no readable one."""
    if is_unfinished(venv):
        return {}
    try:
        content = json.loads((venv / _STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in content.items()} if isinstance(content, dict) else {}


def is_unfinished(venv: Path) -> bool:
    """Return whether a set-up was interrupted while it changed the environment."""
    return (venv / _MARK).exists()


def begin(venv: Path) -> None:
    """Mark the environment as being changed."""
    venv.mkdir(exist_ok=True)
    (venv / _MARK).touch()


def finish(venv: Path, stamp: Mapping[str, str]) -> None:
    """Write the stamp and remove the marker."""
    draft = venv / f"{_STAMP}.new"
    draft.write_text(json.dumps(stamp, indent=1), encoding="utf-8")
    draft.replace(venv / _STAMP)
    (venv / _MARK).unlink()
