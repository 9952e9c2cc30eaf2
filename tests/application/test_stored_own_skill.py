"""Own skill from stored answers and rounds."""

from collections.abc import Iterator
from typing import Any

import pytest

from browser_app.application.own_skill.own_skill_resolver import MIN_OWN_ROUNDS
from browser_app.application.own_skill.stored_own_skill import load_own_skill
from browser_app.games import load_games
from browser_app.paths import resource_folder, user_paths
from browser_app.rating_worker.rating_jobs import CountRoundsJob
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.own_skill.skill_sample_store import SkillSampleStore, StoredIdentity
from browser_app.storage.setting_declarations import OWN_SKILL, QUERY_STEAM_SKILL
from browser_app.storage.storage_errors import StorageError
from browser_app.storage.user_storage import UserStorage

GAMES = load_games(resource_folder() / "games")
ACCOUNT = "76561197960287930"


@pytest.fixture
def storage() -> Iterator[UserStorage]:
    with UserStorage(user_paths()) as storage:
        yield storage


def store_rounds(storage: UserStorage, number: int) -> None:
    """Store rounds that the user won, without any skill that the game reported."""
    storage.identities.add(StoredIdentity("ns2", "name", "me"))
    rounds: list[tuple[int, dict[str, Any]]] = [
        (
            n,
            {
                "id": f"r{n}",
                "game": "ns2",
                "started": f"2021-01-01T{n:02}:00:00Z",
                "duration": 900,
                "teams": ["marines", "aliens"],
                "winner": "marines",
                "players": [
                    {"id": player, "stays": [{"team": team, "enter": 0, "leave": 900}]}
                    for player, team in (("me", "marines"), ("you", "aliens"))
                ],
            },
        )
        for n in range(1, number + 1)
    ]
    storage.round_store.add_file("/rounds", "rounds", rounds)


def test_nothing_is_known_at_first(storage: UserStorage) -> None:
    assert load_own_skill(storage, GAMES).own_skill_by_game() == {}


def test_last_answer_of_enabled_service(storage: UserStorage) -> None:
    storage.identities.add(StoredIdentity("ns2", "steam", ACCOUNT))
    for time, points in ((1.0, 1700.0), (2.0, 1771.0)):
        storage.skill_samples.add("steam", "ns2", ACCOUNT, time, {"points": points}).result()
    storage.skill_samples.add("steam", "ns2", "76561197960287931", 3.0, {"points": 100.0}).result()
    assert load_own_skill(storage, GAMES).own_skill_by_game() == {}
    storage.settings.set(QUERY_STEAM_SKILL, True)
    assert load_own_skill(storage, GAMES).own_skill_by_game() == {"ns2": 1771.0}


def test_rounds_are_rated_once(storage: UserStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    store_rounds(storage, MIN_OWN_ROUNDS)
    (points,) = load_own_skill(storage, GAMES).own_skill_by_game().values()
    assert points > 1000
    monkeypatch.delattr(CountRoundsJob, "run")
    assert load_own_skill(storage, GAMES).own_skill_by_game() == {"ns2": points}


def test_unreadable_data_does_not_count(storage: UserStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_values: object) -> None:
        raise StorageError("disk error")

    storage.settings.set(QUERY_STEAM_SKILL, True)
    storage.settings.set(OWN_SKILL, {"ns2": 1234.0})
    store_rounds(storage, MIN_OWN_ROUNDS)
    monkeypatch.setattr(RoundStore, "read_state_stamp", fail)
    monkeypatch.setattr(SkillSampleStore, "load_samples", fail)
    assert load_own_skill(storage, GAMES).own_skill_by_game() == {"ns2": 1234.0}
