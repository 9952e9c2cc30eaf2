"""Lists of the Cube engines' masters: one console command a line.

Formats as in `master.cpp` of Sauerbraten, Tesseract and Red Eclipse, and in what AssaultCube's client reads.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.described_list import DescribedListError, iterate_lines, parse_host_port

LIST_REQUEST: Final = b"list\n"
ADD_SERVER: Final = "addserver"
_MAX_PORT_DIGITS = 5


def parse_cube_list(chunks: Iterable[bytes]) -> Iterator[Address | None]:
    """Parse a list while it arrives.

    Yields:
        Each server's game address; None for a line without one.
    """
    is_list, is_empty = False, True
    for line in iterate_lines(chunks):
        command, *words = line.split()[:3] or [""]
        is_list = is_list or command == ADD_SERVER
        is_empty = is_empty and not command
        yield _parse_server(words) if command == ADD_SERVER else None
    if not is_list and not is_empty:
        raise DescribedListError("not a list")


def _parse_server(words: list[str]) -> Address | None:
    if len(words) < 2 or len(words[1]) > _MAX_PORT_DIGITS or not (words[1].isascii() and words[1].isdigit()):
        return None
    return parse_host_port(words[0].strip('"'), int(words[1]))
