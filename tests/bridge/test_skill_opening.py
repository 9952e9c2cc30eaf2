"""What is kept of a hundred thousand rounds is opened in no time, and in steps that leave the window its turns."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest
from skill_record import GAMES, ME, fill, name_of

from browser_app.bridge.skill.desk import Desk
from browser_app.bridge.skill.kept_ratings import KeptRatings, key_of, state_of
from browser_app.bridge.skill.opening import look
from browser_app.bridge.skill.preferences import Preferences
from browser_app.bridge.skill.rating_jobs import Rate
from browser_app.bridge.skill.subject import Source
from browser_app.player.own_history import OwnHistory
from browser_app.storage.database import Database, open_database
from browser_app.storage.kept import Kept
from browser_app.storage.ratings_cache import RatingsCache
from browser_app.storage.rounds import RoundStore

ROUNDS = 100_000
OPEN_S = 0.3


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


def test_a_hundred_thousand_rounds_open_within_the_budget(database: Database) -> None:
    identities = (name_of("ns2"),)
    model = Preferences(Kept(database), GAMES).model("ns2")
    source = Source(database.path or b"", "ns2", RoundStore(database).stamp("ns2"), identities)
    state = state_of(source, model)
    job = Rate(source, model, state)
    kept, history, _content = job.unpack(job.run(Desk(), lambda _done, _total: None))
    assert history.player == ME
    content = KeptRatings(state, kept.rated_at, ROUNDS, large(history).to_bytes(), kept.now).to_bytes()
    RatingsCache(database).put(key_of("ns2", model.system), content).result()
    best, longest = np.inf, np.inf
    for _ in range(5):  # the best: others use this machine too
        with Gaps() as gaps:
            began = time.perf_counter()
            opened = look(database, max, lambda _game: model, identities)
            best = min(best, time.perf_counter() - began)
        longest = min(longest, gaps.longest)
    assert opened.kept is not None
    assert opened.kept.state == opened.state
    assert opened.history is not None
    assert len(opened.history) == ROUNDS
    assert best < OPEN_S
    assert longest < 0.05  # 5 ms where nothing else runs
    database.close()


class Gaps:
    """How long another thread waited for its turn, at the most."""

    def __enter__(self) -> "Gaps":
        self.longest, self._go_on = 0.0, True
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._go_on = False
        self._thread.join()

    def _look(self) -> None:
        last = time.perf_counter()
        while self._go_on:
            time.sleep(0.0005)
            now = time.perf_counter()
            self.longest, last = max(self.longest, now - last), now
