"""Favourites, blocked servers, notes and visits survive a restart."""

from dataclasses import replace
from pathlib import Path

import pytest

from browser_app.protocols.address import Address
from browser_app.storage.database import DATABASE_FILE_NAME, Database, open_database
from browser_app.storage.user_lists.server_list_store import BlockEntry, BlockKind, BlockList, Favourite, FavouriteStore
from browser_app.storage.user_lists.server_text_store import ServerTextStore
from browser_app.storage.user_lists.visit_history_store import (
    EARLY_EXIT_S,
    LEFT_EARLY_S,
    RECENTLY_LEFT_S,
    SHORT_VISIT_S,
    ServerVisit,
    VisitHistory,
)

A, B = Address("192.0.2.1", 27015), Address("2001:db8::1", 26000)


def test_favourites_are_stored(database: Database) -> None:
    favourites = FavouriteStore(database)
    favourites.add(Favourite(A, "Ours", 2.0, "a2s", "ns2", "steam:1"))
    favourites.add(Favourite(B, "Theirs", 1.0))
    assert A in favourites
    assert favourites.create_matcher().addresses == {A, B}
    database.flush()
    again = FavouriteStore(database)
    assert list(again) == [Favourite(B, "Theirs", 1.0), Favourite(A, "Ours", 2.0, "a2s", "ns2", "steam:1")]


def test_replaced_favourite_has_new_address(database: Database) -> None:
    favourites = FavouriteStore(database)
    favourites.add(Favourite(A, "Ours", 1.0, stable_key="k"))
    moved = Favourite(B, "Ours", 1.0, "a2s", "ns2", "k")
    favourites.replace(A, moved)
    database.flush()
    assert list(favourites) == list(FavouriteStore(database)) == [moved]
    same = Favourite(B, "Ours", 1.0)
    favourites.replace(B, same)
    database.flush()
    assert list(favourites) == list(FavouriteStore(database)) == [same]


def test_readding_replaces_favourite(database: Database) -> None:
    favourites = FavouriteStore(database)
    favourites.add(Favourite(A, "Old name", 1.0))
    favourites.add(Favourite(A, "New name", 1.0))
    database.flush()
    assert [favourite.name for favourite in FavouriteStore(database)] == ["New name"]


def test_blocks_are_validated(database: Database) -> None:
    blocked = BlockList(database)
    blocked.add(BlockKind.ADDRESS, " 192.0.2.1:27015 ", 1.0)
    blocked.add(BlockKind.NETWORK, "198.51.100.7/24", 2.0)
    blocked.add(BlockKind.NAME, "*casino*", 3.0)
    database.flush()
    marks = BlockList(database).create_matcher()
    assert marks.addresses == {A}
    assert marks.networks == ("198.51.100.0/24",)
    assert marks.names == ("*casino*",)
    blocked.remove(BlockKind.NAME, "*casino*")
    database.flush()
    assert BlockList(database).create_matcher().names == ()


@pytest.mark.parametrize(
    ("kind", "value"),
    [(BlockKind.ADDRESS, "nowhere"), (BlockKind.NETWORK, "1.2.3.4/99"), (BlockKind.NAME, " ** "), (BlockKind.NAME, "")],
)
def test_invalid_block_is_rejected(database: Database, kind: BlockKind, value: str) -> None:
    blocked = BlockList(database)
    with pytest.raises(ValueError, match=r"."):
        blocked.add(kind, value, 1.0)
    with pytest.raises(ValueError, match=r"."):
        blocked.add_all([BlockEntry(BlockKind.NAME, "*casino*", 1.0), BlockEntry(kind, value, 1.0)])
    assert list(blocked) == []


def test_empty_note_is_removed(database: Database) -> None:
    notes = ServerTextStore(database, "notes")
    notes.set(A, " friendly admins ")
    notes.set(B, "x")
    notes.set(B, "  ")
    database.flush()
    assert notes.all() == ServerTextStore(database, "notes").all() == {A: "friendly admins"}


def test_visits_survive_restart(database: Database) -> None:
    history = VisitHistory(database)
    first = ServerVisit(100.0, A, "Ours", "ns2_veil", "a2s", "ns2", 12, 40.5, 0.6, "players: 12 of 24")
    history.add_visit(first)
    history.add_visit(ServerVisit(200.0, B, "Theirs", "dance"))
    history.set_left(A, 150.0)
    database.flush()
    assert VisitHistory(database).load_visits(A) == [replace(first, left_at=150.0)]
    assert [visit.name for visit in VisitHistory(database).load_visits(B)] == ["Theirs"]


def test_leaving_ends_last_visit(database: Database) -> None:
    history = VisitHistory(database)
    history.add_visit(ServerVisit(100.0, A, "Ours", "m"))
    history.add_visit(ServerVisit(300.0, A, "Ours", "m"))
    history.set_left(A, 400.0)
    database.flush()
    assert [visit.left_at for visit in history.load_visits(A)] == [400.0, None]


@pytest.mark.parametrize("restart", [False, True])
def test_recently_left_lasts_ten_minutes(database: Database, restart: bool) -> None:
    history = VisitHistory(database)
    history.add_visit(ServerVisit(1000.0, A, "Ours", "m"))
    history.add_visit(ServerVisit(1000.0, B, "Theirs", "m"))
    history.set_left(A, 5000.0)
    database.flush()
    if restart:
        history = VisitHistory(database)
    assert history.match_recently_left(5000.0 + RECENTLY_LEFT_S).addresses == {A}
    assert history.match_recently_left(5001.0 + RECENTLY_LEFT_S).addresses == frozenset()
    assert history.match_recently_left(1000.0 + RECENTLY_LEFT_S).addresses == {B}
    assert history.last_played() == {A: 1000.0, B: 1000.0}


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize(
    ("stay_s", "is_early"),
    [
        (EARLY_EXIT_S - 1, False),
        (EARLY_EXIT_S, True),
        (SHORT_VISIT_S, True),
        (SHORT_VISIT_S + 1, False),
        (None, False),
    ],
)
def test_short_visit_leaves_early(database: Database, stay_s: float | None, is_early: bool, restart: bool) -> None:
    history = VisitHistory(database)
    history.add_visit(ServerVisit(1000.0, A, "Ours", "m"))
    left_at = 1000.0 + (stay_s or 0.0)
    if stay_s is not None:
        history.set_left(A, left_at)
    database.flush()
    if restart:
        history = VisitHistory(database)
    expected = frozenset({A}) if is_early else frozenset()
    assert history.match_left_early(left_at).addresses == expected
    assert history.match_left_early(left_at + LEFT_EARLY_S).addresses == expected
    assert history.match_left_early(left_at + LEFT_EARLY_S + 1).addresses == frozenset()


def test_longer_visit_cancels_short_one(database: Database) -> None:
    history = VisitHistory(database)
    for joined_at, left_at in ((1000.0, 1060.0), (1100.0, 2000.0)):
        history.add_visit(ServerVisit(joined_at, A, "Ours", "m"))
        history.set_left(A, left_at)
    assert history.match_left_early(2000.0).addresses == frozenset()


def test_damage_gives_empty_lists(tmp_path: Path) -> None:
    (tmp_path / DATABASE_FILE_NAME).write_bytes(b"damaged" * 1000)
    database = open_database(tmp_path)
    assert list(FavouriteStore(database)) == []
    assert list(BlockList(database)) == []
    assert VisitHistory(database).last_played() == {}
    database.close()
