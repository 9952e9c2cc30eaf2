"""What the readers of lists that describe their servers have in common."""

from collections.abc import Iterable, Iterator

from browser_app.protocols.json_list_reader import JsonListReader
from browser_app.protocols.json_parser import JSONParseError


class DescribedListError(ValueError):
    """Document without a list; `str()` says why."""


def iterate_list_entries(chunks: Iterable[bytes], path: tuple[str, ...]) -> Iterator[dict[str, object] | None]:
    """Yield the objects in the list at `path` of a JSON document while it arrives; None for an entry of another type.

    Without a path, the document itself is the list.

    Raises:
        DescribedListError: The document has no such list.
    """
    document = JsonListReader(chunks, path, errors="replace")
    try:
        for entry in document:
            yield entry if isinstance(entry, dict) else None
    except JSONParseError as error:
        raise DescribedListError(str(error)) from None
    if not document.has_list:
        raise DescribedListError(f"{'.'.join(path)}: missing list" if path else "not a list")


def text_value(value: object) -> str:
    """Return a text; empty for a value of another type."""
    return value if isinstance(value, str) else ""


def count_value(value: object, most: int = 100_000) -> int | None:
    """Return a number of people or slots; None for what can be none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most else None


def flag_value(value: object) -> bool | None:
    """Return a truth value; None for a value of another type."""
    return value if isinstance(value, bool) else None
