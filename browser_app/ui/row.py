"""One row of the table as it is shown: plain values, cut from the catalogue's columns for the rows in sight."""

from typing import NamedTuple


class Row(NamedTuple):
    """What a row's cells, texts and tooltips are made of. None is unknown."""

    id: int
    name: str
    game: str
    """The game's short name."""
    map: str
    mode: str
    country: str | None
    score: float | None
    """None where the server is not ranked."""
    place: int | None
    """Its place by score among all ranked servers, from 1; servers with the same score share the first of theirs."""
    ranked: int
    """How many are ranked."""
    boost: float
    """Product of the factors above 1 (favourite, friends…): 1 when there is none."""
    ping_ms: float | None
    ping_factor: float | None
    """The score's own ping factor: it decides the dots."""
    ping_estimated: bool
    ping_loaded: bool
    """This machine was busy: it is this at most."""
    players: int | None
    bots: int | None
    spectators: int | None
    usable_slots: int | None
    full: bool
    locked: bool | None
    favourite: bool
    skill: float | None
    skill_distance: float | None
    """Server mean minus my skill."""
    silent: bool
    """It did not answer the last time it was asked."""
    remembered: bool
    """From the last session, not asked yet in this one."""
    friends: int
    """Friends seen in its player list."""
    doubts: tuple[str, ...]
    """Why not to believe what it says, a sentence each."""
    ping_doubted: bool
    performance: float | None
    gain: float | None
    """What one more player changes there."""
    last_played: float | None
    """Unix time, s, of the user's last join."""
    trend: tuple[int | None, ...]
    """Players by quarters of an hour in the last six hours, oldest first; empty where too little is known."""
    trend_change: int | None
    """How many more play now than then."""
    likely: int | None
    """Players likely in half an hour, and the range that holds eight times of ten."""
    likely_low: int | None
    likely_high: int | None

    @property
    def painted(self) -> tuple[object, ...]:
        """What its cells are painted from: its place among all others, which every scoring changes, is only spoken."""
        return self[: _PLACE[0]] + self[_PLACE[1] + 1 :]


_PLACE = (Row._fields.index("place"), Row._fields.index("ranked"))
