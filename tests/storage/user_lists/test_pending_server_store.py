"""Servers added by address that have not been found yet."""

import time

import pytest

from browser_app.paths import user_paths
from browser_app.protocols.server_link import ServerLink, parse_server_text
from browser_app.storage.user_lists import pending_server_store
from browser_app.storage.user_lists.pending_server_store import MAX_AGE_S, PendingServers
from browser_app.storage.user_storage import UserStorage


def load_links() -> list[tuple[ServerLink, bool]]:
    """Return what a later run of the program reads."""
    with UserStorage(user_paths()) as storage:
        return [(each.link, each.is_favourite) for each in storage.pending_servers]


def test_servers_survive_the_end_without_password() -> None:
    texts = ("games.example:27015", "a2s://[::1]:7", "connect 192.0.2.7:1; password hush")
    links = [parse_server_text(text) for text in texts]
    with UserStorage(user_paths()) as storage:
        for number, link in enumerate(links):
            storage.pending_servers.add(link, favourite=number > 0)
        storage.pending_servers.add(links[0], favourite=True)
        storage.pending_servers.remove(links[1])
    assert load_links() == [(ServerLink(links[2].address), True), (links[0], True)]
    with UserStorage(user_paths()) as storage:
        assert "hush" not in repr(storage.ui_state.get("pending servers"))


def test_number_of_servers_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending_server_store, "MAX_PENDING_SERVERS", 2)
    with UserStorage(user_paths()) as storage:
        for port in (1, 2, 3):
            storage.pending_servers.add(parse_server_text(f"games.example:{port}"), favourite=False)
    assert [link.address.port for link, _ in load_links()] == [2, 3]


def test_old_and_unreadable_entries_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    good = {"address": "games.example:1", "protocol": None, "game": None, "is_query": False, "favourite": True}
    now = time.time()
    entries = [
        good | {"added_at": now - MAX_AGE_S - 60},
        good | {"added_at": now, "address": "no port"},
        good | {"added_at": "today"},
        "text",
        good | {"added_at": now},
    ]
    with UserStorage(user_paths()) as storage:
        storage.ui_state.set("pending servers", entries)
        pending = PendingServers(storage.ui_state)
        assert len(list(pending)) == 1
        pending.add(parse_server_text("games.example:2"), favourite=False)
        monkeypatch.setattr(time, "time", lambda: now - 120)  # the clock was ahead
        assert len(list(PendingServers(storage.ui_state))) == 3
        storage.ui_state.set("pending servers", "not a list")
        assert not list(PendingServers(storage.ui_state))
