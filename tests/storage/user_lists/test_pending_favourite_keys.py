"""Favourites known only by their stable key."""

import pytest

from browser_app.paths import user_paths
from browser_app.storage.user_lists import server_list_store
from browser_app.storage.user_lists.server_list_store import PendingFavouriteKeys
from browser_app.storage.user_session import UserSession


def test_keys_are_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with UserSession(user_paths()) as session:
        keys, set_value, written = PendingFavouriteKeys(session.ui_state), session.ui_state.set, list[object]()

        def record(key: str, value: list[str]) -> object:
            written.append(list(value))
            return set_value(key, value)

        monkeypatch.setattr(session.ui_state, "set", record)
        assert keys.add(["a", "b", "a", "c"]) == 3
        assert keys.add(["c", "a"]) == keys.add([]) == 0
        keys.remove(["a", None, "nobody", "c"])
        keys.remove(["a"])
        assert written == [["a", "b", "c"], ["b"]]
        assert list(PendingFavouriteKeys(session.ui_state)) == list(keys) == ["b"]
        assert "b" in keys
        assert "a" not in keys


def test_number_of_keys_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_list_store, "MAX_PENDING_KEYS", 3)
    with UserSession(user_paths()) as session:
        keys = PendingFavouriteKeys(session.ui_state)
        assert keys.add("ab") == 2
        assert keys.add("abcd") == keys.add("c") + 1 == 1
        assert "".join(keys) == "abc"
        session.ui_state.set("favourite keys", ["x", 1, "y", "z", "too many"])
        assert "".join(PendingFavouriteKeys(session.ui_state)) == "xyz"
        session.ui_state.set("favourite keys", "not a list")
        assert len(PendingFavouriteKeys(session.ui_state)) == 0
