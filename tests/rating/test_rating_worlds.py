"""Simulated communities: true chances, and traits that a record shows."""

from dataclasses import replace

import numpy as np
import pytest
from rating_worlds import RATING_WORLDS, PlayedWorld, play_world

from browser_app.rating.evaluation.decided_pairs import find_decided_pairs
from browser_app.rating.record.round_record import Floats


def true_chances(played: PlayedWorld) -> tuple[Floats, Floats]:
    """Return the true chance of each decided pair and whether it came true."""
    pairs = find_decided_pairs(played.record)
    rows = zip(pairs.round.tolist(), pairs.a.tolist(), pairs.b.tolist(), strict=True)
    return np.array([played.chances[k][a, b] for k, a, b in rows]), pairs.won


@pytest.mark.slow
def test_outcomes_follow_the_true_chances() -> None:
    for name in ("draws", "uneven", "free-for-all"):
        chance, won = true_chances(play_world(RATING_WORLDS[name], 300))
        sds = 5.0 if name == "free-for-all" else 3.0  # pairs of one round depend on each other
        limit = sds * np.sqrt((chance * (1.0 - chance)).sum())
        assert abs((won - chance).sum()) < limit, name
        favourite = np.maximum(chance, 1.0 - chance)
        right = np.where(chance > 0.5, won, 1.0 - won)
        assert abs((right - favourite).sum()) < limit, name


@pytest.mark.slow
def test_worlds_show_their_trait() -> None:
    played = {name: play_world(world, 80) for name, world in RATING_WORLDS.items()}
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
def test_kills_tell_who_wins_only_in_one_world() -> None:
    ahead = {}
    for name in ("counts", "empty counts"):
        played = play_world(RATING_WORLDS[name], 200)
        kills = played.record.kills.reshape(200, 2, 5).mean(axis=2)
        ahead[name] = np.corrcoef(kills[:, 0] - kills[:, 1], [chance[0, 1] for chance in played.chances])[0, 1]
    assert ahead["counts"] > 0.5
    assert abs(ahead["empty counts"]) < 0.2


def test_shorter_world_is_the_start_of_a_longer_one() -> None:
    world = replace(RATING_WORLDS["many quits"], title="renamed")
    short, long = play_world(world, 20).record, play_world(world, 40).record
    assert short.player.tolist() == long.first_rounds(20).player.tolist()
    assert short.quit.tolist() == long.first_rounds(20).quit.tolist()
    assert play_world(world, 20, seed=2).record.player.tolist() != short.player.tolist()
