"""The settings file: TOML for people to read and edit, written whole or not at all.

Kept true: a key that this program does not know stays in the file; a value that does not fit is reported and its
default holds; a file that is no TOML is set aside, and one that cannot be read is never written over.
"""

import os
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import tomli_w

from browser_app.storage.declared import SETTINGS
from browser_app.storage.errors import StorageError
from browser_app.storage.set_aside import set_aside
from browser_app.storage.setting import Setting

FILE_NAME = "settings.toml"
_T = TypeVar("_T")


class Settings:
    """The user's settings; a setting that was never changed is not in the file and follows its default.

    Attributes:
        problems: what is wrong in the file, as `FILE: key: reason`; empty if all is well.
    """

    def __init__(self, folder: Path) -> None:
        """Read the file in `folder`, which need not exist. Never fails: see `problems`."""
        self.path = folder / FILE_NAME
        self.problems: list[str] = []
        self._writable = True
        self._tables = self._read({})
        self._values: dict[str, Any] = {}
        for setting in SETTINGS:
            value = _find(self._tables, setting.key)
            if value is not None:
                self._take(setting, value)

    def get(self, setting: Setting[_T]) -> _T:
        """The value that holds."""
        value: _T = self._values.get(setting.key, setting.default)
        return value

    def set(self, setting: Setting[_T], value: _T) -> None:
        """Change a setting in the file as it is now; setting the default takes the key out.

        What else another program changed in the file stays there, but holds in this one only from its next start.

        Raises:
            ValueError: the value does not fit; nothing is changed.
            StorageError: the file cannot be written; the value holds until the program ends.
        """
        value = setting.check(value)
        self._tables = self._read(self._tables)  # another program may have changed other settings
        if value == setting.default:
            self._values.pop(setting.key, None)
            _remove(self._tables, setting.key)
        else:
            self._values[setting.key] = value
            _put(self._tables, setting.key, value)
        self._write()

    def _read(self, known: dict[str, Any]) -> dict[str, Any]:
        """What is in the file; `known` where it cannot be read or understood."""
        try:
            return tomllib.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except OSError as error:
            self._writable = False
            self._complain(f"{self.path}: {error.strerror}; the settings are at their defaults")
            return known
        except (ValueError, RecursionError) as error:
            reason = f"{self.path}: {error}; the settings are at their defaults"
        try:
            self._complain(f"{reason}, the file was kept as {set_aside(self.path).name}")
        except OSError as error:
            self._writable = False
            self._complain(f"{reason}; the file cannot be renamed: {error.strerror}")
        return known

    def _complain(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)

    def _take(self, setting: Setting[Any], value: object) -> None:
        try:
            self._values[setting.key] = setting.check(value)
        except ValueError as error:
            self.problems.append(f"{self.path}: {setting.key}: {error}")

    def _write(self) -> None:
        if not self._writable:
            raise StorageError(f"{self.path}: left as it is, because it could not be read")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, tomli_w.dumps(self._tables).encode())
        except OSError as error:
            raise StorageError(f"{self.path}: {error.strerror}") from error


def write_whole(path: Path, data: bytes) -> None:
    """Put `data` in place of the file: whoever reads it, also after a crash, finds the old content or the new.

    Raises:
        OSError: it cannot be written; the old file stands.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _find(tables: Mapping[str, Any], key: str) -> Any:
    """The value at a dotted key; None where there is none."""
    value: Any = tables
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _put(tables: dict[str, Any], key: str, value: Any) -> None:
    *path, last = key.split(".")
    for part in path:
        inner = tables.get(part)
        tables[part] = tables = inner if isinstance(inner, dict) else {}
    tables[last] = value


def _remove(tables: dict[str, Any], key: str) -> None:
    *path, last = key.split(".")
    for part in path:
        inner = tables.get(part)
        if not isinstance(inner, dict):
            return
        tables = inner
    tables.pop(last, None)
