"""Rating curves, axes, transforms and texts of Over Time, without a window."""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from over_time_helpers import BEGIN, DAY, history
from PySide6.QtCore import QPointF, QRectF

from browser_app.rating.skill_inference import Z90
from browser_app.ui.skill.over_time import rating_plot_axes
from browser_app.ui.skill.over_time.over_time_text import gap_text, plot_summary_text, round_tooltip, time_span_text
from browser_app.ui.skill.over_time.rating_curve import RatingCurve, create_rating_curve, most_played_mode, thin_curve
from browser_app.ui.skill.over_time.rating_plot_axes import (
    CALENDAR_STEPS,
    CalendarStep,
    calendar_ticks,
    count_bins,
    step_times,
)
from browser_app.ui.skill.over_time.rating_plot_transform import (
    PlotTransform,
    nearest_point,
    nice_values,
    value_range,
    value_ticks,
)


@pytest.fixture(params=["UTC", "Europe/Berlin", "America/St_Johns"], autouse=True)
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def daily_curve(values: list[float], days: list[float] | None = None) -> RatingCurve:
    """Return a curve with a point a day unless `days` are given."""
    value = np.array(values)
    moment = BEGIN + DAY * np.array(range(len(value)) if days is None else days, np.float64)
    unknown = np.full(len(value), np.nan)
    return RatingCurve(moment, value, unknown, unknown, np.arange(len(value)), np.ones(len(value)))


def test_curve_has_rated_rounds_and_intervals() -> None:
    whole = history(50)
    after = whole.after.copy()
    after[[3, 9]] = np.nan
    curve = create_rating_curve(history(50, after=after))
    assert len(curve) == 48
    assert {3, 9}.isdisjoint(curve.history_row.tolist())
    np.testing.assert_allclose(curve.high - curve.value, Z90 * whole.sd[curve.history_row])
    np.testing.assert_allclose(curve.value - curve.low, Z90 * whole.sd[curve.history_row])


def test_fixture_is_no_point() -> None:
    played = history(6)
    started, outcome = played.started.copy(), played.outcome.copy()
    started[-1] += 2000 * DAY
    outcome[-1] = np.nan
    curve = create_rating_curve(history(6, started=started, outcome=outcome))
    assert curve.history_row.tolist() == [0, 1, 2, 3, 4]
    assert curve.time_range[1] == played.started[4]


def test_curve_of_one_mode() -> None:
    mode = np.array([0, 1, 1, 0, 1, -1], np.int32)
    both = history(6, mode=mode, modes=("ns2", "siege"))
    assert create_rating_curve(both, "siege").history_row.tolist() == [1, 2, 4]
    assert create_rating_curve(both).history_row.tolist() == [0, 1, 2, 3, 4, 5]
    assert most_played_mode(both) == "siege"
    assert most_played_mode(history(6)) is None


def test_gap_length_limits() -> None:
    weekly = [0, 7, 14, 21, 41, 48]
    assert daily_curve([1.0] * 6, [0, 1, 2, 3, 26, 27]).gaps == ((BEGIN + 3 * DAY, BEGIN + 26 * DAY),)
    assert daily_curve([1.0] * 6, [0, 1, 2, 3, 16, 17]).gaps == ()
    assert daily_curve([1.0] * 6, [float(day) for day in weekly]).gaps == ()  # 20 days are less than three weeks
    assert len(daily_curve([1.0] * 4, [0, 15, 30, 68]).gaps) == 1  # four weeks are always a gap
    assert daily_curve([1.0]).gaps == daily_curve([]).gaps == ()


def test_segments_include_neighbours() -> None:
    curve = daily_curve([1.0] * 8, [0, 1, 2, 3, 30, 31, 32, 33])
    assert curve.segments(slice(1, 3)) == [slice(0, 4)]
    assert curve.segments(slice(2, 6)) == [slice(1, 4), slice(4, 7)]
    assert curve.segments(slice(5, 8)) == [slice(4, 8)]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=300), st.integers(1, 20), st.floats(0.1, 50))
def test_thinning_keeps_extremes_and_ends(values: list[float], half_width: int, step_days: float) -> None:
    plain = daily_curve(values)
    curve = RatingCurve(
        plain.time, plain.value, plain.value - half_width, plain.value + half_width, plain.history_row, plain.outcome
    )
    columns = thin_curve(curve, slice(0, len(curve)), step_days * DAY)
    assert columns.lowest.min() == min(values)
    assert columns.highest.max() == max(values)
    assert (columns.first[0], columns.last[-1]) == (values[0], values[-1])
    assert columns.low.min() == curve.low.min()
    assert columns.high.max() == curve.high.max()
    assert (np.diff(columns.time) > 0).all()
    assert len(columns.time) <= len(values)


@given(st.integers(0, 500), st.integers(1, 200))
def test_thinned_columns_are_stable(first: int, length: int) -> None:
    curve = create_rating_curve(history(800, days=400))
    step = 3.3 * DAY
    whole = thin_curve(curve, slice(0, len(curve)), step)
    part = thin_curve(curve, slice(first, first + length), step)
    inner = slice(1, len(part.time) - 1)  # the outer columns may be cut
    places = np.searchsorted(whole.time, part.time[inner])
    np.testing.assert_array_equal(whole.time[places], part.time[inner])
    np.testing.assert_array_equal(whole.highest[places], part.highest[inner])


def test_value_range_contains_values() -> None:
    curve = create_rating_curve(history())
    seen = value_range([curve], *curve.time_range)
    assert seen is not None
    low, high = seen
    usual = float(np.median(curve.high - curve.value))
    assert low <= curve.value.min() - usual
    assert high >= curve.value.max() + usual
    assert high - low < 3 * (np.ptp(curve.value) + 2 * usual)
    assert value_range([curve], 0.0, 1.0) is None


@pytest.mark.parametrize(("ratio", "least_share"), [(0.5, 0.3), (3.0, 0.2), (10.0, 0.08)])
def test_wide_band_does_not_flatten_course(ratio: float, least_share: float) -> None:
    curve = create_rating_curve(history())
    spread = float(np.ptp(curve.value))
    curve = replace(curve, low=curve.value - ratio * spread, high=curve.value + ratio * spread)
    seen = value_range([curve], *curve.time_range)
    assert seen is not None
    assert spread / (seen[1] - seen[0]) >= least_share
    band = curve.interval_range(curve.slice_between(*curve.time_range))
    assert band is not None
    assert (band[0] < seen[0], band[1] > seen[1]) == (ratio > 1, ratio > 1)


def test_single_value_has_range() -> None:
    seen = value_range([daily_curve([0.0])], 0.0, 1e12)
    assert seen is not None
    assert seen[0] < 0.0 < seen[1]


@given(st.floats(-1e4, 1e4), st.floats(0.01, 1e4), st.integers(2, 12))
def test_nice_values_are_inside_and_few(low: float, span: float, most: int) -> None:
    values = nice_values(low, low + span, most)
    assert 1 <= len(values) <= most + 1
    assert all(low - 1e-6 * span <= value <= low + span + 1e-6 * span for value in values)
    assert len({words for _value, words in value_ticks(values)}) == len(values)


def test_value_tick_labels() -> None:
    assert [words for _value, words in value_ticks([1400.0, 1600.0])] == ["1\u202f400", "1\u202f600"]
    assert [words for _value, words in value_ticks([-0.5, 0.0, 0.5])] == ["\u22120.5", "0.0", "0.5"]


@given(st.sampled_from(CALENDAR_STEPS), st.floats(0, 4e9))
@example(CALENDAR_STEPS[0], 1_521_936_000.0)  # 25 March 2018, 1 h in Berlin: there is no 2 h
@example(CALENDAR_STEPS[0], 1_520_742_000.0)  # 11 March 2018, 1 h in St. John's
def test_step_times_ascend_and_enclose(step: CalendarStep, first: float) -> None:
    last = first + 4 * step.approx_s
    found = step_times(first, last, step)
    assert found[0] <= first
    assert found[-1] >= last
    assert all(after > before for before, after in pairwise(found))
    assert len(found) <= 12


@given(st.floats(1e9, 2e9), st.floats(0, 40))
def test_step_times_are_stable(first: float, moved_days: float) -> None:
    step = CalendarStep("week", 2, 14 * DAY)
    before = step_times(first, first + 100 * DAY, step)
    after = step_times(first + moved_days * DAY, first + 100 * DAY, step)
    assert set(after) <= set(before)
    assert {time.localtime(each)[3:7] for each in before} == {(0, 0, 0, 0)}  # Mondays, midnight


def test_ticks_name_larger_units() -> None:
    new_year = time.mktime((2026, 1, 1, 0, 0, 0, 0, 0, -1))
    assert [words for _moment, words in calendar_ticks(new_year - 70 * DAY, new_year + 70 * DAY, 8)] == [
        *("Nov", "Dec", "2026", "Feb", "Mar"),
    ]
    assert [words for _moment, words in calendar_ticks(new_year - 43200, new_year + 43200, 5)][2] == "1 Jan"
    assert "12:00" in [words for _moment, words in calendar_ticks(new_year - 43200, new_year + 43200, 5)]


def test_count_bins_follow_span_length() -> None:
    for days, unit in ((1, "hour"), (30, "day"), (300, "week"), (3000, "month")):
        words, edges = count_bins(BEGIN, BEGIN + days * DAY)
        assert words.endswith(unit)
        assert 20 <= len(edges) <= 180
    counts = np.histogram(create_rating_curve(history()).time, count_bins(BEGIN, BEGIN + 200 * DAY)[1])[0]
    assert counts.sum() == 214


def scale(curve: RatingCurve) -> PlotTransform:
    return PlotTransform(
        *curve.time_range, float(curve.value.min()) - 1, float(curve.value.max()) + 1, QRectF(0, 0, 1000, 500)
    )


def test_nearest_point() -> None:
    curve = create_rating_curve(history())
    on = scale(curve)
    for point in (0, 57, 120, 213):
        at = QPointF(float(on.x(curve.time[point])), float(on.y(curve.value[point])))
        found = nearest_point(curve, on, at)
        assert abs(float(on.x(curve.time[found])) - at.x()) < 1e-6
        assert abs(float(on.y(curve.value[found])) - at.y()) < 1e-6
    middle = sum(curve.gaps[0]) / 2
    assert nearest_point(curve, on, QPointF(float(on.x(middle)) - 20, 250)) in (106, 107)
    assert nearest_point(curve, PlotTransform(0.0, 1.0, 0.0, 1.0, QRectF(0, 0, 9, 9)), QPointF(1, 1)) == -1


def test_round_tooltip() -> None:
    example = history(
        4,
        outcome=np.array([0.0, 1.0, 0.5, np.nan]),
        probability=np.full(4, 0.37),
        share=np.ones(4),
        before=np.full(4, 1576.0),
        after=np.array([1571.1, 1580.0, 1576.0, np.nan]),
    )
    words = round_tooltip(example, 0)
    assert words.heading.split(", ")[1:] == [example.maps[example.map[0]], example.teams[example.team[0]]]
    assert words.result == "Lost (37\u00a0% win chance), present 100\u00a0%"
    assert words.change == "\u22124.9: 1\u202f576 → 1\u202f571"
    assert words.accessible_text.endswith("Press Enter to open the round")
    assert round_tooltip(example, 1).result.startswith("Won")
    assert round_tooltip(example, 2).result.startswith("Drawn")
    assert round_tooltip(example, 3).result.startswith("Result unknown")
    assert round_tooltip(example, 3).change == "–: 1\u202f576 → –"


def test_tooltip_omits_unknown_values() -> None:
    example = history(
        2, map=np.array([-1, 0], np.int32), approximate=np.array([True, False]), share=np.array([0.5, np.nan])
    )
    assert len(round_tooltip(example, 0).heading.split(", ")) == 2
    alone = history(1, teams=("p0", "Aliens"), team=np.zeros(1, np.int32))
    assert "p0" not in round_tooltip(alone, 0).heading
    assert round_tooltip(example, 0).result.endswith("present ~50\u00a0%")
    assert round_tooltip(example, 1).result.endswith("present –")


def test_small_ratings_have_decimals() -> None:
    words = round_tooltip(
        history(3, start=1.0, system="trueskill2", before=np.full(3, 1.43), after=np.full(3, 1.465)), 0
    )
    assert words.change == "+0.035: 1.43 → 1.47"


def test_plot_summary_text() -> None:
    example = history()
    curve = create_rating_curve(example)
    words = plot_summary_text(example, curve, slice(0, len(curve)))
    assert words.startswith("214 rounds, ")
    assert words.endswith("Not played for 23 days.")
    assert f"highest {curve.value.max():,.0f}".replace(",", "\u202f") in words
    assert (
        plot_summary_text(example, curve, slice(3, 3))
        == time_span_text(curve, slice(3, 3))
        == "No rounds in this range"
    )
    assert "Not played" not in plot_summary_text(example, curve, slice(0, 50))
    assert gap_text(0.0, DAY) == "not played, 1 day"


def test_calendar_steps_ascend() -> None:
    assert list(CALENDAR_STEPS) == sorted(CALENDAR_STEPS, key=lambda step: step.approx_s)
    assert rating_plot_axes.choose_calendar_step(1e12, 2) == CALENDAR_STEPS[-1]
