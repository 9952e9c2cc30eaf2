"""Simulated link of one server: latency, jitter, loss, duplicates."""

from dataclasses import dataclass

_MASK = (1 << 64) - 1
_REORDER_DELAY_NS = 30_000_000


@dataclass(frozen=True, slots=True)
class LinkQuality:
    """What all lines of a network share. Likelihoods are for each datagram on its own, 0…1."""

    loss: float = 0.0
    """Of a request on its way in, and again of each reply on its way out."""
    jitter_ms: float = 0.0
    """A reply comes up to this much later, more often little than much."""
    duplicates: float = 0.0
    """A reply is sent twice."""
    reorder: float = 0.0
    """A reply is overtaken by everything sent in the 30 ms after it."""
    jumps: float = 0.0
    """A reply comes `jump_ms` later."""
    jump_ms: float = 250.0


class SimulatedLink:
    """One server's line. What happens to its n-th datagram depends on the seed and n alone, not on other servers."""

    __slots__ = ("_draw_count", "_quality", "_seed", "latency_ns")

    def __init__(self, latency_ms: float, quality: LinkQuality, seed: int) -> None:
        self.latency_ns = round(latency_ms * 1e6)
        self._quality = quality
        self._seed = seed
        self._draw_count = 0

    def drop_next(self) -> bool:
        """Whether the next datagram is lost."""
        return self._quality.loss > 0 and self._draw() < self._quality.loss

    def duplicate_next(self) -> bool:
        """Whether the next reply is sent twice."""
        return self._quality.duplicates > 0 and self._draw() < self._quality.duplicates

    def next_delay_ns(self) -> int:
        """How long the next answer takes, from the arrival of its request."""
        quality, wait = self._quality, self.latency_ns
        if quality.jitter_ms > 0:
            wait += int(self._draw() ** 3 * quality.jitter_ms * 1e6)
        if quality.reorder > 0 and self._draw() < quality.reorder:
            wait += _REORDER_DELAY_NS
        if quality.jumps > 0 and self._draw() < quality.jumps:
            wait += round(quality.jump_ms * 1e6)
        return wait

    def _draw(self) -> float:
        """A number from [0, 1): the next of a SplitMix64 sequence (Steele, Lea, Flood 2014)."""
        self._draw_count += 1
        z = (self._seed + self._draw_count * 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return (z ^ (z >> 31)) / (_MASK + 1)
