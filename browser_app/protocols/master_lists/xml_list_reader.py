"""Entries of a list in XML, parsed while it arrives."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple
from xml.parsers import expat

from browser_app.protocols.master_lists.described_list import DescribedListError

MAX_ENTRY_BYTES: Final = 32 << 10
"""Maximum size of an entry, counted from the end of the one before."""
MAX_ELEMENTS: Final = 512
"""Elements of one entry that are kept."""
_PART_BYTES = 8 << 10
"""Bytes parsed at once; between two such parts, the lists of other masters may be parsed."""


class XmlElement(NamedTuple):
    """One element, without its text."""

    name: str
    attributes: dict[str, str]


def iterate_xml_entries(
    chunks: Iterable[bytes], *, entry: str, known: Collection[str]
) -> Iterator[tuple[XmlElement, ...]]:
    """Yield the known elements of each element `entry`; it may be one of them.

    Raises:
        DescribedListError: the document has no such element, is invalid, or has a document type.
    """
    parser = _EntryParser(entry, known)
    for chunk in chunks:
        for start in range(0, len(chunk), _PART_BYTES):
            yield from parser.feed(chunk[start : start + _PART_BYTES])
    yield from parser.finish()


class _EntryParser:
    """Collects the elements of entries; document types, and so entities, are refused."""

    def __init__(self, entry: str, known: Collection[str]) -> None:
        self._entry = entry
        self._known = known
        self._current: list[XmlElement] | None = None
        self._complete: list[tuple[XmlElement, ...]] = []
        self._bytes_since_entry = 0
        self._has_element = False
        self._parser = expat.ParserCreate(
            "utf-8"
        )  # not the declared encoding: decoding by some of Python's codecs fails
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._refuse_document_type

    def feed(self, chunk: bytes) -> list[tuple[XmlElement, ...]]:
        """Parse a part; return the entries that it completes."""
        self._bytes_since_entry += len(chunk)
        self._parse(chunk, is_last=False)
        found, self._complete = self._complete, []
        if found:
            self._bytes_since_entry = 0
        elif self._bytes_since_entry > MAX_ENTRY_BYTES + _PART_BYTES:
            raise DescribedListError("entry too large")
        return found

    def finish(self) -> list[tuple[XmlElement, ...]]:
        """Check the end of the document."""
        self._parse(b"", is_last=True)
        if not self._has_element:
            raise DescribedListError("not a list")
        return self._complete

    def _parse(self, data: bytes, *, is_last: bool) -> None:
        try:
            self._parser.Parse(data, is_last)
        except expat.ExpatError:
            raise DescribedListError("not XML") from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._has_element = self._has_element or name == f"{self._entry}s"
        if name == self._entry:
            self._current = []
        if self._current is not None and name in self._known and len(self._current) < MAX_ELEMENTS:
            self._current.append(XmlElement(name, attributes))

    def _end(self, name: str) -> None:
        if name == self._entry and self._current is not None:
            self._complete.append(tuple(self._current))
            self._current = None

    def _refuse_document_type(self, *_: object) -> None:
        raise DescribedListError("not a list")
