"""Which columns of tables stand for our keys, as the user said it: once for all tables with the same columns."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from browser_app.storage.kept import Kept

if TYPE_CHECKING:
    from browser_app.rounds.source import ColumnMap

_PREFIX = "column map "


class KeptMap(NamedTuple):
    """What was said of tables with these columns.

    Attributes:
        columns: in the order of the table that was shown.
        column_map: the column of each key, None where it has none.
        file: the name of that table.
    """

    columns: tuple[str, ...]
    column_map: "ColumnMap"
    file: str


class ColumnMaps:
    """The maps by the set of a table's columns, in whatever order they stand."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def of(self, columns: Iterable[str]) -> "ColumnMap":
        """The map for a table with these columns; an empty one where none is known."""
        found = _read(self._kept.get(_key(columns)))
        return {} if found is None else found.column_map

    def all(self) -> list[KeptMap]:
        """Every map, by the name of its table."""
        found = [_read(self._kept.get(key)) for key in self._kept.keys(_PREFIX)]
        return sorted((each for each in found if each is not None), key=lambda each: each.file)

    def keep(self, columns: Sequence[str], column_map: "ColumnMap", file: str) -> None:
        """From now on this is the map for tables with these columns; `file`: the name of the one that was shown."""
        value = {"columns": list(columns), "keys": dict(column_map), "file": file}
        self._kept.put(_key(columns), value)

    def forget(self, columns: Iterable[str]) -> None:
        """Nothing is known of tables with these columns any more."""
        self._kept.put(_key(columns), None)


def _key(columns: Iterable[str]) -> str:
    names = json.dumps(sorted(set(columns))).encode()
    return f"{_PREFIX}{hashlib.sha256(names).hexdigest()[:32]}"


def _read(value: Any) -> KeptMap | None:
    """Checked: another version of the program may have written it."""
    from browser_app.rounds.table import KEYS  # readers are loaded when there is something to read

    if not isinstance(value, dict):
        return None
    columns, keys, file = value.get("columns"), value.get("keys"), value.get("file")
    if not isinstance(columns, list) or not isinstance(keys, dict) or not isinstance(file, str):
        return None
    known = {each for each in columns if isinstance(each, str)}
    column_map = {key: name for key, name in keys.items() if key in KEYS and (name is None or name in known)}
    return KeptMap(tuple(each for each in columns if isinstance(each, str)), column_map, file)
