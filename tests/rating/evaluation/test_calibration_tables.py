"""Calibration tables of records small enough to count by hand."""

from typing import Any

import numpy as np
import pytest
from rating_helpers import DAY_S, played, season

from browser_app.rating.evaluation.calibration_tables import CALIBRATION_TABLES, CalibrationGroup, CalibrationTables
from browser_app.rating.evaluation.decided_pairs import find_decided_pairs
from browser_app.rating.game_round import Round
from browser_app.rating.record.record_builder import build_record


def tables(matches: list[Round], chance: list[float]) -> dict[str, list[CalibrationGroup]]:
    record = build_record(matches)
    return CalibrationTables(record, find_decided_pairs(record)).compute(np.array(chance))


def about(name: str, n: int, predicted: float, actual: float) -> Any:
    return (name, n, pytest.approx(predicted), pytest.approx(actual))


TWO = [
    played(1, ["a", "c"], ["b"], ranks=(1, 2), a={"kills": 9, "quit": True}, c={"squad": "x"}),
    played(
        2,
        ["a", "b", "c"],
        ["d"],
        ranks=(2, 1),
        started=DAY_S * 3.5,
        a={"squad": "x"},
        b={"squad": "x"},
        c={"squad": "y"},
    ),
]


def test_squad_size_counts_own_team() -> None:
    assert tables(TWO, [0.8, 0.6])["squad_size"] == [
        about("1", 5, (0.8 + 0.8 + 0.2 + 0.6 + 0.4) / 5, 3 / 5),
        about("2", 2, 0.6, 0.0),
    ]


def test_experience_counts_earlier_rounds() -> None:
    assert tables(TWO, [0.8, 0.6])["experience"] == [
        about("0", 4, (0.8 + 0.8 + 0.2 + 0.4) / 4, 3 / 4),
        about("1", 3, 0.6, 0.0),
    ]


def test_previous_round_groups() -> None:
    found = tables(TWO, [0.8, 0.6])
    assert found["previous_kill_rate"] == [about("0.8-1.2", 1, 0.6, 0.0)]
    assert [(each.group, each.n) for each in found["previous_outcome"]] == [
        ("win completed", 1),
        ("win quit", 1),
        ("loss completed", 1),
    ]
    assert found["lapse_days"] == [about("3-4", 3, 0.6, 0.0)]


def test_each_player_is_in_one_group() -> None:
    rounds = season(60)
    record = build_record(rounds)
    pairs = find_decided_pairs(record)
    chance = np.where(np.arange(len(pairs.round)) < 10, np.nan, 0.5)
    found = CalibrationTables(record, pairs).compute(chance)
    players = sum(len(record.players(k)) for k in pairs.round[10:].tolist())
    assert set(found) == set(CALIBRATION_TABLES)
    for name in ("squad_size", "experience"):
        assert sum(group.n for group in found[name]) == players
    halves = [group for name in found for group in found[name]]
    assert all(group.predicted == 0.5 for group in halves)


def test_draws_count_as_past_only() -> None:
    rounds = [
        played(1, ["a"], ["b"], ranks=(1, 1)),
        played(2, ["a"], ["b"], ["c"], ranks=(1, 2, 2)),
        played(3, ["a"], ["b"], ranks=(1, 2)),
    ]
    found = tables(rounds, [0.9, 0.9, 0.7])
    assert found["experience"] == [about("2", 2, 0.5, 0.5)]
    assert {each.group for each in found["previous_outcome"]} == {"win completed", "loss completed"}


def test_empty_records() -> None:
    assert tables([], []) == {}
    assert tables([played(1, [], [])], [0.5]) == {name: [] for name in CALIBRATION_TABLES}
