"""Writing rounds to the database, with several reports of one round united.

A row whose `better` is the number of another one is a telling of the same round that is not read; its id is its content
id then, so that the one that is read can have the id that both tell. That one has the date and the server of the others
where it lacks them; its object stays what it told itself.
"""

import sqlite3
import time
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from browser_app.rounds.round_identity import (
    MAX_START_DIFFERENCE_S,
    MAX_SURE_LENGTH_DIFFERENCE_S,
    REPORT_DETAILS,
    RoundReport,
    compute_content_id,
    is_same_round,
    report_from_object,
)


class StoredRoundRow(NamedTuple):
    """A round as the table has it; times in seconds, `started` since 1970."""

    content: bytes
    id: str
    game: str
    server: str | None
    approximate: bool
    object: bytes
    map: str
    started: float | None
    duration: float | None
    undated: bool


def insert_row(connection: sqlite3.Connection, row: StoredRoundRow, better_round: int | None = None) -> None:
    """Into the table; `better_round`: see `storage.retold_rounds`."""
    connection.execute(
        """INSERT INTO rounds
        (content, id, game, server, approximate, object, map, started, duration, undated, better)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (*row, better_round),
    )


def pack_object(round_object: dict[str, Any]) -> bytes:
    """Compressed."""
    return zlib.compress(msgspec.json.encode(round_object))


def unpack_object(blob: bytes) -> dict[str, Any]:
    """What `packed` was given."""
    return msgspec.json.decode(zlib.decompress(blob), type=dict[str, Any])


def unused_round_id(connection: sqlite3.Connection, preferred_id: str, content: bytes) -> str:
    """The id that a round tells of itself, or one like it where another round has that."""
    name = preferred_id
    while connection.execute("SELECT 1 FROM rounds WHERE id = ?", (name,)).fetchone() is not None:
        name = f"{name}#{content.hex()[:8]}"
    return name


_MAX_CANDIDATES = 64
"""With so many rounds one that comes is compared; where more come into question, nothing can be said."""

_CANDIDATES_SQL = f"""
    SELECT number, content, server FROM rounds WHERE better IS NULL AND number IN (
        SELECT number FROM rounds WHERE id = :id
        UNION SELECT number FROM rounds
            WHERE game = :game AND started BETWEEN :started - {MAX_START_DIFFERENCE_S} AND :started + {MAX_START_DIFFERENCE_S}
        UNION SELECT number FROM rounds
            WHERE undated = :dated AND game = :game AND map = :map
            AND duration BETWEEN :duration - {MAX_SURE_LENGTH_DIFFERENCE_S} AND :duration + {MAX_SURE_LENGTH_DIFFERENCE_S})
    LIMIT {_MAX_CANDIDATES + 1}"""  # noqa: S608 (our own numbers)


class DuplicateRounds:
    """Finds what a file tells anew of known rounds, while it is taken in.

    What one file tells under several ids are several rounds. So a round is not looked for among those that its file
    tells, unless one of two tellings names nobody.
    """

    def __init__(self, connection: sqlite3.Connection, file_contents: Collection[bytes]) -> None:
        """`file_contents`: content ids of all rounds of the file."""
        self._connection, self._file_contents = connection, file_contents
        _fill_missing_columns(connection)

    def find_duplicate(self, row: StoredRoundRow) -> int | None:
        """The number of the one round that this, which is not in the table, is another telling of."""
        values = {
            "id": row.id,
            "game": row.game,
            "map": row.map,
            "started": row.started,
            "duration": row.duration,
            "dated": not row.undated,
        }
        candidates = self._connection.execute(_CANDIDATES_SQL, values).fetchall()
        if len(candidates) > _MAX_CANDIDATES:
            return None
        others = [
            number
            for number, content, server in candidates
            if content not in self._file_contents or (server is not None and server == row.server)
        ]
        if not others:
            return None
        telling = report_from_object(unpack_object(row.object))
        found = [number for number in others if self._is_report_of(number, telling)]
        return found[0] if len(found) == 1 else None

    def add_report(self, row: StoredRoundRow, round_number: int) -> frozenset[str]:
        """Put it in as a telling of that round; what is known of the round now and was not: some of
        `REPORT_DETAILS`.
        """
        before = _known_details(_load_reports(self._connection, round_number))
        insert_row(self._connection, row._replace(id=row.content.hex()), round_number)
        members = _load_reports(self._connection, round_number)
        _select_best_report(self._connection, members)
        return _known_details(members) - before

    def _is_report_of(self, number: int, report: RoundReport) -> bool:
        """Whether this is a telling of that round."""
        query = "SELECT content, object, started, server, undated FROM rounds WHERE number = ?"
        content, blob, started, server, undated = self._connection.execute(query, (number,)).fetchone()
        own = report_from_object(unpack_object(blob))
        known = own._replace(round=replace(own.round, started=started), server=server, is_undated=bool(undated))
        several = content in self._file_contents and known.round.players and report.round.players
        return not several and is_same_round(report, known)


def remove_round_file(connection: sqlite3.Connection, name: str) -> None:
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
        _select_best_report(connection, _load_reports(connection, leader))


class _StoredReport(NamedTuple):
    """One telling of a round, as its file has it."""

    number: int
    content: bytes
    id: str
    original_id: str
    report: RoundReport


def _load_reports(connection: sqlite3.Connection, best_number: int) -> list[_StoredReport]:
    """All tellings of a round, the first first."""
    query = "SELECT number, content, id, object FROM rounds WHERE number = :leader OR better = :leader ORDER BY number"
    found = []
    for number, content, name, blob in connection.execute(query, {"leader": best_number}).fetchall():
        told = unpack_object(blob)
        found.append(_StoredReport(number, content, name, str(told["id"]), report_from_object(told)))
    return found


def _most_complete(reports: Sequence[_StoredReport]) -> _StoredReport:
    """The one that tells most; the first of those that tell as much."""
    return max(reports, key=lambda each: each.report.completeness)


def _known_details(reports: Sequence[_StoredReport]) -> frozenset[str]:
    """What is known of a round: by the telling that is read, and its date by any."""
    worth = (*_most_complete(reports).report.completeness[:-1], any(not each.report.is_undated for each in reports))
    return frozenset(name for name, known in zip(REPORT_DETAILS, worth, strict=True) if known)


def _select_best_report(connection: sqlite3.Connection, reports: Sequence[_StoredReport]) -> None:
    """Have the best telling read, and no other."""
    if not reports:
        return
    best = _most_complete(reports)
    for each in reports:
        if each is not best:
            own = each.report
            hidden = each.content.hex(), best.number, own.server, own.round.started, own.is_undated, each.number
            connection.execute(
                "UPDATE rounds SET id = ?, better = ?, server = ?, started = ?, undated = ? WHERE number = ?", hidden
            )
    ordered = sorted(reports, key=lambda each: each is not best)
    dates = (each.report for each in ordered if not each.report.is_undated and each.report.round.started is not None)
    dated = next(dates, best.report)
    server = next((each.report.server for each in ordered if each.report.server), None)
    shown = server, dated.round.started, dated.is_undated, best.number
    connection.execute("UPDATE rounds SET better = NULL, server = ?, started = ?, undated = ? WHERE number = ?", shown)
    if best.id == best.content.hex():
        _restore_id(connection, best)


def _restore_id(connection: sqlite3.Connection, report: _StoredReport) -> None:
    """Give a row that was not read the id that it tells, or one like it."""
    name = unused_round_id(connection, report.original_id, report.content)
    connection.execute("UPDATE rounds SET id = ? WHERE number = ?", (name, report.number))
    if name != report.original_id:
        query = "SELECT object FROM rounds WHERE number = ?"
        (blob,) = connection.execute(query, (report.number,)).fetchone()
        renamed = pack_object(unpack_object(blob) | {"id": name}), report.number
        connection.execute("UPDATE rounds SET object = ? WHERE number = ?", renamed)


def _fill_missing_columns(connection: sqlite3.Connection) -> None:
    """What rounds are found by, for those that an older program has put in."""
    query = "SELECT number, object FROM rounds WHERE undated IS NULL"
    for number, blob in connection.execute(query).fetchall():
        told = report_from_object(unpack_object(blob))
        match = told.round
        values = match.map, match.started, match.duration, told.is_undated, number
        connection.execute("UPDATE rounds SET map = ?, started = ?, duration = ?, undated = ? WHERE number = ?", values)


class RoundInsertCounts(NamedTuple):
    """What a file brought.

    Attributes:
        rounds: that it tells.
        new: those of them that were not known.
        richer: of those that were, how many are known better now.
        gains: with what of `rounds.same_round.REPORT_DETAILS`.
    """

    rounds: int
    new: int
    improved: int = 0
    new_details: frozenset[str] = frozenset()


def rows_from_objects(objects: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[StoredRoundRow]:
    """The rounds as the table has them; compressed, so that a large file takes no room to speak of meanwhile."""
    times: Counter[bytes] = Counter()
    for _line, each in objects:
        told = report_from_object(each)
        match = told.round
        content = compute_content_id(match, is_undated=told.is_undated)
        times[content] += 1
        if times[content] > 1:
            content = compute_content_id(match, is_undated=told.is_undated, repeat_number=times[content] - 1)
        yield StoredRoundRow(
            content,
            match.id,
            match.game,
            told.server,
            told.is_approximate,
            pack_object(each),
            match.map,
            match.started,
            match.duration,
            told.is_undated,
        )


def insert_rounds(
    connection: sqlite3.Connection,
    file: str,
    file_format: str,
    rows: Sequence[StoredRoundRow],
    *,
    replace_file: bool = False,
) -> RoundInsertCounts:
    """Put the rounds of a file in, but those that are there already; `replace_file`: what it told before goes."""
    if replace_file:
        remove_round_file(connection, file)
    connection.execute(
        """INSERT INTO round_files (file, format, read_at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET format = excluded.format, read_at = excluded.read_at""",
        (file, file_format, time.time()),
    )
    (file_number,) = connection.execute("SELECT number FROM round_files WHERE file = ?", (file,)).fetchone()
    retold = DuplicateRounds(connection, {row.content for row in rows})
    new, gained = 0, list[frozenset[str]]()
    for row in rows:
        if _is_stored(connection, row.content):
            continue
        twin = retold.find_duplicate(row)
        if twin is None:
            _insert_new_round(connection, row)
            new += 1
        else:
            gained.append(retold.add_report(row, twin))
    connection.executemany(
        "INSERT OR IGNORE INTO rounds_of_files SELECT number, ? FROM rounds WHERE content = ?",
        ((file_number, row.content) for row in rows),
    )
    return RoundInsertCounts(len(rows), new, sum(map(bool, gained)), frozenset().union(*gained))


def _insert_new_round(connection: sqlite3.Connection, row: StoredRoundRow) -> None:
    name = unused_round_id(connection, row.id, row.content)
    if name != row.id:
        row = row._replace(id=name, object=pack_object(unpack_object(row.object) | {"id": name}))
    insert_row(connection, row)


def _is_stored(connection: sqlite3.Connection, content: bytes) -> bool:
    return connection.execute("SELECT 1 FROM rounds WHERE content = ?", (content,)).fetchone() is not None
