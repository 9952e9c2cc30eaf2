"""Tags and rules of Natural Selection 2 servers.

The engine's encoding is not published. This follows recorded servers of builds 274 and 277 and the game's Lua up to
build 344, and tolerates missing fields: `277|ns2|M|149|34|34|32|CHUD_0x0|P_S2592|shine|NSL|tickrate_29`.
"""

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class NS2Tags:
    """Parsed tags; None where the server does not send the value."""

    build: int | None = None
    mode: str | None = None
    """`ns2`, `combat`, `siege`, …"""
    is_modded: bool | None = None
    current_performance: float | None = None
    """Performance score of the last 30 s, -99…100."""
    performance: float | None = None
    """Historical performance score, -99…100."""
    quality: float | None = None
    """Reliability of the historical score, 0…100."""
    skill: int | None = None
    """Average skill of the players, 0…20,000; also 0 on an empty server."""
    reserved: int | None = None
    """Slots reserved for members."""
    rookie_only: bool = False
    rookie_friendly: bool = False
    tickrate: float | None = None
    """Measured frames per second; 30 is nominal."""
    ignore_play_now: bool = False
    """The server asks not to be chosen by automatic joining."""
    custom_network_settings: bool = False
    """The game then does not count the server among ranked servers with the usual rates."""
    tags: tuple[str, ...] = ()
    """All named tags, including those parsed into the fields above."""


@dataclass(frozen=True, slots=True)
class NS2Rules:
    """Rules in use; None where the server does not send the value."""

    average_skill: float | None
    """Points, 0…20,000; the `nan` of an empty server becomes None."""
    tickrate: float | None
    entities: int | None
    mods: tuple[int, ...]
    """Workshop ids in the server's order."""
    dynamic_dns: str | None


_SCORE_RANGE = (-99.0, 100.0)
_QUALITY_RANGE = (0.0, 100.0)
_MAX_SKILL = 20_000
"""Several times the skill of the best players; larger values are rejected."""
_MODS_KEY = re.compile(rb"mods(?:\[\d{1,4}\])?")
_INTEGER = re.compile(r"-?[0-9]{1,9}")


class _TagHeader(NamedTuple):
    """Positional fields before the named tags."""

    build: int | None = None
    mode: str | None = None
    modded: bool | None = None
    numbers: Sequence[str | None] = (None,) * 4
    """Unknown, current performance, historical performance, quality."""


def parse_ns2_tags(keywords: str) -> NS2Tags:
    """Parse the tags: an optional header of positional fields, then named tags in any order."""
    header, tags = _split_header(keywords.split("|"))
    words = set(tags)
    skill = _number_after_prefix("P_S", tags)
    return NS2Tags(
        header.build,
        header.mode,
        header.modded,
        current_performance=_parse_in_range(header.numbers[1], _SCORE_RANGE),
        performance=_parse_in_range(header.numbers[2], _SCORE_RANGE),
        quality=_parse_in_range(header.numbers[3], _QUALITY_RANGE),
        skill=None if skill is None or skill > _MAX_SKILL else skill,
        reserved=_number_after_prefix("R_S", tags),
        rookie_only=not words.isdisjoint(("rookie_only", "bootcamp")),
        rookie_friendly=not words.isdisjoint(("rookie", "rookieFriendly")),
        tickrate=_number_after_prefix("tickrate_", tags),
        ignore_play_now="ignore_playnow" in words,
        custom_network_settings="custom_network_settings" in words,
        tags=tuple(tags),
    )


def _split_header(fields: list[str]) -> tuple[_TagHeader, list[str]]:
    """Split fields into the header and the named tags; fewer than four numbers are ambiguous and stay None."""
    if not _INTEGER.fullmatch(fields[0]):
        return _TagHeader(), list(filter(None, fields))
    build, mode, *rest = [*fields, ""] if len(fields) == 1 else fields
    modded = rest[:1] == ["M"]
    if rest and _is_modded_flag(rest[0], rest[1:5]):
        del rest[0]
    numbers = list(itertools.takewhile(_INTEGER.fullmatch, rest[:4]))
    header = _TagHeader(int(build), mode or None, modded)
    if len(numbers) == 4:
        header = header._replace(numbers=numbers)
    return header, list(filter(None, rest[len(numbers) :]))


def _is_modded_flag(word: str, behind: list[str]) -> bool:
    """Return whether a field is the modded flag: `M`, empty, or another word followed by the four numbers."""
    if _INTEGER.fullmatch(word):
        return False
    return word in ("M", "") or (len(behind) == 4 and all(map(_INTEGER.fullmatch, behind)))


def _number_after_prefix(prefix: str, tags: list[str]) -> int | None:
    for tag in tags:
        number = tag.removeprefix(prefix)
        if number != tag and _INTEGER.fullmatch(number):
            return max(0, int(number))
    return None


def _parse_in_range(text: str | None, limits: tuple[float, float]) -> float | None:
    if text is None or not limits[0] <= float(text) <= limits[1]:
        return None
    return float(text)


def parse_ns2_rules(rules: Mapping[bytes, bytes]) -> NS2Rules:
    """Parse the rules of an A2S reply."""
    dns = rules.get(b"sv_dyndns", b"").decode("utf-8", "replace")
    entities = _parse_number(rules.get(b"ent_count", b"").replace(b",", b""))
    skill = _parse_number(rules.get(b"AverageSkill", b""))
    return NS2Rules(
        None if skill is None or not 0 <= skill <= _MAX_SKILL else skill,
        _parse_number(rules.get(b"tickrate", b"")),
        None if entities is None else int(entities),
        _parse_mods(rules),
        dns or None,
    )


def _parse_number(raw: bytes) -> float | None:
    try:
        number = float(raw[:32])
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _parse_mods(rules: Mapping[bytes, bytes]) -> tuple[int, ...]:
    """Parse hexadecimal ids, spread over as many rules as needed (`mods[000]`, `mods[001]`, …)."""
    pieces = b" ".join(rules[key] for key in sorted(rules) if _MODS_KEY.fullmatch(key)).split()
    return tuple(int(piece, 16) for piece in pieces if re.fullmatch(rb"[0-9a-fA-F]{1,16}", piece))
