import json
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import skill_services
from hypothesis import given
from hypothesis import strategies as st
from skill_services import FINGERPRINT, GAMES, SKILLS

from browser_app.player.asking import Asked, Asking, FetchError, Question, SourceError
from browser_app.player.xonstat_games import ask_games, read_games
from browser_app.player.xonstat_skill import MOST_POINTS, Skill, XonStatSkill, ask_skill, read_skill


def fetch(question: Question) -> bytes:
    """From the stand-in, redirects followed, without a network between."""
    url = f"{question.url}?{urlencode(question.query)}"
    headers = {name.lower(): value for name, value in question.headers.items()}
    for _ in range(2):
        parts = urlsplit(url)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        reply = skill_services.xonstat(parts.path, query, headers)
        if reply.status == 302:
            url = reply.headers["Location"]
    if reply.status != 200:
        raise FetchError(f"HTTP {reply.status}", reply.status, reply.body)
    return reply.body


def entry(mode: object = "ctf", mu: object = 1500.0, sigma: object = 350.0, player: object = 4711) -> dict[str, object]:
    return {"player_id": player, "game_type_cd": mode, "mu": mu, "sigma": sigma}


def test_the_own_skill() -> None:
    notes: list[Asked] = []
    skill = ask_skill(Asking(fetch, notes.append), FINGERPRINT)
    assert skill == XonStatSkill({mode: Skill(*each) for mode, each in SKILLS.items()}, 4711)
    assert skill.surest == "ctf"
    assert [(note.host, note.answer) for note in notes] == [("stats.xonotic.org", "skill in 2 game types")]


@pytest.mark.parametrize(
    ("status", "reason"),
    [(404, "never saw a game"), (429, "asked too often"), (500, "^XonStat: HTTP 500$"), (None, "^XonStat: HTTP None$")],
)
def test_refusals_in_plain_words(status: int | None, reason: str) -> None:
    def refuse(question: Question) -> bytes:
        raise FetchError(f"HTTP {status}", status)

    with pytest.raises(SourceError, match=reason):
        ask_skill(Asking(refuse, print), FINGERPRINT)


def test_an_unknown_key() -> None:
    with pytest.raises(SourceError, match="does not know this key"):
        ask_skill(Asking(fetch, lambda _: None), "A" * 43 + "=")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({}, "makes no sense"),
        (None, "makes no sense"),
        ([entry()] * 101, "makes no sense"),
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
def test_answers_that_tell_no_skill(answer: object, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        read_skill(json.dumps(answer).encode())


def test_one_bad_entry_does_not_take_the_others_along() -> None:
    answer = [entry("ctf", 1600.0, 90.0), entry("duel", "?", 90.0), entry("dm", 0, 350)]
    assert read_skill(json.dumps(answer).encode()).modes == {"ctf": Skill(1600.0, 90.0), "dm": Skill(0.0, 350.0)}


def test_no_json() -> None:
    for body in (b"", b"<!DOCTYPE html>", b"\xff", b"[" * 300_000):
        with pytest.raises(SourceError, match="not JSON"):
            read_skill(body)


_numbers = st.integers() | st.floats() | st.booleans() | st.text(max_size=5) | st.none()


@given(st.lists(st.builds(entry, st.text(max_size=22) | st.sampled_from(["ctf", "dm"]), _numbers, _numbers)))
def test_whatever_comes_is_believable_or_refused(answer: list[dict[str, object]]) -> None:
    try:
        skill = read_skill(json.dumps(answer).encode())
    except SourceError:
        return
    assert skill.surest in skill.modes
    assert all(0 <= mu <= MOST_POINTS and 0 < sigma <= MOST_POINTS for mu, sigma in skill.modes.values())


def test_the_last_games() -> None:
    notes: list[Asked] = []
    games = ask_games(Asking(fetch, notes.append), 4711)
    assert [(game.mode, game.map, game.server) for game in games] == [
        ("ctf", "catharsis", "Red Arena"), ("duel", "bloodrage", "Red Arena"), ("ctf", "implosion", "Red Arena"),
    ]  # fmt: skip
    assert games[0].time == datetime(2026, 11, 20, 21, tzinfo=UTC).timestamp()
    assert [(note.what, note.answer) for note in notes] == [("last games of player 4711", "3 games")]


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
def test_lists_of_games(answer: object, count: int) -> None:
    games = read_games(json.dumps(answer).encode())
    assert len(games) == count
    assert all(len(game.server) <= 100 for game in games)


@pytest.mark.parametrize("body", [b"", b"<html>", b"{}", b'"games"', b"7"])
def test_no_list_of_games(body: bytes) -> None:
    with pytest.raises(SourceError, match="XonStat's answer"):
        read_games(body)
