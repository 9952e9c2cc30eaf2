"""Replies of servers on the Cube engines.

Formats as in the servers' sources: Sauerbraten and Tesseract (`serverinforeply`, `extinfo.h`), Red Eclipse
(`queryreply`), AssaultCube (`serverms.cpp`). Each game has its own order of values.
"""

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.cube2.cube_data import CubeReader
from browser_app.protocols.query_session import PacketError

MAX_CLIENTS: Final = 128
"""MAXCLIENTS of the engines; bots have higher numbers."""
_MAX_ATTRIBUTES = 64
_RED_ECLIPSE_VERSION = slice(8, 11)
_PASSWORD_FLAG = 1
_BANNED_FLAG = 2
_MASTER_MODE_SHIFT = 6
_SPECTATOR_STATE = 5


class MasterMode(enum.IntEnum):
    """Who may join a server."""

    AUTH = -1
    """Anybody may join; only registered players can become masters."""
    OPEN = 0
    VETO = 1
    LOCKED = 2
    """New clients can only watch."""
    PRIVATE = 3
    """New clients are refused."""
    PASSWORD = 4


_ASSAULT_CUBE_MODES = (MasterMode.OPEN, MasterMode.PRIVATE, MasterMode.LOCKED, MasterMode.LOCKED)
"""By the number in its flags: open, private, match; the fourth is unused."""


@dataclass(slots=True)
class Cube2Player:
    """One client of Sauerbraten's extended reply."""

    number: int
    name: str
    team: str
    frags: int
    ping_ms: int
    is_spectator: bool

    @property
    def is_bot(self) -> bool:
        """Whether the number is that of a bot."""
        return self.number >= MAX_CLIENTS


@dataclass(slots=True)
class Cube2Reply:
    """Reply to an info request. Texts are as sent, with colour codes."""

    clients: int
    """Connected humans, who may be watching."""
    max_clients: int
    protocol: int
    mode: int
    seconds_left: int | None
    """None without a time limit, and when the game is over."""
    master_mode: int
    map: str
    """Empty before the first player."""
    name: str
    version: str = ""
    """Empty where only `protocol` shows it."""
    mutators: int = 0
    """Red Eclipse: changes of the mode, one bit each."""
    is_banned: bool = False
    """AssaultCube: the server has banned us."""
    includes_spectator_slots: bool = False
    """Red Eclipse: `max_clients` is the sum of the slots for playing and of those only for watching.

    Nothing in the reply divides them (`maxslots` in its source): there are as many of each unless the operator sets
    `serverspectators`.
    """
    names: tuple[str, ...] | None = None
    """Names of the clients; None if the reply has none."""
    player_list: tuple[Cube2Player, ...] | None = None
    """Sauerbraten: all clients, once its extended replies have arrived."""


def parse_sauerbraten(reader: CubeReader) -> Cube2Reply:
    """Parse Sauerbraten's reply after the echoed request."""
    clients = _read_count(reader)
    attributes = _read_attributes(reader, at_least=5)
    protocol, mode, seconds_left, max_clients, master_mode, *_paused_and_speed = attributes
    map_name, name = reader.read_text(), reader.read_text()
    return Cube2Reply(clients, max_clients, protocol, mode, _parse_time_left(seconds_left), master_mode, map_name, name)


def parse_tesseract(reader: CubeReader) -> Cube2Reply:
    """Parse Tesseract's reply after the echoed request."""
    protocol, clients, max_clients = reader.read_int(), _read_count(reader), _read_count(reader)
    mode, seconds_left, master_mode, *_paused_and_speed = _read_attributes(reader, at_least=3)
    map_name, name = reader.read_text(), reader.read_text()
    return Cube2Reply(clients, max_clients, protocol, mode, _parse_time_left(seconds_left), master_mode, map_name, name)


def parse_red_eclipse(reader: CubeReader) -> Cube2Reply:
    """Parse Red Eclipse's reply after the echoed request; names of players follow it."""
    clients = _read_count(reader)
    attributes = _read_attributes(reader, at_least=6)
    protocol, mode, mutators, seconds_left, max_clients, master_mode = attributes[:6]
    version = ".".join(map(str, attributes[_RED_ECLIPSE_VERSION]))
    map_name, name = reader.read_text(), reader.read_text()
    if not reader.is_at_end:
        reader.read_text()  # the branch of the program
    return Cube2Reply(
        clients,
        max_clients,
        protocol,
        mode,
        _parse_time_left(seconds_left),
        master_mode,
        map_name,
        name,
        version,
        mutators,
        includes_spectator_slots=True,
        names=tuple(_read_names(reader, clients)),
    )


def parse_assault_cube(reader: CubeReader) -> Cube2Reply:
    """Parse AssaultCube's reply after the echoed request; names of players follow it."""
    protocol, mode, clients, minutes_left = reader.read_int(), reader.read_int(), _read_count(reader), reader.read_int()
    map_name, name, max_clients = reader.read_text(), reader.read_text(), _read_count(reader)
    flags = 0 if reader.is_at_end else reader.read_int()
    has_names = not reader.is_at_end and reader.read_int() == 1
    master_mode = _ASSAULT_CUBE_MODES[flags >> _MASTER_MODE_SHIFT & 3]
    return Cube2Reply(
        clients,
        max_clients,
        protocol,
        mode,
        _parse_time_left(minutes_left * 60),
        MasterMode.PASSWORD if flags & _PASSWORD_FLAG else master_mode,
        map_name,
        name,
        is_banned=bool(flags & _BANNED_FLAG),
        names=tuple(_read_names(reader, clients)) if has_names else None,
    )


def _read_count(reader: CubeReader) -> int:
    count = reader.read_int()
    if not 0 <= count <= 0xFFFF:
        raise PacketError("invalid number")
    return count


def _parse_time_left(seconds: int) -> int | None:
    """Return the time left; None for 0, which is no limit or a game that is over."""
    return seconds if seconds > 0 else None


def _read_attributes(reader: CubeReader, *, at_least: int) -> list[int]:
    count = reader.read_int()
    if not at_least <= count <= _MAX_ATTRIBUTES:
        raise PacketError("not this protocol")
    return [reader.read_int() for _number in range(count)]


def _read_names(reader: CubeReader, count: int) -> Iterator[str]:
    for _number in range(min(count, MAX_CLIENTS)):
        if reader.is_at_end:
            return
        yield reader.read_text()


def parse_cube2_player(reader: CubeReader) -> Cube2Player:
    """Parse a player of Sauerbraten's extended reply, after its kind."""
    number, ping_ms, name, team = reader.read_int(), reader.read_int(), reader.read_text(), reader.read_text()
    frags = reader.read_int()
    *_flags_deaths_and_so_on, state = (reader.read_int() for _number in range(9))
    return Cube2Player(number, name, team, frags, ping_ms, state == _SPECTATOR_STATE)
