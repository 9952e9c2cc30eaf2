"""Loading the stored rounds of a game as one record."""

import sqlite3
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from browser_app.protocols.coloured_text import plain_text
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress
from browser_app.rating.record.record_builder import RecordBuilder
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rounds.iso_time import format_iso_time
from browser_app.rounds.round_file import DecodedRound, PlayerObject, decode_round
from browser_app.rounds.round_reader import pause_gc
from browser_app.rounds.round_source import UNDATED
from browser_app.storage.checked_rows import MAX_UNIX_TIME
from browser_app.storage.own_skill.round_insertion import DAMAGED_ROW_ERRORS

if TYPE_CHECKING:
    from browser_app.rating.game_round import Round

_ROUNDS_PER_PROGRESS = 256


@dataclass(frozen=True)
class StoredRounds:
    """The stored rounds of a game.

    Attributes:
        record: in order of start, then of insertion.
        servers: the server of each round, None if unknown.
        is_approximate: whether only the lengths of the round's stints are known, not their times.
        unreadable: number of stored rounds that are left out because another program damaged their rows.
    """

    record: RoundRecord
    servers: tuple[str | None, ...]
    is_approximate: NDArray[np.bool_]
    unreadable: int = 0

    def with_merged_ids(self, own_ids: Sequence[str]) -> "StoredRounds":
        """Return a copy with the other own ids replaced by the first.

        Rounds that have several of them are left as they are.
        """
        return replace(self, record=_merge_own_ids(self.record, own_ids)) if len(own_ids) > 1 else self


def load_stored_rounds(
    connection: sqlite3.Connection, game: str, progress: ProgressCallback = ignore_progress
) -> StoredRounds:
    """Load the rounds of a game; `progress` gets rounds read and total.

    Raises:
        sqlite3.Error: they cannot be read.
    """
    builder, servers, approximate, unreadable = RecordBuilder(), list[str | None](), list[bool](), 0
    (total,) = connection.execute(
        "SELECT count(*) FROM rounds WHERE game = ? AND superseded_by IS NULL", (game,)
    ).fetchone()
    with pause_gc():
        query = """SELECT object, server, approximate, started, told_skills FROM rounds
            WHERE game = ? AND superseded_by IS NULL ORDER BY number"""
        for blob, server, is_approximate, started, reported_skills in connection.execute(query, (game,)):
            if len(servers) % _ROUNDS_PER_PROGRESS == 0:
                progress(len(servers), total)
            try:
                _check_cells(server, started)
                row = decode_round(zlib.decompress(blob))
                if started is not None:  # a superseded report may know it better
                    row.started = started
                if reported_skills is not None:
                    _add_reported_skills(row, reported_skills)
            except DAMAGED_ROW_ERRORS:
                unreadable += 1
                continue
            _clean_texts(row)
            builder.add(cast("Round", row))  # has the same fields
            servers.append(server and plain_text(server))
            approximate.append(bool(is_approximate))
        record = builder.build()
    server_by_round = tuple([servers[index] for index in record.input_index.tolist()])
    return StoredRounds(record, server_by_round, np.array(approximate, np.bool_)[record.input_index], unreadable)


def _clean_texts(row: DecodedRound) -> None:
    """Make texts that are shown plain text: they come from others.

    Ids stay, and so do teams that would become the same.
    """
    row.map, row.mode = plain_text(row.map), plain_text(row.mode)
    players = cast("tuple[PlayerObject, ...]", row.players)  # `decode_round` returns no others
    for player in players:
        if player.name:
            player.name = plain_text(player.name)
    teams = {team: plain_text(team) for team in row.teams}
    if not all(map(str.isprintable, row.teams)) and len({*teams.values()}) == len(teams):
        row.teams = tuple(teams.values())
        for player in players:
            for stint in (*player.stays, *player.commanding):
                stint.team = teams.get(stint.team, stint.team)
            player.prefers = player.prefers and teams.get(player.prefers, player.prefers)


def _check_cells(server: object, started: object) -> None:
    """Check the cells that are used as they are.

    Raises:
        TypeError: one has a wrong type or value.
    """
    if server is not None and not isinstance(server, str):
        raise TypeError("server")
    if started is not None and not (isinstance(started, int | float) and abs(started) <= MAX_UNIX_TIME):
        raise TypeError("started")


def export_stored_rounds(
    connection: sqlite3.Connection, game: str | None, write: Callable[[dict[str, Any]], object]
) -> tuple[int, int]:
    """Pass the rounds of a game, or all, to `write` in the order of insertion.

    See `RoundStore.export_rounds`. Returns the numbers of rounds passed on and of unreadable ones.

    Raises:
        sqlite3.Error: they cannot be read.
    """
    query = """SELECT object, server, started, undated, told_skills FROM rounds
        WHERE superseded_by IS NULL AND (:game IS NULL OR game = :game) ORDER BY number"""
    count = unreadable = 0
    for row in connection.execute(query, {"game": game}):
        try:
            round_object = _build_exported_object(*row)
        except DAMAGED_ROW_ERRORS:
            unreadable += 1
            continue
        write(round_object)
        count += 1
    return count, unreadable


def _build_exported_object(
    blob: bytes, server: str | None, started: float, undated: object, reported_skills: bytes | None
) -> Any:
    _check_cells(server, started)
    round_object: dict[str, Any] = msgspec.json.decode(zlib.decompress(blob), type=dict[str, Any])
    if server is not None:
        round_object.setdefault("server", server)
    if round_object.get(UNDATED) is True and not undated:  # a superseded report knows the date
        del round_object[UNDATED]
        round_object["started"] = format_iso_time(started)
    skills = _decode_reported_skills(reported_skills)
    for player in round_object["players"]:
        player.update(skills.get(player["id"], {}))
    return round_object


def _add_reported_skills(row: DecodedRound, reported_skills: bytes) -> None:
    """Add the skills that a superseded report has of a round's players."""
    skills = _decode_reported_skills(reported_skills)
    for player in row.players:
        for name, value in skills.get(player.id, {}).items():
            setattr(player, name, value)


def _decode_reported_skills(reported_skills: bytes | None) -> dict[str, dict[str, float]]:
    return {} if reported_skills is None else msgspec.json.decode(reported_skills, type=dict[str, dict[str, float]])


def _merge_own_ids(record: RoundRecord, own_ids: Sequence[str]) -> RoundRecord:
    ids = record.player_ids if own_ids[0] in record.player_ids else (*record.player_ids, own_ids[0])
    names = record.player_names + (None,) * (len(ids) - len(record.player_names))
    mine = set(own_ids)
    rows = np.flatnonzero(np.isin(record.player, [index for index, name in enumerate(ids) if name in mine]))
    rounds = record.round_of_appearance[rows]
    is_only_own = np.bincount(rounds, minlength=len(record))[rounds] == 1
    player = record.player.copy()
    player[rows[is_only_own]] = ids.index(own_ids[0])
    return replace(record, player_ids=ids, player_names=names, player=player)
