"""Invariants of a server's description, whatever bytes it was read from."""

import math
import unicodedata
from collections.abc import Iterator

from browser_app.catalogue.server_info import PlayerInfo, ServerInfo

MOST_PEOPLE = 2**31 - 1
"""Networks of Minecraft servers report any number."""
MOST_LISTED_PLAYERS = 1_024
MOST_RULES = 2_000
LONGEST_TEXT = 128
LONGEST_TAG = 1_024
_DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def check_info(info: ServerInfo) -> None:
    """Check counts, texts and sizes.

    Raises:
        AssertionError: one of them is nothing that the window may be given.
    """
    wrong = [*_wrong_counts(info), *_wrong_texts(info), *_wrong_players(info.player_list or ())]
    if len(info.player_list or ()) > MOST_LISTED_PLAYERS or len(info.rules or {}) > MOST_RULES:
        wrong.append("too many")
    assert wrong == []


def _wrong_counts(info: ServerInfo) -> Iterator[str]:
    for name in ("players", "bots", "spectators", "reserved"):
        count = getattr(info, name)
        if count is not None and not 0 <= count <= MOST_PEOPLE:
            yield f"{name}: {count}"
    if info.max_players is not None and not 0 < info.max_players <= MOST_PEOPLE:
        yield f"max_players: {info.max_players}"
    for name in ("performance", "quality", "server_skill"):
        number = getattr(info, name)
        if number is not None and not math.isfinite(number):
            yield f"{name}: {number}"


def _wrong_texts(info: ServerInfo) -> Iterator[str]:
    texts = (info.name, info.map, info.mode, info.mode_name, info.version)
    yield from (repr(text) for text in texts if text is not None and not _is_plain(text))
    yield from (repr(tag) for tag in info.tags if not _is_plain(tag, LONGEST_TAG))
    if "" in (info.mode, info.mode_name, info.version, *info.tags):
        yield "empty text instead of none"


def _wrong_players(players: tuple[PlayerInfo, ...]) -> Iterator[str]:
    for player in players:
        numbers = (player.score, player.duration_s, player.ping_ms)
        if any(number is not None and not math.isfinite(number) for number in numbers):
            yield f"player's numbers: {numbers}"
        if player.ping_ms is not None and player.ping_ms < 0:
            yield f"player's ping: {player.ping_ms}"
        if not _is_plain(player.name):
            yield f"player's name: {player.name!r}"


def _is_plain(text: str, longest: int = LONGEST_TEXT) -> bool:
    """Return whether a text is short and controls nothing beyond itself."""
    return len(text) <= longest and not any(
        unicodedata.category(each) in ("Cc", "Cs") or unicodedata.bidirectional(each) in _DIRECTIONS for each in text
    )
