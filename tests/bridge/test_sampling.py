"""Sampling: what is heard reaches the disk within seconds, and the past comes back into the catalogue."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from sampling_process import answer, nobody

from browser_app.bridge import sample_recorder
from browser_app.bridge.sample_recorder import SampleRecorder
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.sample_series import SampleSeries
from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.engine.query.scan import ScanProgress
from browser_app.engine.server_poll import ServerPoll
from browser_app.protocols.address import Address
from browser_app.storage.database import Database, open_database
from browser_app.storage.server_samples import (
    FINE_SPAN_S,
    HOUR_SPAN_S,
    MAX_SAMPLE_ROWS,
    ServerSample,
    ServerSampleStore,
)

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
def live(qtbot: QtBot) -> Iterator[ServerListController]:
    live = ServerListController(Catalogue({}), nobody, nobody, dict, lambda: None)
    yield live
    live.close()


@pytest.fixture
def sampler(live: ServerListController, database: Database) -> Iterator[SampleRecorder]:
    sampler = SampleRecorder(live, ServerSampleStore(database), lambda: MAX_SAMPLE_ROWS)
    yield sampler
    sampler.close()


def silent(number: int) -> QueryResult:
    return replace(answer(number), status=QueryStatus.NO_ANSWER, info=None, ping_ms=None)


def habit(now: float) -> dict[Address, SampleSeries]:
    """Six weeks of evenings on the server number 0, and steady noise."""
    hours = (now // HOUR_SPAN_S - np.arange(6 * 168, 0.0, -1)) * HOUR_SPAN_S
    noise = np.random.default_rng(1).normal(0, 1, len(hours))
    players = np.maximum(0.0, 8 + 6 * np.sin(hours / 86400 * 2 * np.pi) + noise)
    rows = [(t, HOUR_SPAN_S, 1.0, p, p, p, 0.0, 30.0) for t, p in zip(hours.tolist(), players.tolist(), strict=True)]
    recent = [
        (now // FINE_SPAN_S * FINE_SPAN_S - i * FINE_SPAN_S, FINE_SPAN_S, 1.0, 3.0, 3.0, 3.0, 0.0, 30.0)
        for i in range(1, 60)
    ]
    return {answer(0).target.address: SampleSeries.from_rows([*rows, *recent])}


def test_answers_and_silence_are_sampled(
    live: ServerListController, sampler: SampleRecorder, database: Database
) -> None:
    live.merge_results([answer(0), silent(1)])
    sampler.save()
    database.flush()
    samples = ServerSampleStore(database)
    assert samples.series(answer(0).target.address).players.tolist() == [5]
    assert samples.series(answer(1).target.address).answered.tolist() == [0]


def test_they_are_saved_by_themselves_before_long(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, live: ServerListController, database: Database
) -> None:
    monkeypatch.setattr(sample_recorder, "SAVE_DELAY_MS", 20)
    sampler = SampleRecorder(live, ServerSampleStore(database), lambda: MAX_SAMPLE_ROWS)
    with qtbot.waitSignal(sampler.samples_saved):
        live.merge_results([answer(0)])
    database.flush()
    assert ServerSampleStore(database).row_count() == 1
    sampler.close()


def test_without_a_network_nobody_was_silent(
    live: ServerListController, sampler: SampleRecorder, database: Database
) -> None:
    class Down:
        progress = ScanProgress(2, 2, 0, 2, 0, {}, 1.0, is_network_down=True)

        def cancel(self) -> None:
            """Nothing more comes."""

    live.poll = cast("ServerPoll", Down())
    live.merge_results([answer(0), silent(1)])
    sampler.save()
    database.flush()
    assert len(ServerSampleStore(database).series(answer(0).target.address)) == 1
    assert len(ServerSampleStore(database).series(answer(1).target.address)) == 0


def test_the_end_saves_the_last_ones_and_hears_no_more(
    live: ServerListController, sampler: SampleRecorder, database: Database
) -> None:
    live.merge_results([answer(0)])
    sampler.close()
    live.merge_results([answer(1)])
    database.flush()
    assert ServerSampleStore(database).row_count() == 1


def test_live_answers_make_the_newest_slot(live: ServerListController, sampler: SampleRecorder) -> None:
    live.merge_results([answer(0), silent(1)])
    row = live.catalogue.row_of(answer(0).target.address)
    slots = live.catalogue.trends.slots_of(np.array([row, 1 - (row or 0)]))
    assert slots[0, -1] == 5
    assert np.isnan(slots[1]).all()


@pytest.mark.parametrize("known_before", [True, False])
def test_the_past_comes_back_into_the_catalogue(
    qtbot: QtBot, live: ServerListController, database: Database, known_before: bool
) -> None:
    def past(now: float) -> Iterator[Mapping[Address, SampleSeries]]:
        yield habit(now)

    sampler = SampleRecorder(live, ServerSampleStore(database), lambda: MAX_SAMPLE_ROWS, past)
    if known_before:
        live.merge_results([answer(0)])
    with qtbot.waitSignal(sampler.history_changed):
        sampler.start()
    if not known_before:
        live.merge_results([answer(0)])
    slots = live.catalogue.trends.slots_of(np.array([0]))[0]
    assert slots[-1] == 5
    assert (slots[~np.isnan(slots)] == 3).sum() >= 18
    with qtbot.waitSignal(sampler.history_changed):
        live.running_changed.emit(False)  # the first poll has ended: now there is time to learn
    likely = live.catalogue.forecasts.forecasts_of(np.array([0]))
    assert likely.low[0] < likely.players[0] < likely.high[0]
    assert likely.weeks[0] == pytest.approx(6, abs=0.1)
    sampler.close()


def test_only_a_past_with_a_habit_teaches_something(database: Database) -> None:
    samples, here, there = ServerSampleStore(database), answer(0).target.address, answer(1).target.address
    usual = habit(time.time())[here]
    walk = np.abs(np.cumsum(np.random.default_rng(3).normal(0, 1, len(usual))))
    samples.add_series({here: usual, there: replace(usual, players=walk)}).result()
    learnt = sample_recorder.learn_habits(samples, [here, there])
    assert learnt[here] is not None
    assert learnt[there] is None


def test_the_bound_of_the_size_holds(qtbot: QtBot, live: ServerListController, database: Database) -> None:
    now = time.time()
    samples = ServerSampleStore(database)
    samples.add([ServerSample(answer(0).target.address, now - i * FINE_SPAN_S, 5, 0, 1.0) for i in range(600)]).result()
    sampler = SampleRecorder(live, samples, lambda: 400)
    sampler.start()
    live.running_changed.emit(False)
    qtbot.waitUntil(lambda: samples.row_count() <= 400)
    sampler.close()


def test_a_disk_that_does_not_answer_holds_up_nobody(live: ServerListController, database: Database) -> None:
    """Whoever waited for the writer here would wait for ever."""
    answers_again = threading.Event()
    sampler = SampleRecorder(live, ServerSampleStore(database), lambda: MAX_SAMPLE_ROWS)
    database.write(lambda _connection: answers_again.wait())
    live.merge_results([answer(0)])
    sampler.start()
    sampler.save()
    sampler.run_maintenance()
    live.merge_results([answer(1)])
    answers_again.set()
    sampler.close()
    database.flush()
    assert ServerSampleStore(database).row_count() == 2


@pytest.mark.posix
def test_a_killed_program_loses_only_the_last_seconds(tmp_path: Path) -> None:
    """Answers come all the time, and still they are saved again and again."""
    with subprocess.Popen([sys.executable, PROGRAM, tmp_path], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        told = [int(line) for line, _ in zip(program.stdout, range(5), strict=False)]
        program.kill()
    database = open_database(tmp_path)
    assert database.notice is None
    kept = ServerSampleStore(database).row_count()
    database.close()
    assert 0 < told[0] < told[-1] <= kept
    assert sample_recorder.SAVE_DELAY_MS <= 5_000
