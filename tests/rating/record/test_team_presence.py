"""Presence: sums over stays by team, however they are split."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.record.team_presence import (
    DecayingWeight,
    Presence,
    compute_field_presence,
    compute_presence,
    count_occupied_teams,
    longest_team,
    stint_seconds,
)

pytestmark = pytest.mark.slow

TEAMS = ("A", "B", "C")
DURATION = 1200.0
StintTuples = list[tuple[str, float, float]]


@st.composite
def stint_tuples(draw: st.DrawFn) -> StintTuples:
    times = sorted(draw(st.lists(st.integers(0, 1200), max_size=8, unique=True)))
    return [(draw(st.sampled_from(TEAMS)), float(a), float(b)) for a, b in zip(times[::2], times[1::2], strict=False)]


ROUNDS = st.lists(st.lists(stint_tuples(), max_size=4), min_size=1, max_size=4)


def commander_stint_of(number: int, stint: tuple[str, float, float]) -> tuple[str, float, float] | None:
    """Return commander stints.

    For some players all the time, for some half of a stay, for some none.
    """
    team, enter, leave = stint
    return [None, (team, (enter + leave) / 2, leave), stint][number % 3]


def record(rounds: list[list[StintTuples]]) -> RoundRecord:
    def player(number: int, stays: StintTuples) -> Player:
        commander_stints = [
            command for i, stint in enumerate(stays) if (command := commander_stint_of(number + i, stint))
        ]
        return Player(
            str(number), [Stint(*stint) for stint in stays], [Stint(*command) for command in commander_stints]
        )

    return build_record(
        Round(str(k), TEAMS, [player(i, stays) for i, stays in enumerate(players)], float(k), DURATION, (1, 2, 3))
        for k, players in enumerate(rounds)
    )


def table(found: Presence) -> dict[tuple[int, int], float]:
    keys = list(zip(found.appearance.tolist(), found.team.tolist(), strict=True))
    assert keys == sorted(set(keys))
    return dict(zip(keys, found.amount.tolist(), strict=True))


def weight(enter: float, leave: float) -> float:
    """Return the article's weight as printed: a^-enter - a^-leave, a = 2^(2/r)."""
    a = 2.0 ** (2.0 / DURATION)
    return float(a**-enter - a**-leave)


def expected(rounds: list[list[StintTuples]], *, include_commander_time: bool) -> dict[tuple[int, int], float]:
    sums: dict[tuple[int, int], float] = {}
    for row, (number, stays) in enumerate((i, stays) for players in rounds for i, stays in enumerate(players)):
        for i, (team, enter, leave) in enumerate(stays):
            command = None if include_commander_time else commander_stint_of(number + i, (team, enter, leave))
            amount = weight(enter, leave) - (weight(*command[1:]) if command else 0.0)
            key = row, TEAMS.index(team)
            sums[key] = sums.get(key, 0.0) + amount
    return {key: amount for key, amount in sums.items() if amount > 1e-12}


@given(ROUNDS)
def test_field_time_excludes_commander_time(rounds: list[list[StintTuples]]) -> None:
    weigh = DecayingWeight(DURATION)
    for include in (False, True):
        found = table(compute_field_presence(record(rounds), weigh, include_commander_time=include))
        assert found == pytest.approx(expected(rounds, include_commander_time=include), rel=1e-9, abs=1e-12)


@given(ROUNDS, st.data())
def test_block_is_part_of_whole(rounds: list[list[StintTuples]], data: st.DataObject) -> None:
    whole = record(rounds)
    first = data.draw(st.integers(0, len(whole)))
    last = data.draw(st.integers(first, len(whole)))
    a, b = whole.appearance_start[[first, last]].tolist()
    pairs = (
        (
            compute_presence(whole, whole.stays, stint_seconds),
            compute_presence(whole, whole.stays, stint_seconds, first, last),
        ),
        (compute_field_presence(whole, stint_seconds), compute_field_presence(whole, stint_seconds, first, last)),
    )
    for every, some in pairs:
        assert table(some) == {key: amount for key, amount in table(every).items() if a <= key[0] < b}
    assert longest_team(whole, first, last).tolist() == longest_team(whole)[a:b].tolist()


@given(ROUNDS)
def test_longest_and_occupied_teams(rounds: list[list[StintTuples]]) -> None:
    found = record(rounds)
    longest, occupied = [], []
    for players in rounds:
        occupied.append(len({team for stays in players for team, _, _ in stays}))
        for stays in players:
            times = [sum(leave - enter for team, enter, leave in stays if team == name) for name in TEAMS]
            longest.append(times.index(max(times)) if stays else -1)
    assert longest_team(found).tolist() == longest
    assert count_occupied_teams(found).tolist() == occupied


def test_empty_record() -> None:
    empty = build_record([])
    assert table(compute_field_presence(empty, stint_seconds)) == {}
    assert longest_team(empty).tolist() == count_occupied_teams(empty).tolist() == []


@given(st.floats(0, 1e4), st.floats(0, 1e4), st.floats(0, 1e4), st.floats(10, 1e5))
def test_weight_is_additive(a: float, b: float, c: float, median: float) -> None:
    a, b, c = sorted((a, b, c))
    weigh = DecayingWeight(median)
    ab, bc, ac = weigh(np.array([a, b, a]), np.array([b, c, c]))
    assert ab + bc == pytest.approx(ac, rel=1e-9, abs=1e-15)


def test_first_half_of_median_round_is_half() -> None:
    found = DecayingWeight(1200.0)(np.array([0.0, 600.0, 0.0]), np.array([600.0, 1200.0, 1200.0]))
    assert found == pytest.approx([0.5, 0.25, 0.75])
