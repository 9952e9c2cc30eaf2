"""Numbers in texts that users read."""

import math

import pytest

from browser_app.catalogue.server_fields import SERVER_FIELDS
from browser_app.catalogue.server_value_text import ping_text, players_text, points_text, score_text
from browser_app.number_text import decimal_text, integer_text
from browser_app.ranking.score_text import format_factor


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.5, 2, "0.50"),
        (12400.5, 1, "12\u202f400.5"),
        (0.001, None, "0.001"),
        (12400.0, None, "12\u202f400"),
        (3.0, None, "3"),
        (math.nan, 1, "nan"),
    ],
)
def test_decimals(value: float, decimals: int | None, text: str) -> None:
    assert decimal_text(value, decimals) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(999, "999"), (1200, "1\u202f200"), (-1200.4, "−1\u202f200"), (-0.3, "0"), (math.nan, "–"), (math.inf, "–")],
)
def test_whole_numbers_are_grouped(value: float, text: str) -> None:
    assert integer_text(value) == text


def test_server_values_are_grouped() -> None:
    assert points_text(1640.2) == "1\u202f640"
    assert ping_text(1204.0) == "1\u202f204"
    assert players_text(8, 1000) == "8/1\u202f000"
    assert format_factor(1640.0) == "1\u202f640"


@pytest.mark.parametrize(
    ("score", "text"),
    [(1.29, "1.29"), (0.104, "0.10"), (0.0996, "0.10"), (0.0124, "0.012"), (0.0061, "0.006"), (0.0002, "≈0")],
)
def test_low_scores_are_distinguished(score: float, text: str) -> None:
    assert score_text(score) == text
    assert score_text(None) == ""


@pytest.mark.usefixtures("german_language")
def test_german_numbers_have_comma() -> None:
    assert decimal_text(12400.5, 1) == "12\u202f400,5"
    assert decimal_text(0.001) == "0,001"
    assert [score_text(value) for value in (0.5, 0.012, 0.0001)] == ["0,50", "0,012", "≈0"]
    assert SERVER_FIELDS["gain"].number_text(0.114) == "+0,11"
    assert [format_factor(value) for value in (0.8176, 1.5, 1e-9, 2.0)] == ["0,82", "1,5", "<0,000001", "2"]
