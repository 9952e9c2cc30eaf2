"""A file of TOML tables that people and several processes change: written whole or not at all, one writer at a time.

Kept true: who writes has read what others wrote before; a file that is no TOML stays for its user to mend, and is set
aside before a new one is written; one that cannot be read is never written over.
"""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from browser_app.games.toml_lines import TOMLError, line_of, place, read_toml
from browser_app.language import gettext as _
from browser_app.storage.errors import StorageError
from browser_app.storage.file_lock import locked
from browser_app.storage.private import private_folder
from browser_app.storage.set_aside import set_aside


class SettingsFile:
    """The tables as they were last read or written.

    Attributes:
        path: where they are.
        problems: what is wrong with the file as a whole, as `FILE:LINE: reason`; empty if all is well.
    """

    def __init__(self, path: Path) -> None:
        """Read the file, which need not exist. Never fails: see `problems`."""
        self.path = path
        self.problems: list[str] = []
        self._lock_path = path.with_name(f"{path.name}.lock")
        self._writable = True
        self._text = ""
        self._tables: dict[str, Any] = {}
        try:
            self._read()
        except TOMLError as error:
            self._complain(_("{problem}; the settings are at their defaults").format(problem=self._no_toml(error)))

    @property
    def tables(self) -> Mapping[str, Any]:
        """All that is in the file."""
        return self._tables

    def find(self, key: str) -> Any:
        """The value at a dotted key; None where there is none."""
        value: Any = self._tables
        for part in key.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        return value

    def where(self, key: str) -> str:
        """`FILE:LINE: key`, as far as the line is known, for a message about its value."""
        return f"{place(self.path, line_of(self._text, key))}: {key}"

    def change(self, key: str, value: object) -> None:
        """Put a value in, None to take it out, and leave everything else as it is in the file now.

        Raises:
            StorageError: the file cannot be written; it is as it was, but `tables` have the value.
        """
        try:
            private_folder(self.path.parent)
            with locked(self._lock_path):
                self._read_again()
                self._put(key, value)
                self._write()
        except OSError as error:
            self._put(key, value)
            raise StorageError(f"{self.path}: {error.strerror}") from error

    def _put(self, key: str, value: object) -> None:
        if value is None:
            _remove(self._tables, key)
        else:
            _put(self._tables, key, value)

    def _read(self) -> None:
        """Take what is in the file; one that cannot be read is left alone from now on.

        Raises:
            TOMLError: it is no TOML.
        """
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            self._text, self._tables = "", {}
            return
        except OSError as error:
            self._writable = False
            problem = f"{self.path}: {error.strerror}"
            self._complain(_("{problem}; the settings are at their defaults").format(problem=problem))
            return
        self._text, self._tables = read_toml(data)

    def _read_again(self) -> None:
        """The same while nobody else writes; a file that is no TOML makes room for what was read before.

        Raises:
            OSError: it cannot be renamed.
        """
        try:
            self._read()
        except TOMLError as error:
            words = _("{problem}; the file was kept as {name}")
            self._complain(words.format(problem=self._no_toml(error), name=set_aside(self.path).name))

    def _no_toml(self, error: TOMLError) -> str:
        return f"{place(self.path, error.line)}: {error}"

    def _complain(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)

    def _write(self) -> None:
        if not self._writable:
            raise StorageError(_("{path}: left as it is, because it could not be read").format(path=self.path))
        text = tomli_w.dumps(self._tables)
        write_whole(self.path, text.encode())
        self._text = text


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
