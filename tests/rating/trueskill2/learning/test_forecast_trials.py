"""Log loss of candidate parameters, by hand."""

import math

import numpy as np
import pytest
from learning_helpers import default_parameters, played, shooter, simulate_known_model

from browser_app.rating.rating_errors import ParameterError
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.trueskill2.learning.forecast_trials import (
    SHARED_FIRST,
    forecast_losses,
    placement_loss,
    winning_teams,
)


def test_winning_team_is_first_alone() -> None:
    duel, brawl = [["a"], ["b"]], [["a"], ["b"], ["c"]]
    ranks = [(1, 2), (5, 2), (1, 1)]
    rounds = [played(n, duel, given) for n, given in enumerate(ranks)]
    rounds += [played(3, brawl, (3, 2, 1)), played(4, brawl, (1, 2, 1)), played(5, brawl, (1, 2, 2))]
    assert winning_teams(build_record(rounds)).tolist() == [0, 1, SHARED_FIRST, 2, SHARED_FIRST, 0]


def test_loss_of_two_teams_is_that_of_the_outcome() -> None:
    forecast = Prediction.two_teams(math.log(3.0), draw=0.2)
    losses = [placement_loss(forecast, ranks, shared_first=ranks == (1, 1)) for ranks in ((1, 2), (2, 1), (1, 1))]
    assert losses == pytest.approx([-math.log(0.8 * 0.75), -math.log(0.8 * 0.25), -math.log(0.2)])


def test_loss_of_many_teams_is_that_of_their_order() -> None:
    odds = math.log(3.0)
    forecast = Prediction((0.6, 0.3, 0.1), 0.0, ((0.0, odds, odds), (-odds, 0.0, 0.0), (-odds, 0.0, math.nan)))
    half, right, wrong = math.log(2.0), -math.log(0.75), -math.log(0.25)
    assert placement_loss(forecast, (1, 2, 3), shared_first=False) == pytest.approx(2 * (2 * right + half) / 3)
    assert placement_loss(forecast, (3, 2, 2), shared_first=False) == pytest.approx(2 * wrong), "a tie tells nothing"
    assert placement_loss(forecast, (1, 1, 2), shared_first=True) == math.inf


def test_even_duels_cost_one_coin_each() -> None:
    record = build_record([played(n, [[f"a{n}"], [f"b{n}"]]) for n in range(7)])
    assert forecast_losses(record, shooter(draw_margin=0.0)) == pytest.approx([math.log(2.0)] * 7)


def test_impossible_draw_is_infinite() -> None:
    record = build_record([played(0, [["a"], ["b"]], (1, 1))])
    assert forecast_losses(record, shooter(draw_margin=0.0)) == [math.inf]
    assert forecast_losses(record, shooter(draw_margin=0.5)) < 2.0


def test_unrated_round_has_no_loss() -> None:
    record = build_record([played(0, [["a"], []]), played(1, [["a"], ["b"]])])
    assert np.isnan(forecast_losses(record, shooter())).tolist() == [True, False]
    assert len(forecast_losses(build_record([]), shooter())) == 0
    assert np.array_equal(winning_teams(build_record([])), [])


@pytest.mark.slow
def test_true_parameters_have_least_loss() -> None:
    record = simulate_known_model(default_parameters(v0=0.8), rounds=800)
    truth, low, high = (forecast_losses(record, shooter(v0=v0)).sum() for v0 in (0.8, 0.05, 8.0))
    assert truth + 5.0 < low
    assert truth + 5.0 < high


def test_invalid_parameters_are_refused() -> None:
    wrong = shooter()
    with pytest.raises(ParameterError):
        forecast_losses(build_record([played(0, [["a"], ["b"]])]), type(wrong)({**wrong.default, "kill_wp": 1.0}, {}))
