"""Line numbers of values and errors in JSON documents."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.json_parser import (
    MAX_CONTAINERS,
    MAX_REPLY_VALUES,
    JSONParseError,
    find_line_numbers,
    parse_json,
)

pytestmark = pytest.mark.slow

TEXT = """ {
"a": [1, {"a": [ ], "servers": 5}, "]"],
"servers": 1,
"servers"
:
[ "x",
  {"k":
    {} }, null]
}"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 1),
        (("a",), 2),
        (("a", 2), 2),
        (("a", 3), None),
        (("b",), None),
        ((0,), None),
        (("servers",), 6),
        (("servers", 0), 6),
        (("servers", 1), 7),
        (("servers", 1, "k"), 8),
        (("servers", 2), 8),
        (("servers", 2, "k"), None),
        (("servers", "k"), None),
    ],
)
def test_line_of_value(path: tuple[str | int, ...], line: int | None) -> None:
    for body in (TEXT, TEXT.encode(), TEXT.encode("utf-8-sig"), TEXT.encode("utf-16")):
        assert find_line_numbers(body, [path]).get(path) == line


@pytest.mark.parametrize("text", ['{[]: 1, "a": 2}', "{{}: 1}", "{1: 2}", '{"a" 1}'])
def test_lines_of_invalid_document(text: str) -> None:
    with pytest.raises(ValueError, match=r"key|Expecting"):
        find_line_numbers(text, [("a",)])


def test_lines_of_many_values_in_one_walk() -> None:
    paths = [("servers", 1, "k"), ("a",), ("servers", 7), ("servers", 0), (), ("a", 2), ("b", "c")]
    assert find_line_numbers(TEXT, paths) == {
        ("servers", 1, "k"): 8,
        ("a",): 2,
        ("servers", 0): 6,
        (): 1,
        ("a", 2): 2,
    }


def containers(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(inner) | st.dictionaries(st.text(), inner)


@given(st.lists(st.recursive(st.none() | st.text(), containers, max_leaves=10)))
def test_line_of_each_entry(entries: list[object]) -> None:
    text = '{"servers": [' + ",".join("\n" + json.dumps(entry) for entry in entries) + "]}"
    paths = [("servers", number) for number in range(len(entries))]
    assert list(find_line_numbers(text, paths).values()) == list(range(2, len(entries) + 2))


def test_line_of_error() -> None:
    with pytest.raises(JSONParseError, match="Expecting value") as caught:
        parse_json('{"a":\n\n  x}')
    assert (caught.value.line, caught.value.reason) == (3, "Expecting value at column 3")


def test_too_many_containers() -> None:
    body = "[" + "[]," * (MAX_CONTAINERS - 2) + "[]]"
    assert len(parse_json(body)) == MAX_CONTAINERS - 1
    for form in (f"[{body}]", f"[{body}]".encode()):
        with pytest.raises(JSONParseError, match="too many objects and lists"):
            parse_json(form)


def test_limit_of_answers() -> None:
    keys = ",".join(f'"{number}":1' for number in range(MAX_REPLY_VALUES))
    assert len(parse_json(f"{{{keys}}}", max_values=MAX_REPLY_VALUES)) == MAX_REPLY_VALUES
    longer = f'{{{keys},"x":1}}'
    assert len(parse_json(longer)) == MAX_REPLY_VALUES + 1  # a file
    for form in (longer, longer.encode()):
        with pytest.raises(JSONParseError, match="too many values"):
            parse_json(form, max_values=MAX_REPLY_VALUES)
