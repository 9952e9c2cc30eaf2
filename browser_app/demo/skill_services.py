"""What Steam and XonStat would say of the demo player, in the shape of theirs (research, NS2 §3.1, Xonotic §4.6)."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Final

from browser_app.demo.players import ACCOUNTS, FINGERPRINT
from browser_app.demo.web_masters import STEAM_KEY
from browser_app.demo.web_server import Response
from browser_app.player.identities import STEAM_BASE

_USER_STATS: Final = "/ISteamUserStats/GetUserStatsForGame/v2"
_SKILL: Final = "/skill"
_PLAYER: Final = 4711
_GAMES: Final = "/games"
_PLAYERS_SKILL: Final = f"/player/{_PLAYER}{_SKILL}"
_APPID: Final = "4920"
_STATS: Final[Mapping[str, Mapping[str, float]]] = {
    str(STEAM_BASE + ACCOUNTS[0]): {
        "skill": 1630, "skill_offset": 31, "skill_offset_sign": 0, "comm_skill": 1475, "comm_skill_offset": 18,
        "comm_skill_offset_sign": 1, "adagrad": 0.394, "comm_adagrad": 1.287, "td_skill": 1300,
    },
    str(STEAM_BASE + ACCOUNTS[1]): {
        "skill": 1471, "skill_offset": 12, "skill_offset_sign": 0, "comm_skill": 1310, "comm_skill_offset": 0,
        "comm_skill_offset_sign": 1, "adagrad": 0.083, "comm_adagrad": 0.011,
    },
}  # fmt: skip
"""Of each account; what the game itself keeps knows of more rounds than the record does."""
SKILLS: Final[Mapping[str, tuple[float, float]]] = {
    "ctf": (1796.4, 88.1), "duel": (1702.9, 160.3), "dm": (1911.2, 97.5),
}  # fmt: skip
"""mu and sigma by game type."""


def skill_of(account: str) -> float:
    """What the game keeps of an account (SteamID64)."""
    return _STATS[account]["skill"]


def answer(path: str, query: Mapping[str, str]) -> Response | None:
    """The answer to a request that is meant for one of the two services; None to any other."""
    page = _PAGES.get(path.rstrip("/"))
    return None if page is None else page(query)


def _user_stats(query: Mapping[str, str]) -> Response:
    if query.get("key") != STEAM_KEY:
        return Response(HTTPStatus.FORBIDDEN, b"<html><head><title>Forbidden</title></head></html>")
    account = query.get("steamid", "")
    stats = _STATS.get(account)
    if stats is None or query.get("appid") != _APPID:
        return Response(HTTPStatus.BAD_REQUEST, b"{}")
    told = [{"name": name, "value": value} for name, value in stats.items()]
    return _json({"playerstats": {"steamID": account, "gameName": "Natural Selection 2", "stats": told}})


def _whose(query: Mapping[str, str]) -> Response:
    """A key leads to the page of a player."""
    if query.get("hashkey") != FINGERPRINT:
        return Response(HTTPStatus.NOT_FOUND, b"{}")
    return Response(HTTPStatus.FOUND, b"", location=f"{_PLAYERS_SKILL}?game_type_cd=")


def _skills(_query: Mapping[str, str]) -> Response:
    moments = {"active_ind": True, "create_dt": "2026-01-02T03:04:05Z", "update_dt": "2026-01-02T03:04:05Z"}
    return _json(
        [
            {"player_id": _PLAYER, "game_type_cd": mode, "mu": mu, "sigma": sigma} | moments
            for mode, (mu, sigma) in SKILLS.items()
        ]
    )


def _games(query: Mapping[str, str]) -> Response:
    """The last games, newest first."""
    if query.get("player_id") != str(_PLAYER):
        return _json(None)
    played = (("ctf", "catharsis", 2), ("ctf", "dance", 3), ("duel", "bloodrage", 26))
    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    return _json(
        [
            {"game_id": 90210 - place, "game_type_cd": mode, "map_name": name, "server_name": "Ratchet Relay"}
            | {"create_dt": (now - timedelta(hours=hours)).isoformat()}
            for place, (mode, name, hours) in enumerate(played)
        ]
    )


def _json(value: object) -> Response:
    return Response(HTTPStatus.OK, json.dumps(value).encode())


_PAGES: Final[Mapping[str, Callable[[Mapping[str, str]], Response]]] = {
    _USER_STATS: _user_stats,
    _SKILL: _whose,
    _PLAYERS_SKILL: _skills,
    _GAMES: _games,
}
