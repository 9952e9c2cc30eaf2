"""Parameter search and fit: known minima, no knowledge of the future, deterministic, never worse."""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rating_helpers import CountingSystem, counting_system, season

from browser_app.rating.evaluation.backtest import backtest
from browser_app.rating.evaluation.compass_search import compass_search
from browser_app.rating.evaluation.decided_pairs import count_training_rounds
from browser_app.rating.evaluation.parameter_fit import RUNS_PER_PARAMETER, fit_parameters
from browser_app.rating.ns2.ns2_system import NS2System
from browser_app.rating.progress_callback import ProgressCallback
from browser_app.rating.rating_parameters import ParameterSet, resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord


@given(st.lists(st.floats(-8, 8), min_size=1, max_size=4))
@settings(max_examples=50)
def test_search_finds_minimum(lowest: list[float]) -> None:
    def bowl(point: Sequence[float]) -> float:
        total = sum(point) - sum(lowest)
        return sum((at - low) ** 2 for at, low in zip(point, lowest, strict=True)) + 0.2 * total**2

    found = compass_search(bowl, [0.0] * len(lowest), [1.0] * len(lowest), 2000)
    assert bowl(found) < 0.02 * len(lowest) ** 2


@given(st.integers(1, 50), st.integers(0, 100))
def test_search_limits_calls(calls: int, seed: int) -> None:
    noise = np.random.default_rng(seed)
    seen: list[tuple[float, tuple[float, ...]]] = []

    def rough(point: Sequence[float]) -> float:
        value = float(noise.choice((noise.normal(), math.inf)))
        seen.append((value, tuple(point)))
        return value

    found = compass_search(rough, [0.0, 1.0], [1.0, 0.1], calls)
    assert len(seen) <= calls
    assert tuple(found) == min(seen, key=lambda each: each[0])[1]


def test_tiny_gains_move_nothing() -> None:
    def slope(point: Sequence[float]) -> float:
        return (point[0] - 3.0) ** 2 - 1e-6 * point[1]

    first, second = compass_search(slope, [0.0, 0.0], [1.0, 1.0], 500, 1e-5)
    assert first == pytest.approx(3.0, abs=0.05)
    assert second == 0.0


def test_zero_parameter_can_move() -> None:
    record = build_record(season(120))
    found = fit_parameters(
        NS2System(resolve_parameters(NS2System.declared_parameters, explicit={"a": 0.0, "epsilon": 0.0})), record, 120
    ).parameters
    assert found.number("a") > 0.01


def test_fit_lowers_training_loss() -> None:
    record = build_record(season(300))
    before = counting_system(weight=30.0)
    after = fit_parameters(before, record, 300)
    assert isinstance(after, CountingSystem)
    losses = [backtest(record, [system]).scores["counting"].log_loss for system in (before, after)]
    assert losses[1] < losses[0] - 0.01  # type: ignore[operator]
    assert after.parameters.default["other"] == 2.0


def test_fit_is_deterministic() -> None:
    rounds = season(200)
    until = count_training_rounds(build_record(rounds), Fraction(1, 2))
    turned = [*rounds[:until], *(replace(game_round, ranks=(2, 1)) for game_round in rounds[until:])]
    found = [
        fit_parameters(counting_system(), build_record(each), until).parameters for each in (rounds, rounds, turned)
    ]
    assert found[0] == found[1] == found[2]
    assert found[0].default["weight"] != 1.0


def test_fit_without_rounds() -> None:
    before = counting_system(weight=3.0)
    assert fit_parameters(before, build_record(season(5)), 0) is before


def test_progress_can_cancel() -> None:
    told: list[int] = []

    def stop(done: int, total: int) -> None:
        assert total == RUNS_PER_PARAMETER * 50
        told.append(done)
        if done == 150:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_parameters(counting_system(), build_record(season(50)), 50, stop)
    assert told == [0, 50, 50, 100, 100, 150]  # rounds of all runs; the end of one is the start of the next


class Knowing(CountingSystem):
    def fit(self, record: RoundRecord, progress: ProgressCallback) -> ParameterSet:
        progress(0, 1)
        return ParameterSet({"weight": float(len(record)), "other": 1.0}, {})


def test_uses_system_fitter_on_training_only() -> None:
    found = fit_parameters(Knowing(counting_system().parameters), build_record(season(50)), 20)
    assert found.parameters.default == {"weight": 20.0, "other": 1.0}
    assert isinstance(found, Knowing)


@given(st.integers(0, 30))
@settings(max_examples=20)
def test_first_rounds_equal_short_record(rounds: int) -> None:
    game_rounds = season(30)
    head, alone = build_record(game_rounds).first_rounds(rounds), build_record(game_rounds[:rounds])
    assert len(head) == rounds
    for k in range(rounds):
        assert (head.players(k), head.ranks(k), head.teams(k)) == (alone.players(k), alone.ranks(k), alone.teams(k))
    assert np.array_equal(head.stays.leave, alone.stays.leave)
    assert [len(column) for column in (head.kills, head.quit)] == [len(alone.kills)] * 2
