"""A day is told with its year where that is not this one."""

import time
from dataclasses import replace

import numpy as np
from over_time_rig import DAY, history

from browser_app.player.own_history import OwnHistory
from browser_app.ui.plots.moments import date_of
from browser_app.ui.skill.over_time.trace import trace_of
from browser_app.ui.skill.over_time.words import round_words, span_words


def played_until(end: float) -> OwnHistory:
    """Three rounds, the last one then."""
    return replace(history(3), started=np.array([end - 2 * DAY, end - DAY, end]))


def test_a_record_of_another_year_says_so() -> None:
    told = played_until(time.mktime((2021, 3, 9, 12, 0, 0, 0, 0, -1)))
    assert span_words(trace_of(told), slice(None)).endswith(", 7 Mar 2021 to 9 Mar 2021")
    assert round_words(told, 2).heading.startswith("9 Mar 2021 12:00, ")


def test_this_year_needs_no_telling() -> None:
    now = time.time()
    assert str(time.localtime(now).tm_year) not in date_of(now)
    assert span_words(trace_of(played_until(now)), slice(2, 3)) == f"1 round, {date_of(now)}"
