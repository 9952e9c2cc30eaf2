"""Which rounds can be rated, and how they ended."""

import numpy as np

from browser_app.rating.presence import sides
from browser_app.rating.record import Floats, Record


class Eligibility:
    """Why rounds are not rated.

    Attributes:
        rated: whether a round is rated.
    """

    def __init__(self, record: Record, shortest_s: float) -> None:
        tests = (
            (~record.finished, "no outcome yet"),
            (record.team_count != 2, "other than two teams"),
            (sides(record) < 2, "one side empty"),
            (record.duration < shortest_s, f"shorter than {shortest_s:g} s"),
        )
        self._reasons = (*(reason for _, reason in tests), None)
        self._first_failed = np.select([failed for failed, _ in tests], list(range(len(tests))), len(tests))
        self.rated = self._first_failed == len(tests)

    def reasons(self, first: int, last: int) -> list[str | None]:
        """Why each of rounds first to last - 1 is not rated, None for those that are."""
        return [self._reasons[test] for test in self._first_failed[first:last].tolist()]


def outcomes(record: Record, first: int, last: int) -> Floats:
    """G of rounds first to last - 1, if they have two teams: 1 the first-named won, 0 it lost, ½ a draw."""
    team = record.team_start[first:last]
    better: Floats = np.sign(record.team_rank[team + 1] - record.team_rank[team]).astype(np.float64)
    return (1.0 + better) / 2.0
