"""Play Now's choice among servers."""

from dataclasses import fields
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from browser_app.ranking.choose import RULES, Candidates, choose

FLAGS = [spec.name for spec in fields(Candidates) if spec.name not in ("score", "ping_ms", "address", "answered")]


def candidates(count: int, **columns: Any) -> Candidates:
    """So many servers that can be joined, with some columns given."""
    usual: dict[str, Any] = {name: [False] * count for name in FLAGS}
    usual |= {"score": [0.5] * count, "ping_ms": [50.0] * count, "answered": [True] * count}
    usual |= {"address": [f"192.0.2.{i}" for i in range(count)]}
    return Candidates(**{name: np.array(values) for name, values in (usual | columns).items()})


def test_best_score_first_then_ping_then_address() -> None:
    choice = choose(
        candidates(
            6,
            score=[0.2, 0.9, 0.2, np.nan, 0.2, 0.0],
            ping_ms=[30.0, 80.0, 20.0, 10.0, 30.0, 5.0],
            address=["b", "c", "d", "e", "a", "f"],
        )
    )
    assert choice.order.tolist() == [1, 2, 4, 0, 5, 3]
    assert choice.backup.tolist() == []
    assert set(choice.rejected) == set(RULES)
    assert not any(choice.rejected.values())


def test_each_rule_excludes_and_is_named() -> None:
    excluding = {
        "full": "full",
        "password": "password",
        "blocked": "blocked",
        "version_differs": "version",
        "rookies_only": "rookie only",
        "filtered": "filtered",
        "recently_left": "recently left",
    }
    for column, why in excluding.items():
        choice = choose(candidates(2, **{column: [True, False]}))
        assert choice.order.tolist() == [1]
        assert choice.rejected[why] == 1
        assert sum(choice.rejected.values()) == 1
        assert [choice.why_not(0), choice.why_not(1)] == [why, None]
    assert choose(candidates(2, answered=[False, True])).rejected["no answer"] == 1


def test_a_server_counts_once_at_the_first_rule_it_fails() -> None:
    choice = choose(candidates(1, answered=[False], full=[True], password=[True], filtered=[True]))
    assert choice.rejected == {why: int(why == "no answer") for why in RULES}
    assert choose(candidates(1, full=[True], recently_left=[True])).backup.tolist() == []


def test_a_saved_password_opens_the_server() -> None:
    choice = choose(candidates(2, password=[True, True], password_saved=[True, False]))
    assert choice.order.tolist() == [0]


def test_recently_left_and_doubted_servers_are_the_backup() -> None:
    choice = choose(
        candidates(
            4, score=[0.1, 0.2, 0.3, 0.9], recently_left=[False, True, False, False], doubted=[False, False, True, True]
        )
    )
    assert choice.order.tolist() == [0]
    assert choice.backup.tolist() == [3, 2, 1]
    assert choice.rejected["recently left"] == 1


def test_no_servers_at_all() -> None:
    choice = choose(
        candidates(0, **{name: np.zeros(0, dtype=np.bool_) for name in FLAGS}, answered=np.zeros(0, np.bool_))
    )
    assert choice.order.tolist() == choice.backup.tolist() == []


@given(st.lists(st.tuples(*[st.booleans()] * (len(FLAGS) + 1), st.floats(0, 2)), min_size=1, max_size=30))
def test_every_server_is_ordered_backup_or_rejected(rows: list[tuple[Any, ...]]) -> None:
    columns = dict(zip([*FLAGS, "answered", "score"], map(list, zip(*rows, strict=True)), strict=True))
    given_ones = candidates(len(rows), **columns)
    choice = choose(given_ones)
    ordered, backup = set(choice.order.tolist()), set(choice.backup.tolist())
    assert not ordered & backup
    only_doubted = {i for i in backup if choice.why_not(i) is None}
    assert len(ordered) + len(only_doubted) + sum(choice.rejected.values()) == len(rows)
    scores = given_ones.score[choice.order].tolist()
    assert scores == sorted(scores, reverse=True)
