"""Real advantages are found, luck is not; draws are left out."""

from dataclasses import replace

import numpy as np
import pytest
from player_rounds import ME, generate_record

from browser_app.player.habits import Habit, find_habits
from browser_app.player.own_history import OwnHistory, compute_own_history
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.system_registry import create_rating_system

pytestmark = pytest.mark.slow

MAPS = ("veil", "tram", "summit", "origin")


def compute_history(record: RoundRecord) -> OwnHistory:
    return compute_own_history(record, create_rating_system("ns2"), ME)


def add_edge(history: OwnHistory, edge: float, seed: int = 4) -> OwnHistory:
    """Rounds won with the forecast chance, on the first map with a higher one."""
    rng = np.random.default_rng(seed)
    n = len(history)
    where = rng.integers(0, len(MAPS), n).astype(np.int32)
    chance = rng.uniform(0.3, 0.7, n)
    won = rng.random(n) < np.minimum(1.0, chance + np.where(where == 0, edge, 0.0))
    return replace(history, maps=MAPS, map=where, probability=chance, outcome=won.astype(np.float64))


@pytest.fixture(scope="module")
def record() -> RoundRecord:
    return generate_record(900)


def select_kind(habits: list[Habit], kind: str) -> dict[str, Habit]:
    return {each.name: each for each in habits if each.kind == kind}


def test_real_advantage_is_found(record: RoundRecord) -> None:
    maps = select_kind(find_habits(add_edge(compute_history(record), 0.25), record), "map")
    assert maps["veil"].verdict == "good"
    assert {maps[name].verdict for name in MAPS[1:]} <= {"as expected", "lucky", "unlucky"}
    maps = select_kind(find_habits(add_edge(compute_history(record), -0.25), record), "map")
    assert maps["veil"].verdict == "bad"


def test_luck_is_rarely_significant(record: RoundRecord) -> None:
    history = compute_history(record)
    named_count = 0
    for seed in range(30):
        maps = select_kind(find_habits(add_edge(history, 0.0, seed), record), "map")
        named_count += any(each.verdict in ("good", "bad") for each in maps.values())
    assert named_count <= 7  # one in ten is allowed; of 30, more than 7 would occur once in a hundred times


def test_numbers_are_sums_over_decided_rounds(record: RoundRecord) -> None:
    history = compute_history(record)
    assert (history.outcome == 0.5).any()
    decided = (history.outcome != 0.5) & history.is_rated
    for kind, column, names in (("map", history.map, history.maps), ("team", history.team, history.teams)):
        habits = select_kind(find_habits(history, record), kind)
        assert sum(each.rounds for each in habits.values()) == decided.sum()
        for number, name in enumerate(names):
            rows = decided & (column == number)
            assert habits[name].rounds == rows.sum()
            assert habits[name].wins == history.outcome[rows].sum()
            assert habits[name].expected == pytest.approx(history.probability[rows].sum())


def test_teammates_and_opponents(record: RoundRecord) -> None:
    history = compute_history(record)
    habits = find_habits(history, record)
    mates, rivals = select_kind(habits, "teammate"), select_kind(habits, "opponent")
    assert ME not in mates
    assert ME not in rivals
    assert mates.keys() | rivals.keys() == set(record.player_ids) - {ME}
    decided = {i for i, o in zip(history.round.tolist(), history.outcome.tolist(), strict=True) if o != 0.5}
    sizes = sum(len(record.players(k)) - 1 for k in decided)
    assert sum(each.rounds for each in (*mates.values(), *rivals.values())) == sizes


def test_hours_are_local_time(record: RoundRecord) -> None:
    history = compute_history(record)
    hours = select_kind(find_habits(history, record, lambda at: int(at // 3600) % 24), "hour")
    there = (history.started // 3600 % 24).astype(int)
    decided = (history.outcome != 0.5) & history.is_rated
    assert {int(name): each.rounds for name, each in hours.items()} == {
        hour: count for hour, count in enumerate(np.bincount(there[decided], minlength=24).tolist()) if count
    }


def test_no_rounds_have_no_habits(record: RoundRecord) -> None:
    assert find_habits(compute_own_history(record, create_rating_system("ns2"), "nobody"), record) == []
