"""When something happens to a query by itself."""

from heapq import heappop, heappush
from itertools import count

from browser_app.engine.query import Query


class Deadlines:
    """A heap of moments, O(log n) each. A query has one deadline at most, its `due_ns`; older ones are skipped."""

    __slots__ = ("_heap", "_order")

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Query]] = []
        self._order = count()

    def put(self, query: Query, due_ns: int) -> None:
        """Let `query` be due at `due_ns` and no longer at any other time."""
        query.due_ns = due_ns
        heappush(self._heap, (due_ns, next(self._order), query))

    def pop(self, now_ns: int) -> Query | None:
        """A query whose deadline has passed, which it has no longer; None when there is none."""
        heap = self._heap
        while heap and heap[0][0] <= now_ns:
            due_ns, _, query = heappop(heap)
            if query.due_ns == due_ns:
                query.due_ns = 0
                return query
        return None

    @property
    def next_ns(self) -> int | None:
        """The next moment at which `pop` may bring something."""
        return self._heap[0][0] if self._heap else None

    def queries(self) -> list[Query]:
        """All that may be due some time."""
        return [query for _, _, query in self._heap]
