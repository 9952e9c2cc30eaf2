"""A run of any system resumed from a checkpoint equals one from the first round."""

from dataclasses import replace

import numpy as np
import pytest
from round_simulator import SimulationSettings, simulate_rounds

from browser_app.demo.outcome_model import NS2OutcomeModel, NS2SimulationSettings
from browser_app.player import own_predictions
from browser_app.player.own_history import compute_own_history
from browser_app.player.own_predictions import RunCheckpoints
from browser_app.rating.game_round import Round
from browser_app.rating.rating_system import RatingRun
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system

ROUNDS, INTERVAL = 1100, 512
NAMES = tuple(RATING_SYSTEMS)


@pytest.fixture(scope="module")
def record() -> RoundRecord:
    """Rounds of two modes with joins, leaves, commanders and draws."""
    rng = np.random.default_rng(11)
    simulation = SimulationSettings(
        players=40, rounds=ROUNDS, sizes=(3, 5), modes=("ns2", "siege"), maps=("ns2_veil", "ns2_tram"), activity=0.4,
        late=0.2, early=0.2, commanders=True, pause_s=6 * 3600,
    )  # fmt: skip
    model = NS2OutcomeModel(
        simulation.players, len(simulation.maps), NS2SimulationSettings(k=12.0, theta=2.6, offset=1.5, draws=0.02), rng
    )
    return build_record(_add_scores(round_, rng) for round_, _truth in simulate_rounds(simulation, model, rng))


def _add_scores(round_: Round, rng: np.random.Generator) -> Round:
    """Add scores, which XonStat's systems rate by."""
    players = [
        replace(each, score=float(rng.poisson(20)), ping=float(rng.integers(20, 120))) for each in round_.players
    ]
    return replace(round_, players=players)


@pytest.fixture(autouse=True)
def short_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short distances between checkpoints."""
    monkeypatch.setattr(own_predictions, "CHECKPOINT_ROUNDS", INTERVAL)


def predict_round(run: RatingRun, k: int) -> object:
    """Everything that a run predicts for round k, and all its ratings."""
    row = run.record.appearances(k).start
    return run.explain(k, row), run.prediction(k), run.ratings(k), run.rated_players()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_resumed_run_equals_full_run(name: str, record: RoundRecord) -> None:
    system = create_rating_system(name)
    checkpoints, first = RunCheckpoints(system, record), system.new_run(record)
    near = max(k for k in range(ROUNDS) if first.skip_reason(k) is None)
    checkpoints.run_before(near)
    first.update_range(0, near)
    again = checkpoints.run_before(near)
    assert predict_round(again, near) == predict_round(first, near)
    assert [again.inferred_skill(who, 0) for who in range(40)] == [first.inferred_skill(who, 0) for who in range(40)]


@pytest.mark.parametrize("name", NAMES)
def test_checkpoint_is_not_changed_by_its_run(name: str, record: RoundRecord) -> None:
    checkpoints = RunCheckpoints(create_rating_system(name), record)
    k = 2 * INTERVAL
    before = checkpoints.run_before(k).rated_players()
    checkpoints.run_before(k).update_range(k, ROUNDS)
    assert checkpoints.run_before(k).rated_players() == before


def test_run_resumes_at_nearest_checkpoint(record: RoundRecord) -> None:
    checkpoints = RunCheckpoints(create_rating_system("ns2"), record)
    starts = list[int]()
    checkpoints.run_before(ROUNDS, lambda done, _total: starts.append(done))
    checkpoints.run_before(2 * INTERVAL + 50, lambda done, _total: starts.append(done))
    assert starts == [0, INTERVAL, 2 * INTERVAL, 2 * INTERVAL]


def test_history_stores_checkpoints(record: RoundRecord) -> None:
    system = create_rating_system("ns2")
    checkpoints = RunCheckpoints(system, record)
    history = compute_own_history(record, system, "p3", checkpoints=checkpoints)
    assert history.to_bytes() == compute_own_history(record, system, "p3").to_bytes()
    starts = list[int]()
    checkpoints.run_before(ROUNDS, lambda done, _total: starts.append(done))
    assert starts == [2 * INTERVAL]
