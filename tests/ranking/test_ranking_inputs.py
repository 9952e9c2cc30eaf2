"""Columns of the ranking's inputs and constants."""

import numpy as np
import pytest

from browser_app.games.game_profile import RankingConstants
from browser_app.ranking.ranking_inputs import MAX_MAGNITUDE, RankingConstantsTable, RankingInputs


def test_missing_columns_have_defaults() -> None:
    inputs = RankingInputs(players=np.array([1.0, 2.0, 3.0]))
    assert len(inputs) == 3
    assert np.isnan(inputs.ping_ms).tolist() == [True] * 3
    assert inputs.can_join.tolist() == [True] * 3
    assert inputs.favourite.tolist() == [False] * 3
    assert inputs.constants_row.tolist() == [0, 0, 0]


def test_unequal_lengths_are_error() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        RankingInputs(players=np.zeros(3), ping_ms=np.zeros(2))
    with pytest.raises(ValueError, match="one dimension"):
        RankingInputs(players=np.zeros((2, 2)))


def test_flags_from_numbers() -> None:
    values = np.array([np.nan, -1.0, 0.0, 1.0])
    inputs = RankingInputs(can_join=values, password=values)
    assert inputs.can_join.tolist() == [True, True, False, True]
    assert inputs.password.tolist() == [False, False, False, True]


def test_numbers_are_clipped() -> None:
    inputs = RankingInputs(players=np.array([np.inf, -np.inf, np.nan, 5.0]))
    np.testing.assert_array_equal(inputs.players, [MAX_MAGNITUDE, -MAX_MAGNITUDE, np.nan, 5.0])


def test_unknown_column_is_error() -> None:
    with pytest.raises(TypeError, match="playres"):
        RankingInputs.from_values(playres=3)


def test_select_rows_keeps_order() -> None:
    inputs = RankingInputs(players=np.array([1.0, 2.0, 3.0]), favourite=np.array(True))
    taken = inputs.select_rows(np.array([2, 0, 2]))
    assert taken.players.tolist() == [3.0, 1.0, 3.0]
    assert taken.favourite.tolist() == [True] * 3


def test_constants_by_row() -> None:
    table = RankingConstantsTable([RankingConstants(), RankingConstants(ping_centre_ms=150.0)])
    assert table.columns_for(np.array([1, 0, 1]))["ping_centre_ms"].tolist() == [150.0, 100.0, 150.0]
    with pytest.raises(IndexError):
        table.columns_for(np.array([2]))
