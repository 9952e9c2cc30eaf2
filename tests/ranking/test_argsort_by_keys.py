import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from browser_app.ranking.server_score import argsort_by_keys

VALUES = st.sampled_from((0.0, -0.0, 1.0, 2.5, float("inf"), float("-inf"), float("nan")))
ROWS = st.lists(st.tuples(VALUES, VALUES, st.integers(0, 3).map(float)), max_size=40)


@given(ROWS)
def test_sorts_like_lexsort(rows: list[tuple[float, float, float]]) -> None:
    first, second, third = np.array(rows, np.float64).reshape(-1, 3).T
    everything = np.arange(len(rows), dtype=np.float64)
    expected = np.lexsort((everything, third, second, first))
    assert argsort_by_keys(first, second, third, everything).tolist() == expected.tolist()
