"""Servers of saved lists: which are kept, and until when."""

from collections.abc import Iterator

import pytest

from browser_app.catalogue.server_info import QueryTarget
from browser_app.paths import user_paths
from browser_app.protocols.address import Address
from browser_app.storage.user_lists import saved_list_servers
from browser_app.storage.user_lists.saved_list_servers import SavedListServer, SavedListServers
from browser_app.storage.user_session import UserSession

NAMED, PLAIN = Address("play.example.org", 25565), Address("192.0.2.7", 27015)
TARGETS = (QueryTarget(NAMED, "minecraft", "minecraft"), QueryTarget(PLAIN, "a2s", None))


@pytest.fixture
def session() -> Iterator[UserSession]:
    with UserSession(user_paths()) as session:
        session.saved_filters.save("Clan", f'address:"{NAMED}","{PLAIN}"')
        yield session


def load_again(session: UserSession) -> list[SavedListServer]:
    return list(SavedListServers(session.ui_state, session.saved_filters))


def test_servers_stay_while_a_list_names_them(session: UserSession) -> None:
    session.saved_list_servers.add(TARGETS)
    assert load_again(session) == [SavedListServer(each.address, each) for each in TARGETS]
    session.saved_filters.save("Clan", f'address:"{PLAIN}"')
    assert [each.listed for each in load_again(session)] == [PLAIN]
    session.saved_filters.delete("Clan")
    assert not load_again(session)


def test_found_address_is_kept(session: UserSession) -> None:
    target = QueryTarget(Address("192.0.2.9", 25571), "minecraft", "minecraft", host_name="node.example.org")
    session.saved_list_servers.add(TARGETS)
    session.saved_list_servers.update_target(NAMED, target)
    session.saved_list_servers.update_target(Address("192.0.2.8", 1), target)
    session.saved_list_servers.save_updated_targets()
    assert load_again(session) == [SavedListServer(NAMED, target), SavedListServer(PLAIN, TARGETS[1])]


def test_found_addresses_are_written_once(session: UserSession, monkeypatch: pytest.MonkeyPatch) -> None:
    session.saved_list_servers.add(TARGETS)
    writes = list[str]()
    monkeypatch.setattr(session.ui_state, "set", lambda key, _value: writes.append(key))
    for number, target in enumerate(TARGETS):
        session.saved_list_servers.update_target(
            target.address, target._replace(address=Address("192.0.2.9", 1 + number))
        )
    assert not writes
    session.saved_list_servers.save_updated_targets()
    session.saved_list_servers.save_updated_targets()
    assert len(writes) == 1


def test_found_address_is_written_at_close() -> None:
    with UserSession(user_paths()) as session:
        session.saved_filters.save("Clan", f'address:"{NAMED}"')
        session.saved_list_servers.add(TARGETS[:1])
        session.saved_list_servers.update_target(NAMED, TARGETS[0]._replace(address=PLAIN))
    with UserSession(user_paths()) as session:
        assert [each.target.address for each in session.saved_list_servers] == [PLAIN]


def test_servers_beyond_limit_are_left_out(session: UserSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_list_servers, "MAX_SAVED_LIST_SERVERS", 1)
    assert session.saved_list_servers.add(TARGETS[:1]) == 0
    assert session.saved_list_servers.add(TARGETS) == 1
    assert [each.listed for each in load_again(session)] == [NAMED]
    session.saved_filters.save("Clan", f'address:"{PLAIN}"')
    assert session.saved_list_servers.add(TARGETS[1:]) == 0, "no list names the first server any more"
    assert [each.listed for each in load_again(session)] == [PLAIN]


def test_unreadable_entries_are_left_out(session: UserSession) -> None:
    session.saved_list_servers.add(TARGETS[1:])
    (entry,) = session.ui_state.get("servers of saved lists")
    wrong = {"protocol": "unheard-of", "listed": "192.0.2.7", "game": 5, "host_name": "a b", "address": 5}
    entries = [entry | {key: value} for key, value in wrong.items()]
    session.ui_state.set("servers of saved lists", [3, *entries, entry])
    assert [each.target for each in load_again(session)] == [TARGETS[1]]
    session.ui_state.set("servers of saved lists", "text")
    assert not load_again(session)
