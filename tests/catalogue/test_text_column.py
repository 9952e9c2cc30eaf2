"""Text column: pool, ranks after changes, bounded memory."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from browser_app.catalogue.text_column import TextColumn


def _column(*texts: str) -> TextColumn:
    column = TextColumn()
    column.grow(len(texts))
    column.set(np.arange(len(texts)), texts)
    return column


def test_unknown_text_is_empty() -> None:
    column = _column("b", "", "a")
    column.grow(200)
    assert [column[row] for row in (0, 1, 2, 199)] == ["b", "", "a", ""]
    assert column.texts_of(np.array([2, 0])) == ["a", "b"]


def test_separated_values_match_and_count_singly() -> None:
    column = TextColumn(separator=",")
    column.grow(4)
    column.set(np.arange(3), ["en,ru", "en", "de"])
    assert column.matching_rows("en".__eq__).tolist() == [True, True, False, False]
    assert column.value_counts(np.array([True, True, False, True])) == {"en": 2, "ru": 1}


def test_set_returns_changes() -> None:
    column = _column("a", "b")
    assert not column.set(np.array([0, 1]), ["a", "b"])
    assert column.set(np.array([1]), ["a"])


@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.text(max_size=3)), min_size=1, max_size=10), max_size=8))
def test_ranks_ignore_case(batches: list[list[tuple[int, str]]]) -> None:
    column = _column(*[""] * 10)
    for batch in batches:
        latest = dict(batch)
        column.set(np.array(list(latest)), latest.values())
        ranks = column.ranks()
        texts = [column[row] for row in range(10)]
        known = [row for row in range(10) if texts[row]]
        assert all(np.isnan(ranks[row]) for row in range(10) if row not in known)
        by_rank = sorted(known, key=lambda row: ranks[row])
        assert [texts[row] for row in by_rank] == sorted(
            (texts[row] for row in known), key=lambda text: (text.casefold(), text)
        )


def test_unknown_never_matches() -> None:
    column = _column("Veil", "", "TRAM")
    assert column.matching_rows(lambda text: text in ("veil", "")).tolist() == [True, False, False]
    assert column.matching_rows(lambda _text: True).tolist() == [True, False, True]


def test_unused_texts_are_dropped() -> None:
    column = _column("first", "second", "")
    for number in range(20_000):
        column.set(np.array([0]), [f"round {number}"])
    assert len(column.pool) < 2000
    assert [column[row] for row in range(3)] == ["round 19999", "second", ""]
    assert column.ranks()[0] < column.ranks()[1]
