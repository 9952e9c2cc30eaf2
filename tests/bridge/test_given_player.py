"""A demo network's player in the place of the user: known, recorded, and renewed when the week is over."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from browser_app.bridge.skill.given_player import introduce, recall, take_in
from browser_app.bridge.skill.preferences import Preferences
from browser_app.games import load_games
from browser_app.games.games import Games
from browser_app.paths import resources, user_paths
from browser_app.player.given import GivenPlayer, GivenRounds, GivenSample
from browser_app.player.identities import Identity, IdentityKind
from browser_app.player.sources import SourceKind
from browser_app.rounds.formats import ROUND_FILE
from browser_app.storage.errors import StorageError
from browser_app.storage.identities import KeptIdentity
from browser_app.storage.session import Session

ME = Identity("ns2", IdentityKind.STEAM, "76561197960287930")
WEEK_S = 7 * 86400.0


def a_round(number: int, week: int, game: str = "ns2") -> dict[str, Any]:
    return {
        "id": f"{week}/{number}",
        "game": game,
        "started": f"2026-0{week + 1}-01T20:{number:02}:00Z",
        "duration": 50.0,
        "teams": ["marines", "aliens"],
        "winner": "marines",
        "players": [
            {"id": "1", "stays": [{"team": "marines", "enter": 0.0, "leave": 50.0}]},
            {"id": "2", "stays": [{"team": "aliens", "enter": 0.0, "leave": 50.0}]},
        ],
    }


def rounds(now: float) -> Iterator[GivenRounds]:
    week = int(now / WEEK_S)
    yield GivenRounds(f"ns2 {week}", lambda: [a_round(number, week) for number in range(3 + week)])


GIVEN = GivenPlayer((ME,), rounds, {("ns2", "ns2"): {"c": 2.4, "start": 30.0}}, "http://127.0.0.1:1")


@pytest.fixture(scope="module")
def games() -> Games:
    return load_games(resources() / "games")


@pytest.fixture
def session() -> Iterator[Session]:
    with Session(user_paths()) as session:
        yield session


def files(session: Session) -> Sequence[str]:
    return sorted(each.file for each in session.rounds.files())


def test_he_is_the_user_until_somebody_says_otherwise(session: Session, games: Games) -> None:
    introduce(GIVEN, session.identities, session.kept, games)
    me = KeptIdentity("ns2", "steam", ME.value)
    assert list(session.identities) == [me]
    preferences = Preferences(session.kept, games)
    assert preferences.parameters("ns2", "ns2").number("start") == 30
    session.identities.remove(me)
    other = KeptIdentity("ns2", "name", "somebody")
    session.identities.add(other)
    introduce(GIVEN, session.identities, session.kept, games)
    assert list(session.identities) == [other]


def test_his_rounds_are_taken_in_once_and_renewed_with_the_week(session: Session, tmp_path: Path) -> None:
    own = str(tmp_path / "own.jsonl")
    session.rounds.add(own, ROUND_FILE, [(1, a_round(50, 8, "xonotic"))])
    assert take_in(GIVEN, session.rounds, 0.0)
    before = session.rounds.stamp("ns2")
    assert not take_in(GIVEN, session.rounds, WEEK_S - 1)
    assert session.rounds.stamp("ns2") == before
    assert files(session) == [own, "ns2 0"]
    assert take_in(GIVEN, session.rounds, WEEK_S)
    assert session.rounds.games() == {"ns2": 4, "xonotic": 1}
    assert files(session) == [own, "ns2 1"]


def test_what_services_said_of_him_is_kept_once(session: Session) -> None:
    def said(now: float) -> Iterator[GivenSample]:
        for ago in (200.0, 100.0):
            yield GivenSample(SourceKind.STEAM, ME, now - ago, {"points": 1600.0 + ago})

    given = replace(GIVEN, samples=said)
    recall(GIVEN, session.skill_samples, 1000.0)
    assert session.skill_samples.of("steam", "ns2") == []
    recall(given, session.skill_samples, 1000.0)
    recall(given, session.skill_samples, 2000.0)
    kept = session.skill_samples.of("steam", "ns2")
    assert [(each.identity, each.since, each.told) for each in kept] == [
        (ME.value, 800.0, {"points": 1800.0}),
        (ME.value, 900.0, {"points": 1700.0}),
    ]


def test_without_a_place_to_write_there_is_nothing_new(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise StorageError("full")

    monkeypatch.setattr(session.rounds, "add", fail)
    assert not take_in(GIVEN, session.rounds, 0.0)
