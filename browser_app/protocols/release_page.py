"""Newest release on a release page."""

import re
from collections.abc import Iterator

from browser_app.protocols.json_parser import MAX_REPLY_VALUES, JSONParseError, parse_json

MAX_RELEASE_PAGE_BYTES = 256 << 10
"""Maximum size of a release page."""
_VERSION = re.compile(r"v?((?:0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5})){1,3})", re.ASCII)
_VERSION_KEYS = ("version", "tag_name")
_SKIPPED_FLAGS = ("draft", "prerelease")


def parse_release_version(text: str) -> tuple[int, ...] | None:
    """Return the version of a final release as four numbers: (0, 2, 0, 0) for "v0.2".

    None for anything else.
    """
    match = _VERSION.fullmatch(text.strip())
    if match is None:
        return None
    numbers = [int(part) for part in match[1].split(".")]
    return tuple(numbers + [0] * (4 - len(numbers)))


def find_newest_release(body: bytes) -> str | None:
    """Return the newest final version on a page, without a leading `v`.

    None if there is none. The page is either the bare version or JSON: a string, an object with `version` or
    `tag_name`, or a list of these.
    """
    found = {numbers: text for text in _iterate_versions(body) if (numbers := parse_release_version(text))}
    return found[max(found)].strip().removeprefix("v") if found else None


def _iterate_versions(body: bytes) -> Iterator[str]:
    try:
        page = parse_json(body, max_values=MAX_REPLY_VALUES)
    except JSONParseError:
        yield body[:100].decode("utf-8", "replace")
        return
    for release in page if isinstance(page, list) else [page]:
        if isinstance(release, float):  # a bare 0.2 is valid JSON
            yield body.decode("utf-8", "replace")
        elif isinstance(release, str):
            yield release
        elif isinstance(release, dict) and not any(release.get(word) for word in _SKIPPED_FLAGS):
            yield from (text for name in _VERSION_KEYS if isinstance(text := release.get(name), str))
