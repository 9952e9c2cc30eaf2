"""What the calculating process need not do again: it finds what is kept, and what it did before."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from skill_record import fill, name_of

from browser_app.rating.progress_callback import ignore_progress
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.rating_worker import question_jobs, rating_jobs
from browser_app.rating_worker.ratings_storage_format import ratings_fingerprint, ratings_key
from browser_app.rating_worker.worker_cache import WorkerCache
from browser_app.rating_worker.worker_job import RecordSource, SystemConfig
from browser_app.storage.database import Database, open_database
from browser_app.storage.own_skill.ratings_cache import RatingsCache
from browser_app.storage.own_skill.round_store import RoundStore

GAME, ROUNDS = "ns2", 30


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """One with some rounds."""
    with closing(open_database(tmp_path)) as opened:
        fill(RoundStore(opened), ROUNDS)
        yield opened


def source_of(database: Database) -> RecordSource:
    assert database.path is not None
    return RecordSource(database.path, GAME, RoundStore(database).state_stamp(GAME), (name_of(GAME),))


def model_of(**given: float) -> SystemConfig:
    return SystemConfig(GAME, resolve_parameters(RATING_SYSTEMS[GAME].declared_parameters, explicit=given))


def keep(database: Database, source: RecordSource, model: SystemConfig) -> bytes:
    """As the window does with what was rated."""
    content = rating_jobs.RateJob(source, model, ratings_fingerprint(source, model)).run(WorkerCache(), ignore_progress)
    RatingsCache(database).set(ratings_key(GAME, model.system), content).result()
    return content


def test_a_history_that_is_kept_is_not_calculated_again(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    source, model = source_of(database), model_of()
    calculated = WorkerCache().history(source, model, ignore_progress)
    keep(database, source, model)
    monkeypatch.setattr("browser_app.rating_worker.worker_cache.own_history", None)
    assert WorkerCache().history(source, model, ignore_progress).to_bytes() == calculated.to_bytes()


def test_what_is_kept_of_other_parameters_is_not_taken(database: Database) -> None:
    source = source_of(database)
    keep(database, source, model_of(c=2.0))
    other = WorkerCache().history(source, model_of(c=1.0), ignore_progress)
    assert other.to_bytes() != WorkerCache().history(source, model_of(c=2.0), ignore_progress).to_bytes()


def test_a_damaged_cache_is_calculated_anew(database: Database) -> None:
    source, model = source_of(database), model_of()
    content = keep(database, source, model)
    RatingsCache(database).set(ratings_key(GAME, model.system), content[:200]).result()
    assert len(WorkerCache().history(source, model, ignore_progress)) == ROUNDS


def test_getting_ready_leaves_nothing_to_be_read(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    source, model, desk = source_of(database), model_of(), WorkerCache()
    rating_jobs.PreloadJob(source, model).run(desk, ignore_progress)
    monkeypatch.setattr("browser_app.rating_worker.worker_cache.stored_rounds", None)
    last = desk.record(source).rounds.record.ids[-1]
    explain = question_jobs.ExplainRoundJob(source, model, last)
    assert explain.unpack(explain.run(desk, ignore_progress)).system == GAME
