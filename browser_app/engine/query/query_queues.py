"""Queues of the query scheduler: by send priority, per server, and by deadline."""

import enum
from collections import deque
from collections.abc import Hashable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

from browser_app.engine.query.host_budget import HostBudget
from browser_app.engine.query.server_query import NOT_QUEUED, QueryPhase, ServerQuery

KeyT = TypeVar("KeyT", bound=Hashable)


class ExpiringTimes(Generic[KeyT]):
    """Maps keys to times in the near future.

    Entries in the past are dropped, which bounds memory. Amortised O(1).
    """

    __slots__ = ("_until",)

    def __init__(self) -> None:
        self._until: dict[KeyT, int] = {}

    def set(self, key: KeyT, until_ns: int, now_ns: int) -> None:
        """Set the time of `key`.

        It should not be earlier than those set before, or old entries are dropped late.
        """
        until = self._until
        until.pop(key, None)  # so that the newest is last
        until[key] = until_ns
        while until[oldest := next(iter(until))] <= now_ns and oldest != key:
            del until[oldest]

    def get(self, key: KeyT) -> int:
        """Return the time of `key`; 0 if it has none or it was dropped."""
        return self._until.get(key, 0)

    def __len__(self) -> int:
        return len(self._until)


class DeadlineQueue:
    """Heap of deadlines, O(log n) per operation.

    A query has at most one deadline, its `due_ns`; older ones are skipped.
    """

    __slots__ = ("_heap", "_order")

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, ServerQuery]] = []
        self._order = count()

    def schedule(self, query: ServerQuery, due_ns: int) -> None:
        """Set the deadline of `query` and replace any earlier one."""
        query.due_ns = due_ns
        heappush(self._heap, (due_ns, next(self._order), query))

    def pop(self, now_ns: int) -> ServerQuery | None:
        """Return a query whose deadline has passed and clear the deadline.

        None if there is none.
        """
        heap = self._heap
        while heap and heap[0][0] <= now_ns:
            due_ns, _, query = heappop(heap)
            if query.due_ns == due_ns:
                query.due_ns = 0
                return query
        return None

    @property
    def next_ns(self) -> int | None:
        """Earliest time at which `pop` may return a query."""
        return self._heap[0][0] if self._heap else None

    def queries(self) -> list[ServerQuery]:
        """Return all queries that may have a deadline."""
        return [query for _, _, query in self._heap]


ServerKey = tuple[str, int]


class PerServerQueue:
    """Active and waiting queries per server, across all scans.

    The minimum interval between two requests to one server holds across scans and after their end: the DarkPlaces
    engine ignores a second query within a second of an answered one.
    """

    __slots__ = ("_next_request_at", "_waiting", "active")

    def __init__(self) -> None:
        self.active: dict[ServerKey, ServerQuery] = {}
        """The query of each server that has started and is not finished."""
        self._waiting: dict[ServerKey, deque[ServerQuery]] = {}
        self._next_request_at: ExpiringTimes[ServerKey] = ExpiringTimes()

    def earliest_request_ns(self, query: ServerQuery) -> int:
        """Return when the server may be sent the next request; 0 for at once."""
        return self._next_request_at.get(query.sender_key)

    def record_request(self, query: ServerQuery, now_ns: int) -> None:
        """Record that a request was sent to the query's server."""
        self._next_request_at.set(query.sender_key, now_ns + query.interval_ns, now_ns)

    def enqueue(self, query: ServerQuery) -> None:
        """Queue a query until the active one of its server is finished."""
        self._waiting.setdefault(query.sender_key, deque()).append(query)

    def has_waiting(self, query: ServerQuery) -> bool:
        """Return whether another query waits for the server of `query`."""
        return query.sender_key in self._waiting

    def release(self, query: ServerQuery) -> ServerQuery | None:
        """Remove a finished query; return the next one for its server."""
        if self.active.get(query.sender_key) is not query:
            return None
        del self.active[query.sender_key]
        return self._pop_waiting(query.sender_key) if self._waiting else None

    def _pop_waiting(self, key: ServerKey) -> ServerQuery | None:
        queue = self._waiting.pop(key, None)
        while queue:
            following = queue.popleft()
            if following.phase is not QueryPhase.FINISHED:
                if queue:
                    self._waiting[key] = queue
                return following
        return None

    def queries(self) -> list[ServerQuery]:
        """Return all active and waiting queries."""
        return [*self.active.values(), *(query for queue in self._waiting.values() for query in queue)]


class SendPriority(enum.IntEnum):
    """Send order of packets.

    Every server is queried once before any is queried twice. Rate-limited servers come first because their retries take
    longest.
    """

    FOLLOW_UP = 0
    FIRST_RATE_LIMITED = 1
    FIRST = 2
    RETRY_RATE_LIMITED = 3
    RETRY = 4


_PRIORITY_COUNT = len(SendPriority)


class _SiteQueues:
    """Queue of one priority, fair between sites whatever the order of the list.

    A site is an IPv4 address or an IPv6 /48. Invariant: each site with queries is in exactly one of `ready` and
    `deferred`. All operations are O(log n).
    """

    __slots__ = ("deferred", "queues", "ready")

    def __init__(self) -> None:
        self.queues: dict[str, list[ServerQuery]] = {}
        """Lists, because a deque takes 0.7 KB and most sites have one server."""
        self.ready: deque[str] = deque()
        self.deferred: list[tuple[int, str]] = []
        """Heap of sites that were sent to recently, by the time from which they may be sent to again."""

    def push(self, query: ServerQuery) -> None:
        site = query.host.site
        queue = self.queues.get(site)
        if queue is None:
            self.queues[site] = [query]
            self.ready.append(site)
        else:
            queue.append(query)

    def pop(self, now_ns: int, budget: HostBudget, queue_index: int) -> ServerQuery | None:
        """Return the next query whose host may be sent to."""
        deferred, ready = self.deferred, self.ready
        while deferred and deferred[0][0] <= now_ns:
            ready.append(heappop(deferred)[1])
        while ready:
            site = ready.popleft()
            queue = self.queues[site]
            while queue and queue[0].queue_index != queue_index:  # finished, or moved to another queue
                del queue[0]
            if not queue:
                del self.queues[site]
                continue
            query = queue[0]
            if query.has_budget and (send_ns := budget.earliest_send_ns(query.host, urgent=query.urgent)) > now_ns:
                heappush(deferred, (send_ns, site))
                continue
            del queue[0]
            if queue:
                ready.append(site)
            else:
                del self.queues[site]
            return query
        return None

    def queries(self) -> Iterator[ServerQuery]:
        for queue in self.queues.values():
            yield from queue


class SendQueue:
    """All queries that wait to be sent, across all scans, within each host's budget.

    A query is in at most one queue: pushing it to another removes it from the first.
    """

    __slots__ = ("_budget", "_queues")

    def __init__(self, budget: HostBudget) -> None:
        self._budget = budget
        self._queues = [_SiteQueues() for _ in range(2 * _PRIORITY_COUNT)]

    def push(self, query: ServerQuery, priority: SendPriority) -> None:
        """Queue a query; urgent scans come before all others."""
        index = priority if query.urgent else priority + _PRIORITY_COUNT
        if query.queue_index != index:
            query.queue_index = index
            self._queues[index].push(query)

    def pop(self, now_ns: int) -> ServerQuery | None:
        """Remove and return the query to send now; None if none may be sent."""
        for index, queue in enumerate(self._queues):
            if queue.queues and (query := queue.pop(now_ns, self._budget, index)) is not None:
                query.queue_index = NOT_QUEUED
                return query
        return None

    def queries(self) -> list[ServerQuery]:
        """Return all queries that may wait here.

        Some of them may have been removed meanwhile.
        """
        return [query for queue in self._queues for query in queue.queries()]

    def next_ns(self, now_ns: int) -> int | None:
        """Return when there may be a query to send; None if none waits."""
        times = [now_ns if queue.ready else queue.deferred[0][0] for queue in self._queues if queue.queues]
        return min(times, default=None)
