"""Stand-ins for the skill services of Steam and XonStat."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Final

from browser_app.demo.demo_names import USER_STEAM_ACCOUNTS, USER_XONOTIC_FINGERPRINT
from browser_app.demo.masters.demo_masters import DEMO_STEAM_KEY
from browser_app.demo.sockets.demo_http_server import HttpResponse
from browser_app.player.player_identities import STEAM_BASE

_USER_STATS_PATH: Final = "/ISteamUserStats/GetUserStatsForGame/v2"
_SKILL_PATH: Final = "/skill"
_PLAYER_ID: Final = 4711
_GAMES_PATH: Final = "/games"
_PLAYER_SKILL_PATH: Final = f"/player/{_PLAYER_ID}{_SKILL_PATH}"
_APPID: Final = "4920"
_STATS_BY_STEAM_ID: Final[Mapping[str, Mapping[str, float]]] = {
    str(STEAM_BASE + USER_STEAM_ACCOUNTS[0]): {
        "skill": 1630, "skill_offset": 31, "skill_offset_sign": 0, "comm_skill": 1475, "comm_skill_offset": 18,
        "comm_skill_offset_sign": 1, "adagrad": 0.394, "comm_adagrad": 1.287, "td_skill": 1300,
    },
    str(STEAM_BASE + USER_STEAM_ACCOUNTS[1]): {
        "skill": 1471, "skill_offset": 12, "skill_offset_sign": 0, "comm_skill": 1310, "comm_skill_offset": 0,
        "comm_skill_offset_sign": 1, "adagrad": 0.083, "comm_adagrad": 0.011,
    },
}  # fmt: skip
"""Stats of each account; the game counts more rounds than the record has."""
XONSTAT_SKILLS: Final[Mapping[str, tuple[float, float]]] = {
    "ctf": (1796.4, 88.1), "duel": (1702.9, 160.3), "dm": (1911.2, 97.5),
}  # fmt: skip
"""mu and sigma by game type."""


def ns2_skill(account: str) -> float:
    """Return the in-game skill of an account (SteamID64)."""
    return _STATS_BY_STEAM_ID[account]["skill"]


def respond_to_skill_request(path: str, query: Mapping[str, str]) -> HttpResponse | None:
    """Return the response to a request for one of the services; None for any other."""
    page = _PAGES.get(path.rstrip("/"))
    return None if page is None else page(query)


def _user_stats_page(query: Mapping[str, str]) -> HttpResponse:
    if query.get("key") != DEMO_STEAM_KEY:
        return HttpResponse(HTTPStatus.FORBIDDEN, b"<html><head><title>Forbidden</title></head></html>")
    account = query.get("steamid", "")
    stats = _STATS_BY_STEAM_ID.get(account)
    if stats is None or query.get("appid") != _APPID:
        return HttpResponse(HTTPStatus.BAD_REQUEST, b"{}")
    fields = [{"name": name, "value": value} for name, value in stats.items()]
    return _json_response({"playerstats": {"steamID": account, "gameName": "Natural Selection 2", "stats": fields}})


def _find_player_page(query: Mapping[str, str]) -> HttpResponse:
    """Redirect from a key to the player's page."""
    if query.get("hashkey") != USER_XONOTIC_FINGERPRINT:
        return HttpResponse(HTTPStatus.NOT_FOUND, b"{}")
    return HttpResponse(HTTPStatus.FOUND, b"", location=f"{_PLAYER_SKILL_PATH}?game_type_cd=")


def _skills_page(_query: Mapping[str, str]) -> HttpResponse:
    moments = {"active_ind": True, "create_dt": "2026-01-02T03:04:05Z", "update_dt": "2026-01-02T03:04:05Z"}
    return _json_response(
        [
            {"player_id": _PLAYER_ID, "game_type_cd": mode, "mu": mu, "sigma": sigma} | moments
            for mode, (mu, sigma) in XONSTAT_SKILLS.items()
        ]
    )


def _games_page(query: Mapping[str, str]) -> HttpResponse:
    """Return the last games, newest first."""
    if query.get("player_id") != str(_PLAYER_ID):
        return _json_response(None)
    played = (("ctf", "catharsis", 2), ("ctf", "dance", 3), ("duel", "bloodrage", 26))
    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    return _json_response(
        [
            {"game_id": 90210 - place, "game_type_cd": mode, "map_name": name, "server_name": "Ratchet Relay"}
            | {"create_dt": (now - timedelta(hours=hours)).isoformat()}
            for place, (mode, name, hours) in enumerate(played)
        ]
    )


def _json_response(value: object) -> HttpResponse:
    return HttpResponse(HTTPStatus.OK, json.dumps(value).encode())


_PAGES: Final[Mapping[str, Callable[[Mapping[str, str]], HttpResponse]]] = {
    _USER_STATS_PATH: _user_stats_page,
    _SKILL_PATH: _find_player_page,
    _PLAYER_SKILL_PATH: _skills_page,
    _GAMES_PATH: _games_page,
}
