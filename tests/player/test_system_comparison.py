"""The comparison equals the output of `evaluate`.

It finds a system that is known to be better.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from player_rounds import generate_record, generate_rounds
from round_serializer import object_from_round

from browser_app.app import run_program
from browser_app.rating.evaluation.backtest import Backtest, backtest
from browser_app.rating.evaluation.decided_pairs import find_decided_pairs
from browser_app.rating.evaluation.forecast_scores import log_losses
from browser_app.rating.evaluation.system_comparison import (
    ROLLING_ROUNDS,
    SystemComparison,
    compare_systems,
    fit_calibration_slope,
)
from browser_app.rating.record.round_record import Floats
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system
from browser_app.rounds.round_reader import read_rounds


def to_log_odds(chance: Floats) -> Floats:
    odds: Floats = np.log(chance / (1.0 - chance))
    return odds


def compare_chances(rounds: int, **chances: Floats) -> SystemComparison:
    """Compare systems that forecast these chances."""
    record = generate_record(rounds)
    pairs = find_decided_pairs(record)
    return compare_systems(
        Backtest(record, pairs, {name: to_log_odds(column[: len(pairs.round)]) for name, column in chances.items()})
    )


def test_comparison_equals_evaluate_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "league.jsonl"
    file.write_text(
        "".join(json.dumps(object_from_round(round_)) + "\n" for round_ in generate_rounds(120)), encoding="utf-8"
    )
    assert run_program(["evaluate", str(file)]) == 0
    output = json.loads(capsys.readouterr().out)
    record = read_rounds([str(file)]).record
    comparison = compare_systems(backtest(record, [create_rating_system(name) for name in RATING_SYSTEMS]))
    rows = {row.name: row for row in comparison.systems}
    assert rows.keys() == output["systems"].keys()
    for name, entry in output["systems"].items():
        row = rows[name]
        assert (row.rounds, row.log_loss, row.accuracy, row.brier) == (
            entry["rounds"], entry["log_loss"], entry["accuracy"], entry["brier"],
        )  # fmt: skip
    best = comparison.best
    against = {(each["of"], each["against"]): each for each in output["differences"]}
    for row in comparison.systems:
        if (expected := against.get((row.name, best or ""))) is not None:
            assert (row.behind, row.low, row.high) == (expected["log_loss"], expected["low"], expected["high"])
    single = [row for row in comparison.systems if not (row.is_baseline or row.is_blend)]
    assert best == min(single, key=lambda row: row.log_loss or 9.0).name
    assert comparison.systems[-1].is_baseline
    assert not comparison.own_rounds_only


@pytest.mark.slow
def test_better_system_is_found() -> None:
    record = generate_record(400)
    pairs = find_decided_pairs(record)
    rng = np.random.default_rng(1)
    good = np.where(pairs.won == 1.0, 0.7, 0.3)
    random = rng.uniform(0.3, 0.7, len(good))
    same = good + rng.normal(0.0, 0.01, len(good))
    comparison = compare_chances(400, ns2=good, trueskill2=random, trueskill=same, constant=np.full(len(good), 0.5))
    rows = {row.name: row for row in comparison.systems}
    assert {comparison.best, comparison.runner_up} == {"ns2", "trueskill"}
    assert comparison.within_uncertainty == (comparison.runner_up,)
    assert rows["trueskill2"].low is not None
    assert rows["trueskill2"].low > 0.0
    assert not rows["trueskill2"].within_uncertainty
    assert [row.name for row in comparison.systems][-1] == "constant"


@pytest.mark.slow
def test_system_with_few_forecasts_is_not_best() -> None:
    won = find_decided_pairs(generate_record(200)).won
    good = np.where(won == 1.0, 0.9, 0.1)
    sparse = np.where(np.arange(len(won)) < 20, good, np.nan)
    comparison = compare_chances(200, ns2=np.full(len(won), 0.6), trueskill=sparse, elo=np.full(len(won), np.nan))
    assert comparison.best == "ns2"
    silent = next(row for row in comparison.systems if row.name == "elo")
    assert (silent.rounds, silent.log_loss, silent.behind, silent.slope) == (0, None, None, None)
    assert comparison.systems[-1] == silent


@pytest.mark.slow
def test_rolling_loss_is_mean_of_last_rounds() -> None:
    won = find_decided_pairs(generate_record(500)).won
    rng = np.random.default_rng(3)
    chance = rng.uniform(0.1, 0.9, len(won))
    comparison = compare_chances(500, ns2=chance, trueskill=np.where(np.arange(len(won)) < 200, np.nan, chance))
    loss = log_losses(to_log_odds(chance), won)
    assert comparison.rolling_round[0] == ROLLING_ROUNDS
    assert comparison.rolling_round[-1] == len(won)
    for end, value in zip(comparison.rolling_round.tolist(), comparison.rolling["ns2"].tolist(), strict=True):
        assert value == pytest.approx(loss[end - ROLLING_ROUNDS : end].mean())
    late = comparison.rolling["trueskill"]
    assert np.isnan(late[0])
    assert late[-1] == pytest.approx(loss[len(won) - ROLLING_ROUNDS :].mean())


def test_few_rounds_have_no_curve() -> None:
    won = find_decided_pairs(generate_record(50)).won
    assert len(compare_chances(50, ns2=np.full(len(won), 0.5)).rolling["ns2"]) == 0
    nothing = compare_systems(backtest(generate_record(5).first_rounds(0), [create_rating_system("ns2")]))
    assert (nothing.best, nothing.runner_up, nothing.within_uncertainty) == (None, None, ())


def test_only_selected_rounds_are_scored() -> None:
    record = generate_record(200)
    comparison = backtest(record, [create_rating_system("ns2")])
    rounds = comparison.pairs.round[::3]
    part = compare_systems(comparison, rounds)
    assert part.own_rounds_only
    assert next(row for row in part.systems if row.name == "ns2").rounds == len(rounds)


@pytest.mark.parametrize("true_slope", [0.5, 1.0, 1.6])
def test_slope_finds_overconfidence(true_slope: float) -> None:
    rng = np.random.default_rng(7)
    log_odds = rng.normal(0.0, 1.2, 6000)
    won = (rng.random(6000) < 1.0 / (1.0 + np.exp(-true_slope * log_odds))).astype(np.float64)
    comparison = fit_calibration_slope(log_odds, won)
    assert comparison is not None
    assert abs(comparison.value - true_slope) < 3.0 * comparison.sd
    assert comparison.sd < 0.1


def test_slope_needs_varied_forecasts() -> None:
    assert fit_calibration_slope(np.zeros(10), np.ones(10)) is None
    assert fit_calibration_slope(np.full(10, np.nan), np.ones(10)) is None
    assert fit_calibration_slope(np.full(10, 1.4), np.ones(10)) is None  # all forecast correctly: no finite slope
