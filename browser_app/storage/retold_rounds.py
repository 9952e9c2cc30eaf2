"""Rounds that several files tell differently: all tellings are kept, the one that tells most is read.

A row whose `better` is the number of another one is a telling of the same round that is not read; its id is its content
id then, so that the one that is read can have the id that both tell. That one has the date and the server of the others
where it lacks them; its object stays what it told itself.
"""

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from browser_app.rounds.same_round import GAINS, START_S, SURE_LENGTH_S, Telling, is_same, telling_of
from browser_app.storage.packed_rounds import Row, free_id, packed, put, unpacked

_MOST = 64
"""With so many rounds one that comes is compared; where more come into question, nothing can be said."""

_CANDIDATES = f"""
    SELECT number, content, server FROM rounds WHERE better IS NULL AND number IN (
        SELECT number FROM rounds WHERE id = :id
        UNION SELECT number FROM rounds
            WHERE game = :game AND started BETWEEN :started - {START_S} AND :started + {START_S}
        UNION SELECT number FROM rounds
            WHERE undated = :dated AND game = :game AND map = :map
            AND duration BETWEEN :duration - {SURE_LENGTH_S} AND :duration + {SURE_LENGTH_S})
    LIMIT {_MOST + 1}"""  # noqa: S608 (our own numbers)


class RetoldRounds:
    """Finds what a file tells anew of known rounds, while it is taken in.

    What one file tells under several ids are several rounds. So a round is not looked for among those that its file
    tells, unless one of two tellings names nobody.
    """

    def __init__(self, connection: sqlite3.Connection, told: Collection[bytes]) -> None:
        """`told`: content ids of all rounds of the file."""
        self._connection, self._told = connection, told
        _fill_in(connection)

    def twin_of(self, row: Row) -> int | None:
        """The number of the one round that this, which is not in the table, is another telling of."""
        values = {
            "id": row.id,
            "game": row.game,
            "map": row.map,
            "started": row.started,
            "duration": row.duration,
            "dated": not row.undated,
        }
        candidates = self._connection.execute(_CANDIDATES, values).fetchall()
        if len(candidates) > _MOST:
            return None
        others = [
            number
            for number, content, server in candidates
            if content not in self._told or (server is not None and server == row.server)
        ]
        if not others:
            return None
        telling = telling_of(unpacked(row.object))
        found = [number for number in others if self._is_told(number, telling)]
        return found[0] if len(found) == 1 else None

    def add(self, row: Row, twin: int) -> frozenset[str]:
        """Put it in as a telling of that round; what is known of the round now and was not: some of `GAINS`."""
        before = _known(_members(self._connection, twin))
        put(self._connection, row._replace(id=row.content.hex()), twin)
        members = _members(self._connection, twin)
        _settle(self._connection, members)
        return _known(members) - before

    def _is_told(self, number: int, telling: Telling) -> bool:
        """Whether this is a telling of that round."""
        query = "SELECT content, object, started, server, undated FROM rounds WHERE number = ?"
        content, blob, started, server, undated = self._connection.execute(query, (number,)).fetchone()
        own = telling_of(unpacked(blob))
        known = own._replace(match=replace(own.match, started=started), server=server, undated=bool(undated))
        several = content in self._told and known.match.players and telling.match.players
        return not several and is_same(telling, known)


def forget_file(connection: sqlite3.Connection, name: str) -> None:
    """Remove a file, and the tellings that no other file has; rounds that others tell stay."""
    found = connection.execute("SELECT number FROM round_files WHERE file = ?", (name,)).fetchone()
    if found is None:
        return
    (file,) = found
    gone = """number IN (SELECT round FROM rounds_of_files WHERE file = :file)
        AND NOT EXISTS (SELECT 1 FROM rounds_of_files WHERE round = number AND file != :file)"""
    leaders = connection.execute(
        f"""SELECT DISTINCT coalesce(better, number) AS leader FROM rounds WHERE {gone}
        AND (better IS NOT NULL OR number IN (SELECT better FROM rounds))""",  # noqa: S608 (our own text)
        {"file": file},
    ).fetchall()
    connection.execute(f"DELETE FROM rounds WHERE {gone}", {"file": file})  # noqa: S608
    connection.execute("DELETE FROM rounds_of_files WHERE file = ?", (file,))
    connection.execute("DELETE FROM round_files WHERE number = ?", (file,))
    for (leader,) in leaders:
        _settle(connection, _members(connection, leader))


class _Member(NamedTuple):
    """One telling of a round, as its file has it."""

    number: int
    content: bytes
    id: str
    told_id: str
    telling: Telling


def _members(connection: sqlite3.Connection, leader: int) -> list[_Member]:
    """All tellings of a round, the first first."""
    query = "SELECT number, content, id, object FROM rounds WHERE number = :leader OR better = :leader ORDER BY number"
    found = []
    for number, content, name, blob in connection.execute(query, {"leader": leader}).fetchall():
        told = unpacked(blob)
        found.append(_Member(number, content, name, str(told["id"]), telling_of(told)))
    return found


def _best(members: Sequence[_Member]) -> _Member:
    """The one that tells most; the first of those that tell as much."""
    return max(members, key=lambda each: each.telling.worth)


def _known(members: Sequence[_Member]) -> frozenset[str]:
    """What is known of a round: by the telling that is read, and its date by any."""
    worth = (*_best(members).telling.worth[:-1], any(not each.telling.undated for each in members))
    return frozenset(name for name, known in zip(GAINS, worth, strict=True) if known)


def _settle(connection: sqlite3.Connection, members: Sequence[_Member]) -> None:
    """Have the best telling read, and no other."""
    if not members:
        return
    best = _best(members)
    for each in members:
        if each is not best:
            own = each.telling
            hidden = each.content.hex(), best.number, own.server, own.match.started, own.undated, each.number
            connection.execute(
                "UPDATE rounds SET id = ?, better = ?, server = ?, started = ?, undated = ? WHERE number = ?", hidden
            )
    ordered = sorted(members, key=lambda each: each is not best)
    dates = (each.telling for each in ordered if not each.telling.undated and each.telling.match.started is not None)
    dated = next(dates, best.telling)
    server = next((each.telling.server for each in ordered if each.telling.server), None)
    shown = server, dated.match.started, dated.undated, best.number
    connection.execute("UPDATE rounds SET better = NULL, server = ?, started = ?, undated = ? WHERE number = ?", shown)
    if best.id == best.content.hex():
        _name(connection, best)


def _name(connection: sqlite3.Connection, member: _Member) -> None:
    """Give a row that was not read the id that it tells, or one like it."""
    name = free_id(connection, member.told_id, member.content)
    connection.execute("UPDATE rounds SET id = ? WHERE number = ?", (name, member.number))
    if name != member.told_id:
        query = "SELECT object FROM rounds WHERE number = ?"
        (blob,) = connection.execute(query, (member.number,)).fetchone()
        renamed = packed(unpacked(blob) | {"id": name}), member.number
        connection.execute("UPDATE rounds SET object = ? WHERE number = ?", renamed)


def _fill_in(connection: sqlite3.Connection) -> None:
    """What rounds are found by, for those that an older program has put in."""
    query = "SELECT number, object FROM rounds WHERE undated IS NULL"
    for number, blob in connection.execute(query).fetchall():
        told = telling_of(unpacked(blob))
        match = told.match
        values = match.map, match.started, match.duration, told.undated, number
        connection.execute("UPDATE rounds SET map = ?, started = ?, duration = ?, undated = ? WHERE number = ?", values)
