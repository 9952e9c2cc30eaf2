"""How long a server is waited for."""

from collections.abc import Sequence
from dataclasses import dataclass

_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Timing:
    """Attempts and waits of one scan, seconds.

    Once `adapt_after` servers have answered, a wait is twice what 99 of 100 of them needed, at least `least_wait_s`
    and never more than the fixed wait of that attempt: a dead server then costs little. Nobody slow is lost by it,
    because answers to earlier attempts stay welcome, and no server is given up before `listen_s` have passed since it
    was first asked.
    """

    waits_s: Sequence[float] = (1.0, 1.5, 2.0)
    """After the first, second … request; there are as many attempts, for each leg of a query."""
    adapt_after: int = 50
    least_wait_s: float = 0.25
    listen_s: float = 1.55
    """Finds servers with a ping of 1.5 s."""
    least_leg_wait_s: float = 0.3
    """Further legs (a challenge repeated, players, rules) wait three known round trips, at least this and at most
    twice the longest of `waits_s`."""
    proof_wait_s: float = 2.0
    """A proof waits a quarter longer than the longest round trip it may confirm, and 0.1 s; at most this."""
    unsent_wait_s: float = 0.5
    """Instead of the wait, however short, when the system could not send at all."""


class Patience:
    """The waits of one scan as they adapt to the round trips seen so far."""

    __slots__ = (
        "_adapted_ns",
        "_least_leg_ns",
        "_least_ns",
        "_longest_leg_ns",
        "_longest_proof_ns",
        "_next_look",
        "_pings_ms",
        "_waits_ns",
        "attempts",
        "listen_ns",
        "unsent_wait_ns",
    )

    def __init__(self, timing: Timing) -> None:
        self.attempts = len(timing.waits_s)
        self.listen_ns = round(timing.listen_s * _NS)
        self._longest_proof_ns = round(timing.proof_wait_s * _NS)
        self.unsent_wait_ns = round(timing.unsent_wait_s * _NS)
        self._waits_ns = [round(wait * _NS) for wait in timing.waits_s]
        self._least_ns = round(timing.least_wait_s * _NS)
        self._least_leg_ns = round(timing.least_leg_wait_s * _NS)
        self._longest_leg_ns = 2 * max(self._waits_ns)
        self._adapted_ns: int | None = None
        self._pings_ms: list[float] = []
        self._next_look = timing.adapt_after

    def learn(self, ping_ms: float) -> None:
        """A server answered after `ping_ms`. Amortised a few comparisons a call."""
        seen = self._pings_ms
        seen.append(ping_ms)
        if len(seen) >= self._next_look:
            seen.sort()
            self._adapted_ns = max(self._least_ns, round(2e6 * seen[(len(seen) - 1) * 99 // 100]))
            self._next_look = len(seen) + len(seen) // 4 + 1

    def wait_ns(self, attempt: int) -> int:
        """How long to wait after the `attempt`-th request, 1 = the first."""
        fixed_ns, adapted_ns = self._waits_ns[attempt - 1], self._adapted_ns
        return fixed_ns if adapted_ns is None or adapted_ns > fixed_ns else adapted_ns

    def leg_wait_ns(self, round_trip_ns: int) -> int:
        """How long to wait in a later leg, whose server is known to answer after `round_trip_ns`."""
        return min(self._longest_leg_ns, max(3 * round_trip_ns, self._least_leg_ns))

    def proof_wait_ns(self, round_trip_ns: int) -> int:
        """How long to wait for a proof, whose round trip may be `round_trip_ns` at most."""
        return min(self._longest_proof_ns, round_trip_ns * 5 // 4 + _NS // 10)
