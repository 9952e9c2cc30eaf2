"""What is kept of a hundred thousand rounds is opened in no time, and in steps that leave the window its turns."""

import threading
import time
from pathlib import Path
from typing import Self

import numpy as np
import pytest
from noise import best_of
from skill_record import GAMES, ME, fill, name_of

from browser_app.application.skill_preferences import SkillPreferences
from browser_app.application.skill_record_loader import load_record
from browser_app.player.own_history import OwnHistory
from browser_app.rating_worker.rating_jobs import RateJob
from browser_app.rating_worker.ratings_storage_format import StoredRatings, ratings_fingerprint, ratings_key
from browser_app.rating_worker.worker_cache import WorkerCache
from browser_app.rating_worker.worker_job import RecordSource
from browser_app.storage.database import Database, open_database
from browser_app.storage.own_skill.ratings_cache import RatingsCache
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.ui_state import UiState

ROUNDS = 100_000
OPEN_S = 0.3
STEP_S = 0.05
"""5 ms are usual."""


def large(history: OwnHistory) -> OwnHistory:
    """The same rounds again and again, under ids of their own."""
    times = -(-ROUNDS // len(history))
    columns = {name: np.tile(value, times) for name, value in vars(history).items() if isinstance(value, np.ndarray)}
    ids = tuple(f"6f1c-{number:012d}" for number in range(len(history) * times))
    return OwnHistory(**{**vars(history), **columns, "ids": ids, "why": history.why * times})


@pytest.fixture
def database(tmp_path: Path) -> Database:
    database = open_database(tmp_path)
    fill(RoundStore(database), 50)
    return database


@pytest.mark.posix
def test_a_hundred_thousand_rounds_open_within_the_budget(database: Database) -> None:
    identities = (name_of("ns2"),)
    model = SkillPreferences(UiState(database), GAMES).config("ns2")
    source = RecordSource(database.path or b"", "ns2", RoundStore(database).state_stamp("ns2"), identities)
    state = ratings_fingerprint(source, model)
    job = RateJob(source, model, state)
    kept, history, _content = job.unpack(job.run(WorkerCache(), lambda _done, _total: None))
    assert history.player == ME
    content = StoredRatings(state, kept.rated_at, ROUNDS, large(history).to_bytes(), kept.now).to_bytes()
    RatingsCache(database).set(ratings_key("ns2", model.system), content).result()
    opened = load_record(database, max, lambda _game: model, identities)
    assert opened.stored is not None
    assert opened.stored.state == opened.fingerprint
    assert opened.history is not None
    assert len(opened.history) == ROUNDS

    def seconds() -> float:
        began = time.thread_time()
        load_record(database, max, lambda _game: model, identities)
        return time.thread_time() - began

    def longest_step() -> float:
        with Turns() as turns:
            load_record(database, max, lambda _game: model, identities)
        return turns.longest

    assert best_of(seconds, OPEN_S) < OPEN_S
    assert best_of(longest_step, STEP_S) < STEP_S
    database.close()


class Turns:
    """How long this thread worked, at the most, while another one waited for its turn: s of the processor's time."""

    def __enter__(self) -> Self:
        self.longest, self._go_on = 0.0, True
        self._clock = time.pthread_getcpuclockid(threading.get_ident())
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._go_on = False
        self._thread.join()

    def _look(self) -> None:
        last = time.clock_gettime(self._clock)
        while self._go_on:
            time.sleep(0.0005)
            now = time.clock_gettime(self._clock)
            self.longest, last = max(self.longest, now - last), now
