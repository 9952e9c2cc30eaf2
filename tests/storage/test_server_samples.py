"""Samples are stored, limited in number, and thinned with age.

Thinning does not change means.
"""

import math
from pathlib import Path

import numpy as np
import pytest

from browser_app.catalogue.sample_series import SampleSeries
from browser_app.protocols.address import Address
from browser_app.storage.database import Database, open_database
from browser_app.storage.server_samples import DAY_SPAN_S, FINE_SPAN_S, HOUR_SPAN_S, ServerSample, ServerSampleStore

HERE, THERE = Address("127.0.0.1", 27015), Address("127.0.0.2", 27015)
MOST_STEPS = 200
"""Steps of SQLite's virtual machine per sample; 82 are usual."""
NOW = 20_000 * DAY_SPAN_S


@pytest.fixture
def samples(database: Database) -> ServerSampleStore:
    return ServerSampleStore(database)


def test_replies_and_timeouts_are_stored(samples: ServerSampleStore) -> None:
    seen = [
        ServerSample(HERE, NOW, 8, 2, 41.5),
        ServerSample(HERE, NOW + FINE_SPAN_S, None, None, None),
        ServerSample(THERE, NOW, 3, 0, 9.0),
    ]
    samples.add(seen).result()
    series = samples.load_series(HERE)
    assert series.time.tolist() == [NOW, NOW + FINE_SPAN_S]
    assert series.answered.tolist() == [1, 0]
    assert series.players[0] == series.low[0] == series.high[0] == 8
    assert (series.bots[0], series.ping_ms[0]) == (2, 41.5)
    assert np.isnan([series.players[1], series.bots[1], series.ping_ms[1]]).all()
    assert samples.load_series(HERE, NOW + 1).time.tolist() == [NOW + FINE_SPAN_S]
    assert len(samples.load_series(Address("127.0.0.3", 1))) == 0


def test_near_samples_are_merged(samples: ServerSampleStore) -> None:
    samples.add([ServerSample(HERE, NOW, 4, None, None), ServerSample(HERE, NOW + 1, None, None, None)]).result()
    samples.add([ServerSample(HERE, NOW + 200, 10, 6, 30.0)]).result()
    series = samples.load_series(HERE)
    assert (len(series), series.players[0], series.low[0], series.high[0]) == (1, 7, 4, 10)
    assert (series.bots[0], series.ping_ms[0]) == (6, 30)
    assert series.answered[0] == pytest.approx(2 / 3)


def test_thinning_keeps_means(samples: ServerSampleStore) -> None:
    start = NOW - 5 * DAY_SPAN_S
    players = [int(value) for value in np.random.default_rng(1).integers(0, 24, 24)]
    samples.add([ServerSample(HERE, start + i * FINE_SPAN_S, n, 1, 50.0 + n) for i, n in enumerate(players)]).result()
    samples.add([ServerSample(HERE, start + 24 * FINE_SPAN_S, None, None, None)]).result()
    samples.thin(NOW)
    series = samples.load_series(HERE)
    assert series.span.tolist() == [HOUR_SPAN_S] * 3
    assert series.players[:2].tolist() == [pytest.approx(np.mean(players[:12])), pytest.approx(np.mean(players[12:]))]
    assert series.ping_ms[0] == pytest.approx(50 + np.mean(players[:12]))
    assert (series.low[1], series.high[1]) == (min(players[12:]), max(players[12:]))
    assert np.isnan(series.players[2])
    assert series.answered.tolist() == [1, 1, 0]


def test_old_samples_are_deleted(samples: ServerSampleStore) -> None:
    days = [800, 100, 3, 0]
    samples.add([ServerSample(HERE, NOW - day * DAY_SPAN_S, 5, 0, 1.0) for day in days]).result()
    samples.thin(NOW)
    assert samples.load_series(HERE).span.tolist() == [DAY_SPAN_S, HOUR_SPAN_S, FINE_SPAN_S]
    samples.thin(NOW)
    assert samples.load_series(HERE).players.tolist() == [5, 5, 5]


def test_wrong_clock_deletes_nothing(samples: ServerSampleStore) -> None:
    years = 10 * 365 * DAY_SPAN_S
    samples.add([ServerSample(HERE, NOW - day * DAY_SPAN_S, 5, 0, 1.0) for day in (700, 50, 1, 0)]).result()
    samples.thin(NOW)
    before = samples.load_series(HERE).span.tolist()
    samples.add([ServerSample(HERE, NOW + years, 9, 0, 1.0)]).result()
    samples.thin(NOW + years)
    assert samples.load_series(HERE).span.tolist() == [*before, FINE_SPAN_S]
    for clock in (NOW - years, NOW + HOUR_SPAN_S):
        samples.thin(clock)
        assert samples.load_series(HERE).span.tolist() == before
    for hour in range(40):  # a clock that stays ahead is believed in the end
        samples.thin(NOW + years + hour * HOUR_SPAN_S)
    assert samples.load_series(HERE).players.tolist() == [5, 5, 5]


def test_many_rows_are_thinned(samples: ServerSampleStore) -> None:
    samples.add([ServerSample(HERE, NOW - i * FINE_SPAN_S, i % 20, 0, 1.0) for i in range(500)]).result()
    samples.thin(NOW, max_rows=400)
    assert samples.count_rows() <= 400
    series = samples.load_series(HERE)
    assert series.span[-1] == FINE_SPAN_S  # the newest samples are not thinned
    assert series.days == pytest.approx(500 * FINE_SPAN_S / DAY_SPAN_S, abs=1 / 24)


def test_players_by_slot(samples: ServerSampleStore) -> None:
    samples.add(
        [ServerSample(each, NOW + i * FINE_SPAN_S, i, 0, 1.0) for each in (HERE, THERE) for i in range(6)]
    ).result()
    samples.add([ServerSample(HERE, NOW + 6 * FINE_SPAN_S, None, None, None)]).result()
    servers, rows = samples.load_players_by_slot(NOW // 900, 900)
    assert set(servers) == {HERE, THERE}
    mine = rows[rows[:, 0] == servers.index(THERE), 1:]
    assert mine.tolist() == [[NOW // 900, 1], [NOW // 900 + 1, 4]]
    assert len(samples.load_players_by_slot(NOW // 900 + 1, 900)[1]) == 2
    assert samples.load_players_by_slot(NOW // 900 + 9, 900)[0] == []


def test_added_series_keeps_samples(samples: ServerSampleStore) -> None:
    samples.add([ServerSample(HERE, NOW, 8, 2, 41.5)]).result()
    rows: list[tuple[float | None, ...]] = [
        (NOW - HOUR_SPAN_S, HOUR_SPAN_S, 1.0, 4.0, 2.0, 6.0, 0.0, 30.0),
        (NOW, FINE_SPAN_S, 0.0, None, None, None, None, None),
    ]
    samples.add_series({HERE: SampleSeries.from_rows(rows), THERE: SampleSeries.from_rows(rows)}).result()
    assert samples.load_series(HERE).players.tolist() == [4, 8]
    assert samples.load_series(THERE).answered.tolist() == [1, 0]


def test_hourly_players_and_known_servers(samples: ServerSampleStore) -> None:
    samples.add_series(
        {HERE: SampleSeries.from_rows([(NOW - 2 * HOUR_SPAN_S, HOUR_SPAN_S, 1.0, 4.0, 2.0, 6.0, 0.0, 30.0)])}
    ).result()
    samples.add(
        [ServerSample(each, NOW + i * FINE_SPAN_S, i, 0, 1.0) for each in (HERE, THERE) for i in range(3)]
    ).result()
    assert samples.find_servers_known_before(NOW) == [HERE]
    assert samples.find_servers_known_before(NOW - 2 * HOUR_SPAN_S) == []
    past = samples.load_hourly_players([THERE, Address("192.0.2.99", 1), HERE])
    this_hour = NOW // HOUR_SPAN_S
    assert past.server.tolist() == [0, 2, 2]
    assert past.hour.tolist() == [this_hour, this_hour - 2, this_hour]
    assert past.players.tolist() == [1, 4, 1]


def test_thinning_can_be_stopped(samples: ServerSampleStore) -> None:
    samples.add([ServerSample(HERE, NOW - 5 * DAY_SPAN_S, 5, 0, 1.0)]).result()
    samples.thin(NOW, should_continue=lambda: False)
    assert samples.load_series(HERE).span.tolist() == [FINE_SPAN_S]


def test_failed_sample_has_no_id(database: Database) -> None:
    samples = ServerSampleStore(database)
    with pytest.raises(ValueError, match="not JSON compliant"):  # and the whole transaction fails
        samples.add([ServerSample(HERE, NOW, 1, 0, math.inf)]).result()
    samples.add([ServerSample(THERE, NOW, 3, 0, 1.0)]).result()
    samples.add([ServerSample(HERE, NOW, 8, 0, 1.0)]).result()
    assert samples.load_series(HERE).players.tolist() == [8]
    assert samples.load_series(THERE).players.tolist() == [3]


@pytest.mark.parametrize("servers", [500, 5000])
def test_batch_has_few_sql_steps(database: Database, samples: ServerSampleStore, servers: int) -> None:
    """Counts steps of SQLite's virtual machine.

    With a wrong query plan each sample takes thousands.
    """
    addresses = [Address(f"10.0.{i // 250}.{i % 250}", 27015) for i in range(servers)]
    thousands: list[None] = []
    database.write(lambda connection: connection.set_progress_handler(lambda: thousands.append(None), 1000)).result()
    for slot in (0, 0, 1):
        samples.add([ServerSample(each, NOW + slot * FINE_SPAN_S, 5, 0, 40.0) for each in addresses]).result()
    assert 0 < len(thousands) * 1000 < 3 * servers * MOST_STEPS


def test_samples_survive_kill(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    ServerSampleStore(database).add([ServerSample(HERE, NOW, 8, 2, 41.5)]).result()
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in tmp_path.glob("ready-room.sqlite*"):  # files that a killed process leaves
        (copy / file.name).write_bytes(file.read_bytes())
    database.close()
    again = open_database(copy)
    assert ServerSampleStore(again).load_series(HERE).players.tolist() == [8]
    again.close()
