"""Limit of the connections open at once, and the queries that wait for one."""

from collections import deque
from typing import Final

from browser_app.engine.query.server_query import QueryPhase, ServerQuery

MAX_OPEN_STREAMS: Final = 64
"""Connections open at once: some systems allow a program 256 open files."""
RESERVED_STREAMS: Final = 8
"""Further connections for urgent queries: a list of silent servers cannot delay what the user asks for."""


class StreamSlots:
    """Slots for the queries over TCP of all scans; urgent queries get them first."""

    __slots__ = ("_holders", "_urgent", "_waiting")

    def __init__(self) -> None:
        self._holders: set[ServerQuery] = set()
        self._urgent: deque[ServerQuery] = deque()
        self._waiting: deque[ServerQuery] = deque()

    def request_slot(self, query: ServerQuery) -> bool:
        """Return whether a slot is free; if not, queue the query for `release`."""
        if self._has_free(urgent=query.urgent):
            return True
        (self._urgent if query.urgent else self._waiting).append(query)
        return False

    def _has_free(self, *, urgent: bool) -> bool:
        return len(self._holders) < MAX_OPEN_STREAMS + (RESERVED_STREAMS if urgent else 0)

    def occupy(self, query: ServerQuery) -> None:
        """Record that a query uses a slot."""
        self._holders.add(query)

    def release(self, query: ServerQuery) -> ServerQuery | None:
        """Free the slot of a query that has ended, if it had one.

        Returns the next query to try; None if none waits. Call this for every query that ends: one that was tried but
        did not use its slot leaves it to the next.
        """
        self._holders.discard(query)
        for queue, urgent in ((self._urgent, True), (self._waiting, False)):
            while queue and self._has_free(urgent=urgent):
                if (waiting := queue.popleft()).phase is QueryPhase.NEW:
                    return waiting
        return None

    @property
    def has_waiting(self) -> bool:
        """Whether a query may wait."""
        return bool(self._urgent or self._waiting)

    def queries(self) -> list[ServerQuery]:
        """Return all queries that wait."""
        return [*self._urgent, *self._waiting]
