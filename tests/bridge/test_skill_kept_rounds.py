"""A large record kept as columns beside the database: the same rounds, of nobody else's business, and never wrong."""

import os
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from skill_record import fill, name_of

from browser_app.rating.record.round_record import Stints
from browser_app.rating_worker import rounds_cache
from browser_app.rating_worker.rounds_cache import delete_stale_caches
from browser_app.rating_worker.worker_cache import WorkerCache
from browser_app.rating_worker.worker_job import RecordSource
from browser_app.storage.database import Database, open_database
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.own_skill.stored_rounds import StoredRounds

GAME = "ns2"


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few rounds are many."""
    monkeypatch.setattr(rounds_cache, "MIN_CACHED_ROUNDS", 3)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """One with some rounds."""
    with closing(open_database(tmp_path)) as opened:
        fill(RoundStore(opened), 8)
        yield opened


def source_of(database: Database) -> RecordSource:
    assert database.path is not None
    return RecordSource(database.path, GAME, RoundStore(database).state_stamp(GAME), (name_of(GAME),))


def read(database: Database) -> StoredRounds:
    """As the calculating process does at its start."""
    return WorkerCache().record(source_of(database)).rounds


def kept_at(database: Database) -> Path:
    assert database.path is not None
    [place] = database.path.parent.glob("*-rounds-*")
    return place


def same(a: Any, b: Any) -> bool:
    if isinstance(a, Stints):
        return all(same(getattr(a, each.name), getattr(b, each.name)) for each in fields(Stints))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    return tuple(a) == tuple(b)


def equal(a: StoredRounds, b: StoredRounds) -> bool:
    records = (same(getattr(a.record, each.name), getattr(b.record, each.name)) for each in fields(a.record))
    return all(records) and a.servers == b.servers and same(a.is_approximate, b.is_approximate)


def test_rounds_from_the_file_are_those_from_the_database(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read(database)
    monkeypatch.setattr("browser_app.rating_worker.worker_cache.stored_rounds", None)
    assert equal(read(database), first)


def test_other_rounds_are_read_anew(database: Database) -> None:
    read(database)
    fill(RoundStore(database), 2, first=8)
    assert len(read(database).record) == 10
    assert len(read(database).record) == 10


def test_the_same_stamp_over_other_rounds_is_noticed(database: Database) -> None:
    read(database)
    stamp = RoundStore(database).state_stamp(GAME)
    database.execute("UPDATE rounds SET started = started + 60 WHERE number = 3").result()
    assert RoundStore(database).state_stamp(GAME) == stamp
    assert equal(read(database), RoundStore(database).load_rounds(GAME, ["me"]))


@pytest.mark.parametrize("cut", [0, 1, 30, 2000, -1, -200])
def test_a_torn_file_is_noticed_and_made_again(database: Database, cut: int) -> None:
    first = read(database)
    place = kept_at(database)
    whole = place.read_bytes()
    place.write_bytes(whole[:cut])
    assert equal(read(database), first)
    assert len(place.read_bytes()) == len(whole)


def test_a_changed_byte_is_noticed(database: Database) -> None:
    first = read(database)
    place = kept_at(database)
    whole = place.read_bytes()
    for at in range(0, len(whole), 97):
        place.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert equal(read(database), first), at


@pytest.mark.parametrize(
    ("field", "value"),
    [(6, 0), (8, 1), (8, 0x20), (10, 8), (10, 99)],
    ids=["version", "locked", "patch", "deflate", "way"],
)
def test_a_file_that_names_another_packing_is_noticed(database: Database, field: int, value: int) -> None:
    first = read(database)
    place = kept_at(database)
    whole = bytearray(place.read_bytes())
    at = whole.index(b"PK\1\2") + field  # of the first column's entry in the directory
    whole[at : at + 2] = (value or 0xFFFF).to_bytes(2, "little")
    place.write_bytes(whole)
    assert equal(read(database), first)


def test_a_small_record_keeps_no_file(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    read(database)
    monkeypatch.setattr(rounds_cache, "MIN_CACHED_ROUNDS", 100)
    fill(RoundStore(database), 2, first=8)
    read(database)
    assert database.path is not None
    assert not list(database.path.parent.glob("*-rounds-*"))


@pytest.mark.skipif(os.name != "posix", reason="rights are of POSIX")
def test_nobody_else_may_read_it(database: Database) -> None:
    before = os.umask(0)
    try:
        read(database)
    finally:
        os.umask(before)
    assert stat.S_IMODE(kept_at(database).stat().st_mode) == 0o600


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_given: object, **_named: object) -> None:
        raise OSError("full")

    monkeypatch.setattr(np, "savez", refuse)
    assert len(read(database).record) == 8
    assert database.path is not None
    assert not list(database.path.parent.glob("*-rounds-*"))


def test_a_game_whose_rounds_are_gone_leaves_no_file(database: Database) -> None:
    read(database)
    place = kept_at(database)
    assert database.path is not None
    delete_stale_caches(database.path, [GAME])
    assert place.exists()
    delete_stale_caches(database.path, ["xonotic"])
    assert not place.exists()
    assert database.path.exists()
