"""Result of one scan by any scanner, as measured in its process."""

from dataclasses import dataclass, field


@dataclass
class ScanResult:
    """Figures of one scan."""

    pings_ms: dict[str, float]
    """By `HOST:PORT`, of those that answered."""
    wall_s: float
    cpu_s: float
    """Of the whole process, from the first request to the last answer."""
    engine_cpu_s: float | None = None
    """Of the scanner's own thread, which sends, receives and reads."""
    memory_mb: float | None = None
    """Growth of the process's peak, with all answers stored."""
    estimated: int = 0
    """Pings that the scanner marks as estimated."""
    stopped: bool = False
    """Whether it took too long and was ended."""
    dropped: dict[str, int] = field(default_factory=dict)
