"""Column file of a large record: equal to the database, private.

It is ignored when damaged or outdated.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from skill_fixtures import add_rounds, name_identity

from browser_app.rating.record.round_record import Stints
from browser_app.rating_worker import rounds_cache
from browser_app.rating_worker.rounds_cache import delete_stale_caches
from browser_app.rating_worker.worker_cache import WorkerCache
from browser_app.rating_worker.worker_job import RecordLocation
from browser_app.storage.database import Database, open_database
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.own_skill.stored_rounds import StoredRounds

pytestmark = pytest.mark.slow

GAME = "ns2"


@pytest.fixture(autouse=True)
def cache_small_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cache records of a few rounds, too."""
    monkeypatch.setattr(rounds_cache, "MIN_CACHED_ROUNDS", 3)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A database with some rounds."""
    with closing(open_database(tmp_path)) as opened:
        add_rounds(RoundStore(opened), 8)
        yield opened


def make_location(database: Database) -> RecordLocation:
    assert database.path is not None
    return RecordLocation(database.path, GAME, RoundStore(database).read_state_stamp(GAME), (name_identity(GAME),))


def load(database: Database) -> StoredRounds:
    """Load as a new worker process does."""
    return WorkerCache().load_record(make_location(database)).rounds


def cache_file(database: Database) -> Path:
    assert database.path is not None
    [path] = database.path.parent.glob("*-rounds-*")
    return path


def equal_columns(a: Any, b: Any) -> bool:
    if isinstance(a, Stints):
        return all(equal_columns(getattr(a, each.name), getattr(b, each.name)) for each in fields(Stints))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    return tuple(a) == tuple(b)


def equal_rounds(a: StoredRounds, b: StoredRounds) -> bool:
    records = (equal_columns(getattr(a.record, each.name), getattr(b.record, each.name)) for each in fields(a.record))
    return all(records) and a.servers == b.servers and equal_columns(a.is_approximate, b.is_approximate)


def test_cached_rounds_equal_stored(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load(database)
    monkeypatch.setattr("browser_app.rating_worker.worker_cache.load_stored_rounds", None)
    assert equal_rounds(load(database), first)


def test_new_rounds_replace_cache(database: Database) -> None:
    load(database)
    add_rounds(RoundStore(database), 2, first=8)
    assert len(load(database).record) == 10
    assert len(load(database).record) == 10


def test_changed_rounds_with_same_stamp(database: Database) -> None:
    load(database)
    stamp = RoundStore(database).read_state_stamp(GAME)
    database.execute("UPDATE rounds SET started = started + 60 WHERE number = 3").result()
    assert RoundStore(database).read_state_stamp(GAME) == stamp
    assert equal_rounds(load(database), RoundStore(database).load_rounds(GAME, ["me"]))


@pytest.mark.parametrize("cut", [0, 1, 30, 2000, -1, -200])
def test_truncated_file_is_rebuilt(database: Database, cut: int) -> None:
    first = load(database)
    path = cache_file(database)
    content = path.read_bytes()
    path.write_bytes(content[:cut])
    assert equal_rounds(load(database), first)
    assert len(path.read_bytes()) == len(content)


def test_changed_byte_is_detected(database: Database) -> None:
    first = load(database)
    path = cache_file(database)
    content = path.read_bytes()
    for at in range(0, len(content), 97):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        assert equal_rounds(load(database), first), at


@pytest.mark.parametrize(
    ("field", "value"),
    [(6, 0), (8, 1), (8, 0x20), (10, 8), (10, 99)],
    ids=["version", "locked", "patch", "deflate", "way"],
)
def test_damaged_zip_directory(database: Database, field: int, value: int) -> None:
    first = load(database)
    path = cache_file(database)
    content = bytearray(path.read_bytes())
    at = content.index(b"PK\1\2") + field  # in the directory entry of the first column
    content[at : at + 2] = (value or 0xFFFF).to_bytes(2, "little")
    path.write_bytes(content)
    assert equal_rounds(load(database), first)


def test_small_record_is_not_cached(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    load(database)
    monkeypatch.setattr(rounds_cache, "MIN_CACHED_ROUNDS", 100)
    add_rounds(RoundStore(database), 2, first=8)
    load(database)
    assert database.path is not None
    assert not list(database.path.parent.glob("*-rounds-*"))


@pytest.mark.skipif(os.name != "posix", reason="rights are of POSIX")
def test_file_is_private(database: Database) -> None:
    before = os.umask(0)
    try:
        load(database)
    finally:
        os.umask(before)
    assert stat.S_IMODE(cache_file(database).stat().st_mode) == 0o600


def test_write_error_is_ignored(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_given: object, **_named: object) -> None:
        raise OSError("full")

    monkeypatch.setattr(np, "savez", refuse)
    assert len(load(database).record) == 8
    assert database.path is not None
    assert not list(database.path.parent.glob("*-rounds-*"))


def test_deletes_caches_of_removed_games(database: Database) -> None:
    load(database)
    path = cache_file(database)
    assert database.path is not None
    delete_stale_caches(database.path, [GAME])
    assert path.exists()
    delete_stale_caches(database.path, ["xonotic"])
    assert not path.exists()
    assert database.path.exists()
