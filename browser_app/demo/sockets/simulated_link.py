"""Simulated link of one server: latency, jitter, loss, duplicates."""

from browser_app.demo.faults.network_faults import NetworkFaults

_MASK = (1 << 64) - 1
_REORDER_DELAY_NS = 30_000_000


class SimulatedLink:
    """Link of one server; the fate of datagram n depends on the seed and n alone.

    Each datagram is lost with the probability `loss`, in both directions. Replies are up to `jitter_ms` later, small
    delays being more common.
    """

    __slots__ = ("_draw_count", "_faults", "_jitter_ms", "_loss", "_seed", "latency_ns")

    def __init__(
        self, latency_ms: float, seed: int, faults: NetworkFaults, *, loss: float = 0.0, jitter_ms: float = 0.0
    ) -> None:
        self.latency_ns = round(latency_ms * 1e6)
        self._faults, self._loss, self._jitter_ms = faults, loss, jitter_ms
        self._seed = seed
        self._draw_count = 0

    def drop_next(self) -> bool:
        """Return whether the next datagram is lost."""
        return self._loss > 0 and self._draw() < self._loss

    def duplicate_next(self) -> bool:
        """Return whether the next reply is sent twice."""
        return self._faults.duplicates > 0 and self._draw() < self._faults.duplicates

    def next_delay_ns(self) -> int:
        """Return how long the next reply takes, from the arrival of its request."""
        faults, wait = self._faults, self.latency_ns
        if self._jitter_ms > 0:
            wait += int(self._draw() ** 3 * self._jitter_ms * 1e6)
        if faults.reorder > 0 and self._draw() < faults.reorder:
            wait += _REORDER_DELAY_NS
        if faults.jumps > 0 and self._draw() < faults.jumps:
            wait += round(faults.jump_ms * 1e6)
        return wait

    def _draw(self) -> float:
        """Return the next SplitMix64 number in [0, 1) (Steele, Lea, Flood 2014)."""
        self._draw_count += 1
        z = (self._seed + self._draw_count * 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return (z ^ (z >> 31)) / (_MASK + 1)
