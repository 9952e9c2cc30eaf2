import json
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlencode, urlsplit

import fake_skill_services
import pytest
from fake_skill_services import FINGERPRINT, GAMES, SKILLS
from hypothesis import given
from hypothesis import strategies as st

from browser_app.player.rate_limited_fetcher import (
    FetchError,
    FetchRequest,
    RateLimitedFetcher,
    SkillSourceError,
)
from browser_app.player.xonstat_web_api import (
    MAX_XONSTAT_POINTS,
    SkillEstimate,
    XonStatSkill,
    fetch_recent_games,
    fetch_xonstat_skill,
    parse_recent_games,
    parse_xonstat_skill,
)
from browser_app.storage.own_skill.skill_sample_store import LoggedRequest


def fetch(request: FetchRequest) -> bytes:
    """Return a response of the fake service, following redirects, without a network."""
    url = f"{request.url}?{urlencode(request.query)}"
    headers = {name.lower(): value for name, value in request.headers.items()}
    for _ in range(2):
        parts = urlsplit(url)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        reply = fake_skill_services.xonstat(parts.path, query, headers)
        if reply.status == 302:
            url = reply.headers["Location"]
    if reply.status != 200:
        raise FetchError(f"HTTP {reply.status}", reply.status, reply.body)
    return reply.body


def entry(mode: object = "ctf", mu: object = 1500.0, sigma: object = 350.0, player: object = 4711) -> dict[str, object]:
    return {"player_id": player, "game_type_cd": mode, "mu": mu, "sigma": sigma}


def test_own_skill() -> None:
    log: list[LoggedRequest] = []
    skill = fetch_xonstat_skill(
        RateLimitedFetcher(fetch, lambda *entry: log.append(LoggedRequest(*entry))), FINGERPRINT
    )
    assert skill == XonStatSkill({mode: SkillEstimate(*each) for mode, each in SKILLS.items()}, 4711)
    assert skill.surest_mode == "ctf"
    assert [(logged.host, logged.answer) for logged in log] == [("stats.xonotic.org", "skill in 2 modes")]


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (404, "does not know this key"),
        (429, "Too many requests"),
        (500, "^XonStat: HTTP 500$"),
        (None, "^XonStat: HTTP None$"),
    ],
)
def test_http_errors_are_explained(status: int | None, reason: str) -> None:
    def refuse(request: FetchRequest) -> bytes:
        raise FetchError(f"HTTP {status}", status)

    with pytest.raises(SkillSourceError, match=reason):
        fetch_xonstat_skill(RateLimitedFetcher(refuse, print), FINGERPRINT)


def test_unknown_fingerprint_has_no_skill() -> None:
    with pytest.raises(SkillSourceError, match="does not know this key"):
        fetch_xonstat_skill(RateLimitedFetcher(fetch, lambda *_: None), "A" * 43 + "=")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({}, "Unexpected answer"),
        (None, "Unexpected answer"),
        ([entry()] * 101, "Unexpected answer"),
        ([], "no skill yet"),
        ([1, None, []], "no skill yet"),
        ([entry(sigma=0)], "no skill yet"),
        ([entry(sigma=None)], "no skill yet"),
        ([entry(mu=-1.0)], "no skill yet"),
        ([entry(mu="1500")], "no skill yet"),
        ([entry(mu=float("nan"))], "no skill yet"),
        ([entry(sigma=float("inf"))], "no skill yet"),
        ([entry(mu=10**400)], "no skill yet"),
        ([entry(mode="<b>ctf</b>")], "no skill yet"),
        ([entry(mode=None)], "no skill yet"),
        ([entry(mode="c" * 21)], "no skill yet"),
        ([entry(), entry("duel", player=4712)], "several players"),
    ],
)
def test_replies_without_skill(answer: object, reason: str) -> None:
    with pytest.raises(SkillSourceError, match=reason):
        parse_xonstat_skill(json.dumps(answer).encode())


def test_invalid_entry_does_not_affect_others() -> None:
    answer = [entry("ctf", 1600.0, 90.0), entry("duel", "?", 90.0), entry("dm", 0, 350)]
    assert parse_xonstat_skill(json.dumps(answer).encode()).modes == {
        "ctf": SkillEstimate(1600.0, 90.0),
        "dm": SkillEstimate(0.0, 350.0),
    }


def test_invalid_json_is_reported() -> None:
    for body in (b"", b"<!DOCTYPE html>", b"\xff", b"[" * 300_000):
        with pytest.raises(SkillSourceError, match="not valid JSON"):
            parse_xonstat_skill(body)


_numbers = st.integers() | st.floats() | st.booleans() | st.text(max_size=5) | st.none()


@given(st.lists(st.builds(entry, st.text(max_size=22) | st.sampled_from(["ctf", "dm"]), _numbers, _numbers)))
def test_any_reply_is_plausible_or_rejected(answer: list[dict[str, object]]) -> None:
    try:
        skill = parse_xonstat_skill(json.dumps(answer).encode())
    except SkillSourceError:
        return
    assert skill.surest_mode in skill.modes
    assert all(0 <= mu <= MAX_XONSTAT_POINTS and 0 < sigma <= MAX_XONSTAT_POINTS for mu, sigma in skill.modes.values())


def test_recent_games() -> None:
    log: list[LoggedRequest] = []
    games = fetch_recent_games(RateLimitedFetcher(fetch, lambda *entry: log.append(LoggedRequest(*entry))), 4711)
    assert [(game.mode, game.map, game.server) for game in games] == [
        ("ctf", "catharsis", "Red Arena"), ("duel", "bloodrage", "Red Arena"), ("ctf", "implosion", "Red Arena"),
    ]  # fmt: skip
    assert games[0].time == datetime(2026, 11, 20, 21, tzinfo=UTC).timestamp()
    assert [(logged.subject, logged.answer) for logged in log] == [("recent rounds of player 4711", "3 rounds")]


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        (None, 0),
        ([], 0),
        ([1, None, {}], 0),
        ([{**GAMES[0], "create_dt": "yesterday"}, {**GAMES[0], "create_dt": 5}, GAMES[1]], 1),
        ([{**GAMES[0], "create_dt": "0001-01-01T00:00:00+23:59"}], 0),
        ([{**GAMES[0], "game_type_cd": "<b>"}], 0),
        ([{**GAMES[0], "map_name": None, "server_name": "x" * 5000}], 1),
        (GAMES * 50, 20),
    ],
)
def test_invalid_games_are_left_out(answer: object, count: int) -> None:
    games = parse_recent_games(json.dumps(answer).encode())
    assert len(games) == count
    assert all(len(game.server) <= 100 for game in games)


@pytest.mark.parametrize("body", [b"", b"<html>", b"{}", b'"games"', b"7"])
def test_invalid_game_list(body: bytes) -> None:
    with pytest.raises(SkillSourceError, match="XonStat"):
        parse_recent_games(body)
