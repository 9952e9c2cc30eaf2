"""What was observed of one refresh beside hostile masters."""

from dataclasses import dataclass, field


@dataclass
class ObservedRefresh:
    """Times, frames and packets from the start of a poll to its end."""

    answered: dict[str, float] = field(default_factory=dict)
    """When each server's answer was in the list, in seconds."""
    masters_s: float = float("nan")
    """When the last master was done."""
    poll_s: float = float("nan")
    gaps_ms: list[float] = field(default_factory=list)
    """Between frames."""
    own_gaps_ms: list[float] = field(default_factory=list)
    """The same, less what other programs took of the processors: without the time for which the window's thread was
    ready to run but did not, and at most what this program used of them meanwhile."""
    processor_s: float = 0.0
    peak_mb: float = 0.0
    sent: int = 0
    masters: dict[str, str] = field(default_factory=dict)
    """Number of servers and error of each, by URL."""
