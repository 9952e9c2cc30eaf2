"""Favourites that are known by a key only: as many as there are, written once."""

import pytest

from browser_app.paths import user_paths
from browser_app.storage import favourite_keys
from browser_app.storage.favourite_keys import FavouriteKeys
from browser_app.storage.session import Session


def test_many_that_come_or_go_together_are_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with Session(user_paths()) as session:
        keys, keep, written = FavouriteKeys(session.kept), session.kept.put, list[object]()

        def put(key: str, value: list[str]) -> object:
            written.append(list(value))
            return keep(key, value)

        monkeypatch.setattr(session.kept, "put", put)
        assert keys.add(["a", "b", "a", "c"]) == 3
        assert keys.add(["c", "a"]) == keys.add([]) == 0
        keys.remove(["a", None, "nobody", "c"])
        keys.remove(["a"])
        assert written == [["a", "b", "c"], ["b"]]
        assert list(FavouriteKeys(session.kept)) == list(keys) == ["b"]
        assert "b" in keys
        assert "a" not in keys


def test_there_are_no_more_than_anybody_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(favourite_keys, "MOST", 3)
    with Session(user_paths()) as session:
        keys = FavouriteKeys(session.kept)
        assert keys.add("ab") == 2
        assert keys.add("abcd") == keys.add("c") + 1 == 1
        assert "".join(keys) == "abc"
        session.kept.put("favourite keys", ["x", 1, "y", "z", "too many"])
        assert "".join(FavouriteKeys(session.kept)) == "xyz"
        session.kept.put("favourite keys", "not a list")
        assert len(FavouriteKeys(session.kept)) == 0
