"""Inserting rounds into the database, with several reports of one round united.

Each row of `rounds` is a report: one file's description of a round. Of several reports of one round, the most complete
one is its primary report, the one that is loaded. The others are superseded: their `superseded_by` is the number of the
primary report and their id is their content id, so that the primary report can have the id that they share. The primary
report takes date, server and players' skills from the superseded ones where it lacks them; its object remains as its
file has it.
"""

import sqlite3
import time
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from browser_app.rounds.round_identity import (
    MAX_START_DIFFERENCE_S,
    MAX_UNDATED_LENGTH_DIFFERENCE_S,
    REPORT_DETAILS,
    RoundReport,
    compute_content_id,
    convert_report,
    is_same_round,
    list_skill_fields,
)

DAMAGED_ROW_ERRORS = (TypeError, ValueError, AttributeError, KeyError, zlib.error, msgspec.MsgspecError)
"""Raised by a stored round that another program has changed. It stays as it is."""


class StoredRoundRow(NamedTuple):
    """A report as the table `rounds` holds it; times in seconds, `started` since 1970."""

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


def _insert_row(connection: sqlite3.Connection, row: StoredRoundRow, superseded_by: int | None = None) -> None:
    connection.execute(
        """INSERT INTO rounds
        (content, id, game, server, approximate, object, map, started, duration, undated, superseded_by)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (*row, superseded_by),
    )


def _pack_object(round_object: dict[str, Any]) -> bytes:
    return zlib.compress(msgspec.json.encode(round_object))


def _unpack_object(blob: bytes) -> dict[str, Any]:
    return msgspec.json.decode(zlib.decompress(blob), type=dict[str, Any])


def _find_unused_round_id(connection: sqlite3.Connection, preferred_id: str, content: bytes) -> str:
    """Return the preferred id, with the content id appended if another round has it."""
    round_id = preferred_id
    while connection.execute("SELECT 1 FROM rounds WHERE id = ?", (round_id,)).fetchone() is not None:
        round_id = f"{round_id}#{content.hex()[:8]}"
    return round_id


_MAX_CANDIDATES = 64
"""A report is compared with at most this many rounds; with more candidates it counts as a round of its own."""

_CANDIDATES_SQL = f"""
    SELECT number, content, server FROM rounds WHERE superseded_by IS NULL AND number IN (
        SELECT number FROM rounds WHERE id = :id
        UNION SELECT number FROM rounds
            WHERE game = :game
            AND started BETWEEN :started - {MAX_START_DIFFERENCE_S} AND :started + {MAX_START_DIFFERENCE_S}
        UNION SELECT number FROM rounds
            WHERE undated = :dated AND game = :game AND map = :map AND duration
            BETWEEN :duration - {MAX_UNDATED_LENGTH_DIFFERENCE_S} AND :duration + {MAX_UNDATED_LENGTH_DIFFERENCE_S})
    LIMIT {_MAX_CANDIDATES + 1}"""  # noqa: S608 (constants only)


class DuplicateFinder:
    """Finds stored rounds that the reports of one file describe again.

    Reports with different ids in one file are different rounds. So a report is not compared with rounds that its own
    file reports, unless one of the two reports names no player.
    """

    def __init__(self, connection: sqlite3.Connection, file_contents: Collection[bytes]) -> None:
        """`file_contents` are the content ids of all rounds of the file."""
        self._connection, self._file_contents = connection, file_contents

    def find_duplicate(self, row: StoredRoundRow) -> int | None:
        """Return the number of the stored round that this new row describes again.

        None if there is none, or if it could be one of several.
        """
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
        report = convert_report(_unpack_object(row.object))
        duplicates = [number for number in others if self._is_report_of(number, report)]
        return duplicates[0] if len(duplicates) == 1 else None

    def add_report(self, row: StoredRoundRow, round_number: int) -> frozenset[str]:
        """Insert a row as a report of a stored round.

        Returns the `REPORT_DETAILS` known only since.
        """
        before = _list_known_details(_load_reports(self._connection, round_number))
        _insert_row(self._connection, row._replace(id=row.content.hex()), round_number)
        reports = _load_reports(self._connection, round_number)
        _select_primary_report(self._connection, reports)
        return _list_known_details(reports) - before

    def _is_report_of(self, number: int, report: RoundReport) -> bool:
        query = "SELECT content, object, started, server, undated FROM rounds WHERE number = ?"
        content, blob, started, server, undated = self._connection.execute(query, (number,)).fetchone()
        try:
            stored_report = convert_report(_unpack_object(blob))
        except DAMAGED_ROW_ERRORS:
            return False
        stored = stored_report._replace(
            round=replace(stored_report.round, started=started), server=server, is_undated=bool(undated)
        )
        both_name_players = content in self._file_contents and stored.round.players and report.round.players
        return not both_name_players and is_same_round(report, stored)


def remove_round_file(connection: sqlite3.Connection, name: str) -> None:
    """Remove a file and the reports that no other file contains.

    A round with another report stays.
    """
    row = connection.execute("SELECT number FROM round_files WHERE file = ?", (name,)).fetchone()
    if row is None:
        return
    (file,) = row
    removed = """number IN (SELECT round FROM rounds_of_files WHERE file = :file)
        AND NOT EXISTS (SELECT 1 FROM rounds_of_files WHERE round = number AND file != :file)"""
    primary_numbers = connection.execute(
        f"""SELECT DISTINCT coalesce(superseded_by, number) FROM rounds WHERE {removed}
        AND (superseded_by IS NOT NULL OR number IN (SELECT superseded_by FROM rounds))""",  # noqa: S608 (constants only)
        {"file": file},
    ).fetchall()
    connection.execute(f"DELETE FROM rounds WHERE {removed}", {"file": file})  # noqa: S608 (constants only)
    connection.execute("DELETE FROM rounds_of_files WHERE file = ?", (file,))
    connection.execute("DELETE FROM round_files WHERE number = ?", (file,))
    for (number,) in primary_numbers:
        _select_primary_report(connection, _load_reports(connection, number))


class _StoredReport(NamedTuple):
    """One report of a round, as its file has it."""

    number: int
    content: bytes
    id: str
    original_id: str
    report: RoundReport


def _load_reports(connection: sqlite3.Connection, primary_number: int) -> list[_StoredReport]:
    """Return all reports of a round in the order of their insertion."""
    query = """SELECT number, content, id, object FROM rounds
        WHERE number = :primary OR superseded_by = :primary ORDER BY number"""
    reports = []
    for number, content, round_id, blob in connection.execute(query, {"primary": primary_number}).fetchall():
        with suppress(*DAMAGED_ROW_ERRORS):
            round_object = _unpack_object(blob)
            reports.append(
                _StoredReport(number, bytes(content), round_id, str(round_object["id"]), convert_report(round_object))
            )
    return reports


def _find_most_complete(reports: Sequence[_StoredReport]) -> _StoredReport:
    """Return the most complete report, the first of several.

    If several have no outcome, it is the longest of them.
    """
    return max(reports, key=lambda each: (each.report.completeness, _measure_unfinished(each.report)))


def _measure_unfinished(report: RoundReport) -> float:
    return 0.0 if report.is_finished else report.round.duration or 0.0


def _list_known_details(reports: Sequence[_StoredReport]) -> frozenset[str]:
    """Return which `REPORT_DETAILS` of a round are known.

    Date and skills may come from any report, the others from the primary one.
    """
    has_date = any(not each.report.is_undated for each in reports)
    has_skills = any(list_skill_fields(player) for each in reports for player in each.report.round.players)
    is_known_by_detail = (*_find_most_complete(reports).report.completeness[:-1], has_date, has_skills)
    return frozenset(name for name, is_known in zip(REPORT_DETAILS, is_known_by_detail, strict=True) if is_known)


def _select_primary_report(connection: sqlite3.Connection, reports: Sequence[_StoredReport]) -> None:
    """Make the most complete report the primary one, and all others superseded."""
    if not reports:
        return
    primary = _find_most_complete(reports)
    for each in reports:
        if each is not primary:
            report = each.report
            values = (
                each.content.hex(),
                primary.number,
                report.server,
                report.round.started,
                report.is_undated,
                each.number,
            )
            connection.execute(
                """UPDATE rounds SET id = ?, superseded_by = ?, server = ?, started = ?, undated = ?, told_skills = NULL
                WHERE number = ?""",
                values,
            )
    ordered = sorted(reports, key=lambda each: each is not primary)
    dated_reports = (
        each.report for each in ordered if not each.report.is_undated and each.report.round.started is not None
    )
    dated_report = next(dated_reports, primary.report)
    server = next((each.report.server for each in ordered if each.report.server), None)
    connection.execute(
        """UPDATE rounds SET superseded_by = NULL, server = ?, started = ?, undated = ?, told_skills = ?
        WHERE number = ?""",
        (
            server,
            dated_report.round.started,
            dated_report.is_undated,
            _collect_missing_skills(primary, ordered),
            primary.number,
        ),
    )
    if primary.id == primary.content.hex():
        _restore_id(connection, primary)


def _collect_missing_skills(primary: _StoredReport, reports: Iterable[_StoredReport]) -> bytes | None:
    """Return skills that only other reports have, as JSON by player id, if any."""
    players_without_skill = {player.id for player in primary.report.round.players if not list_skill_fields(player)}
    skills: dict[str, dict[str, float]] = {}
    for each in reports:
        for player in each.report.round.players:
            if player.id in players_without_skill and (skill := list_skill_fields(player)):
                skills.setdefault(player.id, skill)
    return msgspec.json.encode(skills) if skills else None


def _restore_id(connection: sqlite3.Connection, report: _StoredReport) -> None:
    """Give a report that was superseded its id in its file, or a similar one if taken."""
    round_id = _find_unused_round_id(connection, report.original_id, report.content)
    connection.execute("UPDATE rounds SET id = ? WHERE number = ?", (round_id, report.number))
    if round_id != report.original_id:
        (blob,) = connection.execute("SELECT object FROM rounds WHERE number = ?", (report.number,)).fetchone()
        renamed = _pack_object(_unpack_object(blob) | {"id": round_id})
        connection.execute("UPDATE rounds SET object = ? WHERE number = ?", (renamed, report.number))


class RoundInsertCounts(NamedTuple):
    """What the import of one file changed.

    Attributes:
        rounds: rounds in the file.
        new: of these, rounds that were not stored.
        improved: stored rounds that gained details.
        new_details: the details gained, of `round_identity.REPORT_DETAILS`.
    """

    rounds: int
    new: int
    improved: int = 0
    new_details: frozenset[str] = frozenset()


def build_round_rows(objects: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[StoredRoundRow]:
    """Yield a row for each round object of a file.

    The objects are compressed one by one, so that a large file needs little memory.
    """
    repeat_counts: Counter[bytes] = Counter()
    for _line, each in objects:
        report = convert_report(each)
        round_ = report.round
        content = compute_content_id(round_, is_undated=report.is_undated)
        repeat_counts[content] += 1
        if repeat_counts[content] > 1:
            content = compute_content_id(round_, is_undated=report.is_undated, repeat_number=repeat_counts[content] - 1)
        yield StoredRoundRow(
            content,
            round_.id,
            round_.game,
            report.server,
            report.is_approximate,
            _pack_object(each),
            round_.map,
            round_.started,
            round_.duration,
            report.is_undated,
        )


def insert_rounds(
    connection: sqlite3.Connection,
    file: str,
    file_format: str,
    rows: Sequence[StoredRoundRow],
    *,
    replace_file: bool = False,
) -> RoundInsertCounts:
    """Insert the rounds of a file that are not stored yet.

    `replace_file` removes the file's earlier rounds first.
    """
    if replace_file:
        remove_round_file(connection, file)
    connection.execute(
        """INSERT INTO round_files (file, format, read_at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET format = excluded.format, read_at = excluded.read_at""",
        (file, file_format, time.time()),
    )
    (file_number,) = connection.execute("SELECT number FROM round_files WHERE file = ?", (file,)).fetchone()
    finder = DuplicateFinder(connection, {row.content for row in rows})
    new_count, new_details = 0, list[frozenset[str]]()
    for row in rows:
        if _is_stored(connection, row.content):
            continue
        duplicate = finder.find_duplicate(row)
        if duplicate is None:
            _insert_new_round(connection, row)
            new_count += 1
        else:
            new_details.append(finder.add_report(row, duplicate))
    connection.executemany(
        "INSERT OR IGNORE INTO rounds_of_files SELECT number, ? FROM rounds WHERE content = ?",
        ((file_number, row.content) for row in rows),
    )
    return RoundInsertCounts(len(rows), new_count, sum(map(bool, new_details)), frozenset().union(*new_details))


def _insert_new_round(connection: sqlite3.Connection, row: StoredRoundRow) -> None:
    round_id = _find_unused_round_id(connection, row.id, row.content)
    if round_id != row.id:
        row = row._replace(id=round_id, object=_pack_object(_unpack_object(row.object) | {"id": round_id}))
    _insert_row(connection, row)


def _is_stored(connection: sqlite3.Connection, content: bytes) -> bool:
    return connection.execute("SELECT 1 FROM rounds WHERE content = ?", (content,)).fetchone() is not None
