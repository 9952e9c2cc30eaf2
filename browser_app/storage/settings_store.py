"""The user's settings, loaded from and saved to a TOML file.

An unknown key is reported and stays in the file. An invalid value is reported and its default used.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import tomli_w

from browser_app.file_errors import file_error_text
from browser_app.games.toml_lines import toml_line_number
from browser_app.games.toml_reader import MAX_TOML_BYTES, TOMLError, format_file_location, parse_toml
from browser_app.input_files import read_regular_file
from browser_app.language import gettext as _
from browser_app.paths import SETTINGS_FILE_NAME
from browser_app.storage.safe_files import (
    create_private_folder,
    file_lock,
    remove_temporary_files,
    rename_damaged_file,
    write_atomically,
)
from browser_app.storage.setting_declarations import SETTINGS
from browser_app.storage.setting_types import Setting
from browser_app.storage.storage_errors import StorageError

_log = logging.getLogger(__name__)


class SettingsFile:
    """The file's tables as last read or written.

    Attributes:
        path: the file.
        problems: problems of the file as a whole, as `FILE:LINE: reason`.
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
            self._add_problem(_("{problem}; using the default settings").format(problem=self._format_toml_error(error)))

    @property
    def tables(self) -> Mapping[str, Any]:
        """Content of the file."""
        return self._tables

    def find(self, key: str) -> Any:
        """Return the value at a dotted key, None if there is none."""
        value: Any = self._tables
        for part in key.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        return value

    def format_location(self, key: str) -> str:
        """Return `FILE:LINE: key` for a message; without the line if it is unknown."""
        return f"{format_file_location(self.path, toml_line_number(self._text, key))}: {key}"

    def change(self, key: str, value: object, former_keys: Iterable[str] = ()) -> None:
        """Set the value at a key, or remove it if None; remove former keys.

        Other content of the current file is kept.

        Raises:
            StorageError: the file cannot be written and is unchanged, but `tables` has the value.
        """
        try:
            create_private_folder(self.path.parent)
            with file_lock(self._lock_path):
                self._reload()
                self._set_value(key, value)
                for former_key in former_keys:
                    self._set_value(former_key, None)
                self._write()
        except OSError as error:
            self._set_value(key, value)
            path = self._lock_path if error.filename == str(self._lock_path) else self.path
            raise StorageError(f"{file_error_text(error)}: {path}") from error

    def _set_value(self, key: str, value: object) -> None:
        if value is None:
            _remove_at_key(self._tables, key)
        else:
            _set_at_key(self._tables, key, value)

    def _read(self) -> None:
        """Read the file; while it cannot be read, it is not written.

        Raises:
            TOMLError: it is not TOML.
        """
        self._writable = True
        try:
            data = read_regular_file(self.path, MAX_TOML_BYTES)
        except FileNotFoundError:
            self._text, self._tables = "", {}
            return
        except OSError as error:
            self._writable = False
            problem = f"{self.path}: {file_error_text(error)}"
            self._add_problem(_("{problem}; using the default settings").format(problem=problem))
            return
        self._text, self._tables = parse_toml(data)

    def _reload(self) -> None:
        """Read the file again while holding the lock.

        A file that is not TOML is renamed, and the last content is kept.

        Raises:
            OSError: it cannot be renamed.
        """
        try:
            self._read()
        except TOMLError as error:
            message = _("{problem}; the file was kept as {name}")
            self._add_problem(
                message.format(problem=self._format_toml_error(error), name=rename_damaged_file(self.path).name)
            )

    def _format_toml_error(self, error: TOMLError) -> str:
        return f"{format_file_location(self.path, error.line)}: {error}"

    def _add_problem(self, problem: str) -> None:
        if problem not in self.problems:
            _log.info("%s", problem)
            self.problems.append(problem)

    def _write(self) -> None:
        if not self._writable:
            raise StorageError(_("{path}: left unchanged because it could not be read").format(path=self.path))
        text = tomli_w.dumps(self._tables)
        remove_temporary_files(self.path)
        write_atomically(self.path, text.encode())
        self._text = text


def _set_at_key(tables: dict[str, Any], key: str, value: Any) -> None:
    *path, last = key.split(".")
    for part in path:
        inner = tables.get(part)
        tables[part] = tables = inner if isinstance(inner, dict) else {}
    tables[last] = value


def _remove_at_key(tables: dict[str, Any], key: str) -> None:
    *path, last = key.split(".")
    for part in path:
        inner = tables.get(part)
        if not isinstance(inner, dict):
            return
        tables = inner
    tables.pop(last, None)


_T = TypeVar("_T")
_MIN_SIMILARITY = 0.75
"""Minimum similarity (0 to 1) of two keys to suggest one for the other."""


class Settings:
    """The user's settings.

    Only settings that differ from their default are in the file.

    Attributes:
        problems: errors in the file, as `FILE:LINE: key: reason`.
        notices: harmless oddities in the file, in the same form.
    """

    def __init__(self, folder: Path) -> None:
        """Read the file in `folder`, which need not exist. Never fails: see `problems`."""
        self._file = SettingsFile(folder / SETTINGS_FILE_NAME)
        self.path = self._file.path
        self.problems = self._file.problems
        self._values: dict[str, Any] = {}
        self._unwritten_keys: set[str] = set()
        """Of settings that are never written."""
        self._former_keys: dict[str, str] = {}
        """The key in the file of each setting that is there under a former one."""
        for setting in SETTINGS:
            for key in (setting.key, *setting.former_keys):
                value = self._file.find(key)
                if value is not None:
                    if key != setting.key:
                        self._former_keys[setting.key] = key
                    self._load_value(setting, value)
                    break
        unknown = islice(self._find_unknown_keys(self._file.tables, ""), _MAX_NOTICES)
        self.notices = [self.format_problem(key, _format_unknown_key(key)) for key in unknown]

    def get(self, setting: Setting[_T]) -> _T:
        """Return the current value."""
        value: _T = self._values.get(setting.key, setting.default)
        return value

    def set(self, setting: Setting[_T], value: _T) -> None:
        """Change a setting here and in the file; setting the default removes the key.

        Changes by other instances since the last read stay in the file, but take effect here only at the next start.

        Raises:
            ValueError: the value is invalid; nothing is changed.
            StorageError: the file cannot be written; the value is used until the program ends.
        """
        self.set_in_memory(setting, value)
        self.write(setting)

    def set_in_memory(self, setting: Setting[_T], value: _T) -> None:
        """Change a setting without writing it.

        Raises:
            ValueError: the value is invalid; nothing is changed.
        """
        value = setting.check(value)
        if value == setting.default:
            self._values.pop(setting.key, None)
        else:
            self._values[setting.key] = value

    def use_temporarily(self, setting: Setting[_T], value: _T) -> None:
        """Use a value until the program ends; neither it nor later changes are written."""
        self._unwritten_keys.add(setting.key)
        self.set_in_memory(setting, value)

    def write(self, setting: Setting[Any]) -> None:
        """Write the current value, or remove the default; see `use_temporarily`.

        Waits for the disk and for other instances.

        Raises:
            StorageError: the file cannot be written.
        """
        if setting.key in self._unwritten_keys:
            return
        self._file.change(setting.key, self._values.get(setting.key), setting.former_keys)
        self._former_keys.pop(setting.key, None)

    def format_problem(self, key: str, reason: str) -> str:
        """Return the message about a key of the file, with its location."""
        return f"{self._file.format_location(self._former_keys.get(key, key))}: {reason}"

    def _load_value(self, setting: Setting[Any], value: object) -> None:
        try:
            self._values[setting.key] = setting.check(value)
        except ValueError as error:
            self.problems.append(self.format_problem(setting.key, str(error)))

    def _find_unknown_keys(self, table: Mapping[str, Any], path: str) -> Iterator[str]:
        for name, value in table.items():
            key = f"{path}{name}"
            if key in _KNOWN_KEYS:
                continue
            if not any(known_key.startswith(f"{key}.") for known_key in _KNOWN_KEYS):
                yield key
            elif isinstance(value, Mapping):
                yield from self._find_unknown_keys(value, f"{key}.")
            else:
                self.problems.append(self.format_problem(key, _("must be a table")))


_MAX_NOTICES = 20
"""Limit of reported unknown keys, because finding the line of each reads the file again."""
_KNOWN_KEYS = [key for setting in SETTINGS for key in (setting.key, *setting.former_keys)]


def _format_unknown_key(key: str) -> str:
    similar_keys = get_close_matches(key, _KNOWN_KEYS, 1, _MIN_SIMILARITY)
    return (
        _("unknown setting; did you mean {key}?").format(key=similar_keys[0]) if similar_keys else _("unknown setting")
    )
