"""Whose turn it is at each server: one query at a time, and no request too soon."""

from collections import deque

from browser_app.engine.query import Phase, Query
from browser_app.engine.recent_times import RecentTimes

Key = tuple[str, int]


class Turns:
    """Who is asking which server, of all scans.

    The least time between two requests to one server holds across scans and after their end: the DarkPlaces engine
    ignores a second query within a second of an answered one.
    """

    __slots__ = ("_guarded", "_waiting", "asking")

    def __init__(self) -> None:
        self.asking: dict[Key, Query] = {}
        """The query of each server that was sent something and is not over."""
        self._waiting: dict[Key, deque[Query]] = {}
        self._guarded: RecentTimes[Key] = RecentTimes()

    def not_before_ns(self, query: Query) -> int:
        """From when on its server may be sent the next request; 0 for at once (`sent` was told of none)."""
        return self._guarded.get(query.key)

    def sent(self, query: Query, now_ns: int) -> None:
        """A request to its server left."""
        self._guarded.put(query.key, now_ns + query.interval_ns, now_ns)

    def wait(self, query: Query) -> None:
        """Its server is asked by another query; this one waits for its turn."""
        self._waiting.setdefault(query.key, deque()).append(query)

    def awaited(self, query: Query) -> bool:
        """Somebody else waits for the server of `query`."""
        return query.key in self._waiting

    def leave(self, query: Query) -> Query | None:
        """`query` is over; whose turn it is now."""
        if self.asking.get(query.key) is not query:
            return None
        del self.asking[query.key]
        return self._next(query.key) if self._waiting else None

    def _next(self, key: Key) -> Query | None:
        queue = self._waiting.pop(key, None)
        while queue:
            following = queue.popleft()
            if following.phase is not Phase.OVER:
                if queue:
                    self._waiting[key] = queue
                return following
        return None

    def queries(self) -> list[Query]:
        """All that have or await a turn."""
        return [*self.asking.values(), *(query for queue in self._waiting.values() for query in queue)]
