"""Simulated link of one server: latency, jitter, loss, duplicates."""

from dataclasses import dataclass

_MASK = (1 << 64) - 1
_REORDER_DELAY_NS = 30_000_000


@dataclass(frozen=True, slots=True)
class LinkQuality:
    """Properties of all links of a network. Probabilities (0 to 1) are per datagram."""

    loss: float = 0.0
    """For a request on its way in, and again for each reply on its way out."""
    jitter_ms: float = 0.0
    """Replies are up to this much later, small delays being more common."""
    duplicates: float = 0.0
    """Probability that a reply is sent twice."""
    reorder: float = 0.0
    """Probability that a reply is overtaken by everything sent in the 30 ms after it."""
    jumps: float = 0.0
    """Probability that a reply is `jump_ms` late."""
    jump_ms: float = 250.0


class SimulatedLink:
    """Link of one server. What happens to its n-th datagram depends on the seed and n alone."""

    __slots__ = ("_draw_count", "_quality", "_seed", "latency_ns")

    def __init__(self, latency_ms: float, quality: LinkQuality, seed: int) -> None:
        self.latency_ns = round(latency_ms * 1e6)
        self._quality = quality
        self._seed = seed
        self._draw_count = 0

    def drop_next(self) -> bool:
        """Return whether the next datagram is lost."""
        return self._quality.loss > 0 and self._draw() < self._quality.loss

    def duplicate_next(self) -> bool:
        """Return whether the next reply is sent twice."""
        return self._quality.duplicates > 0 and self._draw() < self._quality.duplicates

    def next_delay_ns(self) -> int:
        """Return how long the next reply takes, from the arrival of its request."""
        quality, wait = self._quality, self.latency_ns
        if quality.jitter_ms > 0:
            wait += int(self._draw() ** 3 * quality.jitter_ms * 1e6)
        if quality.reorder > 0 and self._draw() < quality.reorder:
            wait += _REORDER_DELAY_NS
        if quality.jumps > 0 and self._draw() < quality.jumps:
            wait += round(quality.jump_ms * 1e6)
        return wait

    def _draw(self) -> float:
        """Return the next number in [0, 1) of a SplitMix64 sequence (Steele, Lea, Flood 2014)."""
        self._draw_count += 1
        z = (self._seed + self._draw_count * 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return (z ^ (z >> 31)) / (_MASK + 1)
