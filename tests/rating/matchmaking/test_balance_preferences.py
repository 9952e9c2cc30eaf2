"""Preferences of players: fulfilled where strength allows.

Never at more than their declared cost.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.rating.matchmaking.team_balance import (
    MAX_EXACT,
    PREFERENCE_WEIGHT,
    BalancePlayer,
    BalancePreferences,
    balance_teams,
    choose_subsets,
)

pytestmark = pytest.mark.slow

NOBODY = np.zeros(64, np.bool_)


def equals(count: int) -> list[BalancePlayer]:
    return [BalancePlayer(f"p{i}", (1.0, 1.0)) for i in range(count)]


@pytest.mark.parametrize("people", [4, 12, 24])
@pytest.mark.parametrize("side", [0, 1])
def test_free_team_preference_is_fulfilled(people: int, side: int) -> None:
    members = equals(people)
    members[1] = BalancePlayer("p1", (1.0, 1.0), prefers=side)
    assert "p1" in balance_teams(members).teams[side]


@pytest.mark.parametrize("friend", ["p3", "p7", "p11"])
@pytest.mark.parametrize("people", [12, 30])
def test_free_friend_preference_is_fulfilled(people: int, friend: str) -> None:
    members = equals(people)
    members[0] = BalancePlayer("p0", (1.0, 1.0), friends=("nobody here", friend))
    first, second = balance_teams(members).teams
    assert {"p0", friend} <= set(first) or {"p0", friend} <= set(second)


def test_strength_precedes_preferences() -> None:
    """Two strong friends would make a team of their own."""
    members = [
        BalancePlayer("a", (9.0, 9.0), friends=("b",)),
        BalancePlayer("b", (9.0, 9.0), friends=("a",)),
        *equals(2),
    ]
    first, _ = balance_teams(members).teams
    assert len({"a", "b"} & set(first)) == 1


def test_swap_avoids_who_prefers_team() -> None:
    stand = [("a", 3.0, 0), ("b", 3.0, 0), ("c", 1.0, 1), ("d", 1.0, 1)]
    for stays in "abcd":
        members = [
            BalancePlayer(name, (s, s), team, prefers=team if name == stays else None) for name, s, team in stand
        ]
        result = balance_teams(members)
        assert len(result.swaps) == 1
        assert stays not in result.swaps[0]


def test_small_gain_breaks_no_preference() -> None:
    stand = [("a", 2.03, 0), ("b", 0.05, 0), ("c", 2.0, 1), ("d", 0.0, 1)]
    content = [BalancePlayer(name, (s, s), team, prefers=team) for name, s, team in stand]
    indifferent = [BalancePlayer(name, (s, s), team) for name, s, team in stand]
    assert len(balance_teams(indifferent).swaps) == 1
    assert balance_teams(content).swaps == ()


def test_preferences_alone_move_no_player() -> None:
    """A swap has to lower the difference: as few players as possible are moved."""
    stand = [("a", 2.0, 0), ("b", 1.0, 0), ("c", 2.0, 1), ("d", 1.0, 1)]
    assert balance_teams([BalancePlayer(name, (s, s), team, prefers=1 - team) for name, s, team in stand]).swaps == ()


@given(st.integers(0, 2**32 - 1), st.integers(2, 10))
def test_preference_cost_is_bounded(seed: int, people: int) -> None:
    rng = np.random.default_rng(seed)
    skills = rng.normal(size=people)
    plain = [BalancePlayer(f"p{i}", (s, s)) for i, s in enumerate(skills.tolist())]
    asking = [
        BalancePlayer(each.id, each.strengths, prefers=int(rng.integers(2)), friends=[f"p{rng.integers(people)}"])
        for each in plain
    ]
    most = BalancePreferences([(each.id, each.prefers, each.friends) for each in asking], skills).max_value
    assert most <= PREFERENCE_WEIGHT * float(np.std(skills)) * 2 * people
    assert abs(balance_teams(asking).difference) <= abs(balance_teams(plain).difference) + most + 1e-9


@given(st.integers(0, 2**32 - 1), st.integers(2, 8))
def test_unassigned_placed_at_least_cost(seed: int, people: int) -> None:
    rng = np.random.default_rng(seed)
    skills = rng.normal(size=people)
    members = [
        BalancePlayer(
            f"p{i}", (s, s), prefers=int(rng.integers(2)), friends=[f"p{j}" for j in rng.integers(people, size=2)]
        )
        for i, s in enumerate(skills.tolist())
    ]
    names = [each.id for each in members]
    value = PREFERENCE_WEIGHT * float(np.std(skills))

    def cost(first: list[bool]) -> float:
        met = 0.0
        for i, each in enumerate(members):
            met += first[i] == (each.prefers == 0)
            present = set(each.friends) - {each.id}
            met += sum(first[names.index(friend)] == first[i] for friend in present) / max(1, len(present))
        return abs(float(np.where(first, skills, -skills).sum())) - value * met

    patterns = [[bool(m >> i & 1) for i in range(people)] for m in range(2**people)]
    least = min(cost(first) for first in patterns if abs(2 * sum(first) - people) <= people % 2)
    result = balance_teams(members)
    assert cost([name in result.teams[0] for name in names]) == pytest.approx(least, abs=1e-9)


@given(
    st.floats(-10.0, 10.0),
    st.lists(st.integers(-50, 50).map(float), max_size=7),
    st.sampled_from((1e-9, 1.0, 5.0)),
    st.data(),
)
def test_subsets_are_all_within_margin(base: float, weights: list[float], margin: float, data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(0, len(weights)), min_size=1, max_size=2, unique=True))
    ways = [[bool(m >> i & 1) for i in range(len(weights))] for m in range(2 ** len(weights))]
    apart = [abs(base + float(np.dot(way, weights))) for way in ways]
    least = min(a for a, way in zip(apart, ways, strict=True) if sum(way) in sizes)
    expected = {tuple(w) for w, a in zip(ways, apart, strict=True) if sum(w) in sizes and a <= least + margin - 1e-7}
    allowed = {tuple(w) for w, a in zip(ways, apart, strict=True) if sum(w) in sizes and a <= least + margin + 1e-7}
    found = {
        tuple(row)
        for row in choose_subsets(base, np.array(weights, np.float64), sizes, margin, NOBODY[: len(weights)]).tolist()
    }
    assert expected <= found <= allowed
    assert found


@given(st.integers(0, 2**32 - 1), st.integers(MAX_EXACT + 1, 60), st.data())
def test_greedy_assignment_keeps_sizes(seed: int, people: int, data: st.DataObject) -> None:
    weights = np.random.default_rng(seed).normal(size=people)
    size = data.draw(st.integers(0, people))
    assert set(choose_subsets(0.3, weights, [size], 1e-9, NOBODY[:people]).sum(axis=1).tolist()) == {size}
