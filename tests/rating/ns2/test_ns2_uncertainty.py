"""The online run's estimated uncertainty is of the order of the full history's."""

import numpy as np
import pytest
from round_simulator import SimulatedWorld, simulate_rounds

from browser_app.demo.outcome_model import NS2OutcomeModel, NS2WorldSettings
from browser_app.rating.ns2.ns2_parameters import estimate_ns2_sd, resolve_ns2_settings
from browser_app.rating.ns2.ns2_points import POINTS_PER_UNIT
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system


def test_starts_at_prior_and_falls_like_game() -> None:
    settings = resolve_ns2_settings(resolve_parameters(RATING_SYSTEMS["ns2"].declared_parameters))
    assert POINTS_PER_UNIT * estimate_ns2_sd(settings, 0.0) == pytest.approx(500.0)
    much = 400.0
    game = 25.0 / np.sqrt(much)  # points, as in the game
    assert POINTS_PER_UNIT * estimate_ns2_sd(settings, much) == pytest.approx(2.0 * game, rel=1e-3)
    assert estimate_ns2_sd(settings, 0.1) > estimate_ns2_sd(settings, 0.2)


@pytest.mark.parametrize(("shape", "scale", "size"), [(4.0, 5.0, 6), (25.0, 1.2, 6), (4.0, 5.0, 3)])
def test_estimate_is_near_solved_deviation(shape: float, scale: float, size: int) -> None:
    world = SimulatedWorld(players=40, rounds=400, sizes=(size, size), activity=0.6)
    rng = np.random.default_rng(3)
    model = NS2OutcomeModel(world.players, 1, NS2WorldSettings(k=shape, theta=scale), rng)
    record = build_record([game_round for game_round, _ in simulate_rounds(world, model, rng)])
    system = create_rating_system("ns2", k=shape, theta=scale, start=shape * scale)
    run, solved = system.new_run(record), system.solve(record)
    assert solved is not None
    for k in range(len(record)):
        run.update(k)
    ratio = []
    for player in range(len(record.player_ids)):
        sd, estimate = solved.rating(player, 0).sd, run.estimated_sd(player, 0)
        assert sd is not None
        assert estimate is not None
        assert run.rating(player, 0).sd is None
        ratio.append(sd / estimate)
    assert 1.0 < np.median(ratio) < 1.7
    assert min(ratio) > 0.6
    assert max(ratio) < 2.5


def test_other_systems_have_no_estimate() -> None:
    record = build_record([])
    for name in RATING_SYSTEMS:
        if name != "ns2":
            assert create_rating_system(name).new_run(record).estimated_sd(0, 0) is None
