"""Which tables can be read, and by which columns. For any thread but the window's."""

from pathlib import Path
from typing import TYPE_CHECKING

from browser_app.storage.column_maps import ColumnMaps

if TYPE_CHECKING:
    from browser_app.rounds.source import ColumnMap, Source

_ENDINGS = (".csv", ".tsv")


def columns_of(path: Path) -> frozenset[str]:
    """The columns of a table; none where it has gone."""
    from browser_app.rounds.errors import RoundError
    from browser_app.rounds.source import Source
    from browser_app.rounds.table_head import head_of

    try:
        head = head_of(Source(str(path)))
    except RoundError:
        return frozenset()
    return frozenset(head.columns) if head is not None else frozenset()


def kept_map(source: "Source", maps: ColumnMaps | None) -> "ColumnMap":
    """What the user has said of tables like this one.

    Raises:
        RoundError: the file cannot be read.
    """
    from browser_app.rounds.table_head import head_of

    head = head_of(source) if maps is not None else None
    return {} if head is None or maps is None else maps.of(head.columns)


def awaits_columns(path: Path, maps: ColumnMaps | None) -> bool:
    """Whether this is a table, and nobody has said which of its columns is which."""
    from browser_app.rounds.table import NEEDED

    there = columns_of(path) if path.name.lower().removesuffix(".gz").endswith(_ENDINGS) else frozenset()
    known = maps.of(there) if maps is not None else {}
    return bool(there) and any(known.get(key, key) not in there for key in NEEDED)
