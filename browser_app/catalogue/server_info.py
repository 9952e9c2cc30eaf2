"""Data types for servers, players and query results, shared by all protocols.

None of these objects is changed once it is made, so that threads can share them. They are not frozen, for speed:
thousands are made in one scan, and freezing makes that several times slower.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from browser_app.protocols.address import Address


class QueryTarget(NamedTuple):
    """A server to ask. `game` is the id of its profile, None if only the answer can tell."""

    address: Address
    protocol: str
    game: str | None
    game_port: int | None = None
    """What its list says that the game is to be told, for servers that do not say so themselves."""


class QueryStatus(enum.IntEnum):
    """How the last question to a server ended."""

    NEVER_QUERIED = 0
    OK = 1
    NO_ANSWER = 2
    MALFORMED = 3

    @property
    def text(self) -> str | None:
        """The command line's word for it."""
        return (None, "ok", "no answer", "malformed")[self]


@dataclass(slots=True)
class PlayerInfo:
    """One person or bot on a server. `name` is plain text."""

    name: str
    score: float | None
    duration_s: float | None
    """As told: some servers tell times below 0, which cannot be."""
    ping_ms: float | None
    team: int | None
    bot: bool | None
    spectator: bool | None = None

    @property
    def time_on_server_s(self) -> float | None:
        """How long it has been there, as far as that can be."""
        return None if self.duration_s is None or self.duration_s < 0 else self.duration_s


@dataclass(slots=True)
class ServerInfo:
    """One server's answer. None is unknown everywhere; texts are plain, without colour codes and control characters."""

    game: str | None
    name: str
    map: str
    connect: Address
    """What the game is told."""
    players: int | None
    """Humans that play."""
    bots: int | None
    spectators: int | None
    max_players: int | None
    reserved: int | None = None
    joinable: bool | None = None
    """False where the server itself says that nobody can join to play (Xonotic's `S0`)."""
    mode: str | None = None
    mode_name: str | None = None
    version: str | None = None
    password: bool | None = None
    performance: float | None = None
    """Historical performance score, -99…100."""
    quality: float | None = None
    """How far the performance score can be trusted, 0…100."""
    server_skill: float | None = None
    rookie_only: bool | None = None
    ranked: bool | None = None
    quick_play: bool | None = None
    """False where the server wants no players whom a program chose it for (NS2's `ignore_playnow`)."""
    stable_key: str | None = None
    """A name that survives an address change (DarkPlaces' blind id fingerprint, Steam's server id)."""
    tags: tuple[str, ...] = ()
    coloured_name: str = ""
    """The name as sent, for `coloured_text`."""
    player_list: tuple[PlayerInfo, ...] | None = None
    """None where the server did not tell or was not asked."""
    rules: Mapping[str, str] | None = None

    @property
    def is_full(self) -> bool | None:
        """True if no usable slot is free or nobody can join; None where the numbers are unknown."""
        if self.joinable is False:
            return True
        if self.players is None or self.max_players is None:
            return None
        return self.players >= self.max_players - (self.reserved or 0)


@dataclass(slots=True)
class QueryResult:
    """The end of one query to one server, whatever it was."""

    target: QueryTarget
    status: QueryStatus
    info: ServerInfo | None
    """Set exactly when `status` is OK."""
    error: str | None
    ping_ms: float | None
    """First round trip of the attempt that was answered."""
    ping_estimated: bool
    """It could not be proved which attempt was answered."""
    attempts: int
    """Sends of the first request."""
    received_at: float
    """Unix time, s, of the answer or of giving up."""
    ping_measured_under_load: bool = False
    """It was measured while this machine was busy, where nothing stamps arrivals: the ping is this at most."""


@dataclass(slots=True)
class SavedServer:
    """A server as remembered from one run of the program to the next."""

    target: QueryTarget
    info: ServerInfo
    ping_ms: float | None
    last_answer: float
    """Unix time, s."""
