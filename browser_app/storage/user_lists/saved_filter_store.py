"""Named filters, in the order in which they were saved."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from browser_app.language import gettext as _
from browser_app.storage.database import Database
from browser_app.storage.keyed_table import KeyedTable

MAX_FILTER_NAME = 40
SAVED_LIST_PREFIX = "saved:"
"""Begins the key of a saved filter as a list, which is also its name as the scope of Play Now."""


class SavedFilterStore(Mapping[str, str]):
    """Filter expressions by name, kept in memory; each change is written at once.

    Names have 1 to `MAX_FILTER_NAME` characters and are unique regardless of case.
    """

    def __init__(self, database: Database) -> None:
        """Load the filters."""
        self._table = KeyedTable(database, "saved_filters", ("name", "expression", "position"), ("name",))
        self.on_change: Callable[[], object] = lambda: None
        """Called after each change."""
        self._filters: dict[str, str] = dict(self._table.load(lambda row: row[:2], "position"))

    def __getitem__(self, name: str) -> str:
        return self._filters[name]

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._filters))

    def __len__(self) -> int:
        return len(self._filters)

    def find_name(self, name: str) -> str | None:
        """Return the saved name that equals this one, ignoring case and repeated spaces."""
        name = _collapse_spaces(name).casefold()
        return next((each for each in self._filters if each.casefold() == name), None)

    def save(self, name: str, expression: str) -> None:
        """Save an expression under a name, replacing the current one.

        Raises:
            ValueError: the name is invalid.
        """
        self.save_all([(name, expression)])

    def save_all(self, filters: Iterable[tuple[str, str]]) -> None:
        """Save several filters as `save` does, with one write and one call of `on_change`.

        Raises:
            ValueError: one of the names is invalid, and nothing is changed.
        """
        for name, expression in [(normalise_filter_name(name), expression) for name, expression in filters]:
            self._filters[self.find_name(name) or name] = expression
        self._write()

    def rename(self, old: str, new: str) -> None:
        """Rename a filter, which keeps its position.

        Raises:
            ValueError: the name is invalid or taken.
            KeyError: there is no filter of the old name.
        """
        new, existing_name = normalise_filter_name(new), self.find_name(new)
        if existing_name is not None and existing_name != old:
            raise ValueError(_("another filter already has this name"))
        if old not in self._filters:
            raise KeyError(old)
        self._filters = {new if name == old else name: expression for name, expression in self._filters.items()}
        self._write(deleted_name=old)

    def delete(self, name: str) -> None:
        """Delete a filter, if there is one."""
        if self._filters.pop(name, None) is not None:
            self._write(deleted_name=name)

    def restore(self, name: str, expression: str, position: int) -> None:
        """Put a deleted filter back in its position, unless another one has its name now."""
        if self.find_name(name) is None:
            filters = list(self._filters.items())
            filters.insert(position, (name, expression))
            self._filters = dict(filters)
            self._write()

    def _write(self, deleted_name: str | None = None) -> None:
        """Write all rows, because positions may have changed.

        Filters that another process has saved stay.
        """
        rows = [(name, expression, position) for position, (name, expression) in enumerate(self._filters.items())]
        self._table.write(rows, [] if deleted_name is None else [(deleted_name,)])
        self.on_change()


def normalise_filter_name(name: str) -> str:
    """Return the name with single spaces.

    Raises:
        ValueError: it is empty or too long.
    """
    name = _collapse_spaces(name)
    if not 0 < len(name) <= MAX_FILTER_NAME:
        raise ValueError(_("names can have 1 to {n} characters").format(n=MAX_FILTER_NAME))
    return name


def _collapse_spaces(name: str) -> str:
    return " ".join(name.split())
