import json
from typing import Any

import pytest
import skill_services
from hypothesis import example, given
from hypothesis import strategies as st
from skill_services import ACCOUNT, KEY, OFTEN, PRIVATE, STATS, TROUBLED, UNOWNED, VANITY

from browser_app.player.asking import Asked, Asking, FetchError, Question, SourceError
from browser_app.player.steam_user_stats import MOST_POINTS, SteamSkill, ask_skill, read_skill
from browser_app.player.steam_vanity import ask_whose, read_whose


def fetch(question: Question) -> bytes:
    """From the stand-in, without a network between."""
    path = question.url.removeprefix("https://api.steampowered.com")
    reply = skill_services.steam(path, {**question.query, **question.secret}, {})
    if reply.status != 200:
        raise FetchError(f"HTTP {reply.status}", reply.status, reply.body)
    return reply.body


@pytest.fixture
def notes() -> list[Asked]:
    return []


@pytest.fixture
def asking(notes: list[Asked]) -> Asking:
    return Asking(fetch, notes.append)


def body_of(stats: object, **more: object) -> bytes:
    return json.dumps({"playerstats": {"steamID": ACCOUNT, "stats": stats, **more}}).encode()


def named(stats: dict[str, Any]) -> bytes:
    return body_of([{"name": name, "value": value} for name, value in stats.items()])


def test_the_sample_of_a_live_server(asking: Asking, notes: list[Asked]) -> None:
    skill = ask_skill(asking, ACCOUNT, KEY)
    assert skill == SteamSkill(1771, -214, 1931, 200, 0.25, None)
    assert (skill.marine, skill.alien) == (1557, 1985)
    assert (skill.marine_commander, skill.alien_commander) == (2131, 1731)
    assert [(note.host, note.what, note.answer) for note in notes] == [
        ("api.steampowered.com", f"NS2 skill of {ACCOUNT}", "skill 1771")
    ]
    assert KEY not in repr(notes)


def test_what_is_missing_is_unknown_and_zero_is_a_skill() -> None:
    skill = read_skill(named({"skill": 0}), ACCOUNT)
    assert skill == SteamSkill(0)
    assert (skill.marine, skill.alien, skill.marine_commander, skill.alien_commander) == (None, None, None, None)
    assert read_skill(named({"skill": 5, "skill_offset": 3}), ACCOUNT).offset == -3  # Steam leaves zeros out


@pytest.mark.parametrize("sign", [0, 1, 2, -1])
def test_the_sign_of_an_offset(sign: int) -> None:
    stats = {"skill": 1000, "skill_offset": 100, "skill_offset_sign": sign}
    assert read_skill(named(stats), ACCOUNT).marine == (1100 if sign >= 1 else 900)


@pytest.mark.parametrize(
    ("account", "key", "reason"),
    [
        (PRIVATE, KEY, "not public; Steam's privacy settings"),
        (UNOWNED, KEY, "does not own the game"),
        (TROUBLED, KEY, r"trouble of its own \(HTTP 500\)"),
        (OFTEN, KEY, "asked too often"),
        (ACCOUNT, "F" * 32, "refused the Web API key"),
    ],
)
def test_refusals_in_plain_words(asking: Asking, notes: list[Asked], account: str, key: str, reason: str) -> None:
    with pytest.raises(SourceError, match=reason) as caught:
        ask_skill(asking, account, key)
    assert notes[0].answer == str(caught.value)
    assert key not in repr(notes) + str(caught.value)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "not JSON"),
        (b"\xff\x00", "not JSON"),
        (b"[" * 300_000, "not JSON"),
        (b"[]", "makes no sense"),
        (b"{}", "makes no sense"),
        (b'{"playerstats": []}', "makes no sense"),
        (body_of({"skill": 1}), "makes no sense"),
        (body_of([{}] * 10_001), "makes no sense"),
        (body_of([], error="Requested app has no stats"), "refused to tell"),
        (body_of([], error="Profile is not public"), "not public"),
        (body_of([], steamID="76561197960287931"), "somebody else"),
        (body_of([]), "no round that counts"),
        (named({"skill": -1}), "no round that counts"),
        (named({"skill": True}), "no round that counts"),
        (named({"skill": "1771"}), "no round that counts"),
        (named({"skill": float("nan")}), "no round that counts"),
        (named({"skill": float("inf")}), "no round that counts"),
        (named({"skill": 10**400}), "no round that counts"),
        (named({"skill": MOST_POINTS + 1}), "no round that counts"),
        (body_of([1, None, {"name": 1, "value": 2}, {"name": "skill"}]), "no round that counts"),
    ],
)
def test_answers_that_tell_no_skill(body: bytes, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        read_skill(body, ACCOUNT)


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda each: st.lists(each, max_size=4) | st.dictionaries(st.text(max_size=10), each, max_size=4),
    max_leaves=10,
)
_stats = st.dictionaries(st.sampled_from([*STATS, "comm_adagrad"]), _values)


@given(st.one_of(_values, _stats.map(lambda stats: json.loads(named(stats)))))
@example({"playerstats": {"stats": [{"name": "skill", "value": 1e308}]}})
def test_whatever_comes_is_a_believable_skill_or_refused(answer: object) -> None:
    try:
        skill = read_skill(json.dumps(answer).encode(), ACCOUNT)
    except SourceError:
        return
    assert 0 <= skill.points <= MOST_POINTS
    for offset in (skill.offset, skill.commander_offset):
        assert offset is None or -MOST_POINTS <= offset <= MOST_POINTS
    assert skill.adagrad_sum is None or 0 < skill.adagrad_sum <= MOST_POINTS


def test_a_chosen_address(asking: Asking, notes: list[Asked]) -> None:
    assert ask_whose(asking, VANITY, KEY) == ACCOUNT
    assert (notes[0].what, notes[0].answer) == (f"whose the address “{VANITY}” is", ACCOUNT)
    with pytest.raises(SourceError, match="No profile on Steam"):
        ask_whose(asking, "nobody", KEY)
    with pytest.raises(SourceError, match="refused the Web API key"):
        ask_whose(asking, VANITY, "F" * 32)


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
def test_no_answer_about_an_address(body: bytes) -> None:
    with pytest.raises(SourceError, match=r"Steam's answer"):
        read_whose(body)
