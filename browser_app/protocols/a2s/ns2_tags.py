"""Tags and rules of Natural Selection 2 servers.

The engine's encoding is not published. This follows recorded servers of builds 274 and 277 and the game's Lua up to
build 344, and tolerates missing fields: `277|ns2|M|149|34|34|32|CHUD_0x0|P_S2592|shine|NSL|tickrate_29`.
"""

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class NS2Tags:
    """Parsed tags; None where the server does not send the value."""

    build: int | None = None
    mode: str | None = None
    """`ns2`, `combat`, `siege`, …"""
    performance: float | None = None
    """Historical performance score, -99…100."""
    quality: float | None = None
    """Reliability of the historical score, 0…100."""
    skill: int | None = None
    """Average skill of the players, 0…20,000; also 0 on an empty server."""
    reserved: int | None = None
    """Slots reserved for members."""
    rookie_only: bool = False
    ignore_play_now: bool = False
    """The server asks not to be chosen by automatic joining."""
    tags: tuple[str, ...] = ()
    """All named tags, including those parsed into the fields above."""


_SCORE_RANGE = (-99.0, 100.0)
_QUALITY_RANGE = (0.0, 100.0)
_MAX_SKILL = 20_000
"""Several times the skill of the best players; larger values are rejected."""
_INTEGER = re.compile(r"-?[0-9]{1,9}")


class _TagHeader(NamedTuple):
    """Positional fields before the named tags.

    The flag of modded servers and two other numbers are left out.
    """

    build: int | None = None
    mode: str | None = None
    performance: str | None = None
    quality: str | None = None


def parse_ns2_tags(keywords: str) -> NS2Tags:
    """Parse the tags: a header of positional fields, then named tags.

    The header is optional; the tags are in any order.
    """
    header, tags = _split_header(keywords.split("|"))
    skill = _find_number("P_S", tags)
    return NS2Tags(
        header.build,
        header.mode,
        _parse_in_range(header.performance, _SCORE_RANGE),
        _parse_in_range(header.quality, _QUALITY_RANGE),
        skill=None if skill is None or skill > _MAX_SKILL else skill,
        reserved=_find_number("R_S", tags),
        rookie_only="rookie_only" in tags or "bootcamp" in tags,
        ignore_play_now="ignore_playnow" in tags,
        tags=tuple(tags),
    )


def _split_header(fields: list[str]) -> tuple[_TagHeader, list[str]]:
    """Split fields into the header and the named tags.

    The scores are None unless there are all four numbers, as fewer are ambiguous.
    """
    if not _INTEGER.fullmatch(fields[0]):
        return _TagHeader(), list(filter(None, fields))
    build, mode, *rest = [*fields, ""] if len(fields) == 1 else fields
    if rest and _is_modded_flag(rest[0], rest[1:5]):
        del rest[0]
    numbers = list(itertools.takewhile(_INTEGER.fullmatch, rest[:4]))
    scores = numbers[2:] if len(numbers) == 4 else ()
    return _TagHeader(int(build), mode or None, *scores), list(filter(None, rest[len(numbers) :]))


def _is_modded_flag(word: str, following: list[str]) -> bool:
    """Return whether a field is the modded flag.

    It is `M`, empty, or another word followed by the four numbers.
    """
    if _INTEGER.fullmatch(word):
        return False
    return word in ("M", "") or (len(following) == 4 and all(map(_INTEGER.fullmatch, following)))


def _find_number(prefix: str, tags: list[str]) -> int | None:
    for tag in tags:
        number = tag.removeprefix(prefix)
        if number != tag and _INTEGER.fullmatch(number):
            return max(0, int(number))
    return None


def _parse_in_range(text: str | None, limits: tuple[float, float]) -> float | None:
    if text is None or not limits[0] <= float(text) <= limits[1]:
        return None
    return float(text)


def parse_ns2_average_skill(rules: Mapping[bytes, bytes]) -> float | None:
    """Return the average skill of the players, 0…20,000 points.

    None for the `nan` of an empty server.
    """
    try:
        skill = float(rules.get(b"AverageSkill", b"")[:32])
    except ValueError:
        return None
    return skill if 0 <= skill <= _MAX_SKILL else None
