"""Team balance against a naive implementation and exhaustive search."""

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.rating.matchmaking.team_balance import BalancePlayer, TeamBalance, balance_teams

FIRST, SECOND = 0, 1


def difference(members: Sequence[BalancePlayer], first: Sequence[str]) -> float:
    """Return Σ(s+o) over team 1 − Σ(s−o) over team 2."""
    return sum(each.strengths[0] if each.id in first else -each.strengths[1] for each in members)


def random_players(seed: int, size: int, *, unassigned: float = 0.0, fixed: float = 0.0) -> list[BalancePlayer]:
    """Draw strengths without ties, spread over two teams."""
    rng = np.random.default_rng(seed)
    crowd = []
    for i in range(size):
        skill, offset = float(rng.normal(1.0, 1.0)), float(rng.normal(0.0, 0.3))
        team = None if rng.random() < unassigned else int(rng.integers(2))
        crowd.append(
            BalancePlayer(f"p{i}", (skill + offset, skill - offset), team, is_fixed=bool(rng.random() < fixed))
        )
    return crowd


def two_full_teams(seed: int, size: int) -> list[BalancePlayer]:
    crowd = random_players(seed, 2 * size)
    return [BalancePlayer(each.id, each.strengths, i % 2) for i, each in enumerate(crowd)]


def teams_before_swaps(members: Sequence[BalancePlayer], result: TeamBalance) -> list[str]:
    """Return the first team before the swaps, which are undone from last to first."""
    first = list(result.teams[0])
    for one, other in reversed(result.swaps):
        first[first.index(other)] = one
    return first


def fairest_sizes(members: Sequence[BalancePlayer]) -> set[int]:
    stuck = [sum(each.is_fixed and each.team == team for each in members) for team in (FIRST, SECOND)]
    possible = range(stuck[0], len(members) - stuck[1] + 1)
    return {
        size for size in possible if all(abs(2 * size - len(members)) <= abs(2 * n - len(members)) for n in possible)
    }


crowds = st.builds(
    random_players,
    st.integers(0, 2**32 - 1),
    st.integers(0, 11),
    unassigned=st.sampled_from((0.0, 0.3, 1.0)),
    fixed=st.sampled_from((0.0, 0.3, 0.9)),
)
coarse = st.lists(st.tuples(st.integers(0, 3), st.sampled_from((None, FIRST, SECOND)), st.booleans()), max_size=10).map(
    lambda rows: [BalancePlayer(f"p{i}", (float(s), float(s)), team, fixed) for i, (s, team, fixed) in enumerate(rows)]
)


@given(crowds | coarse)
def test_teams_are_even_and_fixed_players_stay(members: list[BalancePlayer]) -> None:
    result = balance_teams(members)
    assert sorted(result.teams[0] + result.teams[1]) == sorted(each.id for each in members)
    assert len(result.teams[0]) in fairest_sizes(members)
    for each in members:
        if each.is_fixed and each.team is not None:
            assert each.id in result.teams[each.team]
    assert result.difference == pytest.approx(difference(members, result.teams[0]), abs=1e-9)


@given(crowds | coarse)
def test_swaps_until_none_lowers_difference(members: list[BalancePlayer]) -> None:
    result = balance_teams(members)
    first = teams_before_swaps(members, result)
    for one, other in result.swaps:
        before = abs(difference(members, first))
        first[first.index(one)] = other
        assert abs(difference(members, first)) < before
    assert set(first) == set(result.teams[0])
    stuck = {each.id for each in members if each.is_fixed and each.team is not None}
    for one, other in product(set(result.teams[0]) - stuck, set(result.teams[1]) - stuck):
        swapped = [other if each == one else each for each in result.teams[0]]
        assert abs(difference(members, swapped)) >= abs(result.difference) - 1e-9


@given(crowds | coarse)
def test_moves_only_for_sizes(members: list[BalancePlayer]) -> None:
    stand = [{each.id for each in members if each.team == team} for team in (FIRST, SECOND)]
    result = balance_teams(members)
    needed = min(
        max(0, len(stand[0]) - size) + max(0, len(stand[1]) - (len(members) - size)) for size in fairest_sizes(members)
    )
    assert len(result.moved) == needed
    first = set(teams_before_swaps(members, result))
    assert set(result.moved) == (stand[0] - first) | (stand[1] & first)


@given(st.integers(0, 2**32 - 1), st.integers(0, 5), st.integers(0, 8))
def test_placement_is_optimal(seed: int, seated: int, newcomers: int) -> None:
    crowd = random_players(seed, 2 * seated + newcomers)
    stand = [BalancePlayer(each.id, each.strengths, i % 2, is_fixed=True) for i, each in enumerate(crowd[: 2 * seated])]
    new = [BalancePlayer(each.id, each.strengths) for each in crowd[2 * seated :]]
    members = stand + new
    at_home = [each.id for each in stand if each.team == FIRST]
    best = min(
        abs(difference(members, [*at_home, *(each.id for each in chosen)]))
        for size in {newcomers // 2, (newcomers + 1) // 2}
        for chosen in combinations(new, size)
    )
    result = balance_teams(members)
    assert abs(result.difference) == pytest.approx(best, abs=1e-9)
    assert result.swaps == ()


def naive_swaps(members: Sequence[BalancePlayer]) -> list[tuple[str, str]]:
    """Apply the rule literally.

    Swap the pair that lowers |difference| most, until none does.
    """
    sides = [[each.id for each in members if each.team == team] for team in (FIRST, SECOND)]
    swaps: list[tuple[str, str]] = []
    while True:
        best, pair = abs(difference(members, sides[0])), None
        for one, other in product(*sides):
            after = abs(difference(members, [other if each == one else each for each in sides[0]]))
            if after < best - 1e-9:
                best, pair = after, (one, other)
        if pair is None:
            return swaps
        swaps.append(pair)
        sides[0][sides[0].index(pair[0])], sides[1][sides[1].index(pair[1])] = pair[1], pair[0]


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_swaps_equal_naive_rule(seed: int, size: int) -> None:
    members = two_full_teams(seed, size)
    assert list(balance_teams(members).swaps) == naive_swaps(members)


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.floats(-5.0, 5.0))
def test_offsets_do_not_change_swap_effect(seed: int, size: int, offset: float) -> None:
    """(s + o) + (s − o) = 2s.

    Players of equal skill are not swapped, however their offsets differ.
    """
    rng = np.random.default_rng(seed)
    members = [
        BalancePlayer(f"p{i}", (2.0 + o, 2.0 - o), i % 2)
        for i, o in enumerate((offset * rng.normal(size=2 * size)).tolist())
    ]
    assert balance_teams(members).swaps == ()


def test_single_swap_suffices() -> None:
    strengths = {"a": 9.0, "b": 8.0, "c": 4.0, "d": 1.0, "e": 2.5, "f": 3.5}
    members = [BalancePlayer(name, (s, s), FIRST if name in "abc" else SECOND) for name, s in strengths.items()]
    result = balance_teams(members)
    assert result.swaps == (("b", "d"),)
    assert result.difference == (9.0 + 1.0 + 4.0) - (8.0 + 2.5 + 3.5)


def test_equal_swaps_prefer_unassigned() -> None:
    """Putting an unassigned player on the other team moves no one."""
    stand = [("x", 3.0, FIRST), ("strong", 5.0, FIRST), ("y", 1.0, SECOND), ("z", 1.0, SECOND)]
    members = [BalancePlayer(name, (s, s), team) for name, s, team in stand]
    result = balance_teams([*members, BalancePlayer("new", (3.0, 3.0)), BalancePlayer("weak", (1.0, 1.0))])
    assert result.swaps == (("strong", "new"),)


@pytest.mark.parametrize("people", [21, 24, 40, 64])
def test_full_server_of_unassigned_players(people: int) -> None:
    members = [BalancePlayer(each.id, each.strengths) for each in random_players(people, people)]
    result = balance_teams(members)
    assert abs(len(result.teams[0]) - len(result.teams[1])) == people % 2
    assert abs(result.difference) < 1e-3
    strongest = sorted(members, key=lambda each: -sum(each.strengths))[: people // 4]
    on_first = sum(each.id in result.teams[0] for each in strongest)
    assert 0 < on_first < len(strongest)


def test_oversized_team_loses_only_surplus() -> None:
    members = [BalancePlayer(each.id, each.strengths, FIRST) for each in random_players(5, 61)]
    result = balance_teams([*members, BalancePlayer("alone", (1.0, 1.0), SECOND)])
    assert len(result.moved) == 30
    assert abs(result.difference) < 0.05


def test_all_fixed_on_one_team() -> None:
    members = [BalancePlayer(f"p{i}", (1.0, 1.0), FIRST, is_fixed=True) for i in range(4)]
    result = balance_teams([*members, BalancePlayer("new", (1.0, 1.0))])
    assert result.teams == (("p0", "p1", "p2", "p3"), ("new",))
    assert result.moved == ()
    assert result.swaps == ()


@pytest.mark.parametrize("side", [FIRST, SECOND])
def test_size_precedes_strength(side: int) -> None:
    """By staying, the only free player evens out the strengths; by moving, the sizes."""
    members = [BalancePlayer(f"p{i}", (-1.0, -1.0), side, is_fixed=True) for i in range(5)]
    result = balance_teams(
        [*members, BalancePlayer("free", (4.0, 4.0), side), BalancePlayer("alone", (1.0, 1.0), 1 - side)]
    )
    assert result.moved == ("free",)
    assert len(result.teams[side]) == 5


def test_no_players() -> None:
    assert balance_teams([]) == TeamBalance(((), ()), (), (), 0.0)
