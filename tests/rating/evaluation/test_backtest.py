"""Back-test: scored pairs, no knowledge of the future, scores as defined."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rating_helpers import counting_system, played, season

from browser_app.rating.evaluation.backtest import backtest, constant_baseline, forecast_pairs, team_size_baseline
from browser_app.rating.evaluation.decided_pairs import DecidedPairs, count_training_rounds, find_decided_pairs
from browser_app.rating.evaluation.forecast_scores import (
    LossDifference,
    compare_losses,
    compute_calibration,
    log_losses,
    log_odds_to_chances,
    score_forecasts,
)
from browser_app.rating.forward_pass import ForwardPass, first_team_outcome
from browser_app.rating.matchmaking.upcoming_rounds import forecast_upcoming
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import Floats
from browser_app.rating.system_registry import create_rating_system

MANY = [
    played(1, ["a"], ["b"], ["c"], ranks=(2, 1, 2)),
    played(2, ["a"], ["b"], ranks=(1, 1)),
    played(3, ["a"], ["b"], ranks=None),
    played(4, ["a"], ["b"], ["c"], ["d"], ranks=(1, 2, 3, 3)),
    played(5, ["a"], ["b"], ranks=(2, 1)),
]


def pairs_of(won: list[float]) -> DecidedPairs:
    count = np.arange(len(won), dtype=np.int32)
    return DecidedPairs(count, count * 0, count * 0 + 1, np.array(won))


def test_ties_and_unfinished_are_not_scored() -> None:
    pairs = find_decided_pairs(build_record(MANY))
    assert list(zip(*(column.tolist() for column in pairs), strict=True)) == [
        (0, 0, 1, 0.0),
        (0, 1, 2, 1.0),
        *((3, 0, b, 1.0) for b in (1, 2, 3)),
        (3, 1, 2, 1.0),
        (3, 1, 3, 1.0),
        (4, 0, 1, 0.0),
    ]
    assert len(find_decided_pairs(build_record([])).round) == 0


@given(st.integers(0, 100), st.integers(0, 40))
def test_training_share_is_rounded_down(hundredths: int, n: int) -> None:
    record = build_record(
        [played(i, ["a"], ["b"], ranks=(1, 2) if i % 2 else None, started=float(i)) for i in range(2 * n)]
    )
    rounds = count_training_rounds(record, Fraction(hundredths, 100))
    assert int(record.finished[:rounds].sum()) == hundredths * n // 100
    assert rounds == 0 or record.finished[rounds - 1]


def test_backtest_scores_run_forecasts() -> None:
    record = build_record(season(300))
    found = backtest(record, [counting_system()], first_scored=100).scores["counting"]
    loss = [
        -math.log(step.forecast.chance(0, 1) if won == 1.0 else step.forecast.chance(1, 0))
        for step in ForwardPass(counting_system().new_run(record)).rate_rounds(300)
        if step.round >= 100
        and step.forecast is not None
        and (won := first_team_outcome(record, step.round)) in (0.0, 1.0)
    ]
    assert found.rounds == found.pairs == len(loss) > 150
    assert found.log_loss == pytest.approx(sum(loss) / len(loss), rel=1e-12)


def test_later_rounds_change_no_forecast() -> None:
    rounds = season(80)
    turned = [*rounds[:60], *(played(i + 60, *(["x", "y"], ["z"]), ranks=(2, 1)) for i in range(20))]
    one, other = (build_record(each) for each in (rounds, turned))
    for chance in (
        lambda record, pairs: forecast_pairs(counting_system().new_run(record), pairs),
        constant_baseline,
        team_size_baseline,
    ):
        before, after = (
            chance(record, pairs)[: np.searchsorted(pairs.round, 60)]
            for record in (one, other)
            for pairs in [find_decided_pairs(record)]
        )
        assert np.array_equal(before, after, equal_nan=True)
        assert len(before) > 40


def test_many_teams_are_scored_by_pairs() -> None:
    record = build_record(MANY)
    found = backtest(record, [counting_system()])
    assert found.scores["counting"].pairs == 8
    assert found.scores["counting"].rounds == 3
    wins = {0: (1.0, 1.0, 1.0), 3: (1.0, 2.0, 1.0, 1.0), 4: (2.0, 2.0)}
    rounds, a, b, _ = (column.tolist() for column in found.pairs)
    expected = [wins[k][i] / (wins[k][i] + wins[k][j]) for k, i, j in zip(rounds, a, b, strict=True)]
    assert found.chances["counting"].tolist() == pytest.approx(expected)


def test_baselines_know_only_earlier_rounds() -> None:
    record = build_record(
        [
            played(1, ["a", "c"], ["b"], ranks=(1, 2)),
            played(2, ["a", "c"], [], ranks=(1, 2)),
            played(3, ["a"], ["b", "c"], ranks=(1, 2)),
            played(4, ["a"], ["b"], ranks=(2, 1)),
            played(5, ["a"], ["b", "c"], ranks=(1, 1)),
            played(6, ["a"], ["b", "c"], ranks=(2, 1)),
        ]
    )
    pairs = find_decided_pairs(record)
    assert constant_baseline(record, pairs).tolist() == pytest.approx(
        [1 / 2, math.nan, 2 / 3, 3 / 4, 3 / 5], nan_ok=True
    )
    assert team_size_baseline(record, pairs).tolist() == pytest.approx(
        [1 / 2, math.nan, 1 / 3, 1 / 2, 1 / 2], nan_ok=True
    )


def test_pairs_of_one_round_are_independent() -> None:
    record = build_record([played(i, ["a", "x"], ["b"], ["c"], ranks=(1, 2, 3)) for i in range(2)])
    assert constant_baseline(record, find_decided_pairs(record)).tolist() == pytest.approx([1 / 2] * 3 + [4 / 5] * 3)


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.sampled_from((0.0, 1.0))), min_size=1))
def test_scores_match_definitions(said: list[tuple[float, float]]) -> None:
    chance, won = map(np.array, zip(*said, strict=True))
    log_odds = np.log(chance / (1.0 - chance))
    found = score_forecasts(log_odds, pairs_of(won.tolist()))
    said = list(
        zip(log_odds_to_chances(log_odds).tolist(), won.tolist(), strict=True)
    )  # rounding may cross a bin's edge
    n = len(said)
    assert found.log_loss == pytest.approx(-sum(math.log(p if w else 1 - p) for p, w in said) / n)
    assert found.brier == pytest.approx(sum((p - w) ** 2 for p, w in said) / n)
    assert found.accuracy == pytest.approx(sum(0.5 if p == 0.5 else (p > 0.5) == bool(w) for p, w in said) / n)
    assert sum(each.n for each in found.calibration) == n
    for low, high, count, predicted, actual in found.calibration:
        inside = [(p, w) for p, w in said if low <= p < high]
        assert count == len(inside)
        if inside:
            assert predicted == pytest.approx(sum(p for p, _ in inside) / count)
            assert actual == pytest.approx(sum(w for _, w in inside) / count)


def test_even_chance_is_half_right() -> None:
    found = score_forecasts(np.array([0.0, -2.0, np.nan]), pairs_of([0.0, 1.0, 1.0]))
    assert (found.rounds, found.accuracy) == (2, 0.25)
    assert score_forecasts(np.array([np.nan]), pairs_of([1.0])).log_loss is None
    assert [each.n for each in compute_calibration(np.array([1.0, 0.9]), np.array([1.0, 1.0]))] == [0] * 9 + [2]


def noise(seed: int, n: int) -> Floats:
    return np.random.default_rng(seed).normal(0.6, 0.3, n)


def compared(one: Floats, other: Floats, pairs_a_round: int = 1) -> LossDifference:
    return compare_losses(one, other, (np.arange(len(one)) // pairs_a_round).astype(np.int32))


def test_difference_interval_coverage() -> None:
    covered = 0
    for seed in range(60):
        found = compared(noise(seed, 400) + 0.05, noise(seed + 1000, 400))
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.05 <= found.high
    assert 50 <= covered <= 60


def test_interval_narrows_with_rounds() -> None:
    few, many = (compared(noise(1, n), noise(2, n)) for n in (400, 40_000))
    assert few == compared(noise(1, 400), noise(2, 400))
    assert None not in (few.low, few.high, many.low, many.high)
    ratio = (few.high - few.low) / (many.high - many.low)  # type: ignore[operator]
    assert 7.0 < ratio < 14.0


def test_pairs_of_one_round_are_one_sample() -> None:
    alone, ten = (
        compared(noise(1, 400), noise(2, 400)),
        compared(noise(1, 400).repeat(10), noise(2, 400).repeat(10), 10),
    )
    assert ten.pairs == 4000
    assert [ten.mean, ten.low, ten.high] == pytest.approx([alone.mean, alone.low, alone.high])


def test_few_rounds_have_no_interval() -> None:
    known = {n: compared(noise(1, n) + 9.0, noise(2, n)).low is not None for n in range(1, 30)}
    assert known == {n: n > 10 for n in known}
    assert compared(noise(1, 10) + 9.0, noise(2, 10)).mean == pytest.approx(9.0, abs=1.0)
    assert compared(noise(1, 2), noise(1, 2)) == (2, 0.0, 0.0, 0.0)


def test_difference_uses_common_finite_pairs() -> None:
    one, other = np.array([1.0, np.nan, 0.5]), np.array([0.5, 0.5, np.nan])
    assert compared(one, other)[:2] == (1, 0.5)
    assert compared(np.array([np.inf, 1.0]), np.array([1.0, 1.0])) == (2, None, None, None)
    assert compared(np.array([np.nan]), np.array([1.0])) == (0, None, None, None)


def test_missing_forecast_has_no_loss() -> None:
    assert np.isnan(log_losses(np.array([np.nan]), np.array([1.0])))[0]


def test_loss_of_hopeless_upset_is_exact() -> None:
    """A chance of 0 to all digits has a finite loss, as its log-odds are known."""
    loss = log_losses(np.array([-1000.0, 1e5, 40.0]), np.array([1.0, 0.0, 1.0]))
    assert loss.tolist() == pytest.approx([1000.0, 1e5, math.exp(-40.0)], rel=1e-14)


def test_certain_forecast_has_finite_loss() -> None:
    """60 wins in a row with large steps, then a loss."""
    rounds = [played(i, ["a"], ["b"], ranks=(1, 2) if i < 60 else (2, 1)) for i in range(61)]
    record = build_record(rounds)
    systems = [create_rating_system("ns2", c=1000.0), create_rating_system("elo-blog", k_start=1e4, k_end=1e4)]
    found = backtest(record, systems, first_scored=60)
    for system in systems:
        assert found.chances[system.name][0] == 1.0
        loss = found.scores[system.name].log_loss
        assert loss == pytest.approx(found.log_odds[system.name][0])
        assert loss is not None
        assert 40.0 < loss < 1000.0


def test_solved_skills_know_earlier_rounds_only() -> None:
    rounds = season(100)
    turned = [*rounds[:70], *(played(i + 70, ["p1", "p2"], ["p3"], ranks=(2, 1)) for i in range(30))]
    systems = [create_rating_system("trueskill"), create_rating_system("ns2"), counting_system()]
    one, other = (backtest(build_record(each), systems, full_history=True) for each in (rounds, turned))
    until = int(np.searchsorted(one.pairs.round, 70))
    for name in ("trueskill-full-history", "ns2-full-history"):
        assert np.array_equal(one.log_odds[name][:until], other.log_odds[name][:until], equal_nan=True)
        assert not np.array_equal(one.log_odds[name], one.log_odds[name.removesuffix("-full-history")])
    assert "counting-full-history" not in one.log_odds
    assert "trueskill-full-history" in one.blend_weights


def test_solved_skills_are_those_of_predict() -> None:
    """The first round after a solve is forecast from all rounds before it."""
    rounds, system = season(40), create_rating_system("trueskill")
    found = backtest(build_record(rounds), [system], full_history=True)
    (prediction,) = forecast_upcoming(system, build_record(rounds[:20]), rounds[20:21], full_history=True)
    place = found.pairs.round.tolist().index(20)
    assert prediction is not None
    assert found.log_odds["trueskill-full-history"][place] == pytest.approx(prediction.log_odds[0][1], abs=1e-9)
