"""A server's entries that meet others at its new address."""

import pytest

from browser_app.protocols.address import Address
from browser_app.storage.user_lists.address_change import move_server_entries
from browser_app.storage.user_lists.alert_store import AlertKind, ServerAlert
from browser_app.storage.user_lists.server_list_store import BlockEntry, BlockKind
from browser_app.storage.user_storage import UserStorage

OLD, NEW = Address("play.example.org", 27015), Address("192.0.2.7", 27015)


def test_without_entries_nothing_moves(storage: UserStorage) -> None:
    storage.notes.set(NEW, "here")
    assert not move_server_entries(storage, OLD, NEW)


@pytest.mark.parametrize(
    ("old", "new", "joined"),
    [("by name", "here", "here\n\nby name"), ("here", "here", "here"), ("by name", "", "by name")],
)
def test_notes_are_joined(storage: UserStorage, old: str, new: str, joined: str) -> None:
    storage.notes.set_all({OLD: old, NEW: new})
    assert move_server_entries(storage, OLD, NEW)
    assert storage.notes.all() == {NEW: joined}


def test_other_texts_are_not_overwritten(storage: UserStorage) -> None:
    storage.corrected_countries.set_all({OLD: "DE", NEW: "FR"})
    storage.launch_arguments.set_all({OLD: "-nosound", NEW: "-nosound"})
    assert move_server_entries(storage, OLD, NEW)
    assert storage.corrected_countries.all() == {OLD: "DE", NEW: "FR"}
    assert storage.launch_arguments.all() == {NEW: "-nosound"}


def test_newer_alert_is_kept(storage: UserStorage) -> None:
    storage.alerts.set_all(
        [
            ServerAlert(OLD, AlertKind.PLAYERS, 4, "", 3.0),
            ServerAlert(NEW, AlertKind.PLAYERS, 9, "", 1.0),
            ServerAlert(OLD, AlertKind.SLOT, 0, "by name", 1.0),
            ServerAlert(NEW, AlertKind.SLOT, 0, "here", 2.0),
        ]
    )
    assert move_server_entries(storage, OLD, NEW)
    expected = {ServerAlert(NEW, AlertKind.PLAYERS, 4, "", 3.0), ServerAlert(NEW, AlertKind.SLOT, 0, "here", 2.0)}
    assert set(storage.alerts) == expected


def test_block_is_not_repeated(storage: UserStorage) -> None:
    storage.blocked.add(BlockKind.ADDRESS, str(OLD), 1.0)
    storage.blocked.add(BlockKind.ADDRESS, str(NEW), 2.0)
    assert move_server_entries(storage, OLD, NEW)
    assert [*storage.blocked] == [BlockEntry(BlockKind.ADDRESS, str(NEW), 2.0)]
