import json
from typing import Any

import fake_skill_services
import pytest
from fake_skill_services import ACCOUNT, FAILING, KEY, NOT_OWNING, PRIVATE, RATE_LIMITED, STATS, VANITY
from hypothesis import example, given
from hypothesis import strategies as st

from browser_app.player.rate_limited_fetcher import (
    FetchError,
    FetchRequest,
    RateLimitedFetcher,
    SkillSourceError,
)
from browser_app.player.steam_web_api import (
    MAX_STEAM_POINTS,
    SteamSkill,
    fetch_steam_skill,
    fetch_vanity_steam_id,
    parse_steam_skill,
    parse_vanity_reply,
)
from browser_app.storage.own_skill.skill_sample_store import LoggedRequest


def fetch(request: FetchRequest) -> bytes:
    """Return a response of the stand-in service without using the network."""
    path = request.url.removeprefix("https://api.steampowered.com")
    reply = fake_skill_services.steam(path, {**request.query, **request.secret}, {})
    if reply.status != 200:
        raise FetchError(f"HTTP {reply.status}", reply.status, reply.body)
    return reply.body


@pytest.fixture
def log() -> list[LoggedRequest]:
    return []


@pytest.fixture
def fetcher(log: list[LoggedRequest]) -> RateLimitedFetcher:
    return RateLimitedFetcher(fetch, lambda *entry: log.append(LoggedRequest(*entry)))


def encode_reply(stats: object, **more: object) -> bytes:
    return json.dumps({"playerstats": {"steamID": ACCOUNT, "stats": stats, **more}}).encode()


def encode_stats(stats: dict[str, Any]) -> bytes:
    return encode_reply([{"name": name, "value": value} for name, value in stats.items()])


def test_skill_from_live_sample(fetcher: RateLimitedFetcher, log: list[LoggedRequest]) -> None:
    skill = fetch_steam_skill(fetcher, ACCOUNT, KEY)
    assert skill == SteamSkill(1771, -214, 1931, 200, 0.25, None)
    assert (skill.marine, skill.alien) == (1557, 1985)
    assert (skill.marine_commander, skill.alien_commander) == (2131, 1731)
    assert [(entry.host, entry.subject, entry.answer) for entry in log] == [
        ("api.steampowered.com", f"NS2 skill of {ACCOUNT}", "skill 1\u202f771")
    ]
    assert KEY not in repr(log)


def test_missing_is_unknown_and_zero_is_valid() -> None:
    skill = parse_steam_skill(encode_stats({"skill": 0}), ACCOUNT)
    assert skill == SteamSkill(0)
    assert (skill.marine, skill.alien, skill.marine_commander, skill.alien_commander) == (None, None, None, None)
    assert parse_steam_skill(encode_stats({"skill": 5, "skill_offset": 3}), ACCOUNT).offset == -3  # Steam omits zeros


@pytest.mark.parametrize("sign", [0, 1, 2, -1])
def test_offset_sign(sign: int) -> None:
    stats = {"skill": 1000, "skill_offset": 100, "skill_offset_sign": sign}
    assert parse_steam_skill(encode_stats(stats), ACCOUNT).marine == (1100 if sign >= 1 else 900)


@pytest.mark.parametrize(
    ("account", "key", "reason"),
    [
        (PRIVATE, KEY, "privacy settings"),
        (NOT_OWNING, KEY, "not owned"),
        (FAILING, KEY, r"HTTP 500"),
        (RATE_LIMITED, KEY, "Too many requests"),
        (ACCOUNT, "F" * 32, "rejected the Web API key"),
    ],
)
def test_http_errors_are_explained(
    fetcher: RateLimitedFetcher, log: list[LoggedRequest], account: str, key: str, reason: str
) -> None:
    with pytest.raises(SkillSourceError, match=reason) as caught:
        fetch_steam_skill(fetcher, account, key)
    assert log[0].answer == str(caught.value)
    assert key not in repr(log) + str(caught.value)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "not valid JSON"),
        (b"\xff\x00", "not valid JSON"),
        (b"[" * 300_000, "not valid JSON"),
        (b"[]", "Unexpected answer"),
        (b"{}", "Unexpected answer"),
        (b'{"playerstats": []}', "Unexpected answer"),
        (encode_reply({"skill": 1}), "Unexpected answer"),
        (encode_reply([{}] * 10_001), "Unexpected answer"),
        (encode_reply([], error="Requested app has no stats"), "did not provide"),
        (encode_reply([], error="Profile is not public"), "not public"),
        (encode_reply([], steamID="76561197960287931"), "different account"),
        (encode_reply([]), "no skill"),
        (encode_stats({"skill": -1}), "no skill"),
        (encode_stats({"skill": True}), "no skill"),
        (encode_stats({"skill": "1771"}), "no skill"),
        (encode_stats({"skill": float("nan")}), "no skill"),
        (encode_stats({"skill": float("inf")}), "no skill"),
        (encode_stats({"skill": 10**400}), "no skill"),
        (encode_stats({"skill": MAX_STEAM_POINTS + 1}), "no skill"),
        (encode_reply([1, None, {"name": 1, "value": 2}, {"name": "skill"}]), "no skill"),
    ],
)
def test_replies_without_skill(body: bytes, reason: str) -> None:
    with pytest.raises(SkillSourceError, match=reason):
        parse_steam_skill(body, ACCOUNT)


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda each: st.lists(each, max_size=4) | st.dictionaries(st.text(max_size=10), each, max_size=4),
    max_leaves=10,
)
_stats = st.dictionaries(st.sampled_from([*STATS, "comm_adagrad"]), _values)


@given(st.one_of(_values, _stats.map(lambda stats: json.loads(encode_stats(stats)))))
@example({"playerstats": {"stats": [{"name": "skill", "value": 1e308}]}})
def test_any_reply_is_plausible_or_rejected(answer: object) -> None:
    try:
        skill = parse_steam_skill(json.dumps(answer).encode(), ACCOUNT)
    except SkillSourceError:
        return
    assert 0 <= skill.points <= MAX_STEAM_POINTS
    for offset in (skill.offset, skill.commander_offset):
        assert offset is None or -MAX_STEAM_POINTS <= offset <= MAX_STEAM_POINTS
    assert skill.adagrad_sum is None or 0 < skill.adagrad_sum <= MAX_STEAM_POINTS


def test_vanity_url_is_looked_up(fetcher: RateLimitedFetcher, log: list[LoggedRequest]) -> None:
    assert fetch_vanity_steam_id(fetcher, VANITY, KEY) == ACCOUNT
    assert log[0].answer == ACCOUNT
    assert VANITY in log[0].subject
    with pytest.raises(SkillSourceError, match="No Steam profile"):
        fetch_vanity_steam_id(fetcher, "nobody", KEY)
    with pytest.raises(SkillSourceError, match="rejected the Web API key"):
        fetch_vanity_steam_id(fetcher, VANITY, "F" * 32)


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"[]",
        b'{"response": {}}',
        b'{"response": {"success": 1}}',
        b'{"response": {"success": 1, "steamid": 76561197960287930}}',
        b'{"response": {"success": 1, "steamid": "moth"}}',
        b'{"response": {"success": 2, "steamid": "76561197960287930"}}',
    ],
)
def test_invalid_vanity_reply(body: bytes) -> None:
    with pytest.raises(SkillSourceError, match="Steam"):
        parse_vanity_reply(body)
