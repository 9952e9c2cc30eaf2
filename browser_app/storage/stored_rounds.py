"""Kept rounds read back, as fast as they can be: from the database to a record in one go."""

import sqlite3
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.match import Match
from browser_app.rating.record import Record
from browser_app.rating.record_builder import RecordBuilder
from browser_app.rounds.reading import collector_paused
from browser_app.rounds.round_file import decode


@dataclass(frozen=True)
class StoredRounds:
    """The kept rounds of a game.

    Attributes:
        record: in the order of their start, equal ones as they came.
        servers: where each was played, None where nobody told.
        approximate: whether only the lengths of stays are known of it, not when they were.
    """

    record: Record
    servers: tuple[str | None, ...]
    approximate: NDArray[np.bool_]


def stored_rounds(connection: sqlite3.Connection, game: str, me: Sequence[str] = ()) -> StoredRounds:
    """The rounds of a game; further ids of mine are read as the first one, except in a round that has several of them.

    Raises:
        sqlite3.Error: they cannot be read.
    """
    first, further = (me[0], frozenset(me[1:])) if me else ("", frozenset[str]())
    mine = further | {first}
    builder, servers, approximate = RecordBuilder(), list[str | None](), list[bool]()
    with collector_paused():
        query = "SELECT object, server, approximate FROM rounds WHERE game = ? ORDER BY number"
        for blob, server, is_approximate in connection.execute(query, (game,)):
            match = decode(zlib.decompress(blob))
            if further:
                _unite(match, first, mine)
            builder.add(match)
            servers.append(server)
            approximate.append(is_approximate)
        record = builder.build()
    return StoredRounds(
        record,
        tuple([servers[given] for given in record.given.tolist()]),
        np.array(approximate, np.bool_)[record.given],
    )


def _unite(match: Match, first: str, mine: frozenset[str]) -> None:
    """Players fresh from the decoder are nobody else's: one of them may be changed."""
    here = [player for player in match.players if player.id in mine]
    if len(here) == 1:
        here[0].id = first  # type: ignore[misc]  # the reader's own players can be written
