"""Favourites, blocked servers, notes and visits survive a restart and are what the catalogue wants."""

from pathlib import Path

import pytest

from browser_app.protocols.address import Address
from browser_app.storage.blocked import Block, Blocked, BlockKind
from browser_app.storage.database import FILE_NAME, Database, open_database
from browser_app.storage.favourites import Favourite, Favourites
from browser_app.storage.history import RECENT_S, History, Join
from browser_app.storage.notes import Notes

A, B = Address("192.0.2.1", 27015), Address("2001:db8::1", 26000)


def test_favourites_are_there_at_once_and_after_a_restart(database: Database) -> None:
    favourites = Favourites(database)
    favourites.add(Favourite(A, "Ours", 2.0, "a2s", "ns2", "steam:1"))
    favourites.add(Favourite(B, "Theirs", 1.0))
    assert A in favourites
    assert favourites.marks().addresses == {A, B}
    assert set(favourites.marks().keys) == {"steam:1"}
    database.flush()
    again = Favourites(database)
    assert list(again) == [Favourite(B, "Theirs", 1.0), Favourite(A, "Ours", 2.0, "a2s", "ns2", "steam:1")]


def test_taking_off_the_star_of_a_server_elsewhere_leaves_the_favourite_at_home(database: Database) -> None:
    favourites = Favourites(database)
    favourites.add(Favourite(A, "Ours", 1.0, stable_key="k"))
    favourites.add(Favourite(B, "Theirs", 2.0, stable_key="l"))
    favourites.remove(Address("198.51.100.1", 1), "k")
    favourites.remove(Address("198.51.100.1", 2))
    database.flush()
    for now in (favourites, Favourites(database)):
        assert list(now) == [Favourite(A, "Ours", 1.0), Favourite(B, "Theirs", 2.0, stable_key="l")]
        assert now.marks().keys == {"l": B}
    favourites.remove(A, "l")
    database.flush()
    assert list(favourites) == list(Favourites(database)) == [Favourite(B, "Theirs", 2.0, stable_key="l")]


def test_adding_a_favourite_again_replaces_it(database: Database) -> None:
    favourites = Favourites(database)
    favourites.add(Favourite(A, "Old name", 1.0))
    favourites.add(Favourite(A, "New name", 1.0))
    database.flush()
    assert [favourite.name for favourite in Favourites(database)] == ["New name"]


def test_blocked_servers_are_checked_and_kept(database: Database) -> None:
    blocked = Blocked(database)
    blocked.add(BlockKind.ADDRESS, " 192.0.2.1:27015 ", 1.0)
    blocked.add(BlockKind.NETWORK, "198.51.100.7/24", 2.0)
    blocked.add(BlockKind.NAME, "*casino*", 3.0)
    database.flush()
    marks = Blocked(database).marks()
    assert marks.addresses == {A}
    assert marks.networks == ("198.51.100.0/24",)
    assert marks.names == ("*casino*",)
    blocked.remove(BlockKind.NAME, "*casino*")
    database.flush()
    assert Blocked(database).marks().names == ()


@pytest.mark.parametrize(
    ("kind", "value"),
    [(BlockKind.ADDRESS, "nowhere"), (BlockKind.NETWORK, "1.2.3.4/99"), (BlockKind.NAME, " ** "), (BlockKind.NAME, "")],
)
def test_what_would_block_nothing_or_everything_is_refused(database: Database, kind: BlockKind, value: str) -> None:
    blocked = Blocked(database)
    with pytest.raises(ValueError, match=r"."):
        blocked.add(kind, value, 1.0)
    with pytest.raises(ValueError, match=r"."):
        blocked.put([Block(BlockKind.NAME, "*casino*", 1.0), Block(kind, value, 1.0)])
    assert list(blocked) == []


def test_notes_are_written_changed_and_taken_away(database: Database) -> None:
    notes = Notes(database)
    notes.set(A, " friendly admins ")
    notes.set(B, "x")
    notes.set(B, "  ")
    database.flush()
    assert notes.all() == Notes(database).all() == {A: "friendly admins"}


def test_visits_are_listed_newest_first_with_all_they_say(database: Database) -> None:
    history = History(database)
    first = Join(100.0, A, "Ours", "ns2_veil", "a2s", "ns2", 12, 40.5, 0.6, "12 of 24 playing")
    history.record_join(first)
    history.record_join(Join(200.0, B, "Theirs", "dance"))
    history.record_leave(A, 150.0)
    database.flush()
    listed = History(database).last_joins()
    assert [join.address for join in listed] == [B, A]
    assert listed[1].left_at == 150.0
    assert (listed[1].players, listed[1].ping_ms, listed[1].score, listed[1].why) == (12, 40.5, 0.6, "12 of 24 playing")
    assert [join.address for join in history.last_joins(limit=1)] == [B]


def test_leaving_ends_the_last_visit_only(database: Database) -> None:
    history = History(database)
    history.record_join(Join(100.0, A, "Ours", "m"))
    history.record_join(Join(300.0, A, "Ours", "m"))
    history.record_leave(A, 400.0)
    database.flush()
    assert [join.left_at for join in history.last_joins()] == [400.0, None]


@pytest.mark.parametrize("restart", [False, True])
def test_recently_left_lasts_ten_minutes_from_leaving(database: Database, restart: bool) -> None:
    history = History(database)
    history.record_join(Join(1000.0, A, "Ours", "m"))
    history.record_join(Join(1000.0, B, "Theirs", "m"))
    history.record_leave(A, 5000.0)
    database.flush()
    if restart:
        history = History(database)
    assert history.recently_left(5000.0 + RECENT_S).addresses == {A}
    assert history.recently_left(5001.0 + RECENT_S).addresses == frozenset()
    assert history.recently_left(1000.0 + RECENT_S).addresses == {B}
    assert history.last_played() == {A: 1000.0, B: 1000.0}


def test_a_damaged_file_costs_the_lists_but_not_the_start(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"damaged" * 1000)
    database = open_database(tmp_path)
    assert list(Favourites(database)) == []
    assert list(Blocked(database)) == []
    assert History(database).last_joins() == []
    database.close()
