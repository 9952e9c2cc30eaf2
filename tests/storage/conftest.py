"""Fixtures of the storage tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_app.paths import user_paths
from browser_app.storage.database import Database, open_database
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.user_storage import UserStorage


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty database in the test's own folder."""
    database = open_database(tmp_path)
    yield database
    database.close()


@pytest.fixture
def store(database: Database) -> RoundStore:
    """The rounds of the empty database."""
    return RoundStore(database)


@pytest.fixture
def storage() -> Iterator[UserStorage]:
    """The user's storage, without data."""
    with UserStorage(user_paths()) as storage:
        yield storage
