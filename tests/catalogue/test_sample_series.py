"""Sample series: resampling and the typical week in local time."""

import time

import numpy as np

from browser_app.catalogue.sample_series import SampleSeries, hour_ranges, hourly_means, week_profile

MONDAY = 4 * 86400.0  # 5 January 1970 was a Monday


def series(rows: list[tuple[float, float, float | None]]) -> SampleSeries:
    """Return a series of (time, span, players)."""
    return SampleSeries.from_rows([(t, span, 1.0, players, players, players, 0.0, 40.0) for t, span, players in rows])


def test_week_is_in_local_time() -> None:
    rows: list[tuple[float, float, float | None]] = [
        (MONDAY + week * 7 * 86400 + 20 * 3600, 3600.0, float(players)) for week, players in enumerate((4, 8, 12))
    ]
    week = week_profile(series(rows), 6, time.gmtime)
    assert (week.hour_count[0, 20], week.players[0, 20]) == (3, 8)
    assert week.mostly_active[0, 20]
    assert week.mostly_active.sum() == 1
    assert np.isnan(week.players[1, 20])
    east = week_profile(series(rows), 6, lambda seconds: time.gmtime(seconds + 5 * 3600))
    assert (east.hour_count[1, 1], east.hour_count[0, 20]) == (3, 0)


def test_hourly_means_skip_gaps() -> None:
    rows: list[tuple[float, float, float | None]] = [(MONDAY + i * 300.0, 300.0, float(i)) for i in range(24)]
    rows += [(MONDAY + 86400.0, 86400.0, 9.0), (MONDAY + 7200.0, 300.0, None)]
    hours, players = hourly_means(series(rows))
    assert hours.tolist() == [MONDAY, MONDAY + 3600]
    assert players.tolist() == [5.5, 17.5]


def test_resampling_keeps_means_range_and_gaps() -> None:
    rows: list[tuple[float | None, ...]] = [
        (0.0, 300.0, 1.0, 4.0, 2.0, 6.0, 0.0, 30.0),
        (300.0, 300.0, 0.5, 8.0, 8.0, 9.0, 2.0, None),
        (3600.0, 300.0, 0.0, None, None, None, None, None),
        (7200.0, 3600.0, 1.0, 5.0, 1.0, 7.0, 0.0, 40.0),
        (86400.0, 86400.0, 1.0, 5.0, 1.0, 7.0, 0.0, 40.0),
    ]
    hours = SampleSeries.from_rows(rows).resampled(0.0, 3600.0)
    assert hours.time.tolist() == [0, 3600, 7200]
    assert hours.span.tolist() == [3600] * 3
    assert hours.answered.tolist() == [0.75, 0, 1]
    assert (hours.players[0], hours.low[0], hours.high[0], hours.bots[0], hours.ping_ms[0]) == (6, 2, 9, 1, 30)
    assert np.isnan([hours.players[1], hours.low[1], hours.high[1], hours.ping_ms[1]]).all()
    assert hours.players[2] == 5
    assert len(SampleSeries.from_rows(rows).resampled(100.0, 300.0)) == 2


def test_hour_ranges() -> None:
    mostly = np.zeros(24, np.bool_)
    mostly[[0, 1, 19, 20, 21, 22, 23]] = True
    assert hour_ranges(mostly) == [(0, 2), (19, 24)]
    assert hour_ranges(np.zeros(24, np.bool_)) == []
