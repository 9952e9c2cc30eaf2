"""Shared parts of the readers of server lists."""

from collections.abc import Iterable, Iterator
from typing import Final, Generic, NamedTuple, TypeVar

from browser_app.protocols.address import Address, normalize_host, parse_address
from browser_app.protocols.json_parser import JSONParseError, count_or_none, text_or_empty
from browser_app.protocols.master_lists.json_list_reader import JsonListReader
from browser_app.protocols.server_url import is_queryable_address

MAX_LINE_BYTES: Final = 4096
"""Maximum length of a line; those of all known lists are shorter."""
Reply = TypeVar("Reply")


class DescribedListError(ValueError):
    """Document that is no list of the expected format; `str()` is the reason."""


class ListedReply(NamedTuple, Generic[Reply]):
    """A list's entry of one server, in the form of the server's own reply."""

    address: Address
    reply: Reply


def iterate_list_entries(chunks: Iterable[bytes], path: tuple[str, ...]) -> Iterator[dict[str, object] | None]:
    """Yield the objects in a list of a JSON document while it arrives.

    None stands for an entry of another type. The keys of `path` lead to the list; without one, it is the document.
    """
    document = JsonListReader(chunks, path, errors="replace")
    try:
        for entry in document:
            yield entry if isinstance(entry, dict) else None
    except JSONParseError as error:
        raise DescribedListError(str(error)) from None
    if not document.has_list:
        raise DescribedListError(f"{'.'.join(path)}: missing list" if path else "not a list")


def iterate_lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines of a text while it arrives, without white space around them.

    Raises:
        DescribedListError: there is no text at all, or a line is too long.
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


def parse_listed_address(text: object, default_port: int | None = None) -> Address | None:
    """Return the address `HOST:PORT`; None if the text is none to query."""
    try:
        address = parse_address(text_or_empty(text), default_port)
    except ValueError:
        return None
    return address if is_queryable_address(address) else None


def parse_host_port(host: object, port: object) -> Address | None:
    """Return the address with this host and port; None if it cannot be queried."""
    number = count_or_none(port, 65535)
    try:
        address = Address(normalize_host(text_or_empty(host)), number or 0)
    except ValueError:
        return None
    return address if number and is_queryable_address(address) else None
