"""Estimates recover simulated true skills within their stated uncertainty.

Of all true skills 85 % to 95 % lie within 90 % intervals, and no forecast is better than the true chances.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pytest
from round_simulator import SimulationSettings, add_game_skills, simulate_rounds
from trueskill2_simulator import TrueSkill2OutcomeModel

from browser_app.demo.outcome_model import NS2OutcomeModel, NS2SimulationSettings
from browser_app.player.skill_summary import compute_error_sd
from browser_app.rating.ns2.ns2_points import POINTS_PER_UNIT, to_points
from browser_app.rating.ns2.ns2_system import NS2System
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import Floats
from browser_app.rating.trueskill2.trueskill2_parameters import resolve_mode_model
from browser_app.rating.trueskill2.trueskill2_system import TrueSkill2System

pytestmark = pytest.mark.slow

WITHIN_90 = 1.6448536269514722
"""Standard deviations about the mean that contain nine tenths of a normal distribution."""

COUNTS = {
    "kill_wp": 0.5,
    "kill_wo": -0.3,
    "kill_v": 1.0,
    "kill_b": 0.5,
    "death_wp": -0.3,
    "death_wo": 0.5,
    "death_v": 1.0,
    "death_b": 0.5,
}
EXTRAS = {
    "base_v": 1.0,
    "base_w": 0.8,
    "mode_m": 0.0,
    "mode_v": 0.3,
    "squad_offset": [0.0, 0.3, 0.5],
    "experience_offset": [0.3, 0.2, 0.1, 0.0],
}


def covered(errors: Floats) -> float:
    """Return the share of errors within the 90 % interval.

    Errors are in stated standard deviations.
    """
    return float(np.mean(np.abs(errors) < WITHIN_90))


def trueskill2_errors(
    simulation: SimulationSettings, given: Mapping[str, object], seed: int, *, smoothed: bool = False
) -> Floats:
    """Return (truth − mean) / sd of every player's last round in each mode."""
    parameters = resolve_parameters(TrueSkill2System.declared_parameters, explicit=given)
    rng = np.random.default_rng(seed)
    models = [resolve_mode_model(parameters.in_mode(mode)) for mode in simulation.modes]
    rounds = list(simulate_rounds(simulation, TrueSkill2OutcomeModel(simulation.players, models, rng), rng))
    record = build_record(game_round for game_round, _ in rounds)
    system = TrueSkill2System(parameters)
    run = system.solve(record) if smoothed else system.new_run(record)
    last: dict[tuple[str, str], float] = {}
    for k, (game_round, truth) in enumerate(rounds):
        assert run.skip_reason(k) is None
        run.update(k)
        last |= {(player, game_round.mode): skill for player, skill in truth.skill.items()}
    errors = []
    for (player, mode), skill in last.items():
        rating = run.rating(record.player_ids.index(player), record.modes.index(mode))
        assert rating.sd is not None
        errors.append((skill - rating.value) / rating.sd)
    return np.array(errors)


PRESENCE = {"late": 0.2, "early": 0.2, "activity": 0.5}


@pytest.mark.parametrize(
    ("simulation", "given"),
    [
        pytest.param(SimulationSettings(rounds=600, **PRESENCE), {}, id="plain"),  # type: ignore[arg-type]
        pytest.param(
            SimulationSettings(rounds=600, sizes=(4, 7), switch=0.1, **PRESENCE),  # type: ignore[arg-type]
            {"gamma2": 0.01, "tau2": 1e-5, "draw_margin": 0.5},
            id="drift, draws, uneven teams, changes of team",
        ),
        pytest.param(SimulationSettings(rounds=300, **PRESENCE), COUNTS, id="counts"),  # type: ignore[arg-type]
        pytest.param(
            SimulationSettings(rounds=600, modes=("a", "b"), squad=0.4), EXTRAS, id="modes, squads, experience"
        ),
        pytest.param(SimulationSettings(rounds=300, teams=("a", "b", "c"), sizes=(2, 3)), {}, id="three teams"),
    ],
)
def test_trueskill2_interval_coverage(simulation: SimulationSettings, given: Mapping[str, object]) -> None:
    errors = np.concatenate([trueskill2_errors(simulation, {"v0": 1.0, **given}, seed) for seed in (1, 2, 3)])
    assert 0.85 <= covered(errors) <= 0.95
    assert abs(float(np.mean(errors))) < 0.35


def test_smoothed_interval_coverage() -> None:
    simulation = SimulationSettings(players=60, rounds=400, sizes=(4, 7), **PRESENCE)  # type: ignore[arg-type]
    given = {"v0": 1.0, "gamma2": 0.01}
    errors = [trueskill2_errors(simulation, given, seed, smoothed=True) for seed in (1, 2, 3)]
    assert 0.85 <= covered(np.concatenate(errors)) <= 0.95


def ns2_errors(simulation: SimulationSettings, seed: int) -> tuple[Floats, float]:
    """Return (truth − mean) / sd of players by full history, and the correlation."""
    rng = np.random.default_rng(seed)
    model = NS2OutcomeModel(simulation.players, 1, NS2SimulationSettings(k=4.0, theta=3.0), rng)
    record = build_record(game_round for game_round, _ in simulate_rounds(simulation, model, rng))
    run = NS2System(resolve_parameters(NS2System.declared_parameters, explicit={"k": 4.0, "theta": 3.0})).solve(record)
    truth = model.skill[[int(player[1:]) for player in record.player_ids]]
    fields = run.rated_players()
    means, sds = (np.array([fields[name][key] for name in record.player_ids], np.float64) for key in ("mean", "sd"))
    return (truth - means) / sds, float(np.corrcoef(truth, means)[0, 1])


def test_ns2_full_history_interval_coverage() -> None:
    """Over several simulations.

    The level of all skills is one error that all players of a simulation share.
    """
    simulation = SimulationSettings(players=60, rounds=1200, sizes=(3, 7), late=0.3, early=0.3, activity=0.5)
    results = [ns2_errors(simulation, seed) for seed in range(1, 9)]
    assert 0.85 <= covered(np.concatenate([errors for errors, _ in results])) <= 0.95
    assert min(correlation for _, correlation in results) > 0.85


class HiveScale(NamedTuple):
    """Ratings of the players of a simulation, in points.

    Attributes:
        error: rating less true skill, of players with ten rounds.
        sd: stated standard deviation of these ratings.
        distance_error: of the last hundred rounds, a player's distance from the mean that the server shows, by rating
            less by true skill; in standard deviations.
    """

    error: Floats
    sd: Floats
    distance_error: Floats


def rate_on_hive_scale(mean: float, anchored: bool) -> HiveScale:
    """Rate a simulation whose skills are `mean` ± 330 points.

    The game knows them up to 80 points and may report them.
    """
    rng = np.random.default_rng(7)
    truth = NS2SimulationSettings(k=(mean / 330.0) ** 2, theta=330.0**2 / mean / POINTS_PER_UNIT)
    simulation = SimulationSettings(players=120, rounds=1200, sizes=(6, 8), activity=0.5)
    model = NS2OutcomeModel(simulation.players, 1, truth, rng)
    rounds = list(add_game_skills(simulate_rounds(simulation, model, rng), 80.0, rng))
    system = NS2System(
        resolve_parameters(NS2System.declared_parameters, explicit={"anchors": "yes" if anchored else "no"})
    )
    run = system.new_run(build_record(match for match, _ in rounds))
    run.update_range(0, len(run.record))
    index = {name: i for i, name in enumerate(run.record.player_ids)}
    rating = {name: to_points(run.rating(i, 0).value) for name, i in index.items()}
    sd = {
        name: POINTS_PER_UNIT * (compute_error_sd(run.rating(i, 0), run.inferred_skill(i, 0)) or math.nan)
        for name, i in index.items()
    }
    ratings = run.rated_players()
    steady = [name for name in index if int(str(ratings[name]["rounds"])) >= 10]
    distances = []
    for match, true in rounds[-100:]:
        shown = float(np.mean([player.skill or 0.0 for player in match.players]))
        mean_skill = float(np.mean([to_points(skill) for skill in true.skill.values()]))
        for name, skill in true.skill.items():
            distances.append((rating[name] - shown - (to_points(skill) - mean_skill)) / sd[name])
    true_skill = {name: to_points(float(model.skill[int(name[1:])])) for name in steady}
    return HiveScale(
        np.array([rating[name] - true_skill[name] for name in steady]),
        np.array([sd[name] for name in steady]),
        np.array(distances),
    )


@pytest.mark.parametrize("mean", [600.0, 1500.0, 2200.0])
def test_anchors_keep_ratings_on_scale(mean: float) -> None:
    found = rate_on_hive_scale(mean, anchored=True)
    assert abs(found.error.mean()) < 20.0
    assert 0.82 < covered(found.error / found.sd) < 0.95
    assert 0.82 < covered(found.distance_error) < 0.95


def test_level_is_assumed_without_anchors() -> None:
    """Rounds show only differences between players.

    All ratings are around 1,000 points, and quite uncertain.
    """
    found = rate_on_hive_scale(1500.0, anchored=False)
    assert -650.0 < found.error.mean() < -350.0
    assert found.sd.mean() > 250.0


def test_full_history_beats_online_run() -> None:
    simulation = SimulationSettings(players=60, rounds=1000, sizes=(3, 7))
    rng = np.random.default_rng(1)
    model = NS2OutcomeModel(simulation.players, 1, NS2SimulationSettings(k=4.0, theta=3.0), rng)
    record = build_record(game_round for game_round, _ in simulate_rounds(simulation, model, rng))
    system = NS2System(
        resolve_parameters(NS2System.declared_parameters, explicit={"k": 4.0, "theta": 3.0, "start": 9.0, "a": 1.0})
    )
    forward = system.new_run(record)
    for k in range(len(record)):
        forward.update(k)
    truth = model.skill[[int(player[1:]) for player in record.player_ids]]

    def correlation(of: NS2System, run: object) -> float:
        values = [run.rating(player, 0).value for player in range(len(truth))]  # type: ignore[attr-defined]
        return float(np.corrcoef(truth, values)[0, 1])

    online, solved = correlation(system, forward), correlation(system, system.solve(record))
    assert 0.7 < online < solved


def test_true_chances_beat_all_forecasts() -> None:
    """Log loss over the second half.

    The truth, TrueSkill 2 with the true parameters, and a coin.
    """
    simulation = SimulationSettings(players=60, rounds=2000)
    parameters = resolve_parameters(TrueSkill2System.declared_parameters, explicit={"v0": 1.0})
    rng = np.random.default_rng(1)
    rounds = list(
        simulate_rounds(simulation, TrueSkill2OutcomeModel(60, [resolve_mode_model(parameters.in_mode(""))], rng), rng)
    )
    record = build_record(game_round for game_round, _ in rounds)
    run = TrueSkill2System(parameters).new_run(record)
    forecast_losses, true = [], []
    for k, (game_round, truth) in enumerate(rounds):
        forecast = run.forecast(k)
        run.update(k)
        if k >= 1000 and game_round.ranks is not None and game_round.ranks[0] != game_round.ranks[1]:
            assert forecast is not None
            assert forecast.probability is not None
            assert truth.chance is not None
            won = game_round.ranks[0] == 1
            forecast_losses.append(-math.log(forecast.probability if won else 1.0 - forecast.probability))
            true.append(-math.log(truth.chance if won else 1.0 - truth.chance))
    assert np.mean(true) < np.mean(forecast_losses) < 0.3 * np.mean(true) + 0.7 * math.log(2.0)
    assert np.mean(forecast_losses) - np.mean(true) < 0.05
