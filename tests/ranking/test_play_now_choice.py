"""Play Now's choice among servers."""

from dataclasses import fields
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from browser_app.ranking.play_now_choice import ELIGIBILITY_RULES, ExclusionReason, PlayNowCandidates, choose_servers

FLAGS = [
    spec.name for spec in fields(PlayNowCandidates) if spec.name not in ("score", "ping_ms", "address", "answered")
]


def candidates(count: int, **columns: Any) -> PlayNowCandidates:
    """Return `count` joinable servers, with some columns given."""
    usual: dict[str, Any] = {name: [False] * count for name in FLAGS}
    usual |= {"score": [0.5] * count, "ping_ms": [50.0] * count, "answered": [True] * count}
    usual |= {"address": [f"192.0.2.{i}" for i in range(count)]}
    return PlayNowCandidates(**{name: np.array(values) for name, values in (usual | columns).items()})


def test_order_by_score_ping_address() -> None:
    choice = choose_servers(
        candidates(
            6,
            score=[0.2, 0.9, 0.2, np.nan, 0.2, 0.0],
            ping_ms=[30.0, 80.0, 20.0, 10.0, 30.0, 5.0],
            address=["b", "c", "d", "e", "a", "f"],
        )
    )
    assert choice.ranked.tolist() == [1, 2, 4, 0, 5, 3]
    assert choice.fallback.tolist() == []
    assert set(choice.excluded_counts) == set(ELIGIBILITY_RULES)
    assert not any(choice.excluded_counts.values())


def test_each_rule_rejects() -> None:
    excluding = {
        "is_unjoinable": ExclusionReason.FULL,
        "password": ExclusionReason.PASSWORD,
        "blocked": ExclusionReason.BLOCKED,
        "has_other_version": ExclusionReason.VERSION,
        "requires_rookie": ExclusionReason.ROOKIE_ONLY,
        "is_filtered_out": ExclusionReason.FILTERED,
        "recently_left": ExclusionReason.RECENTLY_LEFT,
        "not_installed": ExclusionReason.NOT_INSTALLED,
    }
    for column, why in excluding.items():
        choice = choose_servers(candidates(2, **{column: [True, False]}))
        assert choice.ranked.tolist() == [1]
        assert choice.excluded_counts[why] == 1
        assert sum(choice.excluded_counts.values()) == 1
        assert [choice.exclusion_reason(0), choice.exclusion_reason(1)] == [why, None]
    assert choose_servers(candidates(2, answered=[False, True])).excluded_counts[ExclusionReason.NO_ANSWER] == 1


def test_only_first_failed_rule_counts() -> None:
    choice = choose_servers(
        candidates(1, answered=[False], is_unjoinable=[True], password=[True], is_filtered_out=[True])
    )
    assert choice.excluded_counts == {why: int(why == ExclusionReason.NO_ANSWER) for why in ELIGIBILITY_RULES}
    assert choose_servers(candidates(1, is_unjoinable=[True], recently_left=[True])).fallback.tolist() == []


def test_saved_password_makes_eligible() -> None:
    choice = choose_servers(candidates(2, password=[True, True], password_saved=[True, False]))
    assert choice.ranked.tolist() == [0]


def test_fallback_of_left_and_suspicious() -> None:
    choice = choose_servers(
        candidates(
            4,
            score=[0.1, 0.2, 0.3, 0.9],
            recently_left=[False, True, False, False],
            is_suspicious=[False, False, True, True],
        )
    )
    assert choice.ranked.tolist() == [0]
    assert choice.fallback.tolist() == [3, 2, 1]
    assert choice.excluded_counts[ExclusionReason.RECENTLY_LEFT] == 1


def test_left_server_of_missing_game_is_no_fallback() -> None:
    choice = choose_servers(candidates(1, recently_left=[True], not_installed=[True]))
    assert choice.fallback.tolist() == []


def test_free_rows_are_not_counted() -> None:
    choice = choose_servers(candidates(3, is_unoccupied=[False, True, True], answered=[True, True, False]))
    assert choice.ranked.tolist() == [0]
    assert choice.fallback.tolist() == []
    assert not any(choice.excluded_counts.values())
    assert choice.exclusion_reason(2) is None


def test_no_servers() -> None:
    choice = choose_servers(
        candidates(
            0,
            **{name: np.zeros(0, dtype=np.bool_) for name in FLAGS},
            answered=np.zeros(0, np.bool_),
        )
    )
    assert choice.ranked.tolist() == choice.fallback.tolist() == []


@given(st.lists(st.tuples(*[st.booleans()] * (len(FLAGS) + 1), st.floats(0, 2)), min_size=1, max_size=30))
def test_every_server_is_ranked_or_excluded(rows: list[tuple[Any, ...]]) -> None:
    columns = dict(zip([*FLAGS, "answered", "score"], map(list, zip(*rows, strict=True)), strict=True))
    given_ones = candidates(len(rows), **columns)
    choice = choose_servers(given_ones)
    ordered, backup = set(choice.ranked.tolist()), set(choice.fallback.tolist())
    assert not ordered & backup
    only_suspicious = {i for i in backup if choice.exclusion_reason(i) is None}
    server_count = np.count_nonzero(~given_ones.is_unoccupied)
    assert len(ordered) + len(only_suspicious) + sum(choice.excluded_counts.values()) == server_count
    scores = given_ones.score[choice.ranked].tolist()
    assert scores == sorted(scores, reverse=True)
