"""Several active filters: the counts on the filter chips."""

import time

import numpy as np
import pytest
from catalogue_helpers import scored_catalogue
from measurements import best_of

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.server_filter import ActiveFilters, combine_filters, parse_filter


def _servers() -> Catalogue:
    return scored_catalogue(
        {"players": 0, "ping_ms": 20.0, "max_players": 24},
        {"players": 24, "ping_ms": 30.0, "max_players": 24},
        {"players": 6, "ping_ms": 200.0, "max_players": 24},
        {"players": 0, "ping_ms": 210.0, "max_players": 24},
        {"players": 12, "ping_ms": 40.0, "max_players": 24, "password": True},
    )


def _active_filters(catalogue: Catalogue, **texts: str) -> ActiveFilters:
    filters = {key: parse_filter(text) for key, text in texts.items()}
    return ActiveFilters(filters, catalogue, np.array([True, True, True, True, False]))


def test_hidden_by_one_filter() -> None:
    active = _active_filters(_servers(), players="players>=1", ping="ping<=150")
    assert active.passing.tolist() == [False, True, False, False, True]
    assert active.hidden_count("players") == 1  # row 3 fails another filter too, row 4 is in another list
    assert active.hidden_count("ping") == 1
    assert active.rows_passing_other_filters("players").tolist() == [True, True, False, False, False]


def test_remaining_count_with_another_filter() -> None:
    active = _active_filters(_servers(), ping="ping<=150")
    assert active.remaining_count(parse_filter("-full")) == 1
    assert active.remaining_count(parse_filter("-locked")) == 2
    assert active.remaining_count(parse_filter("ping<=250"), "ping") == 4
    assert _active_filters(_servers()).remaining_count(parse_filter("")) == 4


def test_combination_has_same_rows() -> None:
    catalogue = _servers()
    texts = ("players>=1 | ping<25", "", "-full", "max:24 bots:0")
    one = combine_filters(parse_filter(text) for text in texts)
    wanted = np.logical_and.reduce([parse_filter(text).matching_rows(catalogue) for text in texts])
    assert parse_filter(str(one)).matching_rows(catalogue).tolist() == wanted.tolist()
    assert str(combine_filters([])) == ""
    assert str(combine_filters([parse_filter("ping<80")])) == "ping<80"


@pytest.mark.slow
def test_20000_rows_are_fast() -> None:
    catalogue = scored_catalogue(*({"players": n % 24, "ping_ms": float(n % 300)} for n in range(20_000)))
    others = [parse_filter(text) for text in ("-full", "-locked", "-doubt", "ping<=80")]
    listed = np.ones(len(catalogue), np.bool_)
    filters = {"players": parse_filter("players>=1"), "ping": parse_filter("ping<=150")}

    def took_s() -> float:
        began = time.process_time()
        active = ActiveFilters(filters, catalogue, listed)
        counts = [active.hidden_count(key) for key in filters] + [active.remaining_count(other) for other in others]
        ended = time.process_time()
        assert all(counts[:2])
        return ended - began

    assert best_of(took_s, 0.005) < 0.005
