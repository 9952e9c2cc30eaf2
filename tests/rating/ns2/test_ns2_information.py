"""The doubt of the run forward is an estimate: of the order of what a full history solves."""

import numpy as np
import pytest

from browser_app.rating.ns2.declared import settings_of
from browser_app.rating.ns2.information import estimated_sd
from browser_app.rating.ns2.points import POINTS
from browser_app.rating.parameters import parameter_set
from browser_app.rating.record_builder import record_of
from browser_app.rating.simulator import World, simulate
from browser_app.rating.simulator_ns2 import NS2Truth, NS2World
from browser_app.rating.systems import SYSTEMS, rating_system


def test_without_a_round_it_is_that_of_the_prior_and_it_falls_as_the_games_own_doubt() -> None:
    settings = settings_of(parameter_set(SYSTEMS["ns2"].declared))
    assert POINTS * estimated_sd(settings, 0.0) == pytest.approx(500.0)
    much = 400.0
    game = 25.0 / np.sqrt(much)  # points, as the game has it
    assert POINTS * estimated_sd(settings, much) == pytest.approx(2.0 * game, rel=1e-3)
    assert estimated_sd(settings, 0.1) > estimated_sd(settings, 0.2)


@pytest.mark.parametrize(("shape", "scale", "size"), [(4.0, 5.0, 6), (25.0, 1.2, 6), (4.0, 5.0, 3)])
def test_it_is_of_the_order_of_the_solved_ones_and_rarely_larger(shape: float, scale: float, size: int) -> None:
    world = World(players=40, rounds=400, sizes=(size, size), activity=0.6)
    rng = np.random.default_rng(3)
    model = NS2World(world.players, 1, NS2Truth(k=shape, theta=scale), rng)
    record = record_of([match for match, _ in simulate(world, model, rng)])
    system = rating_system("ns2", k=shape, theta=scale, start=shape * scale)
    run, solved = system.start(record), system.solve(record)
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


def test_other_systems_have_none() -> None:
    record = record_of([])
    for name in SYSTEMS:
        if name != "ns2":
            assert rating_system(name).start(record).estimated_sd(0, 0) is None
