"""Servers of saved lists: which are kept, and until when."""

from collections.abc import Iterator

import pytest

from browser_app.catalogue.server_info import QueryTarget
from browser_app.paths import user_paths
from browser_app.protocols.address import Address
from browser_app.storage.user_lists import saved_list_servers
from browser_app.storage.user_lists.saved_list_servers import SavedListServer, SavedListServers
from browser_app.storage.user_storage import UserStorage

NAMED, PLAIN = Address("play.example.org", 25565), Address("192.0.2.7", 27015)
TARGETS = (QueryTarget(NAMED, "minecraft", "minecraft"), QueryTarget(PLAIN, "a2s", None))


@pytest.fixture
def storage() -> Iterator[UserStorage]:
    with UserStorage(user_paths()) as storage:
        storage.saved_filters.save("Clan", f'address:"{NAMED}","{PLAIN}"')
        yield storage


def load_again(storage: UserStorage) -> list[SavedListServer]:
    return list(SavedListServers(storage.ui_state, storage.saved_filters))


def test_servers_stay_while_a_list_names_them(storage: UserStorage) -> None:
    storage.saved_list_servers.add(TARGETS)
    assert load_again(storage) == [SavedListServer(each.address, each) for each in TARGETS]
    storage.saved_filters.save("Clan", f'address:"{PLAIN}"')
    assert [each.listed for each in load_again(storage)] == [PLAIN]
    storage.saved_filters.delete("Clan")
    assert not load_again(storage)


def test_found_address_is_kept(storage: UserStorage) -> None:
    target = QueryTarget(Address("192.0.2.9", 25571), "minecraft", "minecraft", host_name="node.example.org")
    storage.saved_list_servers.add(TARGETS)
    storage.saved_list_servers.update_target(NAMED, target)
    storage.saved_list_servers.update_target(Address("192.0.2.8", 1), target)
    storage.saved_list_servers.save_updated_targets()
    assert load_again(storage) == [SavedListServer(NAMED, target), SavedListServer(PLAIN, TARGETS[1])]


def test_found_addresses_are_written_once(storage: UserStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    storage.saved_list_servers.add(TARGETS)
    writes = list[str]()
    monkeypatch.setattr(storage.ui_state, "set", lambda key, _value: writes.append(key))
    for number, target in enumerate(TARGETS):
        storage.saved_list_servers.update_target(
            target.address, target._replace(address=Address("192.0.2.9", 1 + number))
        )
    assert not writes
    storage.saved_list_servers.save_updated_targets()
    storage.saved_list_servers.save_updated_targets()
    assert len(writes) == 1


def test_found_address_is_written_at_close() -> None:
    with UserStorage(user_paths()) as storage:
        storage.saved_filters.save("Clan", f'address:"{NAMED}"')
        storage.saved_list_servers.add(TARGETS[:1])
        storage.saved_list_servers.update_target(NAMED, TARGETS[0]._replace(address=PLAIN))
    with UserStorage(user_paths()) as storage:
        assert [each.target.address for each in storage.saved_list_servers] == [PLAIN]


def test_servers_beyond_limit_are_left_out(storage: UserStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_list_servers, "MAX_SAVED_LIST_SERVERS", 1)
    assert storage.saved_list_servers.add(TARGETS[:1]) == 0
    assert storage.saved_list_servers.add(TARGETS) == 1
    assert [each.listed for each in load_again(storage)] == [NAMED]
    storage.saved_filters.save("Clan", f'address:"{PLAIN}"')
    assert storage.saved_list_servers.add(TARGETS[1:]) == 0, "no list names the first server any more"
    assert [each.listed for each in load_again(storage)] == [PLAIN]


def test_unreadable_entries_are_left_out(storage: UserStorage) -> None:
    storage.saved_list_servers.add(TARGETS[1:])
    (entry,) = storage.ui_state.get("servers of saved lists")
    wrong = {"protocol": "unheard-of", "listed": "192.0.2.7", "game": 5, "host_name": "a b", "address": 5}
    entries = [entry | {key: value} for key, value in wrong.items()]
    storage.ui_state.set("servers of saved lists", [3, *entries, entry])
    assert [each.target for each in load_again(storage)] == [TARGETS[1]]
    storage.ui_state.set("servers of saved lists", "text")
    assert not load_again(storage)
