"""What waits to be sent: lanes by urgency, in each lane one queue an IP address."""

import enum
from collections import deque
from collections.abc import Iterator
from heapq import heappop, heappush

from browser_app.engine.query import NOWHERE, Query
from browser_app.engine.recent_times import RecentTimes


class Lane(enum.IntEnum):
    """What goes out first.

    Every server is asked once before any is asked twice. Servers that must not be asked again soon go first: their
    retries come latest.
    """

    FOLLOW_UP = 0
    FIRST_GUARDED = 1
    FIRST = 2
    RETRY_GUARDED = 3
    RETRY = 4


_LANES = len(Lane)


class _HostQueues:
    """One lane: fair between IP addresses, whatever order the list has.

    Kept true: each IP address with queries is once in `ready` or in `later`, never in both. All steps are O(log n).
    """

    __slots__ = ("later", "queues", "ready")

    def __init__(self) -> None:
        self.queues: dict[str, deque[Query]] = {}
        self.ready: deque[str] = deque()
        self.later: list[tuple[int, str]] = []
        """A heap: IP addresses that were sent to just now, by the time from which they may be again."""

    def push(self, query: Query) -> None:
        host = query.key[0]
        queue = self.queues.get(host)
        if queue is None:
            self.queues[host] = deque((query,))
            self.ready.append(host)
        else:
            queue.append(query)

    def pop(self, now_ns: int, free_ns: RecentTimes[str], lane: int) -> Query | None:
        """The next query whose IP address may be sent to; `free_ns` says from when on, where it is not long ago."""
        later, ready = self.later, self.ready
        while later and later[0][0] <= now_ns:
            ready.append(heappop(later)[1])
        while ready:
            host = ready.popleft()
            queue = self.queues[host]
            while queue and queue[0].lane != lane:  # over, or gone to another lane
                queue.popleft()
            if not queue:
                del self.queues[host]
                continue
            query = queue[0]
            if query.spacing_ns and (free := free_ns.get(host)) > now_ns:
                heappush(later, (free, host))
                continue
            queue.popleft()
            if queue:
                ready.append(host)
            else:
                del self.queues[host]
            return query
        return None

    def queries(self) -> Iterator[Query]:
        for queue in self.queues.values():
            yield from queue


class Outbox:
    """All that waits to be sent, of all scans.

    Keeps the least time between packets to one IP address. A query waits in one lane at most: putting it into another
    takes it out of the former.
    """

    __slots__ = ("_free_ns", "_lanes")

    def __init__(self) -> None:
        self._lanes = [_HostQueues() for _ in range(2 * _LANES)]
        self._free_ns: RecentTimes[str] = RecentTimes()

    def push(self, query: Query, lane: Lane) -> None:
        """Have `query` sent in its turn; urgent scans' come before all others'."""
        number = lane if query.urgent else lane + _LANES
        if query.lane != number:
            query.lane = number
            self._lanes[number].push(query)

    def pop(self, now_ns: int) -> Query | None:
        """What is to be sent now, taken out; None when there is nothing that may be."""
        for number, lane in enumerate(self._lanes):
            if lane.queues and (query := lane.pop(now_ns, self._free_ns, number)) is not None:
                query.lane = NOWHERE
                return query
        return None

    def sent_to(self, host: str, now_ns: int, spacing_ns: int) -> None:
        """A packet to `host` left."""
        self._free_ns.put(host, now_ns + spacing_ns, now_ns)

    def queries(self) -> list[Query]:
        """All that may wait here, and some that were taken out meanwhile."""
        return [query for lane in self._lanes for query in lane.queries()]

    def next_ns(self, now_ns: int) -> int | None:
        """When there may be something to send; None when nothing waits."""
        times = [now_ns if lane.ready else lane.later[0][0] for lane in self._lanes if lane.queues]
        return min(times, default=None)
