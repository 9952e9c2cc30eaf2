"""Fixture of the storage tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_app.storage.database import Database, open_database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty database in the test's own folder."""
    database = open_database(tmp_path)
    yield database
    database.close()
