"""Quake III family and DarkPlaces server queries: getstatus, and the two replies that answer it."""

from dataclasses import dataclass


@dataclass(slots=True)
class Quake3Player:
    """One player line. `score` is the server's own text (DarkPlaces sends more than integers)."""

    name: str
    """With its colour codes."""
    score: str
    ping: int
    """ms as the server measures it; 0 with bots."""
    team: int | None
    """As sent, before or behind the name; None where the game sends none."""


@dataclass(slots=True)
class Quake3Reply:
    """A status or info reply. `players` is None where the reply carries no player list (an infoResponse)."""

    info: dict[str, str]
    """Infostring as sent, in its order: keys (without spaces around them) and values with colour codes, decoded as
    UTF-8 or else Latin-1.
    Of a key that is there twice the first counts, as in the engine."""
    players: tuple[Quake3Player, ...] | None
