"""Parameter search and fit: known minima, deterministic, never worse.

They know nothing of later rounds.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rating_helpers import CountingSystem, counting_system, season

from browser_app.rating.evaluation.backtest import backtest, forecast_solved_pairs
from browser_app.rating.evaluation.decided_pairs import count_training_rounds, find_decided_pairs
from browser_app.rating.evaluation.forecast_scores import log_losses
from browser_app.rating.evaluation.forward_selection import ForwardSelection, Trials, measure_gain
from browser_app.rating.evaluation.loss_search import SearchAxis, minimise_losses
from browser_app.rating.evaluation.parameter_fit import SystemTrials, fit_parameters
from browser_app.rating.fit_steps import FitStep, FitStepCallback
from browser_app.rating.ns2.ns2_system import NS2System
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress
from browser_app.rating.rating_parameters import ParameterSet, resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import Floats, RoundRecord


@given(st.integers(1, 6), st.integers(0, 100))
@example(1, 69)  # the first derivative is measured beyond the minimum
@settings(max_examples=30)
def test_search_finds_least_squares(numbers: int, seed: int) -> None:
    """All numbers stand in for each other, as the columns are much the same."""
    rng = np.random.default_rng(seed)
    columns = rng.standard_normal((200, 1)) + 0.3 * rng.standard_normal((200, numbers))
    seen = columns @ rng.uniform(-3.0, 3.0, numbers) + rng.standard_normal(200)

    def losses(point: Sequence[float]) -> Floats:
        return np.asarray(0.5 * (columns @ np.array(point) - seen) ** 2)

    best = float(losses(np.linalg.lstsq(columns, seen)[0].tolist()).sum())
    assert minimise_losses(losses, [SearchAxis(0.0, 1.0)] * numbers, 200).total < best + 0.3


@given(st.integers(1, 50), st.integers(0, 100))
def test_search_limits_calls(calls: int, seed: int) -> None:
    noise = np.random.default_rng(seed)
    seen: list[tuple[float, list[float]]] = []

    def random_losses(point: Sequence[float]) -> Floats | None:
        losses = noise.exponential(size=3)
        seen.append((math.fsum(losses), list(point)))
        return losses

    found = minimise_losses(random_losses, [SearchAxis(0.0, 1.0), SearchAxis(1.0, 0.1)], calls)
    assert len(seen) <= calls
    assert (found.total, found.point) in seen
    assert found.total <= seen[0][0]


def test_search_keeps_bounds_prior_and_flat_numbers() -> None:
    def losses(point: Sequence[float]) -> Floats | None:
        assert point[0] >= 0.0
        return None if point[0] > 3.0 else np.array([(point[0] + 2.0) ** 2, (point[1] - 4.0) ** 2, 1.0])

    axes = [
        SearchAxis(2.0, 1.0, low=0.0),
        SearchAxis(0.0, 1.0, prior_mean=0.0, prior_sd=0.5**0.5),
        SearchAxis(5.0, 1.0),
    ]
    low, between, flat = minimise_losses(losses, axes, 200).point
    assert low == 0.0
    assert between == pytest.approx(2.0, abs=0.05)
    assert flat == 5.0


def test_search_from_forbidden_start() -> None:
    found = minimise_losses(lambda _: None, [SearchAxis(2.0, 1.0)], 20)
    assert found.point == [2.0]
    assert found.total == math.inf


def test_gain_is_measured_on_forecast_rounds() -> None:
    before, after = np.tile([[0.5, np.nan, 0.7, 0.9], [0.4, np.nan, 0.7, 0.7]], 10)
    gain = measure_gain(before, after)
    assert gain.rounds == 30
    assert gain.before - gain.after == pytest.approx(0.1)
    assert gain.error == pytest.approx(math.sqrt(0.02 / 3 / 29))
    assert measure_gain(before, np.full(40, np.inf)).after == math.inf


def test_few_rounds_judge_nothing() -> None:
    assert measure_gain(np.full(19, 0.9), np.full(19, 0.1)).after == math.inf


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
        fit_parameters(counting_system(weight=30.0), build_record(each), until).parameters
        for each in (rounds, rounds, turned)
    ]
    assert found[0] == found[1] == found[2]
    assert found[0].number("weight") < 20.0


def test_fit_without_rounds() -> None:
    before = counting_system(weight=3.0)
    assert fit_parameters(before, build_record(season(5)), 0) is before


@pytest.mark.slow
def test_ns2_fit_tries_switches_and_prior(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody commands in these rounds.

    The prior of solved skills is fitted by forecasts.
    """
    monkeypatch.setattr("browser_app.rating.evaluation.backtest.FULL_HISTORY_SOLVES", 3)
    record, steps = build_record(season(50)), list[FitStep]()
    system = NS2System(resolve_parameters(NS2System.declared_parameters, explicit={"k": 40.0, "theta": 1.0}))
    found = fit_parameters(system, record, 50, report=steps.append, max_forecasts=50)
    names = [step.name for step in steps]
    assert {"chair=no", "per_team=no", "bias=learnt", "full_history", "offsets=yes"} <= set(names)
    assert found.parameters.default["chair"] == "yes"
    pairs = find_decided_pairs(record)
    before, after = (
        log_losses(forecast_solved_pairs(each, record, pairs), pairs.won).sum() for each in (system, found)
    )
    assert after < before - 1.0


def test_progress_rises_to_its_end_and_can_cancel() -> None:
    shares: list[float] = []
    record, steps = build_record(season(50)), list[FitStep]()
    fit_parameters(counting_system(), record, 50, lambda done, total: shares.append(done / total), steps.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(set(shares)) > 10
    assert [step.name for step in steps] == ["start"]

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_parameters(counting_system(), record, 50, stop)


class SelfFittingSystem(CountingSystem):
    def fit(
        self,
        record: RoundRecord,
        progress: ProgressCallback,
        report: FitStepCallback,  # noqa: ARG002
        max_forecasts: int,  # noqa: ARG002
    ) -> ParameterSet:
        progress(0, 1)
        return ParameterSet({"weight": float(len(record)), "other": 1.0}, {})


def test_uses_system_fitter_on_training_only() -> None:
    found = fit_parameters(SelfFittingSystem(counting_system().parameters), build_record(season(50)), 20)
    assert found.parameters.default == {"weight": 20.0, "other": 1.0}
    assert isinstance(found, SelfFittingSystem)


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


def test_selection_skips_part_without_whole_start() -> None:
    """The part helps in both shorter records, but the whole record has no data for it."""
    record, steps = build_record(season(100)), list[FitStep]()
    system = counting_system(weight=30.0)
    selection = ForwardSelection(
        record,
        lambda part: SystemTrials(system, part, full_history=False),
        system.parameters.default,
        1,
        ignore_progress,
        steps.append,
    )
    selection.attempt(
        "part", "Part", lambda trials, best: [{**best, "weight": 1.0}] if len(trials.record) < len(record) else []
    )
    assert steps[0].loss_after < steps[0].loss_before
    assert not steps[0].kept
    assert selection.best["weight"] == 30.0


class UnluckyTrials(Trials[float]):
    """One number, `value` in the first half of 100 rounds, seems less in the second."""

    value = 1.0

    def axes(self, candidate: float) -> Sequence[SearchAxis]:
        return [SearchAxis(candidate, 0.1)]

    def with_numbers(self, candidate: float, point: Sequence[float]) -> float:  # noqa: ARG002
        return point[0]

    def parameters(self, candidate: float) -> ParameterSet:
        return ParameterSet({"number": candidate}, {})

    def losses(self, candidate: float, record: RoundRecord) -> Floats:
        seen = self.value * np.where(np.arange(len(record)) < 50, 1.0, 0.45)
        return np.asarray((candidate - seen) ** 2)


class UnluckySmallTrials(UnluckyTrials):
    value = 0.1


@pytest.mark.parametrize(
    ("trials", "numbers", "kept"), [(UnluckyTrials, 0, True), (UnluckyTrials, 1, False), (UnluckySmallTrials, 0, False)]
)
def test_numbers_stay_despite_later_rounds(trials: type[UnluckyTrials], numbers: int, kept: bool) -> None:
    """A part does not, nor do numbers that all rounds gain little by."""
    steps = list[FitStep]()
    selection = ForwardSelection(build_record(season(100)), trials, 0.0, 1, ignore_progress, steps.append)
    selection.attempt("start", "Start", lambda _, best: [best], numbers)
    assert steps[0].loss_after > steps[0].loss_before
    assert steps[0].kept is kept
    assert selection.best == pytest.approx(0.725 if kept else 0.0, abs=0.05)
