"""Filters in force together: the counts on the chips."""

import time

import numpy as np
from made_servers import filled
from noise import best_of

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filter_language import parse_filter
from browser_app.catalogue.filter_terms import Terms, together


def _servers() -> Catalogue:
    return filled(
        {"players": 0, "ping_ms": 20.0, "max_players": 24},
        {"players": 24, "ping_ms": 30.0, "max_players": 24},
        {"players": 6, "ping_ms": 200.0, "max_players": 24},
        {"players": 0, "ping_ms": 210.0, "max_players": 24},
        {"players": 12, "ping_ms": 40.0, "max_players": 24, "password": True},
    )


def _terms(catalogue: Catalogue, **texts: str) -> Terms:
    filters = {key: parse_filter(text) for key, text in texts.items()}
    return Terms(filters, catalogue, np.array([True, True, True, True, False]))


def test_what_one_filter_hides_comes_back_when_it_alone_goes_off() -> None:
    terms = _terms(_servers(), players="players>=1", ping="ping<=150")
    assert terms.passing.tolist() == [False, True, False, False, True]
    assert terms.hides("players") == 1  # row 3 is too far as well, row 4 is in another list
    assert terms.hides("ping") == 1
    assert terms.others("players").tolist() == [True, True, False, False, False]


def test_what_another_filter_would_leave() -> None:
    terms = _terms(_servers(), ping="ping<=150")
    assert terms.leaves(parse_filter("-full")) == 1
    assert terms.leaves(parse_filter("-locked")) == 2
    assert terms.leaves(parse_filter("ping<=250"), "ping") == 4
    assert _terms(_servers()).leaves(parse_filter("")) == 4


def test_together_they_are_one_expression_with_the_same_rows() -> None:
    catalogue = _servers()
    texts = ("players>=1 | ping<25", "", "-full", "max:24 bots:0")
    one = together(parse_filter(text) for text in texts)
    wanted = np.logical_and.reduce([parse_filter(text).mask(catalogue) for text in texts])
    assert parse_filter(str(one)).mask(catalogue).tolist() == wanted.tolist()
    assert str(together([])) == ""
    assert str(together([parse_filter("ping<80")])) == "ping<80"


def test_counts_of_twenty_thousand_rows_take_no_time() -> None:
    catalogue = filled(*({"players": n % 24, "ping_ms": float(n % 300)} for n in range(20_000)))
    others = [parse_filter(text) for text in ("-full", "-locked", "-doubt", "ping<=80")]
    listed = np.ones(len(catalogue), np.bool_)
    filters = {"players": parse_filter("players>=1"), "ping": parse_filter("ping<=150")}

    def took_s() -> float:
        began = time.process_time()
        terms = Terms(filters, catalogue, listed)
        counts = [terms.hides(key) for key in filters] + [terms.leaves(other) for other in others]
        ended = time.process_time()
        assert all(counts[:2])
        return ended - began

    assert best_of(took_s, 0.005) < 0.005
