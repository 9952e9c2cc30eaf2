"""The values of a sample series that apply in a time range."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from browser_app.player.skill_sources import SkillSampleSeries, SkillSourceKind

LENGTHS = st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=1, max_size=12)


def make_series(lengths: list[tuple[int, int]]) -> SkillSampleSeries:
    """A series of values with a duration each, and gaps between them."""
    since, until, time = [], [], 100
    for read, pause in lengths:
        since.append(time)
        until.append(time + read)
        time += read + pause
    times = np.array(since, np.float64), np.array(until, np.float64)
    return SkillSampleSeries(
        SkillSourceKind.STEAM, "1", "", *times, np.arange(len(since), dtype=np.float64), times[0] * np.nan
    )


@given(LENGTHS, st.integers(90, 240), st.integers(0, 60))
def test_slice_contains_all_values_of_range(lengths: list[tuple[int, int]], first: int, length: int) -> None:
    series = make_series(lengths)
    ends = [
        *series.first_read[1:].tolist(),
        series.last_read[-1] + 0.5,
    ]  # the last value still applies at its last reading
    expected = [k for k, end in enumerate(ends) if series.first_read[k] <= first + length and end > first]
    assert list(range(len(series)))[series.slice_between(first, first + length)] == expected
    value_range = series.value_range(first, first + length)
    assert value_range == ((float(expected[0]), float(expected[-1])) if expected else None)
