"""Skill and recent games from stats.xonotic.org.

The service is xonstat-go: `GET /skill?hashkey=…` leads to the player's own page, which answers in JSON only if the
Accept header is exactly `application/json`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_checks import is_number, is_whole_number
from browser_app.player.rate_limited_fetcher import FetchError, FetchRequest, RateLimitedFetcher, SkillSourceError
from browser_app.protocols.coloured_text import plain_text
from browser_app.protocols.json_parser import MAX_REPLY_VALUES, JSONParseError, parse_json

XONSTAT_URL = "https://stats.xonotic.org"
MAX_XONSTAT_POINTS = 100_000.0
_MAX_MODES = 100
_MODE = re.compile(r"[a-z0-9_-]{1,20}", re.ASCII)


class SkillEstimate(NamedTuple):
    """A normal distribution, in XonStat's points: 0 ≤ mu, 0 < sigma."""

    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class XonStatSkill:
    """The skill by game type (`ctf`, `duel`, …); types without a skill are missing."""

    modes: Mapping[str, SkillEstimate]
    """Never empty."""
    player_number: int | None = None
    """XonStat's number of the player."""

    @property
    def surest_mode(self) -> str:
        """Game type with the smallest standard deviation, used where one number is needed."""
        return min(self.modes, key=lambda mode: self.modes[mode].sigma)


def fetch_xonstat_skill(fetcher: RateLimitedFetcher, fingerprint: str, base_url: str = XONSTAT_URL) -> XonStatSkill:
    """Fetch the skill of the player with this key.

    Raises:
        SkillSourceError: XonStat returned none.
    """
    request = FetchRequest(
        f"{base_url}/skill",
        {"hashkey": fingerprint},
        _("Xonotic skill of {fingerprint}…").format(fingerprint=fingerprint[:8]),
        headers={"Accept": "application/json"},
    )
    return fetcher.fetch(request, parse_xonstat_skill, _format_skill, format_xonstat_error)


def parse_xonstat_skill(body: bytes) -> XonStatSkill:
    """Parse the skills of one player.

    Raises:
        SkillSourceError: there is none among them.
    """
    document = _parse_document(body)
    if not isinstance(document, list) or len(document) > _MAX_MODES:
        raise SkillSourceError(_("Unexpected answer from XonStat."))
    entries = [each for each in document if isinstance(each, dict)]
    if len({repr(each.get("player_id")) for each in entries}) > 1:
        raise SkillSourceError(_("XonStat returned several players."))
    skills_by_mode = ((validate_mode(each.get("game_type_cd")), _parse_skill(each)) for each in entries)
    modes = {mode: skill for mode, skill in skills_by_mode if mode is not None and skill is not None}
    if not modes:
        raise SkillSourceError(_("XonStat knows this player, but has no skill yet."))
    return XonStatSkill(modes, _parse_player(entries[0].get("player_id")))


def _parse_document(body: bytes) -> Any:
    try:
        return parse_json(body, max_values=MAX_REPLY_VALUES)
    except JSONParseError:
        raise SkillSourceError(_("XonStat’s answer is not valid JSON.")) from None


def validate_mode(value: object) -> str | None:
    """Return a game type's code, None if it is invalid."""
    return value if isinstance(value, str) and _MODE.fullmatch(value) else None


def _parse_player(value: object) -> int | None:
    return value if is_whole_number(value, 1, 2**31 - 1) else None


def _parse_skill(entry: Mapping[str, object]) -> SkillEstimate | None:
    mu, sigma = _parse_points(entry.get("mu")), _parse_points(entry.get("sigma"))
    return None if mu is None or not sigma else SkillEstimate(mu, sigma)


def _parse_points(value: object) -> float | None:
    return float(value) if is_number(value, 0, MAX_XONSTAT_POINTS) else None


def _format_skill(skill: XonStatSkill) -> str:
    count = len(skill.modes)
    return ngettext("skill in {n} mode", "skill in {n} modes", count).format(n=count)


def format_xonstat_error(error: FetchError) -> str:
    """Describe a failed request by its HTTP status."""
    match error.status:
        case 404:
            return _("XonStat does not know this key: no tracked rounds were played with it.")
        case 429:
            return _("Too many requests to XonStat. Paused for an hour.")
        case _:
            return _("XonStat: {why}").format(why=error)


MAX_RECENT_GAMES = 20
_MAX_TEXT = 100


class RecentGame(NamedTuple):
    """One game."""

    time: float
    """When it was reported (Unix time, s)."""
    mode: str
    map: str
    server: str


def fetch_recent_games(fetcher: RateLimitedFetcher, player: int, base_url: str = XONSTAT_URL) -> tuple[RecentGame, ...]:
    """Fetch the last games of a player, by XonStat's number of the player.

    Raises:
        SkillSourceError: XonStat returned no list.
    """
    request = FetchRequest(
        f"{base_url}/games",
        {"player_id": str(player)},
        _("recent rounds of player {number}").format(number=player),
        headers={"Accept": "application/json"},
    )
    return fetcher.fetch(request, parse_recent_games, _format_games, format_xonstat_error)


def parse_recent_games(body: bytes) -> tuple[RecentGame, ...]:
    """Parse a list of games; invalid entries are left out.

    Raises:
        SkillSourceError: it is not such a list.
    """
    document = _parse_document(body)
    entries = [] if document is None else document  # Go writes an empty list as null
    if not isinstance(entries, list):
        raise SkillSourceError(_("Unexpected answer from XonStat."))
    games = (_parse_game(each) for each in entries[:MAX_RECENT_GAMES] if isinstance(each, dict))
    return tuple(game for game in games if game is not None)


def _parse_game(entry: Mapping[str, object]) -> RecentGame | None:
    mode, time = validate_mode(entry.get("game_type_cd")), _parse_time(entry.get("create_dt"))
    if mode is None or time is None:
        return None
    return RecentGame(time, mode, _read_text(entry.get("map_name")), _read_text(entry.get("server_name")))


def _parse_time(value: object) -> float | None:
    try:
        time = datetime.fromisoformat(value).timestamp() if isinstance(value, str) else -1.0
    except (ValueError, OverflowError, OSError):
        return None
    return time if time >= 0 else None


def _read_text(value: object) -> str:
    return plain_text(value, "xonotic")[:_MAX_TEXT] if isinstance(value, str) else ""


def _format_games(games: tuple[RecentGame, ...]) -> str:
    return ngettext("{n} round", "{n} rounds", len(games)).format(n=len(games))
