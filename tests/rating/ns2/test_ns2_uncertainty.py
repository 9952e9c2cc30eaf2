"""The online run's stated uncertainty is that of its ratings.

About the true skills.
"""

from typing import Any

import numpy as np
import pytest
from ns2_helpers import full_round, run_of
from round_simulator import SimulationSettings, simulate_rounds

from browser_app.demo.outcome_model import NS2OutcomeModel, NS2SimulationSettings
from browser_app.rating.ns2.ns2_parameters import ns2_error_variance, resolve_ns2_settings
from browser_app.rating.ns2.ns2_points import POINTS_PER_UNIT
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system

WITHIN_90 = 1.6448536269514722


def test_starts_at_prior_and_falls_like_game() -> None:
    settings = resolve_ns2_settings(resolve_parameters(RATING_SYSTEMS["ns2"].declared_parameters))
    assert POINTS_PER_UNIT * np.sqrt(ns2_error_variance(settings)) == pytest.approx(500.0)
    much = 400.0
    game = 25.0 / np.sqrt(much)  # points, as in the game
    assert POINTS_PER_UNIT * np.sqrt(ns2_error_variance(settings, much)) == pytest.approx(2.0 * game, rel=1e-3)


def test_one_round_moves_variance_as_derived() -> None:
    """1 v 1 of newcomers.

    p = ½, a = ½, ∇ = ¼, α = 1 + ½ / √(∇² + ε), V = 2 a² · 100, E[(G − p)²] = ¼.
    """
    run = run_of([full_round("a", "b")])
    gain = 0.5 * (1.0 + 0.5 / np.sqrt(1.0 / 16.0 + 1e-3))
    slope = 0.25 / np.sqrt(1.0 + np.pi / 8.0 * 50.0) / np.sqrt(1.0 + 0.25 * 50.0)
    expected = 100.0 - 2.0 * gain * slope * 0.5 * 100.0 + gain**2 * 0.25
    assert run.estimated_sd(0, 0) == pytest.approx(np.sqrt(expected))
    assert run.commander_rating(0).sd == pytest.approx(10.0)


def test_variance_stays_positive() -> None:
    """Even where the rate is far beyond the best one."""
    rounds = [full_round("a", "b", number % 3 == 0, number=number) for number in range(60)]
    for rate in (0.1, 3.0, 10.0, 30.0, 1000.0):
        run = run_of(rounds, c=rate, a=rate)
        assert min(run.estimated_sd(player, 0) or 0.0 for player in (0, 1)) > 0.0


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "given"), [(300, {}), (1200, {"c": 4.0, "a": 2.0})])
def test_estimate_covers_true_skills(rounds: int, given: dict[str, Any]) -> None:
    """90 % intervals contain 84 to 96 % of the true skills.

    With slow and with fast learning.
    """
    simulation = SimulationSettings(players=50, rounds=rounds, sizes=(3, 7), activity=0.5)
    held = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        model = NS2OutcomeModel(simulation.players, 1, NS2SimulationSettings(), rng)
        run = create_rating_system("ns2", **given).new_run(
            build_record([game_round for game_round, _ in simulate_rounds(simulation, model, rng)])
        )
        run.update_range(0, rounds)
        for player, name in enumerate(run.record.player_ids):
            error = abs(run.rating(player, 0).value - model.skill[int(name[1:])])
            held.append(error < WITHIN_90 * (run.estimated_sd(player, 0) or 0.0))
    assert 0.84 <= np.mean(held) <= 0.96


def test_other_systems_have_no_estimate() -> None:
    record = build_record([])
    for name in RATING_SYSTEMS:
        if name != "ns2":
            assert create_rating_system(name).new_run(record).estimated_sd(0, 0) is None
