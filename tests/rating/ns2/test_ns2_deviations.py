"""Standard deviations of solved skills against a many-digit H⁻¹ and the truth."""

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ns2_helpers import TEAMS, ReferenceModel, full_round, rounds, run_of, system

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.ns2.ns2_covariance import compute_covariance
from browser_app.rating.ns2.ns2_full_history import NS2FullHistoryRun
from browser_app.rating.record.record_builder import build_record

pytestmark = pytest.mark.slow


def _solved(history: list[Round], **given: Any) -> NS2FullHistoryRun:
    return system(**given).solve(build_record(history))


def _plain_deviations(history: list[Round], run: NS2FullHistoryRun, k: float) -> dict[str, float]:
    """Return √(H⁻¹)_ii over all skills and commander skills.

    H follows from the reference model's log-odds, with 50 digits.
    """
    players: Any = run.rated_players()
    plain, both = ReferenceModel(), [(key, name) for key in ("skill", "commander") for name in players]
    rated = [game_round for game_round in history if plain.unrated(game_round) is None]

    def log_odds(x: dict[tuple[str, str], float]) -> list[float]:
        plain.s, plain.x = ({name: x[key, name] for name in players} for key in ("skill", "commander"))
        return [plain.log_odds(game_round) for game_round in rated]

    with mpmath.workdps(50):
        curvature = mpmath.matrix(len(both))
        for i, (key, name) in enumerate(both):
            curvature[i, i] = (k - 1.0) / mpmath.mpf(players[name][key]) ** 2
        columns = [log_odds({**dict.fromkeys(both, 0.0), pair: 1.0}) for pair in both]
        for j, each in enumerate(log_odds({pair: players[pair[1]][pair[0]] for pair in both})):
            weight = 1 / (2 + mpmath.exp(each) + mpmath.exp(-each))
            for i in range(len(both)):
                for h in range(len(both)):
                    curvature[i, h] += weight * columns[i][j] * columns[h][j]
        inverse = curvature**-1
        return {name: float(mpmath.sqrt(inverse[i, i])) for i, name in enumerate(players)}


@settings(max_examples=15)
@given(rounds(8), st.floats(1.2, 5.0), st.floats(0.5, 5.0))
def test_equals_root_of_inverse_curvature(history: list[Round], k: float, theta: float) -> None:
    run = _solved(history, k=k, theta=theta)
    players: Any = run.rated_players()
    assert {name: fields["sd"] for name, fields in players.items()} == pytest.approx(
        _plain_deviations(history, run, k) if players else {}, rel=1e-6
    )


def test_prior_only_has_prior_deviation() -> None:
    """(k − 1)/s² at s = (k − 1) θ: sd = √(k − 1) θ."""
    players = [Player(name, [Stint(team, 0, 9)], [Stint(team, 0, 9)]) for name, team in zip("ab", TEAMS, strict=True)]
    run = _solved([Round("0", TEAMS, players, 0.0, 9.0, (1, 2))], k=5.0, theta=3.0)
    assert run.rating(0, 0) == run.ratings(0)[0]
    assert run.rating(0, 0).sd == pytest.approx(6.0)


@pytest.mark.parametrize("k", [1.0, 1.2])
def test_posterior_equals_quadrature(k: float) -> None:
    """b wins one of six rounds against a: for k = 1 its most probable skill is 0."""
    history = [full_round("a", "b", int(number == 3), number=number) for number in range(6)]
    players: Any = _solved(history, k=k, theta=4.0).rated_players()
    skills = np.linspace(0.0, 60.0, 1201)[1:]
    ratio = np.exp((skills[:, np.newaxis] - skills) / 2.0)
    prior = skills ** (k - 1.0) * np.exp(-skills / 4.0)
    posterior = np.outer(prior, prior) * ratio**5 / (1.0 + ratio) ** 6
    posterior /= posterior.sum()
    for name, marginal in (("a", posterior.sum(axis=1)), ("b", posterior.sum(axis=0))):
        mean = float(marginal @ skills)
        sd = math.sqrt(float(marginal @ (skills - mean) ** 2))
        low, high = np.interp([0.05, 0.95], np.cumsum(marginal), skills)
        found = players[name]
        assert found["mean"] == pytest.approx(mean, abs=0.1 * sd)
        assert (found["low"], found["high"]) == pytest.approx((low, high), abs=0.2 * sd)
        assert k > 1.0 or found["sd"] == pytest.approx(sd, rel=0.1)
    assert (players["b"]["skill"] == 0.0) == (k == 1.0)


def test_commander_without_stint_is_as_in_prior() -> None:
    """Gamma(4, 5): mean 20, sd at the mode √3 · 5.

    5 % and 95 % quantiles 6.83 and 38.77.
    """
    players: Any = _solved([full_round("a", "b")], k=4.0, theta=5.0).rated_players()
    found = players["a"]
    assert found["commander_sd"] == pytest.approx(math.sqrt(75.0))
    assert found["commander_mean"] == pytest.approx(20.0, abs=0.2)
    assert (found["commander_low"], found["commander_high"]) == pytest.approx((6.83, 38.77), abs=1.0)


def _league(
    k: float, theta: float, players: int, number: int, seed: int = 11
) -> tuple[list[Round], np.ndarray[Any, Any]]:
    """Create 4 against 4 by chance, with strengths from the prior."""
    random = np.random.default_rng(seed)
    strength = random.gamma(k, theta, players)
    history = []
    for j in range(number):
        eight = random.permutation(players)[:8]
        log_odds = (strength[eight[:4]].sum() - strength[eight[4:]].sum()) / 8.0
        all_players = [Player(str(p), [Stint(TEAMS[i // 4], 0, 100)]) for i, p in enumerate(eight)]
        ranks = (1, 2) if random.random() < 1.0 / (1.0 + math.exp(-log_odds)) else (2, 1)
        history.append(Round(str(j), TEAMS, all_players, float(j), 100.0, ranks))
    return history, strength


def test_estimate_for_many_skills() -> None:
    """Beyond the size that is inverted, the error is at most 2 % and reproducible."""
    history, _ = _league(3.0, 3.0, 200, 1500)
    solution = _solved(history, k=3.0, theta=3.0)._solution
    exact, first, second = (compute_covariance(solution.posterior, solution.point, most) for most in (2000, 0, 0))
    assert np.array_equal(first.variance, second.variance)
    off = np.sqrt(first.variance / exact.variance) - 1.0
    assert 0.0 < math.sqrt(float(np.mean(off**2))) < 0.02
    assert np.mean(first.log_odds_variance / exact.log_odds_variance) == pytest.approx(1.0, abs=0.02)


def test_more_rounds_lower_deviation() -> None:
    history, _ = _league(4.0, 2.0, 40, 1600)
    runs = [_solved(history[:n], k=4.0, theta=2.0) for n in (400, 1600)]
    few, many = (np.mean([run.rating(player, 0).sd or 0.0 for player in range(40)]) for run in runs)
    assert many < 0.9 * few


@pytest.mark.parametrize(("k", "theta", "number"), [(8.0, 1.0, 1500), (1.2, 10.0, 150)])
def test_intervals_contain_true_skills(k: float, theta: float, number: int) -> None:
    """90 % intervals cover 86 to 94 % of the true skills of simulated records."""
    held = []
    for seed in range(4):
        history, strength = _league(k, theta, 100, number, seed)
        players: Any = _solved(history, k=k, theta=theta).rated_players()
        held += [found["low"] <= strength[int(name)] <= found["high"] for name, found in players.items()]
    assert 0.86 <= np.mean(held) <= 0.94


def test_online_run_has_no_deviation() -> None:
    assert run_of([full_round("a", "b")]).rating(0, 0).sd is None
