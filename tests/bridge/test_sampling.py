"""Sampling: what is heard reaches the disk within seconds, and the past comes back into the catalogue."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from sampling_process import answer, nobody

from browser_app.bridge import sampling
from browser_app.bridge.live_list import LiveList
from browser_app.bridge.sampling import Sampling
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Answer, Status
from browser_app.catalogue.series import Series
from browser_app.engine.progress import Progress
from browser_app.protocols.address import Address
from browser_app.storage.database import Database, open_database
from browser_app.storage.samples import FINE_S, HOUR_S, MOST_ROWS, Sample, Samples

if TYPE_CHECKING:
    from browser_app.engine.poll import Poll

PROGRAM = Path(__file__).with_name("sampling_process.py")


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No slot of time ends in the middle of a test."""
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = open_database(tmp_path)
    yield database
    database.close()


@pytest.fixture
def live(qtbot: QtBot) -> Iterator[LiveList]:
    live = LiveList(Catalogue({}), nobody, nobody, dict, lambda: None)
    yield live
    live.close()


@pytest.fixture
def sampler(live: LiveList, database: Database) -> Iterator[Sampling]:
    sampler = Sampling(live, Samples(database), lambda: MOST_ROWS)
    yield sampler
    sampler.close()


def silent(number: int) -> Answer:
    return replace(answer(number), status=Status.NO_ANSWER, facts=None, ping_ms=None)


def habit(now: float) -> dict[Address, Series]:
    """Six weeks of evenings on the server number 0, and steady noise."""
    hours = (now // HOUR_S - np.arange(6 * 168, 0.0, -1)) * HOUR_S
    noise = np.random.default_rng(1).normal(0, 1, len(hours))
    players = np.maximum(0.0, 8 + 6 * np.sin(hours / 86400 * 2 * np.pi) + noise)
    rows = [(t, HOUR_S, 1.0, p, p, p, 0.0, 30.0) for t, p in zip(hours.tolist(), players.tolist(), strict=True)]
    recent = [(now // FINE_S * FINE_S - i * FINE_S, FINE_S, 1.0, 3.0, 3.0, 3.0, 0.0, 30.0) for i in range(1, 60)]
    return {answer(0).target.address: Series.of_rows([*rows, *recent])}


def test_answers_and_silence_are_sampled(live: LiveList, sampler: Sampling, database: Database) -> None:
    live.take([answer(0), silent(1)])
    sampler.save()
    database.flush()
    samples = Samples(database)
    assert samples.series(answer(0).target.address).players.tolist() == [5]
    assert samples.series(answer(1).target.address).answered.tolist() == [0]


def test_they_are_saved_by_themselves_before_long(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, live: LiveList, database: Database
) -> None:
    monkeypatch.setattr(sampling, "SAVE_MS", 20)
    sampler = Sampling(live, Samples(database), lambda: MOST_ROWS)
    with qtbot.waitSignal(sampler.saved):
        live.take([answer(0)])
    database.flush()
    assert Samples(database).count() == 1
    sampler.close()


def test_without_a_network_nobody_was_silent(live: LiveList, sampler: Sampling, database: Database) -> None:
    class Down:
        progress = Progress(2, 2, 0, 2, 0, {}, 1.0, network_down=True)

        def cancel(self) -> None:
            """Nothing more comes."""

    live.poll = cast("Poll", Down())
    live.take([answer(0), silent(1)])
    sampler.save()
    database.flush()
    assert len(Samples(database).series(answer(0).target.address)) == 1
    assert len(Samples(database).series(answer(1).target.address)) == 0


def test_the_end_saves_the_last_ones_and_hears_no_more(live: LiveList, sampler: Sampling, database: Database) -> None:
    live.take([answer(0)])
    sampler.close()
    live.take([answer(1)])
    database.flush()
    assert Samples(database).count() == 1


def test_live_answers_make_the_newest_slot(live: LiveList, sampler: Sampling) -> None:
    live.take([answer(0), silent(1)])
    row = live.catalogue.id_of(answer(0).target.address)
    slots = live.catalogue.trend.of(np.array([row, 1 - (row or 0)]))
    assert slots[0, -1] == 5
    assert np.isnan(slots[1]).all()


@pytest.mark.parametrize("known_before", [True, False])
def test_the_past_comes_back_into_the_catalogue(
    qtbot: QtBot, live: LiveList, database: Database, known_before: bool
) -> None:
    def past(now: float) -> Iterator[Mapping[Address, Series]]:
        yield habit(now)

    sampler = Sampling(live, Samples(database), lambda: MOST_ROWS, past)
    if known_before:
        live.take([answer(0)])
    with qtbot.waitSignal(sampler.recalled):
        sampler.start()
    if not known_before:
        live.take([answer(0)])
    slots = live.catalogue.trend.of(np.array([0]))[0]
    assert slots[-1] == 5
    assert (slots[~np.isnan(slots)] == 3).sum() >= 18
    with qtbot.waitSignal(sampler.recalled):
        live.running_changed.emit(False)  # the first poll has ended: now there is time to learn
    likely = live.catalogue.forecasts.of(np.array([0]))
    assert likely.low[0] < likely.players[0] < likely.high[0]
    assert likely.weeks[0] == pytest.approx(6, abs=0.1)
    sampler.close()


def test_only_a_past_with_a_habit_teaches_something(database: Database) -> None:
    samples, here, there = Samples(database), answer(0).target.address, answer(1).target.address
    usual = habit(time.time())[here]
    walk = np.abs(np.cumsum(np.random.default_rng(3).normal(0, 1, len(usual))))
    samples.put({here: usual, there: replace(usual, players=walk)}).result()
    learnt = sampling.learn(samples, [here, there])
    assert learnt[here] is not None
    assert learnt[there] is None


def test_the_bound_of_the_size_holds(qtbot: QtBot, live: LiveList, database: Database) -> None:
    now = time.time()
    samples = Samples(database)
    samples.add([Sample(answer(0).target.address, now - i * FINE_S, 5, 0, 1.0) for i in range(600)]).result()
    sampler = Sampling(live, samples, lambda: 400)
    sampler.start()
    live.running_changed.emit(False)
    qtbot.waitUntil(lambda: samples.count() <= 400)
    sampler.close()


def test_a_disk_that_does_not_answer_holds_up_nobody(live: LiveList, database: Database) -> None:
    """Whoever waited for the writer here would wait for ever."""
    answers_again = threading.Event()
    sampler = Sampling(live, Samples(database), lambda: MOST_ROWS)
    database.write(lambda _connection: answers_again.wait())
    live.take([answer(0)])
    sampler.start()
    sampler.save()
    sampler.do_chores()
    live.take([answer(1)])
    answers_again.set()
    sampler.close()
    database.flush()
    assert Samples(database).count() == 2


@pytest.mark.posix
def test_a_killed_program_loses_only_the_last_seconds(tmp_path: Path) -> None:
    """Answers come all the time, and still they are saved again and again."""
    with subprocess.Popen([sys.executable, PROGRAM, tmp_path], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        told = [int(line) for line, _ in zip(program.stdout, range(5), strict=False)]
        program.kill()
    database = open_database(tmp_path)
    assert database.notice is None
    kept = Samples(database).count()
    database.close()
    assert 0 < told[0] < told[-1] <= kept
    assert sampling.SAVE_MS <= 5_000
