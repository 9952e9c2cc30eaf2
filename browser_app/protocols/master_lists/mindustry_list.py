"""Mindustry's lists of communities and the addresses of their servers."""

from collections.abc import Iterable, Iterator
from typing import Final

from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.described_list import iterate_list_entries, parse_listed_address
from browser_app.protocols.mindustry import DEFAULT_PORT

MAX_ADDRESSES: Final = 64
"""Addresses of one community that are read."""


def parse_mindustry_list(chunks: Iterable[bytes]) -> Iterator[Address | None]:
    """Parse communities' addresses (`servers_v7.json` in the game's source).

    Yields:
        Each address; None for a community without one.
    """
    for entry in iterate_list_entries(chunks, ()):
        value = None if entry is None else entry.get("address")
        texts = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        yield from [parse_listed_address(text, DEFAULT_PORT) for text in texts[:MAX_ADDRESSES]] or [None]
