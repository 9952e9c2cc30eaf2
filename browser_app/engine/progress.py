"""How far a scan is."""

import time
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts at one moment."""

    targets: int
    """Different servers that were given."""
    done: int
    """Those whose answer, whatever it is, is there."""
    answered: int
    """Those of them that are OK."""
    sent: int
    """Datagrams of every kind."""
    received: int
    """Datagrams, also those that were dropped."""
    dropped: Mapping[str, int]
    """Datagrams that were refused, by reason."""
    elapsed_s: float
    """Since the scan began, until it ended."""
    network_down: bool
    """The system cannot send: nothing of late went out, and nothing ever came in. One thing that came proves a network,
    and what cannot be sent is to servers that it does not reach, such as IPv6 ones."""


class Counters:
    """The counts of one scan, written by the engine's thread only and readable from every thread."""

    __slots__ = (
        "_began_s",
        "_ended_s",
        "answered",
        "done",
        "dropped",
        "received",
        "sent",
        "targets",
        "unsent_in_a_row",
    )

    _UNSENT_MEANS_DOWN = 8

    def __init__(self) -> None:
        self.targets = 0
        self.done = 0
        self.answered = 0
        self.sent = 0
        self.received = 0
        self.dropped: dict[str, int] = {}
        self.unsent_in_a_row = 0
        self._began_s = time.monotonic()
        self._ended_s: float | None = None

    def drop(self, reason: str) -> None:
        """One datagram was refused."""
        self.dropped[reason] = self.dropped.get(reason, 0) + 1

    def end(self) -> None:
        """The scan is over."""
        self._ended_s = time.monotonic()

    def progress(self) -> Progress:
        """A copy."""
        ended_s = self._ended_s if self._ended_s is not None else time.monotonic()
        return Progress(
            targets=self.targets,
            done=self.done,
            answered=self.answered,
            sent=self.sent,
            received=self.received,
            dropped=dict(self.dropped),
            elapsed_s=ended_s - self._began_s,
            network_down=not self.received
            and self.unsent_in_a_row >= max(1, min(self._UNSENT_MEANS_DOWN, self.targets)),
        )
