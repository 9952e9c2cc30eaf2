"""What the demo network did: counts, and how exactly it kept its appointments."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final

_KEPT = 200_000
_COUNTS: Final = ("requests", "replies", "lost_requests", "lost_replies", "guarded", "refused", "unsent")
_QUANTILES: Final = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}


@dataclass(slots=True)
class Tally:
    """Counts of a whole network. Requests to masters are not in it."""

    requests: int = 0
    """Datagrams that came to servers, also to dead ones."""
    replies: int = 0
    """Datagrams sent by servers."""
    lost_requests: int = 0
    lost_replies: int = 0
    guarded: int = 0
    """Requests dropped by a DarkPlaces flood guard."""
    refused: int = 0
    """Requests that no server of that protocol understands."""
    unsent: int = 0
    """Replies that the system refused to send."""
    lateness_ns: deque[int] = field(default_factory=lambda: deque(maxlen=_KEPT))
    """Of the newest answers: time of sending minus the time when the server's latency had passed."""

    def as_json(self) -> dict[str, Any]:
        """The counts, and quantiles of the lateness in ms (null before the first answer)."""
        late = sorted(self.lateness_ns)
        lateness = {
            name: late[min(len(late) - 1, int(len(late) * share))] / 1e6 if late else None
            for name, share in _QUANTILES.items()
        }
        return {name: getattr(self, name) for name in _COUNTS} | {"lateness_ms": lateness}
