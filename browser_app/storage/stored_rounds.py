"""Kept rounds read back, as fast as they can be: from the database to a record in one go."""

import sqlite3
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.progress import Progress, untold
from browser_app.rating.record import Record
from browser_app.rating.record_builder import RecordBuilder
from browser_app.rounds.reading import collector_paused
from browser_app.rounds.round_file import decode_row

if TYPE_CHECKING:
    from browser_app.rating.match import Match

_TOLD = 256  # rounds between two words about progress


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

    def united(self, me: Sequence[str]) -> "StoredRounds":
        """With my further ids read as the first, except in a round that has several of them."""
        return replace(self, record=_united(self.record, me)) if len(me) > 1 else self


def stored_rounds(connection: sqlite3.Connection, game: str, progress: Progress = untold) -> StoredRounds:
    """The rounds of a game; `progress` is told how many were read, of all.

    Raises:
        sqlite3.Error: they cannot be read.
    """
    builder, servers, approximate = RecordBuilder(), list[str | None](), list[bool]()
    (total,) = connection.execute("SELECT count(*) FROM rounds WHERE game = ? AND better IS NULL", (game,)).fetchone()
    with collector_paused():
        query = """SELECT object, server, approximate, started FROM rounds
            WHERE game = ? AND better IS NULL ORDER BY number"""
        for blob, server, is_approximate, started in connection.execute(query, (game,)):
            if len(servers) % _TOLD == 0:
                progress(len(servers), total)
            row = decode_row(zlib.decompress(blob))
            if started is not None:  # another telling may know it better
                row.started = started
            builder.add(cast("Match", row))  # the same fields
            servers.append(server)
            approximate.append(is_approximate)
        record = builder.build()
    return StoredRounds(
        record,
        tuple([servers[given] for given in record.given.tolist()]),
        np.array(approximate, np.bool_)[record.given],
    )


def _united(record: Record, me: Sequence[str]) -> Record:
    ids = record.player_ids if me[0] in record.player_ids else (*record.player_ids, me[0])
    names = record.player_names + (None,) * (len(ids) - len(record.player_names))
    mine = set(me)
    rows = np.flatnonzero(np.isin(record.player, [index for index, name in enumerate(ids) if name in mine]))
    rounds = record.round_of_appearance[rows]
    alone = np.bincount(rounds, minlength=len(record))[rounds] == 1
    player = record.player.copy()
    player[rows[alone]] = ids.index(me[0])
    return replace(record, player_ids=ids, player_names=names, player=player)
