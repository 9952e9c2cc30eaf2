"""Skills inferred beside the online run, and the intervals of its ratings."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from ns2_helpers import full_round, rounds, run_of
from round_simulator import SimulationSettings, simulate_rounds

from browser_app.demo.outcome_model import NS2OutcomeModel, NS2SimulationSettings
from browser_app.player.skill_summary import compute_rating_interval_90
from browser_app.rating.game_round import Round
from browser_app.rating.ns2.ns2_parameters import ns2_error_variance, resolve_ns2_settings
from browser_app.rating.ns2.ns2_points import POINTS_PER_UNIT
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system


def test_starts_at_prior_and_falls_like_game() -> None:
    settings = resolve_ns2_settings(resolve_parameters(RATING_SYSTEMS["ns2"].declared_parameters))
    assert POINTS_PER_UNIT * np.sqrt(ns2_error_variance(settings)) == pytest.approx(500.0)
    much = 400.0
    game = 25.0 / np.sqrt(much)  # points, as in the game
    assert POINTS_PER_UNIT * np.sqrt(ns2_error_variance(settings, much)) == pytest.approx(2.0 * game, rel=1e-3)


def test_one_round_moves_posterior_as_derived() -> None:
    """1 v 1 of newcomers, p' = ½, a = ±½, P = 100.

    V = 2 a² P, c = ¼ κ²; the mean moves by a P κ / 2, P loses (a P)² c and follows the square of the mean. Coefficients
    add to 0, so the level of the two becomes no surer: ½ P.
    """
    inferred = run_of([full_round("a", "b")]).infer_skills()
    assert inferred is not None
    moderation = 1.0 / np.sqrt(1.0 + np.pi / 8.0 * 50.0)
    lost = 2500.0 * 0.25 * moderation**2
    for player, sign in ((0, 1.0), (1, -1.0)):
        mean, sd, interval = inferred.rating(player, 0)
        left = (100.0 - lost) * (1.0 + sign * 25.0 * moderation / 20.0) ** 2
        assert mean == pytest.approx(20.0 + sign * 25.0 * moderation)
        assert interval is not None
        assert interval[0] < mean < interval[1]
        assert sd == pytest.approx(np.sqrt(left + 50.0 * max(0.0, 1.0 - left / 100.0)))
    assert inferred.commander_rating(0).sd == 10.0


def test_posterior_agrees_with_exact_one() -> None:
    """1 v 1 by a grid over both skills.

    Their prior spread is small against that of a logistic variable.
    """
    winners = [0, 0, 1, 0, 1, 0, 0, 0] * 5
    duels = [full_round("a", "b", won, number=n) for n, won in enumerate(winners)]
    inferred = run_of(duels, k=100.0, theta=0.1, start=10.0).infer_skills()
    assert inferred is not None
    s = np.linspace(4.0, 16.0, 401)
    a, b = s[:, None], s[None, :]
    log_odds = (a - b) / 2.0
    log_p = -((a - 10.0) ** 2 + (b - 10.0) ** 2) / 2.0
    log_p = log_p - 30.0 * np.logaddexp(0.0, -log_odds) - 10.0 * np.logaddexp(0.0, log_odds)
    weight = np.exp(log_p - log_p.max()).sum(axis=1)
    mean = float(s @ weight / weight.sum())
    sd = float(np.sqrt((s - mean) ** 2 @ weight / weight.sum()))
    assert inferred.rating(0, 0).value == pytest.approx(mean, abs=0.2)
    assert inferred.rating(0, 0).sd == pytest.approx(sd, rel=0.08)


@given(rounds(30))
def test_inferred_deviations_are_positive(history: list[Round]) -> None:
    run = run_of(history)
    for player in range(len(run.record.player_ids)):
        for inferred in (run.inferred_skill(player, 0), run.inferred_commander_skill(player)):
            assert inferred is not None
            assert 0.0 < (inferred.sd or 0.0) < np.inf


@pytest.mark.slow
@pytest.mark.parametrize(("count", "parameters"), [(300, {}), (600, {"c": 4.0, "a": 2.0})])
def test_intervals_cover_true_skills(count: int, parameters: dict[str, Any]) -> None:
    """90 % intervals contain 86 to 94 % of the true skills.

    With slow and with fast learning, of players who command, too.
    """
    simulation = SimulationSettings(players=50, rounds=count, sizes=(3, 7), activity=0.5, commanders=True)
    held = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        model = NS2OutcomeModel(simulation.players, 1, NS2SimulationSettings(), rng)
        run = create_rating_system("ns2", **parameters).new_run(
            build_record([game_round for game_round, _ in simulate_rounds(simulation, model, rng)])
        )
        run.update_range(0, count)
        for player, name in enumerate(run.record.player_ids):
            low, high = compute_rating_interval_90(run.rating(player, 0), 1.0, run.inferred_skill(player, 0))
            held.append(low <= model.skill[int(name[1:])] <= high)
    assert 0.86 <= np.mean(held) <= 0.94


def test_online_rating_has_no_deviation_of_its_own() -> None:
    assert run_of([full_round("a", "b")]).rating(0, 0).sd is None
