"""Release pages: the newest final version is found, anything else ignored."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.release_page import find_newest_release, parse_release_version

NUMBERS = st.lists(st.integers(0, 999_999), min_size=2, max_size=4)


@pytest.mark.parametrize(
    ("page", "newest"),
    [
        ("0.2.0\n", "0.2.0"),
        ("v1.10", "1.10"),
        ("0.2", "0.2"),
        ('"1.2.3"', "1.2.3"),
        ('{"version": "0.9.1", "page": "https://example.org"}', "0.9.1"),
        ('[{"tag_name": "v0.9.0"}, {"tag_name": "v0.10.0"}, {"tag_name": "nightly"}]', "0.10.0"),
        (
            '[{"tag_name": "v2.0", "prerelease": true}, {"tag_name": "v3.0", "draft": true}, {"tag_name": "v1.0"}]',
            "1.0",
        ),
        ('["0.1.0", "0.3.0", "0.2.0"]', "0.3.0"),
        ("", None),
        ("2", None),
        ("1.2.3rc1", None),
        ("1.2.3\n4.5.6", None),
        ("0.2.0<b>", None),
        ("1.٢", None),
        ('{"version": 2.0}', None),
        ('{"version": "9999999.0"}', None),
        ("[[[[1.5]]]]", None),
        ("null", None),
    ],
)
def test_newest_version(page: str, newest: str | None) -> None:
    assert find_newest_release(page.encode()) == newest


@given(st.binary(max_size=200))
def test_any_page_gives_version_or_none(page: bytes) -> None:
    newest = find_newest_release(page)
    assert newest is None or (parse_release_version(newest) and set(newest) <= set("0123456789."))


@given(st.lists(NUMBERS, min_size=1, max_size=8))
def test_newest_by_number(releases: list[list[int]]) -> None:
    texts = [".".join(map(str, numbers)) for numbers in releases]
    newest = find_newest_release(json.dumps([{"version": text} for text in texts]).encode())
    assert newest is not None
    assert parse_release_version(newest) == max(tuple(numbers + [0] * (4 - len(numbers))) for numbers in releases)


def test_versions_of_any_length_compare() -> None:
    assert parse_release_version("1.0") == parse_release_version("v1.0.0.0")
    assert parse_release_version("0.10") > parse_release_version("0.9.9")  # type: ignore[operator] # both are versions
