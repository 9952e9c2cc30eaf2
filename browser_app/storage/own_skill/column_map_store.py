"""Column maps of CSV tables, as the user assigned them."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from browser_app.storage.ui_state import UiState

if TYPE_CHECKING:
    from browser_app.rounds.round_source import ColumnMap

_KEY_PREFIX = "column map "


class StoredColumnMap(NamedTuple):
    """The map for tables with certain columns.

    Attributes:
        columns: in the order of the table for which it was made.
        column_map: the column of each key, None for none.
        file: name of that table's file.
    """

    columns: tuple[str, ...]
    column_map: "ColumnMap"
    file: str


class ColumnMapStore:
    """Column maps by the set of a table's columns, in any order."""

    def __init__(self, ui_state: UiState) -> None:
        self._ui_state = ui_state

    def find_column_map(self, columns: Iterable[str]) -> "ColumnMap":
        """Return the map for a table with these columns, empty if unknown."""
        stored_map = _parse_stored_map(self._ui_state.get(_build_state_key(columns)))
        return {} if stored_map is None else stored_map.column_map

    def all(self) -> list[StoredColumnMap]:
        """Return every map, sorted by file name."""
        stored_maps = [_parse_stored_map(self._ui_state.get(key)) for key in self._ui_state.keys(_KEY_PREFIX)]
        return sorted((each for each in stored_maps if each is not None), key=lambda each: each.file)

    def save(self, columns: Sequence[str], column_map: "ColumnMap", file: str) -> None:
        """Save the map for tables with these columns.

        `file` is the name of the table for which it was made.
        """
        value = {"columns": list(columns), "keys": dict(column_map), "file": file}
        self._ui_state.set(_build_state_key(columns), value)

    def remove(self, columns: Iterable[str]) -> None:
        """Remove the map for tables with these columns."""
        self._ui_state.set(_build_state_key(columns), None)


def _build_state_key(columns: Iterable[str]) -> str:
    names = json.dumps(sorted(set(columns))).encode()
    return f"{_KEY_PREFIX}{hashlib.sha256(names).hexdigest()[:32]}"


def _parse_stored_map(value: Any) -> StoredColumnMap | None:
    """Return a validated map: another version of the program may have written it."""
    from browser_app.rounds.csv_rounds import TABLE_KEYS  # imported only when there is something to read

    if not isinstance(value, dict):
        return None
    columns, keys, file = value.get("columns"), value.get("keys"), value.get("file")
    if not isinstance(columns, list) or not isinstance(keys, dict) or not isinstance(file, str):
        return None
    column_names = {each for each in columns if isinstance(each, str)}
    column_map = {
        key: name for key, name in keys.items() if key in TABLE_KEYS and (name is None or name in column_names)
    }
    return StoredColumnMap(tuple(each for each in columns if isinstance(each, str)), column_map, file)
