"""A record of 100,000 rounds loads fast without blocking other threads for long."""

import threading
import time
from pathlib import Path
from typing import Self

import numpy as np
import pytest
from measurements import best_of
from skill_fixtures import GAMES, ME, add_rounds, name_identity

from browser_app.application.own_skill.skill_preferences import SkillPreferences
from browser_app.application.own_skill.skill_record_loader import load_record
from browser_app.player.own_history import OwnHistory
from browser_app.rating_worker.rating_jobs import RateJob
from browser_app.rating_worker.ratings_storage_format import StoredRatings, ratings_fingerprint, ratings_key
from browser_app.rating_worker.worker_cache import WorkerCache
from browser_app.rating_worker.worker_job import RecordLocation
from browser_app.storage.database import Database, open_database
from browser_app.storage.own_skill.ratings_cache import RatingsCache
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.ui_state import UiState

ROUNDS = 100_000
OPEN_S = 0.3
STEP_S = 0.05
"""Usual are 5 ms."""


def repeat_rounds(history: OwnHistory) -> OwnHistory:
    """Repeat the rounds with new ids up to `ROUNDS`."""
    times = -(-ROUNDS // len(history))
    columns = {name: np.tile(value, times) for name, value in vars(history).items() if isinstance(value, np.ndarray)}
    ids = tuple(f"6f1c-{number:012d}" for number in range(len(history) * times))
    return OwnHistory(**{**vars(history), **columns, "ids": ids, "skip_reason": history.skip_reason * times})


@pytest.fixture
def database(tmp_path: Path) -> Database:
    database = open_database(tmp_path)
    add_rounds(RoundStore(database), 50)
    return database


@pytest.mark.slow
@pytest.mark.posix
def test_large_record_loads_within_budget(database: Database) -> None:
    identities = (name_identity("ns2"),)
    model = SkillPreferences(UiState(database), GAMES).config("ns2")
    location = RecordLocation(database.path or b"", "ns2", RoundStore(database).read_state_stamp("ns2"), identities)
    state = ratings_fingerprint(location, model)
    job = RateJob(location, model, state)
    stored, history, _content = job.unpack(job.run(WorkerCache(), lambda _done, _total: None))
    assert history.player == ME
    content = StoredRatings(state, stored.rated_at, ROUNDS, repeat_rounds(history).to_bytes(), stored.now).to_bytes()
    RatingsCache(database).set(ratings_key("ns2", model), content).result()
    loaded = load_record(database, max, lambda _game: model, identities)
    assert loaded.stored is not None
    assert loaded.stored.state == loaded.fingerprint
    assert loaded.history is not None
    assert len(loaded.history) == ROUNDS

    def seconds() -> float:
        began = time.thread_time()
        load_record(database, max, lambda _game: model, identities)
        return time.thread_time() - began

    def longest_step() -> float:
        with LockHoldTimer() as timer:
            load_record(database, max, lambda _game: model, identities)
        return timer.longest

    assert best_of(seconds, OPEN_S) < OPEN_S
    assert best_of(longest_step, STEP_S) < STEP_S
    database.close()


class LockHoldTimer:
    """Longest CPU time (s) of this thread while another waited for the GIL."""

    def __enter__(self) -> Self:
        self.longest, self._is_running = 0.0, True
        self._clock = time.pthread_getcpuclockid(threading.get_ident())
        self._thread = threading.Thread(target=self._measure)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_running = False
        self._thread.join()

    def _measure(self) -> None:
        last = time.clock_gettime(self._clock)
        while self._is_running:
            time.sleep(0.0005)
            now = time.clock_gettime(self._clock)
            self.longest, last = max(self.longest, now - last), now
