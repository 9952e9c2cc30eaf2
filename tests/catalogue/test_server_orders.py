"""Sort orders: best first, unknown last in both directions, stable ties."""

import time
from collections.abc import Callable

import numpy as np
import pytest
from catalogue_helpers import GAMES, reply, scored_catalogue
from hypothesis import given
from hypothesis import strategies as st
from measurements import best_of

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import RowIds
from browser_app.catalogue.server_fields import SERVER_FIELDS, SORT_KEYS, sorted_rows


@pytest.mark.parametrize(
    ("column", "name", "values", "expected"),
    [
        ("players", "players", [3, None, 20, 0], [2, 0, 3, 1]),
        ("-players", "players", [3, None, 20, 0], [3, 0, 2, 1]),
        ("ping", "ping_ms", [80.0, None, 20.0, 50.0], [2, 3, 0, 1]),
        ("-ping", "ping_ms", [80.0, None, 20.0, 50.0], [0, 3, 2, 1]),
        ("name", "name", ["b", "", "C", "a"], [3, 0, 2, 1]),
        ("-name", "name", ["b", "", "C", "a"], [2, 0, 3, 1]),
        ("locked", "password", [True, None, False, True], [2, 0, 3, 1]),
        ("skill", "server_skill", [100.0, None, 3000.0, 0.0], [2, 0, 3, 1]),
        ("free", "players", [20, None, 0, 30], [2, 0, 3, 1]),
    ],
)
def test_best_first_unknown_last(column: str, name: str, values: list[object], expected: list[int]) -> None:
    assert sorted_rows(scored_catalogue(*({name: value} for value in values)), column).tolist() == expected


def test_ties_by_score_ping_and_address() -> None:
    catalogue = scored_catalogue(
        {"map": "x", "players": 1},
        {"map": "x", "players": 12},
        {"map": "x", "players": 12, "ping_ms": 40.0},
        {"map": "x", "players": 1},
        {"map": "x", "ping_ms": None},
    )
    assert sorted_rows(catalogue, "map").tolist() == [2, 1, 0, 3, 4]
    assert sorted_rows(catalogue, "-map").tolist() == [2, 1, 0, 3, 4]


def test_skill_distance_when_scored() -> None:
    catalogue = scored_catalogue(*({"server_skill": skill} for skill in (2500.0, None, 1700.0, 1500.0)))
    own = {catalogue.game[0]: 1640.0}
    assert (
        sorted_rows(catalogue, "skill_distance").tolist() == sorted_rows(catalogue, "score").tolist()
    )  # no skill is known yet
    catalogue.rescore(own)
    assert sorted_rows(catalogue, "skill_distance").tolist() == [2, 3, 0, 1]
    assert sorted_rows(catalogue, "-skill_distance").tolist() == [0, 3, 2, 1]
    catalogue.merge([reply(9, server_skill=1640.0)])
    assert sorted_rows(catalogue, "skill_distance").tolist()[:3] == [2, 3, 0]


def test_sort_some_rows() -> None:
    catalogue = scored_catalogue({"players": 1}, {"players": 5}, {"players": 3})
    assert sorted_rows(catalogue, "players", np.array([2, 0])).tolist() == [2, 0]
    assert sorted_rows(catalogue, "players", np.array([], np.intp)).tolist() == []


def test_unknown_column_is_error() -> None:
    with pytest.raises(ValueError, match="no column 'beauty'; there are score, ping"):
        sorted_rows(Catalogue(GAMES), "beauty")


@pytest.mark.parametrize("column", [*SORT_KEYS, *(f"-{column}" for column in SORT_KEYS)])
def test_orders_are_permutations(column: str) -> None:
    catalogue = scored_catalogue(*({"players": number % 5, "map": f"m{number % 3}"} for number in range(40)))
    assert sorted(sorted_rows(catalogue, column).tolist()) == list(range(40))
    assert sorted_rows(Catalogue(GAMES), column).tolist() == []


@given(st.lists(st.none() | st.integers(0, 3), max_size=30))
def test_reverse_of_known_values(players: list[int | None]) -> None:
    catalogue = scored_catalogue(*({"players": count} for count in players))
    forward, backward = (catalogue.players[sorted_rows(catalogue, column)] for column in ("players", "-players"))
    known = ~np.isnan(forward)
    np.testing.assert_array_equal(known, ~np.isnan(backward))
    np.testing.assert_array_equal(forward[known], backward[known][::-1])
    assert (np.diff(forward[known]) <= 0).all()


@pytest.mark.slow
def test_sort_20000_rows_is_fast() -> None:
    catalogue = Catalogue(GAMES)
    catalogue.merge([reply(number, name=f"{number * 7919 % 20011} Server") for number in range(20_000)])
    catalogue.rescore()
    sorted_rows(catalogue, "name")
    for column in ("score", "name", "ping"):

        def took_s(column: str = column) -> float:
            start = time.process_time()
            sorted_rows(catalogue, column)
            return time.process_time() - start

        assert best_of(took_s, 0.040) < 0.040  # the goal is 10 ms


@pytest.mark.parametrize("key", [key for key, field in SERVER_FIELDS.items() if field.number])
def test_number_of_some_rows(key: str) -> None:
    catalogue = scored_catalogue(*({"players": count, "bots": 1} for count in range(5)))
    number, rows = SERVER_FIELDS[key].number, np.array([3, 1])
    assert number is not None
    assert number(catalogue, rows).tolist() == pytest.approx(
        number(catalogue, np.arange(5))[rows].tolist(), abs=0, nan_ok=True
    )


def test_texts_of_one_row_read_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = scored_catalogue(*({"players": count} for count in range(5)))
    read = list[int]()

    def recording(method: Callable[[RowIds], object]) -> Callable[[RowIds], object]:
        def record(rows: RowIds) -> object:
            read.extend(rows.tolist())
            return method(rows)

        return record

    monkeypatch.setattr(catalogue, "ping_spreads", recording(catalogue.ping_spreads))
    monkeypatch.setattr(catalogue.trends, "changes", recording(catalogue.trends.changes))
    monkeypatch.setattr(catalogue.forecasts, "forecasts_of", recording(catalogue.forecasts.forecasts_of))
    for key in ("ping_spread", "trend", "forecast"):
        SERVER_FIELDS[key].texts(catalogue, np.array([2]))
    assert read == [2, 2, 2]
