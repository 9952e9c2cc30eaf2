"""Lists in JSON documents that are read while they arrive."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.json_parser import JSONParseError
from browser_app.protocols.master_lists.json_list_reader import (
    MAX_MEMBERS,
    MAX_VALUE_CHARS,
    JsonListReader,
    split_chunks,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


class Chunks:
    """Parts of a document; counts those that were asked for."""

    def __init__(self, body: bytes, size: int) -> None:
        self.taken = 0
        self._body, self._size = body, size

    def __iter__(self) -> Iterator[bytes]:
        for first in range(0, len(self._body), self._size):
            self.taken += 1
            yield self._body[first : first + self._size]


@given(
    st.lists(VALUES, max_size=6),
    st.dictionaries(st.text().filter(lambda key: key != "servers"), VALUES, max_size=3),
    st.integers(1, 40),
    st.sampled_from([None, 2]),
)
def test_entries_in_any_chunks(entries: list[object], others: dict[str, object], size: int, indent: int | None) -> None:
    document = {"response": {**others, "servers": entries}, **others}
    body = json.dumps(document, ensure_ascii=False, indent=indent).encode("utf-8", "replace")
    reader = JsonListReader(Chunks(body, size), ("response", "servers"))
    assert list(reader) == json.loads(body)["response"]["servers"]
    assert reader.depth == 2


def test_members_beside_list() -> None:
    body = b'{"servers": [], "response": {"success": false, "x": 1, "servers": {}, "y": "z"}}'
    reader = JsonListReader([body], ("response", "servers"), members=("success", "y"))
    assert list(reader) == []
    assert (reader.depth, reader.members) == (1, {"success": False, "servers": None, "y": None})


@pytest.mark.parametrize(
    ("body", "problem", "line"),
    [
        (b"", "Expecting value at column 1", 1),
        (b'{"servers": [\n1,\n]}', "Expecting value at column 1", 3),
        (b'{"servers": [\n1 2]}', "Expecting ',' delimiter at column 3", 2),
        (b'{"servers": [1]', "Expecting ',' delimiter at column 16", 1),
        (b'{"servers": [1]}\n x', "Extra data at column 2", 2),
        (b'{"servers" [1]}', "Expecting ':' delimiter at column 12", 1),
        (b'{"servers": [1], 2: 3}', "Expecting property name enclosed in double quotes at column 18", 1),
        (b'{"servers": [1,\n"\x01"]}', "Invalid control character at column 2", 2),
        (b'{"servers": [\n1, "\xff"]}', "the text is not UTF-8", 2),
        (b'{"servers": [' + b"[" * 2_000, "nested too deeply at column 14", 1),
    ],
)
def test_error_has_place(body: bytes, problem: str, line: int) -> None:
    for size in (1, 7, len(body) + 1):
        with pytest.raises(JSONParseError) as caught:
            list(JsonListReader(Chunks(body, size), ("servers",)))
        assert (caught.value.reason, caught.value.line) == (problem, line)


def test_place_in_long_document() -> None:
    body = b'{"servers": [' + b'"0123456789",\n' * 30_000 + b'"a", x]}'
    with pytest.raises(JSONParseError) as caught:
        list(JsonListReader(split_chunks(body), ("servers",)))
    assert (caught.value.reason, caught.value.line) == ("Expecting value at column 6", 30_001)


@pytest.mark.parametrize(
    "value",
    [b'"' + b"a" * MAX_VALUE_CHARS + b'"', b"[" + b"1," * MAX_VALUE_CHARS, b'{"a":' * 9 + b'"' + b"\\u0041" * 9_999],
)
def test_value_limit(value: bytes) -> None:
    for body in (b'{"servers": [0, ' + value, b'{"x": ' + value, value):
        chunks = Chunks(body + b"0" * (4 << 20), 64 << 10)
        with pytest.raises(JSONParseError, match=f"a value has more than {MAX_VALUE_CHARS} characters"):
            list(JsonListReader(chunks, ("servers",)))
        assert chunks.taken <= 3


def test_member_limit() -> None:
    keys = b",".join(b'"%d":1' % number for number in range(200_000))
    chunks = Chunks(b'{"servers":[],' + keys + b"}", 64 << 10)
    with pytest.raises(JSONParseError, match=f"more than {MAX_MEMBERS} values beside the list"):
        list(JsonListReader(chunks, ("servers",)))
    assert chunks.taken <= 2


def test_holds_one_chunk() -> None:
    chunks = Chunks(b'{"servers":[' + b"1," * (2 << 20) + b"1]}", 64 << 10)
    entries = iter(JsonListReader(chunks, ("servers",)))
    for _ in range(100_000):
        next(entries)
    assert chunks.taken == 4  # 200,000 bytes, and a value ahead
