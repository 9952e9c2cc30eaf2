"""The worker's cache uses stored ratings and the results of earlier jobs."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from skill_fixtures import add_rounds, name_identity

from browser_app.rating.progress_callback import ignore_progress
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.rating_worker import query_jobs, rating_jobs
from browser_app.rating_worker.ratings_storage_format import ratings_fingerprint, ratings_key
from browser_app.rating_worker.worker_cache import WorkerCache
from browser_app.rating_worker.worker_job import RecordLocation, SystemConfig
from browser_app.storage.database import Database, open_database
from browser_app.storage.own_skill.ratings_cache import RatingsCache
from browser_app.storage.own_skill.round_store import RoundStore

GAME, ROUNDS = "ns2", 30


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A database with some rounds."""
    with closing(open_database(tmp_path)) as opened:
        add_rounds(RoundStore(opened), ROUNDS)
        yield opened


def make_location(database: Database) -> RecordLocation:
    assert database.path is not None
    return RecordLocation(database.path, GAME, RoundStore(database).read_state_stamp(GAME), (name_identity(GAME),))


def make_config(**parameters: float) -> SystemConfig:
    return SystemConfig(GAME, resolve_parameters(RATING_SYSTEMS[GAME].declared_parameters, explicit=parameters))


def store_ratings(database: Database, location: RecordLocation, config: SystemConfig) -> bytes:
    """Rate and store, as the window does."""
    content = rating_jobs.RateJob(location, config, ratings_fingerprint(location, config)).run(
        WorkerCache(), ignore_progress
    )
    RatingsCache(database).set(ratings_key(GAME, config), content).result()
    return content


def test_uses_stored_history(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    location, config = make_location(database), make_config()
    calculated = WorkerCache().load_history(location, config, ignore_progress)
    store_ratings(database, location, config)
    monkeypatch.setattr("browser_app.rating_worker.worker_cache.compute_own_history", None)
    assert WorkerCache().load_history(location, config, ignore_progress).to_bytes() == calculated.to_bytes()


def test_ignores_history_of_other_parameters(database: Database) -> None:
    location = make_location(database)
    store_ratings(database, location, make_config(c=2.0))
    other = WorkerCache().load_history(location, make_config(c=1.0), ignore_progress)
    assert other.to_bytes() != WorkerCache().load_history(location, make_config(c=2.0), ignore_progress).to_bytes()


def test_damaged_history_is_recomputed(database: Database) -> None:
    location, config = make_location(database), make_config()
    content = store_ratings(database, location, config)
    RatingsCache(database).set(ratings_key(GAME, config), content[:200]).result()
    assert len(WorkerCache().load_history(location, config, ignore_progress)) == ROUNDS


def test_preload_reads_everything(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    location, config, cache = make_location(database), make_config(), WorkerCache()
    rating_jobs.PreloadJob(location, config).run(cache, ignore_progress)
    monkeypatch.setattr("browser_app.rating_worker.worker_cache.load_stored_rounds", None)
    last = cache.load_record(location).rounds.record.ids[-1]
    explain = query_jobs.ExplainRoundJob(location, config, last)
    assert explain.unpack(explain.run(cache, ignore_progress)).system == GAME


def test_full_history_leaderboard_ends_at_its_day(database: Database) -> None:
    """Later rounds have no effect, though the record is rated at once."""
    location, cache = make_location(database), WorkerCache()
    config = replace(make_config(), full_history=True)
    record = cache.load_record(location).rounds.record
    half = len(record) // 2
    job = query_jobs.LeaderboardsJob(location, config, float(record.started[half]))
    board = job.unpack(job.run(cache, ignore_progress)).boards[0]
    solved = config.start_run(record.first_rounds(half))
    players = solved.rated_players()
    assert dict(zip(board.ids, board.rating.tolist(), strict=True)) == {
        name: pytest.approx(fields["points"]) for name, fields in players.items()
    }
    assert players != config.start_run(record).rated_players()
