"""State of the window between runs: small JSON values by key."""

import json
from concurrent.futures import Future
from typing import Any

from browser_app.storage.database import Database
from browser_app.storage.keyed_table import KeyedTable


class UiState:
    """JSON values, kept in memory.

    Each change is queued for the writer thread at once. Callers validate what they get: another version of the program
    may have written it.
    """

    def __init__(self, database: Database) -> None:
        """Load the values."""
        self._table = KeyedTable(database, "ui_state", ("key", "value"), ("key",))
        self._values = dict(self._table.load(lambda row: (row[0], json.loads(row[1]))))

    def get(self, key: str) -> Any:
        """Return a value, None if there is none."""
        return self._values.get(key)

    def keys(self, prefix: str) -> list[str]:
        """Return the keys with this prefix."""
        return [key for key in self._values if key.startswith(prefix)]

    def set(self, key: str, value: Any) -> Future[None] | None:
        """Store a value; return None if it is unchanged."""
        text = json.dumps(value, ensure_ascii=False)
        if key in self._values and json.dumps(self._values[key], ensure_ascii=False) == text:
            return None
        self._values[key] = json.loads(text)
        return self._table.write([(key, text)])
