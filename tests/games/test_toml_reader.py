"""Line numbers of keys and errors in TOML files."""

import pytest

from browser_app.games.toml_lines import toml_line_number
from browser_app.games.toml_reader import TOMLError, parse_toml

TEXT = """# pace = "in a comment"
top = "pace = 1"
[scan]
pace = "fast"
at_start = true

[games]
shown = [
  "ns2",
  "masters = 3",
]
masters = []
"quoted" = 1

[ranking.my_skill]
ns2 = 3
[play_now]
text = '''
countdown = 7
'''
countdown = 2
inline = { filter = 3 }
dotted.deep = 1
[[matches]]
a = 1
[[matches]]
b = 2
"""


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("top", 2),
        ("scan", 3),
        ("scan.pace", 4),
        ("games.shown", 8),
        ("games.shown[1]", 8),
        ("games.masters", 12),
        ("games.quoted", 13),
        ("ranking.my_skill", 15),
        ("ranking.my_skill.ns2", 16),
        ("play_now.text", 18),
        ("play_now.countdown", 21),
        ("play_now.inline.filter", 22),
        ("play_now.dotted.deep", 23),
        ("matches[0].a", 25),
        ("matches[1].b", 27),
        ("scan.shown", None),
        ("nowhere", None),
    ],
)
def test_line_of_key(key: str, line: int | None) -> None:
    assert toml_line_number(TEXT, key) == line


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        (b"a = 1\nb = \n", 2, "not valid TOML: Invalid value at column 5"),
        (b"a = 1\nb = [1,\n", 3, "at the end of the file"),
        (b"a = 1\n\n\xff", 3, "not valid TOML: the text is not UTF-8"),
        (b"a = " + b"[" * 5_000, None, "not valid TOML: nested too deeply"),
        (b"a = " + b"1" * 5_000, None, "not valid TOML: "),
    ],
)
def test_line_of_error(data: bytes, line: int | None, reason: str) -> None:
    with pytest.raises(TOMLError) as caught:
        parse_toml(data)
    assert caught.value.line == line
    assert reason in str(caught.value)
