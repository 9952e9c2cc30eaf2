"""The lobby of Warzone 2100, which describes games that wait for players.

Formats as in `lib/netplay/netplay.h` (`GAMESTRUCT`) and `netplay.cpp` (`NETenumerateGames`) of the game's versions 4.0
to 4.6 (github.com/Warzone2100/warzone2100). Hosts announce themselves by the same structure. Numbers are big-endian.
"""

import struct
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from browser_app.protocols.field_reader import decode_text
from browser_app.protocols.master_lists.described_list import DescribedListError

LOBBY_REQUEST: Final = b"list\0"
GAME: Final = struct.Struct("!I64s8x40sII4I40s40s157sH40s40s64s255s9I")
"""`GAMESTRUCT`, without size and flags."""
STRUCTURE_VERSION: Final = 4
FIRST_LIST_IS_SHORT: Final = 1
"""Parameter of a lobby that sends all games in its second list, and some of them in the first for old versions."""
MAX_GAMES: Final = 5000
_MAX_MESSAGE_BYTES = 64 << 10
_NUMBER_BYTES = 4


class WarzoneGame(NamedTuple):
    """One game."""

    name: str
    host: str
    """IP address of the computer that hosts it."""
    port: int
    max_players: int
    players: int
    """Humans that play, without those who watch."""
    spectators: int
    map: str
    host_player: str
    version: str
    mods: str
    has_password: bool


def parse_warzone_list(chunks: Iterable[bytes]) -> Iterator[WarzoneGame | None]:
    """Parse the lobby's reply; data behind it is not waited for.

    Yields:
        Each game; None for a structure of another version.

    Raises:
        DescribedListError: it is no such reply, or incomplete.
    """
    stream = _Stream(chunks)
    first = list(_iterate_games(stream))
    stream.read_number()  # a status
    message_bytes = stream.read_number()
    if message_bytes > _MAX_MESSAGE_BYTES:
        raise DescribedListError("not a list")
    stream.read(message_bytes)
    if not stream.has(_NUMBER_BYTES):  # an old lobby has one list
        yield from first
        return
    if not stream.read_number() & FIRST_LIST_IS_SHORT:
        yield from first
        if not stream.has(_NUMBER_BYTES):
            return
    yield from _iterate_games(stream)


class _Stream:
    """Reader of a reply that arrives in parts."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._data, self._position = b"", 0

    def has(self, size: int) -> bool:
        """Wait for `size` bytes; return whether they have arrived."""
        while len(self._data) - self._position < size:
            chunk = next(self._chunks, None)
            if chunk is None:
                return False
            self._data, self._position = self._data[self._position :] + chunk, 0
        return True

    def read(self, size: int) -> bytes:
        """Return the next bytes; raise DescribedListError if there are fewer."""
        if not self.has(size):
            raise DescribedListError("incomplete list")
        start = self._position
        self._position += size
        return self._data[start : self._position]

    def read_number(self) -> int:
        """Return the next number."""
        return int.from_bytes(self.read(_NUMBER_BYTES), "big")


def _iterate_games(stream: _Stream) -> Iterator[WarzoneGame | None]:
    count = stream.read_number()
    if count > MAX_GAMES:
        raise DescribedListError("not a list")
    for _number in range(count):
        yield _parse_game(stream.read(GAME.size))


def _parse_game(data: bytes) -> WarzoneGame | None:
    (
        structure, name, host, max_players, players, _type, spectators, _blind, _unused, _host2, _host3, _extra, port,
        map_name, host_player, version, mods, _major, _minor, has_password, *_rest,
    ) = GAME.unpack(data)  # fmt: skip
    if structure != STRUCTURE_VERSION:
        return None
    return WarzoneGame(
        _text(name), _text(host), port, max_players, players, spectators >> 16, _text(map_name), _text(host_player),
        _text(version), _text(mods), bool(has_password),
    )  # fmt: skip


def _text(field: bytes) -> str:
    return decode_text(field.partition(b"\0")[0])
