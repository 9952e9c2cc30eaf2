"""Lines of the history's time grid in years with changes of the clock."""

import time
from collections.abc import Iterator
from itertools import pairwise

import pytest

from browser_app.ui.inspector.server_history_curves import _time_grid

DAY_S = 86_400.0


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Restores the time zone at the end."""
    yield monkeypatch
    monkeypatch.undo()
    time.tzset()


@pytest.mark.posix
@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("Europe/Berlin", 1_521_849_600.0),  # 24 March 2018; the next night has no 2 h
        ("America/Sao_Paulo", 1_539_385_200.0),  # 13 October 2018; there is no midnight
        ("Pacific/Apia", 1_325_066_400.0),  # 28 December 2011; there is no 30th
    ],
)
def test_grid_ascends_where_hours_are_missing(zone: pytest.MonkeyPatch, name: str, first: float) -> None:
    zone.setenv("TZ", name)
    time.tzset()
    for every_h in (1, 6, 24):
        found = list(_time_grid(first, first + 5 * DAY_S, every_h))
        assert 4 <= len(found) * every_h / 24 <= 6
        assert all(after > before for before, after in pairwise(found))
