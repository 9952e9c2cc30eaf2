"""Lines of a list in plain text."""

from collections.abc import Iterable, Iterator
from typing import Final

from browser_app.protocols.lists.described_list import DescribedListError

MAX_LINE_BYTES: Final = 4096
"""Maximum length of a line; those of all known lists are shorter."""


def iterate_lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines of a text while it arrives, without white space around them.

    Raises:
        DescribedListError: There is no text at all, or a line is too long.
    """
    rest, is_empty = b"", True
    for chunk in chunks:
        is_empty = False
        *lines, rest = (rest + chunk).split(b"\n")
        yield from map(_decode_line, lines)
        if len(rest) > MAX_LINE_BYTES:
            raise DescribedListError("line too long")
    if is_empty:
        raise DescribedListError("empty document")
    yield _decode_line(rest)


def _decode_line(line: bytes) -> str:
    if len(line) > MAX_LINE_BYTES:
        raise DescribedListError("line too long")
    return line.decode("utf-8", "replace").strip("\0 \t\r")
