"""Quake III family and DarkPlaces server queries: getinfo and getstatus with their dialects."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quake3Player:
    """One player line. `score` is the server's own text (DarkPlaces sends more than integers)."""

    name: str
    """With its colour codes."""
    score: str
    ping: int
    team: int | None


@dataclass(slots=True)
class Quake3Reply:
    """A status or info reply. `players` is None where the reply carries no player list (an infoResponse)."""

    info: dict[str, str]
    """Infostring as sent: keys and values with colour codes, decoded as UTF-8 or else Latin-1."""
    players: tuple[Quake3Player, ...] | None
