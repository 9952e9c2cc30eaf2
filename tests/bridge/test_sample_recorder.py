"""Samples reach the disk within seconds; stored ones become trends and forecasts."""

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
from sampling_process import fail_on_query, make_result
from timeouts import LIMIT_S

from browser_app import runtime_tuning
from browser_app.application.player_forecasts import learn_forecast_models
from browser_app.bridge import sample_recorder
from browser_app.bridge.sample_recorder import SampleRecorder
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.sample_series import SampleSeries
from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.engine.query.scan import ScanProgress
from browser_app.protocols.address import Address
from browser_app.storage.database import Database, open_database
from browser_app.storage.server_samples import (
    FINE_SPAN_S,
    HOUR_SPAN_S,
    MAX_SAMPLE_ROWS,
    ServerSample,
    ServerSampleStore,
)

if TYPE_CHECKING:
    from browser_app.engine.server_poll import ServerPoll

PROGRAM = Path(__file__).with_name("sampling_process.py")


@pytest.fixture(autouse=True)
def stop_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock, so that no time slot ends during a test."""
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = open_database(tmp_path)
    yield database
    database.close()


@pytest.fixture
def server_list(qtbot: QtBot) -> Iterator[ServerListController]:
    server_list = ServerListController(Catalogue({}), fail_on_query, fail_on_query, dict, lambda: None)
    yield server_list
    server_list.close()


@pytest.fixture
def recorder(server_list: ServerListController, database: Database) -> Iterator[SampleRecorder]:
    recorder = SampleRecorder(server_list, ServerSampleStore(database), lambda: MAX_SAMPLE_ROWS)
    yield recorder
    recorder.close()


def make_timeout(number: int) -> QueryResult:
    return replace(make_result(number), status=QueryStatus.NO_ANSWER, info=None, ping_ms=None)


def weekly_pattern(now: float) -> dict[Address, SampleSeries]:
    """Return six weeks of evening peaks with noise for server 0."""
    hours = (now // HOUR_SPAN_S - np.arange(6 * 168, 0.0, -1)) * HOUR_SPAN_S
    noise = np.random.default_rng(1).normal(0, 1, len(hours))
    players = np.maximum(0.0, 8 + 6 * np.sin(hours / 86400 * 2 * np.pi) + noise)
    rows = [(t, HOUR_SPAN_S, 1.0, p, p, p, 0.0, 30.0) for t, p in zip(hours.tolist(), players.tolist(), strict=True)]
    recent = [
        (now // FINE_SPAN_S * FINE_SPAN_S - i * FINE_SPAN_S, FINE_SPAN_S, 1.0, 3.0, 3.0, 3.0, 0.0, 30.0)
        for i in range(1, 60)
    ]
    return {make_result(0).target.address: SampleSeries.from_rows([*rows, *recent])}


def test_samples_answers_and_silence(
    server_list: ServerListController, recorder: SampleRecorder, database: Database
) -> None:
    server_list.merge_results([make_result(0), make_timeout(1)])
    recorder.save()
    database.flush()
    samples = ServerSampleStore(database)
    assert samples.load_series(make_result(0).target.address).players.tolist() == [5]
    assert samples.load_series(make_result(1).target.address).answered.tolist() == [0]


def test_saves_automatically(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, server_list: ServerListController, database: Database
) -> None:
    monkeypatch.setattr(sample_recorder, "SAVE_DELAY_MS", 20)
    recorder = SampleRecorder(server_list, ServerSampleStore(database), lambda: MAX_SAMPLE_ROWS)
    with qtbot.waitSignal(recorder.samples_saved):
        server_list.merge_results([make_result(0)])
    database.flush()
    assert ServerSampleStore(database).count_rows() == 1
    recorder.close()


def test_no_silence_without_network(
    server_list: ServerListController, recorder: SampleRecorder, database: Database
) -> None:
    class OfflineScan:
        progress = ScanProgress(2, 2, 0, 2, 0, {}, 1.0, is_network_down=True)

        def cancel(self) -> None:
            """Do nothing."""

    server_list.poll = cast("ServerPoll", OfflineScan())
    server_list.merge_results([make_result(0), make_timeout(1)])
    recorder.save()
    database.flush()
    assert len(ServerSampleStore(database).load_series(make_result(0).target.address)) == 1
    assert len(ServerSampleStore(database).load_series(make_result(1).target.address)) == 0


def test_close_saves_last_samples(
    server_list: ServerListController, recorder: SampleRecorder, database: Database
) -> None:
    server_list.merge_results([make_result(0)])
    recorder.close()
    server_list.merge_results([make_result(1)])
    database.flush()
    assert ServerSampleStore(database).count_rows() == 1


def test_result_fills_newest_slot(server_list: ServerListController, recorder: SampleRecorder) -> None:
    server_list.merge_results([make_result(0), make_timeout(1)])
    row = server_list.catalogue.row_of(make_result(0).target.address)
    slots = server_list.catalogue.trends.slots_of(np.array([row, 1 - (row or 0)]))
    assert slots[0, -1] == 5
    assert np.isnan(slots[1]).all()


@pytest.mark.parametrize("known_before", [True, False])
def test_past_restores_trend_and_forecast(
    qtbot: QtBot, server_list: ServerListController, database: Database, known_before: bool
) -> None:
    def past(now: float) -> Iterator[Mapping[Address, SampleSeries]]:
        yield weekly_pattern(now)

    recorder = SampleRecorder(server_list, ServerSampleStore(database), lambda: MAX_SAMPLE_ROWS, past)
    if known_before:
        server_list.merge_results([make_result(0)])
    with qtbot.waitSignal(recorder.history_changed):
        recorder.start()
    if not known_before:
        server_list.merge_results([make_result(0)])
    slots = server_list.catalogue.trends.slots_of(np.array([0]))[0]
    assert slots[-1] == 5
    assert (slots[~np.isnan(slots)] == 3).sum() >= 18
    with qtbot.waitSignal(recorder.history_changed):
        server_list.running_changed.emit(False)  # the first poll has ended: maintenance starts
    forecast = server_list.catalogue.forecasts.forecasts_of(np.array([0]))
    assert forecast.low[0] < forecast.players[0] < forecast.high[0]
    assert forecast.weeks[0] == pytest.approx(6, abs=0.1)
    recorder.close()


def test_random_past_has_no_model(database: Database) -> None:
    samples, here, there = ServerSampleStore(database), make_result(0).target.address, make_result(1).target.address
    usual = weekly_pattern(time.time())[here]
    walk = np.abs(np.cumsum(np.random.default_rng(3).normal(0, 1, len(usual))))
    samples.add_series({here: usual, there: replace(usual, players=walk)}).result()
    models = learn_forecast_models(samples, [here, there])
    assert models[here] is not None
    assert models[there] is None


def test_thins_to_size_limit(qtbot: QtBot, server_list: ServerListController, database: Database) -> None:
    now = time.time()
    samples = ServerSampleStore(database)
    samples.add(
        [ServerSample(make_result(0).target.address, now - i * FINE_SPAN_S, 5, 0, 1.0) for i in range(600)]
    ).result()
    recorder = SampleRecorder(server_list, samples, lambda: 400)
    recorder.start()
    server_list.running_changed.emit(False)
    qtbot.waitUntil(lambda: samples.count_rows() <= 400)
    recorder.close()


def test_maintenance_returns_freed_memory(monkeypatch: pytest.MonkeyPatch, recorder: SampleRecorder) -> None:
    returned = threading.Event()
    monkeypatch.setattr(runtime_tuning, "release_free_memory", returned.set)
    recorder.run_maintenance()
    assert returned.wait(LIMIT_S)


def test_hung_disk_does_not_block(server_list: ServerListController, database: Database) -> None:
    """Waiting for the writer in this thread would never end."""
    disk_answers = threading.Event()
    recorder = SampleRecorder(server_list, ServerSampleStore(database), lambda: MAX_SAMPLE_ROWS)
    database.write(lambda _connection: disk_answers.wait())
    server_list.merge_results([make_result(0)])
    recorder.start()
    recorder.save()
    recorder.run_maintenance()
    server_list.merge_results([make_result(1)])
    disk_answers.set()
    recorder.close()
    database.flush()
    assert ServerSampleStore(database).count_rows() == 2


@pytest.mark.slow
@pytest.mark.posix
def test_kill_loses_last_seconds_only(tmp_path: Path) -> None:
    """Samples are saved again and again although answers never pause."""
    with subprocess.Popen([sys.executable, PROGRAM, tmp_path], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        saved = [int(line) for line, _ in zip(program.stdout, range(5), strict=False)]
        program.kill()
    database = open_database(tmp_path)
    assert database.notice is None
    stored = ServerSampleStore(database).count_rows()
    database.close()
    assert 0 < saved[0] < saved[-1] <= stored
    assert sample_recorder.SAVE_DELAY_MS <= 5_000
