"""Dates in the rounds table show the year unless it is the current one."""

import time
from dataclasses import replace

import numpy as np
from over_time_helpers import DAY, history

from browser_app.player.own_history import OwnHistory
from browser_app.ui.skill.over_time.over_time_text import round_tooltip, time_span_text
from browser_app.ui.skill.over_time.rating_curve import create_rating_curve
from browser_app.ui.widgets.value_text import date_with_year_text


def played_until(end: float) -> OwnHistory:
    """Return a history of three rounds that ends then."""
    return replace(history(3), started=np.array([end - 2 * DAY, end - DAY, end]))


def test_other_year_is_shown() -> None:
    played = played_until(time.mktime((2021, 3, 9, 12, 0, 0, 0, 0, -1)))
    assert time_span_text(create_rating_curve(played), slice(None)).endswith(", 7 Mar 2021 to 9 Mar 2021")
    assert round_tooltip(played, 2).heading.startswith("9 Mar 2021 12:00, ")


def test_current_year_is_hidden() -> None:
    now = time.time()
    assert str(time.localtime(now).tm_year) not in date_with_year_text(now)
    assert time_span_text(create_rating_curve(played_until(now)), slice(2, 3)) == f"1 round, {date_with_year_text(now)}"
