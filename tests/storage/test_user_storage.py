"""Opening all stores, with intact and damaged files."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from browser_app.paths import UserPaths
from browser_app.protocols.address import Address
from browser_app.storage.database import DATABASE_FILE_NAME, open_database
from browser_app.storage.user_lists.server_list_store import Favourite
from browser_app.storage.user_lists.server_text_store import ServerTextStore
from browser_app.storage.user_storage import UserStorage

PAGE = 4096
HERE = Address("192.0.2.1", 27015)


@pytest.fixture
def paths(tmp_path: Path) -> UserPaths:
    return UserPaths(tmp_path, tmp_path, tmp_path)


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database whose damaged page is only found when the notes are read."""
    monkeypatch.setattr("browser_app.storage.database_file._MAX_CHECKED_BYTES", 0)
    database = open_database(tmp_path)
    ServerTextStore(database, "notes").set(HERE, "kept").result()
    database.close()
    path = tmp_path / DATABASE_FILE_NAME
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'notes'").fetchone()
    with path.open("r+b") as file:
        file.seek((root - 1) * PAGE)
        file.write(b"\x5a" * PAGE)
    return path


def test_late_damage_is_recovered(paths: UserPaths, damaged: Path) -> None:
    before = damaged.read_bytes()
    with UserStorage(paths) as storage:
        (problem,) = storage.problems
        (aside,) = damaged.parent.glob(f"{DATABASE_FILE_NAME}.broken-*")
        assert aside.name in problem
        assert aside.read_bytes() == before
        storage.notes.set(HERE, "new").result()
    with UserStorage(paths) as storage:
        assert storage.problems == []
        assert storage.notes.all() == {HERE: "new"}


def test_failed_rename_keeps_file(paths: UserPaths, damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_paths: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("browser_app.storage.database.rename_damaged_file", refuse)
    with UserStorage(paths) as storage:
        (problem,) = storage.problems
        assert "nothing is saved" in problem
        storage.notes.set(HERE, "for now").result()
    assert list(damaged.parent.glob(f"{DATABASE_FILE_NAME}*")) == [damaged]


def test_row_of_wrong_type_is_reported_and_kept(paths: UserPaths) -> None:
    with UserStorage(paths) as storage:
        storage.favourites.add(Favourite(HERE, "kept", 1.0)).result()
        storage.database.execute("INSERT INTO favourites VALUES (x'00', 1, NULL, NULL, NULL, '', 1, NULL)").result()
    with UserStorage(paths) as storage:
        (problem,) = storage.problems
        assert problem.startswith("database: 1 row of the table favourites cannot be read")
        assert [each.name for each in storage.favourites] == ["kept"]
        storage.favourites.remove(HERE).result()
        assert storage.database.fetch_all("SELECT host FROM favourites") == [(b"\0",)]
