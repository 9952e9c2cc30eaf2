"""Simulated communities: true chances, and traits that a record shows."""

from dataclasses import replace

import numpy as np
import pytest
from rating_simulations import RATING_SIMULATIONS, SimulatedRecord, simulate_record

from browser_app.rating.evaluation.decided_pairs import find_decided_pairs
from browser_app.rating.record.round_record import Floats


def true_chances(played: SimulatedRecord) -> tuple[Floats, Floats]:
    """Return the true chance of each decided pair and whether it came true."""
    pairs = find_decided_pairs(played.record)
    rows = zip(pairs.round.tolist(), pairs.a.tolist(), pairs.b.tolist(), strict=True)
    return np.array([played.chances[k][a, b] for k, a, b in rows]), pairs.won


@pytest.mark.slow
def test_outcomes_follow_the_true_chances() -> None:
    for name in ("draws", "uneven", "free-for-all"):
        chance, won = true_chances(simulate_record(RATING_SIMULATIONS[name], 300))
        sds = 5.0 if name == "free-for-all" else 3.0  # pairs of one round depend on each other
        limit = sds * np.sqrt((chance * (1.0 - chance)).sum())
        assert abs((won - chance).sum()) < limit, name
        favourite = np.maximum(chance, 1.0 - chance)
        right = np.where(chance > 0.5, won, 1.0 - won)
        assert abs((right - favourite).sum()) < limit, name


@pytest.mark.slow
def test_simulations_show_their_trait() -> None:
    played = {name: simulate_record(simulation, 80) for name, simulation in RATING_SIMULATIONS.items()}
    assert all(len(each.record) == len(each.chances) == 80 for each in played.values())
    record = {name: each.record for name, each in played.items()}
    assert len(np.unique(record["sides"].map)) == 5
    assert true_chances(played["sides"])[0].mean() > 0.55 > true_chances(played["even"])[0].mean()
    assert len(np.unique(record["modes"].mode)) == 3
    quitting = [float((record[name].quit == 1).mean()) for name in ("even", "quits", "many quits")]
    assert np.allclose(quitting, [0.0, 0.1, 0.24], atol=0.04)
    assert 0.1 < 1.0 - len(true_chances(played["draws"])[0]) / 80 < 0.3
    assert (record["squads"].squad >= 0).mean() > 0.3
    assert np.diff(record["drift"].started).mean() > 5 * np.diff(record["even"].started).mean()
    assert record["free-for-all"].team_count.tolist() == [8] * 80


@pytest.mark.slow
def test_kills_predict_winner_in_one_simulation_only() -> None:
    ahead = {}
    for name in ("counts", "empty counts"):
        played = simulate_record(RATING_SIMULATIONS[name], 200)
        kills = played.record.kills.reshape(200, 2, 5).mean(axis=2)
        ahead[name] = np.corrcoef(kills[:, 0] - kills[:, 1], [chance[0, 1] for chance in played.chances])[0, 1]
    assert ahead["counts"] > 0.5
    assert abs(ahead["empty counts"]) < 0.2


def test_shorter_simulation_is_the_start_of_a_longer_one() -> None:
    simulation = replace(RATING_SIMULATIONS["many quits"], title="renamed")
    short, long = simulate_record(simulation, 20).record, simulate_record(simulation, 40).record
    assert short.player.tolist() == long.first_rounds(20).player.tolist()
    assert short.quit.tolist() == long.first_rounds(20).quit.tolist()
    assert simulate_record(simulation, 20, seed=2).record.player.tolist() != short.player.tolist()
