"""Which columns of tables stand for our keys, as the user said it: once for all tables with the same columns."""

import hashlib
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from browser_app.storage.kept import Kept

if TYPE_CHECKING:
    from browser_app.rounds.source import ColumnMap


class ColumnMaps:
    """The maps by the set of a table's columns, in whatever order they stand."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def of(self, columns: Iterable[str]) -> "ColumnMap":
        """The map for a table with these columns; an empty one where none is known."""
        from browser_app.rounds.table import KEYS  # readers are loaded when there is something to read

        known = set(columns)
        found = self._kept.get(_key(known))
        if not isinstance(found, dict):
            return {}
        return {key: name for key, name in found.items() if key in KEYS and (name is None or name in known)}

    def keep(self, columns: Iterable[str], column_map: "ColumnMap") -> None:
        """From now on this is the map for tables with these columns."""
        self._kept.put(_key(set(columns)), dict(column_map))


def _key(columns: set[str]) -> str:
    names = json.dumps(sorted(columns)).encode()
    return f"table columns {hashlib.sha256(names).hexdigest()[:32]}"
