"""Blend of all forecasts: weights, and chances of first place.

It has no information from the future.
"""

from dataclasses import replace

import numpy as np
import pytest
from rating_helpers import counting_system, played, season

from browser_app.rating.evaluation.backtest import backtest, prior_blend_weights
from browser_app.rating.evaluation.decided_pairs import DecidedPairs
from browser_app.rating.evaluation.forecast_blend import (
    BLEND,
    CAREFUL_PRIOR,
    PLAIN_PRIOR,
    blend_forecasts,
    blend_predictions,
)
from browser_app.rating.evaluation.forecast_scores import log_losses
from browser_app.rating.matchmaking.blended_upcoming import forecast_upcoming_blended
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import Floats
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.system_registry import create_rating_system

COUNT = 600
PRIOR = {"one": 1.0, "other": 1.0, "wild": 1.0, "absent": 1.0, "never": 1.0, "constant": 0.1}


def pairs_of(won: Floats, per_round: int = 1) -> DecidedPairs:
    rows = np.arange(len(won), dtype=np.int32)
    return DecidedPairs(rows // per_round, rows * 0, rows * 0 + 1, won)


def noisy_forecasts(seed: int = 3) -> tuple[DecidedPairs, dict[str, Floats]]:
    """Draw outcomes, and forecasts with independent errors.

    One system is all error, one is sometimes absent.
    """
    rng = np.random.default_rng(seed)
    truth = rng.normal(0.0, 1.5, COUNT)
    won = (rng.random(COUNT) < 1.0 / (1.0 + np.exp(-truth))).astype(np.float64)
    one, other = (truth + rng.normal(0.0, 1.0, COUNT) for _ in range(2))
    wild = rng.normal(0.0, 2.0, COUNT)
    absent = np.where(rng.random(COUNT) < 0.5, truth, np.nan)
    return pairs_of(won), {"one": one, "other": other, "wild": wild, "absent": absent, "constant": np.zeros(COUNT)}


def mean_loss(log_odds: Floats, pairs: DecidedPairs) -> float:
    return float(log_losses(log_odds, pairs.won).mean())


def test_blend_beats_each_of_different_systems() -> None:
    pairs, forecasts = noisy_forecasts()
    del forecasts["absent"]
    blend = blend_forecasts(forecasts, PRIOR, pairs)
    best = min(mean_loss(odds, pairs) for odds in forecasts.values())
    assert mean_loss(blend.log_odds, pairs) < best - 0.01
    assert min(blend.weights["one"], blend.weights["other"]) > 0.25
    assert blend.weights["wild"] < 0.05


def true_log_odds(rng: np.random.Generator, rounds: int) -> tuple[DecidedPairs, Floats]:
    """Draw outcomes, and return them with what they were drawn from."""
    truth = rng.normal(0.0, 1.5, rounds)
    return pairs_of((rng.random(rounds) < 1.0 / (1.0 + np.exp(-truth))).astype(np.float64)), truth


@pytest.mark.parametrize("boldness", [0.5, 1.0, 2.0])
def test_scale_makes_up_for_boldness(boldness: float) -> None:
    pairs, truth = true_log_odds(np.random.default_rng(4), 2 * COUNT)
    blend = blend_forecasts({"one": boldness * truth}, PRIOR, pairs)
    assert blend.weights["one"] == pytest.approx(1.0 / boldness, rel=0.15)


def test_few_rounds_do_not_mislead() -> None:
    behind = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        pairs, truth = true_log_odds(rng, 150)
        forecasts = {"one": truth / 2.0 + rng.normal(0.0, 0.2, 150), "other": truth / 4.0, "constant": 0.0 * truth}
        forecasts["wild"] = rng.normal(0.0, 2.0, 150)
        loss = mean_loss(blend_forecasts(forecasts, PRIOR, pairs).log_odds, pairs)
        behind.append(loss - min(mean_loss(odds, pairs) for odds in forecasts.values()))
    assert np.mean(behind) < 0.002
    assert max(behind) < 0.015


def test_first_forecasts_follow_the_prior() -> None:
    systems = [create_rating_system(name) for name in ("trueskill", "trueskill2", "xonstat-go", "ns2", "elo-blog")]
    prior = prior_blend_weights(systems)
    nothing = pairs_of(np.zeros(0))
    weights = blend_forecasts(dict.fromkeys(prior, np.zeros(0)), prior, nothing).weights
    careful = min(weights[name] for name in ("trueskill", "trueskill2", "xonstat-go"))
    plain = [weights[name] for name in ("ns2", "elo-blog", "ns2-full-history")]
    assert careful > 1.5 * max(plain)
    assert min(plain) > 1.5 * max(weights["constant"], weights["size"])


def test_wrong_prior_costs_few_nats() -> None:
    """The best of two forecasts has the lower prior."""
    behind = []
    for seed in range(20):
        pairs, truth = true_log_odds(np.random.default_rng(seed), 150)
        wrong = np.random.default_rng(100 + seed).normal(0.0, 1.0, 150)
        for prior in (CAREFUL_PRIOR, PLAIN_PRIOR):
            blend = blend_forecasts({"one": truth, "wrong": wrong}, {"one": prior, "wrong": CAREFUL_PRIOR}, pairs)
            behind.append(150 * (mean_loss(blend.log_odds, pairs) - mean_loss(truth, pairs)))
    equal, wrong_prior = np.mean(behind[::2]), np.mean(behind[1::2])
    assert wrong_prior - equal < np.log(CAREFUL_PRIOR / PLAIN_PRIOR)
    assert wrong_prior < 3.0


@pytest.mark.parametrize("earlier", [1, 5, 30])
def test_pool_is_convex_at_one_scale(earlier: int) -> None:
    """So it loses no more than the mean of the forecasts at its scale, always."""
    pairs, forecasts = noisy_forecasts()
    del forecasts["absent"]
    pooled = float(blend_forecasts(forecasts, PRIOR, pairs).log_odds[earlier])
    known = {name: odds[:earlier] for name, odds in forecasts.items()}
    weights = blend_forecasts(known, PRIOR, pairs.select(slice(earlier))).weights
    assert min(weights.values()) > 0.0
    scale = sum(weights.values())
    scaled = {name: scale * float(odds[earlier]) for name, odds in forecasts.items()}
    assert pooled == pytest.approx(sum(weights[name] / scale * scaled[name] for name in weights))
    for sign in (-1.0, 1.0):
        mean = sum(weights[name] / scale * np.logaddexp(0.0, sign * scaled[name]) for name in weights)
        assert np.logaddexp(0.0, sign * pooled) <= mean


def test_order_of_forecasts_does_not_matter() -> None:
    pairs, forecasts = noisy_forecasts()
    one, again = (blend_forecasts(forecasts, PRIOR, pairs) for _ in range(2))
    assert np.array_equal(one.log_odds, again.log_odds)
    reverse = blend_forecasts(dict(reversed(forecasts.items())), PRIOR, pairs)
    assert reverse.log_odds == pytest.approx(one.log_odds, abs=1e-9)
    assert reverse.weights == pytest.approx(one.weights)


def test_pairs_of_one_round_count_less() -> None:
    pairs, forecasts = noisy_forecasts()
    del forecasts["absent"]
    alone, together = (blend_forecasts(forecasts, PRIOR, pairs_of(pairs.won, n)).weights for n in (1, 30))
    assert together["wild"] > 2.0 * alone["wild"]


def test_fitted_rounds_count_less() -> None:
    """A system knows the rounds it was fitted to, and forecasts others by chance."""
    pairs, forecasts = noisy_forecasts()
    del forecasts["absent"]
    forecasts["wild"][:100] = np.where(pairs.won[:100] == 1.0, 3.0, -3.0)
    trusted, fitted = (blend_forecasts(forecasts, PRIOR, pairs, rounds).log_odds for rounds in (0, 100))
    assert np.array_equal(trusted[:1], fitted[:1])
    later = pairs.select(slice(100, 300))
    best = mean_loss(forecasts["one"][100:300], later)
    assert mean_loss(trusted[100:300], later) > best + 0.1
    assert mean_loss(fitted[100:300], later) < best + 0.05


def test_absent_forecasts_count_nothing() -> None:
    pairs, forecasts = noisy_forecasts()
    blend = blend_forecasts(forecasts, PRIOR, pairs)
    assert blend.weights["absent"] > 0.5  # it knows the truth where it forecasts
    never = {**forecasts, "never": np.full(COUNT, np.nan)}
    assert "never" not in blend_forecasts(never, PRIOR, pairs).weights
    silent = {name: np.where(np.arange(COUNT) == 9, np.nan, odds) for name, odds in forecasts.items()}
    assert np.flatnonzero(np.isnan(blend_forecasts(silent, PRIOR, pairs).log_odds)).tolist() == [9]


@pytest.mark.parametrize("per_round", [1, 3])
def test_weights_know_earlier_rounds_only(per_round: int) -> None:
    pairs, forecasts = noisy_forecasts()
    turned = pairs.won.copy()
    turned[300:] = 1.0 - turned[300:]
    one, other = (blend_forecasts(forecasts, PRIOR, pairs_of(won, per_round)) for won in (pairs.won, turned))
    assert np.array_equal(one.log_odds[:300], other.log_odds[:300])
    first_turned = 300 + per_round
    assert np.array_equal(one.log_odds[300:first_turned], other.log_odds[300:first_turned])
    assert not np.array_equal(one.log_odds[-50:], other.log_odds[-50:])


def test_certain_forecasts_stay_finite() -> None:
    pairs, forecasts = noisy_forecasts()
    forecasts["wild"] = np.where(forecasts["wild"] > 0.0, np.inf, -np.inf)
    blend = blend_forecasts(forecasts, PRIOR, pairs)
    assert np.isfinite(mean_loss(blend.log_odds, pairs))
    assert blend.weights["wild"] < 0.01


def test_backtest_blends_several_systems() -> None:
    record = build_record(season(120))
    systems = [counting_system(), create_rating_system("trueskill")]
    alone, both = backtest(record, systems[:1], 60), backtest(record, systems, 60)
    assert BLEND not in alone.scores
    assert both.scores[BLEND].pairs == both.scores["counting"].pairs == alone.scores["counting"].pairs
    assert both.blend_weights.keys() == {"counting", "trueskill", "constant", "size"}
    whole = backtest(record, systems)
    assert np.array_equal(whole.log_odds[BLEND][-len(both.pairs.round) :], both.log_odds[BLEND])


def test_upcoming_round_is_blended_as_in_backtest() -> None:
    rounds = [replace(match, ranks=(1, 2)) if match.ranks == (1, 1) else match for match in season(20)]
    systems = [counting_system(), create_rating_system("trueskill")]
    found = backtest(build_record(rounds), systems)
    history, (*_, last) = build_record(rounds[:-1]), rounds
    predictions = forecast_upcoming_blended(
        systems, history, [last, played(30, ["x"], ["y"], ["z"]), played(31, ["x"], [])]
    )
    two, many, nobody = predictions
    assert two is not None
    assert two.log_odds[0][1] == pytest.approx(float(found.log_odds[BLEND][-1]), abs=1e-12)
    assert many is not None
    assert many.first_place == pytest.approx([(1.0 - many.draw) / 3] * 3)
    assert nobody is None
    solved = backtest(build_record(rounds), systems, full_history=True)
    (both,) = forecast_upcoming_blended(systems, history, [last], full_history=True)
    assert both is not None
    assert both.log_odds[0][1] == pytest.approx(float(solved.log_odds[BLEND][-1]), abs=1e-9)
    (first_ever,) = forecast_upcoming_blended(systems, build_record([]), [last])
    assert first_ever is not None


def test_first_places_are_pooled() -> None:
    two = blend_predictions(
        {"a": Prediction.two_teams(1.0), "b": Prediction.two_teams(-2.0, draw=0.1)}, {"a": 0.5, "b": 0.25, "c": 0.25}
    )
    assert two.log_odds[0][1] == pytest.approx(0.0)
    assert two.draw == pytest.approx(0.1)
    sure = Prediction((0.8, 0.1, 0.1), 0.0, ((0.0, 2.0, 2.0), (-2.0, 0.0, 0.0), (-2.0, 0.0, 0.0)))
    many = blend_predictions({"a": sure, "b": Prediction.even(3)}, {"a": 0.5, "b": 0.5})
    assert sum(many.first_place) == pytest.approx(1.0)
    assert 1.0 / 3.0 < many.first_place[0] < 0.8
    assert many.first_place[1] == pytest.approx(many.first_place[2])
    assert many.log_odds[0][1] == pytest.approx(1.0)
