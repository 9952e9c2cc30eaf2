"""NS2 skill and profile URLs from the Steam Web API."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from browser_app.language import gettext as _
from browser_app.number_checks import is_number
from browser_app.number_text import integer_text
from browser_app.player.player_identities import IdentityError, parse_steam_id
from browser_app.player.rate_limited_fetcher import FetchError, FetchRequest, RateLimitedFetcher, SkillSourceError
from browser_app.protocols.json_parser import MAX_REPLY_VALUES, JSONParseError, parse_json

STEAM_API_URL = "https://api.steampowered.com"
NS2_APP = "4920"
MAX_STEAM_POINTS = 100_000.0
"""The game has no larger numbers; larger values are rejected."""
_MAX_STATS = 10_000
_TIER_MARGIN = 25.0  # points (NS2Utility.lua)


@dataclass(frozen=True, slots=True)
class SteamSkill:
    """The skill that NS2 stores in Steam; None is unknown.

    Points are as the game shows them.
    """

    points: float
    """Mean of marine and alien, ≥ 0; 0 is a valid skill."""
    offset: float | None = None
    """Marine is the mean plus this, alien minus this."""
    commander: float | None = None
    commander_offset: float | None = None
    adagrad_sum: float | None = None
    """Sum of squared gradients, > 0: the larger, the more certain."""
    commander_adagrad_sum: float | None = None

    @property
    def sd(self) -> float | None:
        """Uncertainty that the game subtracts from the points for the tier.

        25 / √(sum of squared gradients).
        """
        return None if self.adagrad_sum is None else _TIER_MARGIN / math.sqrt(self.adagrad_sum)

    @property
    def marine(self) -> float | None:
        """Skill as marine."""
        return _add_offset(self.points, self.offset)

    @property
    def alien(self) -> float | None:
        """Skill as alien."""
        return _add_offset(self.points, self.offset, -1)

    @property
    def marine_commander(self) -> float | None:
        """Skill as marine commander."""
        return _add_offset(self.commander, self.commander_offset)

    @property
    def alien_commander(self) -> float | None:
        """Skill as alien commander."""
        return _add_offset(self.commander, self.commander_offset, -1)


def fetch_steam_skill(
    fetcher: RateLimitedFetcher, steam_id: str, key: str, base_url: str = STEAM_API_URL
) -> SteamSkill:
    """Fetch the skill of an account (64-bit id).

    Raises:
        SkillSourceError: Steam returned none.
    """
    request = FetchRequest(
        f"{base_url}/ISteamUserStats/GetUserStatsForGame/v2/",
        {"appid": NS2_APP, "steamid": steam_id},
        _("NS2 skill of {account}").format(account=steam_id),
        secret={"key": key},
    )
    return fetcher.fetch(
        request,
        lambda body: parse_steam_skill(body, steam_id),
        lambda skill: _("skill {points}").format(points=integer_text(skill.points)),
        format_steam_error,
    )


def parse_steam_skill(body: bytes, steam_id: str) -> SteamSkill:
    """Parse a reply of GetUserStatsForGame.

    Raises:
        SkillSourceError: it contains no skill.
    """
    stats = _parse_stats(body, steam_id)
    points = _read_points(stats, "skill")
    if points is None:
        raise SkillSourceError(_("Steam has no skill for this account yet: no ranked rounds played."))
    return SteamSkill(
        points,
        _read_offset(stats, "skill_offset"),
        _read_points(stats, "comm_skill"),
        _read_offset(stats, "comm_skill_offset"),
        _read_positive(stats, "adagrad"),
        _read_positive(stats, "comm_adagrad"),
    )


def format_steam_error(error: FetchError) -> str:
    """Describe a failed request by its HTTP status."""
    match error.status:
        case 400:
            return _("Steam has no NS2 data for this account: the game is not owned or was never played.")
        case 401 | 403 if _is_about_profile(error.body):
            return _format_private_profile()
        case 401 | 403:
            return _("Steam rejected the Web API key.")
        case 429:
            return _("Too many requests to Steam. Paused for an hour.")
        case 500:
            return _("Steam server error (HTTP 500). The profile may not be public.")
        case _:
            return _("Steam: {why}").format(why=error)


def _parse_reply(body: bytes, key: str) -> Mapping[str, Any] | None:
    try:
        document = parse_json(body, strict=False, max_values=MAX_REPLY_VALUES)
    except JSONParseError:
        raise SkillSourceError(_("Steam’s answer is not valid JSON.")) from None
    reply = document.get(key) if isinstance(document, dict) else None
    return reply if isinstance(reply, dict) else None


def _parse_stats(body: bytes, steam_id: str) -> Mapping[str, float]:
    reply = _parse_reply(body, "playerstats")
    if reply is None:
        raise SkillSourceError(_("Unexpected answer from Steam."))
    if "error" in reply:
        raise SkillSourceError(
            _format_private_profile() if _is_about_profile(body) else _("Steam did not provide the skill.")
        )
    if "steamID" in reply and str(reply["steamID"]) != steam_id:
        raise SkillSourceError(_("Steam returned a different account."))
    stats = reply.get("stats", [])
    if not isinstance(stats, list) or len(stats) > _MAX_STATS:
        raise SkillSourceError(_("Unexpected answer from Steam."))
    named_values = ((each.get("name"), _parse_number(each.get("value"))) for each in stats if isinstance(each, dict))
    return {name: value for name, value in named_values if isinstance(name, str) and value is not None}


def _parse_number(value: object) -> float | None:
    return float(value) if is_number(value, -MAX_STEAM_POINTS, MAX_STEAM_POINTS) else None


def _read_points(stats: Mapping[str, float], name: str) -> float | None:
    value = stats.get(name)
    return value if value is not None and value >= 0 else None  # −1: unknown


def _read_offset(stats: Mapping[str, float], name: str) -> float | None:
    """Return a signed offset.

    Steam stores its sign separately (1 positive, 0 negative), because stats are unsigned.
    """
    size, sign = _read_points(stats, name), stats.get(f"{name}_sign", 0.0)
    if size is None:
        return None
    return size if sign >= 1 else -size


def _read_positive(stats: Mapping[str, float], name: str) -> float | None:
    value = stats.get(name)
    return value if value is not None and value > 0 else None


def _add_offset(skill: float | None, offset: float | None, sign: int = 1) -> float | None:
    return None if skill is None or offset is None else skill + sign * offset


def _is_about_profile(body: bytes) -> bool:
    """Return True for a private profile.

    Steam answers wrong keys with a web page, private profiles with JSON.
    """
    return b"not public" in body.lower()


def _format_private_profile() -> str:
    return _("This profile’s game details are not public. You can change that in Steam’s privacy settings.")


_RESULT_OK, _RESULT_NO_MATCH = 1, 42  # EResult


def fetch_vanity_steam_id(fetcher: RateLimitedFetcher, name: str, key: str, base_url: str = STEAM_API_URL) -> str:
    """Fetch the 64-bit id behind `steamcommunity.com/id/NAME`.

    Raises:
        SkillSourceError: no profile has that name, or Steam did not answer.
    """
    request = FetchRequest(
        f"{base_url}/ISteamUser/ResolveVanityURL/v1/",
        {"vanityurl": name},
        _("owner of custom URL “{name}”").format(name=name),
        secret={"key": key},
    )
    return fetcher.fetch(request, parse_vanity_reply, str, format_steam_error)


def parse_vanity_reply(body: bytes) -> str:
    """Parse a reply of ResolveVanityURL.

    Raises:
        SkillSourceError: no profile has that name, or the reply is invalid.
    """
    reply = _parse_reply(body, "response") or {}
    if reply.get("success") == _RESULT_NO_MATCH:
        raise SkillSourceError(_("No Steam profile has that address."))
    steam_id = reply.get("steamid")
    if reply.get("success") != _RESULT_OK or not isinstance(steam_id, str):
        raise SkillSourceError(_("Unexpected answer from Steam."))
    try:
        return parse_steam_id(steam_id)
    except IdentityError:
        raise SkillSourceError(_("Unexpected answer from Steam.")) from None
