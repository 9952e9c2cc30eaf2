"""The demo player as the user: identity, rounds, and renewal after a week."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from browser_app.application.demo_player_setup import (
    set_up_identity,
    set_up_lists,
    store_player_rounds,
    store_player_samples,
)
from browser_app.catalogue.server_info import QueryTarget, SavedServer, ServerInfo
from browser_app.paths import user_paths
from browser_app.player.demo_player import (
    DemoFavourite,
    DemoLists,
    DemoPlayer,
    DemoRounds,
    DemoSample,
)
from browser_app.player.player_identities import Identity, IdentityKind
from browser_app.player.skill_sources import SkillSourceKind
from browser_app.protocols.address import Address
from browser_app.rounds.round_formats import ROUND_FILE_FORMAT
from browser_app.storage.own_skill.skill_sample_store import StoredIdentity
from browser_app.storage.saved_servers import load_servers
from browser_app.storage.storage_errors import StorageError
from browser_app.storage.user_storage import UserStorage

ME = Identity("ns2", IdentityKind.STEAM, "76561197960287930")
WEEK_S = 7 * 86400.0


def make_round(number: int, week: int, game: str = "ns2") -> dict[str, Any]:
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


def rounds(now: float) -> Iterator[DemoRounds]:
    week = int(now / WEEK_S)
    yield DemoRounds(f"ns2 {week}", lambda: [make_round(number, week) for number in range(3 + week)])


PLAYER = DemoPlayer((ME,), rounds, "http://127.0.0.1:1", lambda _now: ())


HERE, THERE = Address("127.0.0.1", 27015), Address("127.0.0.2", 27015)
GONE = SavedServer(
    QueryTarget(THERE, "a2s", "tf2"), ServerInfo("tf2", "Gone", "cp_steel", THERE, 3, 0, 0, 24), 30.0, 5e8
)
LISTS = DemoLists(
    favourites=(DemoFavourite(QueryTarget(HERE, "a2s", "tf2"), "Here"),),
    friends=("moth",),
    blocked=(THERE,),
    friend_alerts=(HERE,),
    player_alerts=((HERE, 12),),
    notes=((HERE, "Evenings"),),
    saved_servers=(GONE,),
)


@pytest.fixture
def storage() -> Iterator[UserStorage]:
    with UserStorage(user_paths()) as storage:
        yield storage


def file_names(storage: UserStorage) -> Sequence[str]:
    return sorted(each.file for each in storage.round_store.load_files())


def test_identity_is_set_up_once(storage: UserStorage) -> None:
    set_up_identity(PLAYER, storage.identities)
    me = StoredIdentity("ns2", "steam", ME.value)
    assert list(storage.identities) == [me]
    storage.identities.remove(me)
    other = StoredIdentity("ns2", "name", "somebody")
    storage.identities.add(other)
    set_up_identity(PLAYER, storage.identities)
    assert list(storage.identities) == [other]


def test_lists_are_set_up_once(storage: UserStorage) -> None:
    set_up_lists(LISTS, storage, 1e9)
    assert [each.name for each in storage.favourites] == ["Here"]
    assert [each.value for each in storage.friends] == ["moth"]
    assert [each.value for each in storage.blocked] == [str(THERE)]
    alerts = [(each.address, each.kind, each.players, each.name) for each in storage.alerts]
    assert alerts == [(HERE, "friend", 0, "Here"), (HERE, "players", 12, "Here")]
    assert storage.notes.get(HERE) == "Evenings"
    storage.favourites.remove(HERE)
    set_up_lists(LISTS, storage, 1e9)
    assert not list(storage.favourites)


def test_vanished_server_is_saved(storage: UserStorage) -> None:
    set_up_lists(LISTS, storage, 1e9)
    found: list[SavedServer] = []
    load_servers(storage.database, found.extend, now=5e8 + 3600)
    assert [(each.target.address, each.info.name, each.last_answer) for each in found] == [(THERE, "Gone", 5e8)]


def test_rounds_are_renewed_weekly(storage: UserStorage, tmp_path: Path) -> None:
    own = str(tmp_path / "own.jsonl")
    storage.round_store.add_file(own, ROUND_FILE_FORMAT, [(1, make_round(50, 8, "xonotic"))])
    assert store_player_rounds(PLAYER, storage.round_store, 0.0)
    before = storage.round_store.read_state_stamp("ns2")
    assert not store_player_rounds(PLAYER, storage.round_store, WEEK_S - 1)
    assert storage.round_store.read_state_stamp("ns2") == before
    assert file_names(storage) == [own, "ns2 0"]
    assert store_player_rounds(PLAYER, storage.round_store, WEEK_S)
    assert storage.round_store.count_rounds() == {"ns2": 4, "xonotic": 1}
    assert file_names(storage) == [own, "ns2 1"]


def test_samples_are_stored_once(storage: UserStorage) -> None:
    def samples(now: float) -> Iterator[DemoSample]:
        for ago in (200.0, 100.0):
            yield DemoSample(SkillSourceKind.STEAM, ME, now - ago, {"points": 1600.0 + ago})

    player = replace(PLAYER, samples=samples)
    store_player_samples(PLAYER, storage.skill_samples, 1000.0)
    assert storage.skill_samples.load_samples("steam", "ns2") == []
    store_player_samples(player, storage.skill_samples, 1000.0)
    store_player_samples(player, storage.skill_samples, 2000.0)
    stored = storage.skill_samples.load_samples("steam", "ns2")
    assert [(each.identity, each.since, each.values) for each in stored] == [
        (ME.value, 800.0, {"points": 1800.0}),
        (ME.value, 900.0, {"points": 1700.0}),
    ]


def test_write_error_stores_no_rounds(storage: UserStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise StorageError("full")

    monkeypatch.setattr(storage.round_store, "add_file", fail)
    assert not store_player_rounds(PLAYER, storage.round_store, 0.0)
