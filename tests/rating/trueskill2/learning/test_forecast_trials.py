"""Log loss of candidate parameters, by hand."""

import math

import numpy as np
import pytest
from learning_helpers import default_parameters, known_world, played, shooter

from browser_app.rating.progress_callback import ignore_progress
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.trueskill2.learning.forecast_trials import (
    SHARED_FIRST,
    ForecastTrials,
    outcome_chance,
    winning_teams,
)


def test_winning_team_is_first_alone() -> None:
    duel, brawl = [["a"], ["b"]], [["a"], ["b"], ["c"]]
    ranks = [(1, 2), (5, 2), (1, 1)]
    rounds = [played(n, duel, given) for n, given in enumerate(ranks)]
    rounds += [played(3, brawl, (3, 2, 1)), played(4, brawl, (1, 2, 1)), played(5, brawl, (1, 2, 2))]
    assert winning_teams(build_record(rounds)).tolist() == [0, 1, SHARED_FIRST, 2, SHARED_FIRST, 0]


def test_outcome_chance() -> None:
    forecast = Prediction((0.5, 0.3, 0.1), 0.1, ())
    assert [outcome_chance(forecast, outcome) for outcome in (0, 1, 2, SHARED_FIRST)] == [0.5, 0.3, 0.1, 0.1]


def test_even_duels_cost_one_coin_each() -> None:
    record = build_record([played(n, [[f"a{n}"], [f"b{n}"]]) for n in range(7)])
    trials = ForecastTrials(record, ignore_progress, 1)
    assert trials.log_loss(shooter(draw_margin=0.0)) == pytest.approx(7 * math.log(2.0))


def test_impossible_draw_is_infinite() -> None:
    trials = ForecastTrials(build_record([played(0, [["a"], ["b"]], (1, 1))]), ignore_progress, 1)
    assert trials.log_loss(shooter(draw_margin=0.0)) == math.inf
    assert trials.log_loss(shooter(draw_margin=0.5)) < 2.0


def test_true_parameters_have_least_loss() -> None:
    trials = ForecastTrials(known_world(default_parameters(v0=0.8), rounds=800), ignore_progress, 1)
    truth = trials.log_loss(shooter(v0=0.8))
    assert truth + 5.0 < trials.log_loss(shooter(v0=0.05))
    assert truth + 5.0 < trials.log_loss(shooter(v0=8.0))


def test_mode_losses_sum_to_whole() -> None:
    record = known_world(default_parameters(), rounds=300)
    halves = build_record(
        [played(n, [["a", "b"], ["c", "d"]], (1 + n % 3, 2), mode=("x", "y")[n % 2]) for n in range(40)]
    )
    for of in (record, halves):
        trials = ForecastTrials(of, ignore_progress, 1)
        parts = [trials.log_loss(shooter(), mode) for mode in range(len(of.modes))]
        assert math.fsum(parts) == pytest.approx(trials.log_loss(shooter()), rel=1e-12)


def test_search_reports_progress_and_cancels() -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))
        if done == 5:
            raise KeyboardInterrupt

    trials = ForecastTrials(build_record([played(0, [["a"], ["b"]])]), progress, 20)
    with pytest.raises(KeyboardInterrupt):
        trials.search(lambda at: shooter(m0=at[0]), [1.0], [0.5], 100)
    assert told == [(n, 20) for n in range(6)]


def test_invalid_parameters_are_infinite() -> None:
    trials = ForecastTrials(build_record([played(0, [["a"], ["b"]])]), ignore_progress, 1)
    wrong = shooter()
    assert math.isfinite(trials.log_loss(wrong))
    assert trials.log_loss(type(wrong)({**wrong.default, "kill_wp": 1.0}, {})) == math.inf


def test_empty_record_has_no_loss() -> None:
    assert ForecastTrials(build_record([]), ignore_progress, 1).log_loss(shooter()) == 0.0
    assert np.array_equal(winning_teams(build_record([])), [])
