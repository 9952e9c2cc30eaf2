"""Queues of the query scheduler: to send, per server, and by deadline."""

import enum
from collections import deque
from collections.abc import Hashable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

from browser_app.engine.query.server_query import NOT_QUEUED, QueryPhase, ServerQuery

KeyT = TypeVar("KeyT", bound=Hashable)


class ExpiringTimes(Generic[KeyT]):
    """Key → a moment soon to come. Entries whose moment has passed are forgotten, so memory is bounded by what happens
    within that short time. Amortised O(1).
    """

    __slots__ = ("_until",)

    def __init__(self) -> None:
        self._until: dict[KeyT, int] = {}

    def remember(self, key: KeyT, until_ns: int, now_ns: int) -> None:
        """Remember `until_ns` for `key`; later calls should name later moments, or forgetting takes longer."""
        until = self._until
        until.pop(key, None)  # so that the newest stands last
        until[key] = until_ns
        while until[oldest := next(iter(until))] <= now_ns and oldest != key:
            del until[oldest]

    def get(self, key: KeyT) -> int:
        """The moment of `key`; 0 when there is none, or it has passed and was forgotten."""
        return self._until.get(key, 0)

    def __len__(self) -> int:
        return len(self._until)


class DeadlineQueue:
    """A heap of moments, O(log n) each. A query has one deadline at most, its `due_ns`; older ones are skipped."""

    __slots__ = ("_heap", "_order")

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, ServerQuery]] = []
        self._order = count()

    def schedule(self, query: ServerQuery, due_ns: int) -> None:
        """Let `query` be due at `due_ns` and no longer at any other time."""
        query.due_ns = due_ns
        heappush(self._heap, (due_ns, next(self._order), query))

    def pop(self, now_ns: int) -> ServerQuery | None:
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

    def queries(self) -> list[ServerQuery]:
        """All that may be due some time."""
        return [query for _, _, query in self._heap]


ServerKey = tuple[str, int]


class PerServerQueue:
    """Who is asking which server, of all scans.

    The least time between two requests to one server holds across scans and after their end: the DarkPlaces engine
    ignores a second query within a second of an answered one.
    """

    __slots__ = ("_next_request_at", "_waiting", "active")

    def __init__(self) -> None:
        self.active: dict[ServerKey, ServerQuery] = {}
        """The query of each server that was sent something and is not over."""
        self._waiting: dict[ServerKey, deque[ServerQuery]] = {}
        self._next_request_at: ExpiringTimes[ServerKey] = ExpiringTimes()

    def earliest_request_ns(self, query: ServerQuery) -> int:
        """From when on its server may be sent the next request; 0 for at once (`sent` was told of none)."""
        return self._next_request_at.get(query.sender_key)

    def record_request(self, query: ServerQuery, now_ns: int) -> None:
        """A request to its server left."""
        self._next_request_at.remember(query.sender_key, now_ns + query.interval_ns, now_ns)

    def enqueue(self, query: ServerQuery) -> None:
        """Its server is asked by another query; this one waits for its turn."""
        self._waiting.setdefault(query.sender_key, deque()).append(query)

    def has_waiting(self, query: ServerQuery) -> bool:
        """Somebody else waits for the server of `query`."""
        return query.sender_key in self._waiting

    def release(self, query: ServerQuery) -> ServerQuery | None:
        """`query` is over; whose turn it is now."""
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
        """All that have or await a turn."""
        return [*self.active.values(), *(query for queue in self._waiting.values() for query in queue)]


class SendPriority(enum.IntEnum):
    """What goes out first.

    Every server is asked once before any is asked twice. Servers that must not be asked again soon go first: their
    retries come latest.
    """

    FOLLOW_UP = 0
    FIRST_RATE_LIMITED = 1
    FIRST = 2
    RETRY_RATE_LIMITED = 3
    RETRY = 4


_PRIORITY_COUNT = len(SendPriority)


class _HostQueues:
    """One lane: fair between IP addresses, whatever order the list has.

    Kept true: each IP address with queries is once in `ready` or in `later`, never in both. All steps are O(log n).
    """

    __slots__ = ("deferred", "queues", "ready")

    def __init__(self) -> None:
        self.queues: dict[str, deque[ServerQuery]] = {}
        self.ready: deque[str] = deque()
        self.deferred: list[tuple[int, str]] = []
        """A heap: IP addresses that were sent to just now, by the time from which they may be again."""

    def push(self, query: ServerQuery) -> None:
        host = query.sender_key[0]
        queue = self.queues.get(host)
        if queue is None:
            self.queues[host] = deque((query,))
            self.ready.append(host)
        else:
            queue.append(query)

    def pop(self, now_ns: int, host_free_at: ExpiringTimes[str], queue_index: int) -> ServerQuery | None:
        """The next query whose IP address may be sent to; `host_free_at` says from when on, where it is not long
        ago.
        """
        later, ready = self.deferred, self.ready
        while later and later[0][0] <= now_ns:
            ready.append(heappop(later)[1])
        while ready:
            host = ready.popleft()
            queue = self.queues[host]
            while queue and queue[0].queue_index != queue_index:  # over, or gone to another lane
                queue.popleft()
            if not queue:
                del self.queues[host]
                continue
            query = queue[0]
            if query.spacing_ns and (free := host_free_at.get(host)) > now_ns:
                heappush(later, (free, host))
                continue
            queue.popleft()
            if queue:
                ready.append(host)
            else:
                del self.queues[host]
            return query
        return None

    def queries(self) -> Iterator[ServerQuery]:
        for queue in self.queues.values():
            yield from queue


class SendQueue:
    """All that waits to be sent, of all scans.

    Keeps the least time between packets to one IP address. A query waits in one lane at most: putting it into another
    takes it out of the former.
    """

    __slots__ = ("_host_free_at", "_queues")

    def __init__(self) -> None:
        self._queues = [_HostQueues() for _ in range(2 * _PRIORITY_COUNT)]
        self._host_free_at: ExpiringTimes[str] = ExpiringTimes()

    def push(self, query: ServerQuery, priority: SendPriority) -> None:
        """Have `query` sent in its turn; urgent scans' come before all others'."""
        number = priority if query.urgent else priority + _PRIORITY_COUNT
        if query.queue_index != number:
            query.queue_index = number
            self._queues[number].push(query)

    def pop(self, now_ns: int) -> ServerQuery | None:
        """What is to be sent now, taken out; None when there is nothing that may be."""
        for number, lane in enumerate(self._queues):
            if lane.queues and (query := lane.pop(now_ns, self._host_free_at, number)) is not None:
                query.queue_index = NOT_QUEUED
                return query
        return None

    def record_packet(self, host: str, now_ns: int, spacing_ns: int) -> None:
        """A packet to `host` left."""
        self._host_free_at.remember(host, now_ns + spacing_ns, now_ns)

    def queries(self) -> list[ServerQuery]:
        """All that may wait here, and some that were taken out meanwhile."""
        return [query for lane in self._queues for query in lane.queries()]

    def next_ns(self, now_ns: int) -> int | None:
        """When there may be something to send; None when nothing waits."""
        times = [now_ns if lane.ready else lane.deferred[0][0] for lane in self._queues if lane.queues]
        return min(times, default=None)
