"""Columns of a record in the making: names become indices, what is unknown becomes NaN or -1."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record import Floats, Ints, Offsets, Spells

Bytes = NDArray[np.int8]
Scalar = TypeVar("Scalar", bound=np.generic)


class Names(dict[str, int]):
    """Distinct names and their indices, in the order of their first appearance."""

    def __missing__(self, name: str) -> int:
        index = self[name] = len(self)
        return index

    def indices(self, names: Sequence[str]) -> Ints:
        """Index of each, the new ones added."""
        return np.fromiter(map(self.__getitem__, names), np.int32, len(names))

    def optional(self, names: Sequence[str | None]) -> Ints:
        """Like ``indices``, -1 for none (None or empty)."""
        return np.array([self[name] if name else -1 for name in names], np.int32)


class Dictionaries:
    """All names of a record; ``names`` is what players are called, by their index."""

    def __init__(self) -> None:
        self.players, self.teams, self.races = Names(), Names(), Names()
        self.games, self.maps, self.modes = Names(), Names(), Names()
        self.names: dict[int, str] = {}

    def renumbering(self, others: "Dictionaries", kind: str) -> Ints:
        """For each index into others' names the one here, those not known added; none (-1) stays none."""
        here, theirs = getattr(self, kind), getattr(others, kind)
        return np.array([*map(here.__getitem__, theirs), -1], np.int32)


class Growing:
    """A column that grows in place. Until a part tells something, only the value of "unknown" is kept."""

    def __init__(self) -> None:
        self._dtype: np.dtype[Any] | None = None
        self._bytes = bytearray()
        self._rows = 0
        self._unknown: Any = None

    def extend(self, part: NDArray[Any]) -> None:
        """Put some rows behind the others, all of one type; at first there may be none, for the type alone."""
        self._dtype = part.dtype
        if not len(part):
            return
        if not self._bytes and part.strides == (0,):
            self._unknown = part[0]
        else:
            if not self._bytes and self._rows:
                self._bytes += np.full(self._rows, self._unknown).tobytes()
            self._bytes += part.tobytes()
        self._rows += len(part)

    def array(self) -> NDArray[Any]:
        """All rows; it grows no more."""
        if self._rows and not self._bytes:
            return np.broadcast_to(self._unknown, self._rows)
        return np.frombuffer(self._bytes, self._dtype)


class Chunk(NamedTuple):
    """The columns of a record (see there) for some rounds; rows count from the chunk's first.

    Columns nobody tells anything of have stride 0: they take no room.
    """

    game: Ints
    map: Ints
    mode: Ints
    started: Floats
    duration: Floats
    team_count: Ints
    team_name: Ints
    team_race: Ints
    team_rank: Ints
    appearance_count: Ints
    player: Ints
    kills: Floats
    deaths: Floats
    score: Floats
    ping: Floats
    squad: Ints
    quit: Bytes
    ranked: Bytes
    stays: Spells
    chairs: Spells


def lengths(lists: Sequence[Sequence[object]]) -> Ints:
    """How long each list is."""
    return np.fromiter(map(len, lists), np.int32, len(lists))


def starts(count: Ints) -> Offsets:
    """Where each of some groups begins, and at last where all end."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(count, dtype=np.int64)])


def floats(values: Sequence[float | None]) -> Floats:
    """A column of numbers, NaN for None (numpy reads None so)."""
    return or_none(values, NO_NUMBER, lambda known: np.array(known, np.float64))


def flags(values: Sequence[bool | None]) -> Bytes:
    """A column of yes (1), no (0) and unknown (-1)."""
    return or_none(values, NO_FLAG, lambda known: np.array([-1 if flag is None else flag for flag in known], np.int8))


def or_none(
    values: Sequence[Any], unknown: NDArray[Scalar], convert: Callable[[Sequence[Any]], NDArray[Scalar]]
) -> NDArray[Scalar]:
    """The column; where all is None, some of ``unknown``, which takes no room."""
    if (not values or values[0] is None) and values.count(None) == len(values):
        return unknown[: len(values)]
    return convert(values)


def _throughout(value: Scalar) -> NDArray[Scalar]:
    """One value for more rows than there can be (stride 0)."""
    return np.broadcast_to(value, np.iinfo(np.int32).max)


NO_NUMBER, NO_INDEX, NO_FLAG = _throughout(np.float64(np.nan)), _throughout(np.int32(-1)), _throughout(np.int8(-1))
NO_COUNT = _throughout(np.int32(0))
