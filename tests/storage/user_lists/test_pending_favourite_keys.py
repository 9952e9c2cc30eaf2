"""Favourites known only by their stable key."""

import pytest

from browser_app.paths import user_paths
from browser_app.storage.user_lists import server_list_store
from browser_app.storage.user_lists.server_list_store import PendingFavouriteKeys
from browser_app.storage.user_storage import UserStorage


def test_keys_are_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with UserStorage(user_paths()) as storage:
        keys, set_value, written = PendingFavouriteKeys(storage.ui_state), storage.ui_state.set, list[object]()

        def record(key: str, value: list[str]) -> object:
            written.append(list(value))
            return set_value(key, value)

        monkeypatch.setattr(storage.ui_state, "set", record)
        assert keys.add(["a", "b", "a", "c"]) == 3
        assert keys.add(["c", "a"]) == keys.add([]) == 0
        keys.remove(["a", None, "nobody", "c"])
        keys.remove(["a"])
        assert written == [["a", "b", "c"], ["b"]]
        assert list(PendingFavouriteKeys(storage.ui_state)) == list(keys) == ["b"]
        assert "b" in keys
        assert "a" not in keys


def test_number_of_keys_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_list_store, "MAX_PENDING_KEYS", 3)
    with UserStorage(user_paths()) as storage:
        keys = PendingFavouriteKeys(storage.ui_state)
        assert keys.add("ab") == 2
        assert keys.add("abcd") == keys.add("c") + 1 == 1
        assert "".join(keys) == "abc"
        storage.ui_state.set("favourite keys", ["x", 1, "y", "z", "too many"])
        assert "".join(PendingFavouriteKeys(storage.ui_state)) == "xyz"
        storage.ui_state.set("favourite keys", "not a list")
        assert len(PendingFavouriteKeys(storage.ui_state)) == 0
