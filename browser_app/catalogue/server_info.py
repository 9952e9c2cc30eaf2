"""Data types for servers, players and query results, shared by all protocols.

Treat all of them as immutable; threads share them. They are not frozen dataclasses because thousands are made in one
scan and freezing makes that several times slower.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from browser_app.games.game_files import GameFiles
from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.server_code import is_code_address

MAX_STABLE_KEY_LENGTH = 64


def is_stable_key(text: str) -> bool:
    """Return whether a text can be a server's stable key.

    It is printable ASCII without spaces, of bounded length.
    """
    return 0 < len(text) <= MAX_STABLE_KEY_LENGTH and all("!" <= char <= "~" for char in text)


class QueryTarget(NamedTuple):
    """A server to query.

    `game` is the id of its profile, None if only the reply can show it.
    """

    address: Address
    protocol: str
    game: str | None
    game_port: int | None = None
    """Port to join, from the master's list, for servers that do not report it themselves."""
    steam_players: int | None = None
    """Players that Steam knows of, as of its list."""
    host_name: str = ""
    """Name that `address` was looked up from; empty if an IP address was given."""
    code_page: str = ""
    """Code page of its texts, set while a reply is read; empty if the user has named none."""

    @property
    def is_queryable(self) -> bool:
        """Whether the server is ever queried, not only described by lists."""
        protocol = QUERY_PROTOCOLS.get(self.protocol)
        return not (protocol is not None and protocol.is_listed_only) and not is_code_address(self.address)

    @property
    def named_address(self) -> Address:
        """The address with its host name, if there is one."""
        return Address(self.host_name or self.address.host, self.address.port)


class QueryStatus(enum.IntEnum):
    """Outcome of the last query to a server."""

    NEVER_QUERIED = 0
    OK = 1
    NO_ANSWER = 2
    MALFORMED = 3
    LISTED = 4
    """Not queried yet; a list describes it."""

    @property
    def text(self) -> str | None:
        """The command line's word for the outcome."""
        return (None, "ok", "no answer", "malformed", "listed")[self]


@dataclass(slots=True)
class PlayerInfo:
    """One human or bot on a server. `name` is plain text."""

    name: str
    score: float | None
    duration_s: float | None
    """As reported; some servers send impossible times below 0."""
    ping_ms: float | None
    team: int | None
    bot: bool | None
    spectator: bool | None = None

    @property
    def time_on_server_s(self) -> float | None:
        """Time on the server; None if unknown or impossible."""
        return None if self.duration_s is None or self.duration_s < 0 else self.duration_s


class ServerIdentity(NamedTuple):
    """Values by which the server at a query address is recognised as the same one."""

    game: str | None
    stable_key: str | None
    connect: Address


@dataclass(slots=True)
class ServerInfo:
    """One server's reply.

    None is unknown everywhere; texts are plain, without colour codes and control characters.
    """

    game: str | None
    name: str
    map: str
    """Empty where the server names none."""
    connect: Address
    """Address that the game connects to."""
    players: int | None
    """Humans playing; neither bots nor spectators."""
    bots: int | None
    spectators: int | None
    max_players: int | None
    reserved: int | None = None
    joinable: bool | None = None
    """False if the server itself reports that nobody can join to play (Xonotic's `S0`), as where it is `closed`."""
    closed: bool | None = None
    """True if nobody can join although slots are free: the game has begun, or the server is locked or a proxy."""
    mode: str | None = None
    mode_name: str | None = None
    version: str | None = None
    password: bool | None = None
    performance: float | None = None
    """Historical performance score, −99…100."""
    quality: float | None = None
    """Reliability of `performance`, 0…100."""
    server_skill: float | None = None
    rookie_only: bool | None = None
    quick_play: bool | None = None
    """False if the server asks not to be chosen automatically (NS2's `ignore_playnow`)."""
    stable_key: str | None = None
    """An identifier that survives an address change (DarkPlaces' blind id fingerprint, Steam's server id)."""
    tags: tuple[str, ...] = ()
    language: str | None = None
    """Codes of the languages that the server names, such as `en,ru`; see `languages.language_codes`."""
    coloured_name: str = ""
    """The name as sent, with colour codes; empty if equal to `name`."""
    player_list: tuple[PlayerInfo, ...] | None = None
    """None if the server did not send it or it was not requested."""
    rules: Mapping[str, str] | None = None
    game_files: GameFiles | None = None
    """None if the game needs none, or they are unknown."""
    is_ping_only: bool = False
    """The reply only shows that the server is up; it withheld the rest this time."""

    def __post_init__(self) -> None:
        if self.closed:
            self.joinable = False

    @property
    def identity(self) -> ServerIdentity:
        """What should stay the same for as long as the server does."""
        return ServerIdentity(self.game, self.stable_key, self.connect)

    @property
    def is_empty(self) -> bool:
        """True if the server reports that nobody is there, not even bots or spectators."""
        return self.players == 0 and not self.bots and not self.spectators

    @property
    def usable_slots(self) -> int | None:
        """`max_players` less the reserved slots."""
        return None if self.max_players is None else self.max_players - (self.reserved or 0)


class DescribedServer(NamedTuple):
    """A server as a master describes it, not from its own reply."""

    target: QueryTarget
    info: ServerInfo


@dataclass(slots=True)
class QueryResult:
    """Result of one query to one server, successful or not."""

    target: QueryTarget
    status: QueryStatus
    info: ServerInfo | None
    """Set exactly when `status` is OK."""
    error: str | None
    ping_ms: float | None
    """First round trip of the attempt that was answered."""
    ping_estimated: bool
    """It is unknown which attempt was answered."""
    attempts: int
    """Number of times the first request was sent."""
    received_at: float
    """Unix time, s, of the reply or of giving up."""
    ping_measured_under_load: bool = False
    """Measured while this machine was busy, without kernel time stamps: the true ping is at most this."""
    own_port: bool = False
    """Received on a port that no other server knew; see `Scanner.scan`."""


@dataclass(slots=True)
class SavedServer:
    """A server as saved between runs of the program."""

    target: QueryTarget
    info: ServerInfo
    ping_ms: float | None
    last_answer: float
    """Unix time, s."""
    sources: tuple[int, ...] = ()
    """Ids of the sources that listed it; see `source_listings.source_id`."""
