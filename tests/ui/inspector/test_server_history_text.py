"""Texts about a server's history."""

import time

import numpy as np
import pytest

from browser_app.catalogue.sample_series import SampleSeries, WeekProfile, week_profile
from browser_app.ranking.player_forecast import HOUR_S
from browser_app.ui.inspector.server_history_text import (
    active_times_text,
    current_players_text,
    forecast_text,
    stored_days_text,
)


def week_alive(*hours_of_days: set[int]) -> WeekProfile:
    """Return a week recorded four times, active in these hours of each day."""
    alive = np.array([[float(hour in hours) for hour in range(24)] for hours in hours_of_days])
    return WeekProfile(alive * 8, alive, np.full((7, 24), 4.0))


EVENING, LONG = set(range(19, 23)), set(range(15, 24))


@pytest.mark.parametrize(
    ("days", "words"),
    [
        ([EVENING] * 5 + [LONG] * 2, "Mon to Fri 19:00–23:00 and Sat and Sun 15:00–24:00"),
        ([EVENING, EVENING | {18}, EVENING - {22}, EVENING, EVENING] + [LONG] * 2,
         "Mon to Fri 19:00–23:00 and Sat and Sun 15:00–24:00"),
        ([EVENING] * 7, "every day 19:00–23:00"),
        ([set()] * 6 + [{0, 1, 20}], "Sun 0:00–2:00 and 20:00–21:00"),
        ([set()] * 7, "No hour is usually active."),
    ],
)  # fmt: skip
def test_active_times(days: list[set[int]], words: str) -> None:
    assert words in active_times_text(week_alive(*days))


def test_active_times_need_two_weeks() -> None:
    hours = np.arange(100) * float(HOUR_S)
    rows: list[tuple[float | None, ...]] = [
        (hour, float(HOUR_S), 1.0, 9.0, 9.0, 9.0, 0.0, 40.0) for hour in hours.tolist()
    ]
    words = active_times_text(week_profile(SampleSeries.from_rows(rows), 6, time.gmtime))
    assert "after two weeks" in words


def test_current_players_and_forecast() -> None:
    forecast = (9.5, 7.2, 12.1, 6.1)
    assert current_players_text(10, forecast).startswith("10 players now. Expected in 30 minutes: 7 to 12 players.")
    assert "6 weeks" in current_players_text(1, forecast)
    assert current_players_text(0, None).startswith("0 players now. No forecast")
    assert "unknown" in current_players_text(None, None)
    assert forecast_text(14.6, 20.2, 6.0) == "Expected in 30 minutes: 15 to 20 players. Based on 6 weeks of history."
    assert forecast_text(0.6, 1.3, 1.0) == "Expected in 30 minutes: 1 player. Based on 1 week of history."
    assert forecast_text(np.nan, np.nan, np.nan) == ""


def test_stored_days() -> None:
    assert [stored_days_text(days) for days in (0.0, 0.01, 1.2, 42.0)] == [
        "no history yet", "1 day of history", "1 day of history", "42 days of history",
    ]  # fmt: skip
