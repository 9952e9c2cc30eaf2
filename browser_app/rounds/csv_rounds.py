"""Rounds from CSV tables: reader, preview and guesses of the columns.

Columns are named like the keys of the round file, with `id` for the round's id and `player` for the player's; a column
map gives other names. Rows with the same `id` describe one round and must agree about it. A row says on which `team`
its player was, from `enter` (default: the start) to `leave` (default: the end); `winner` names a team or is "draw";
`rank` is the rank of the row's team. Teams are in the order of their first row.
"""

import csv
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from browser_app.language import gettext as _
from browser_app.rounds.round_errors import MissingColumnError, RoundFileError
from browser_app.rounds.round_source import MAX_BLANK_LINES, RoundFileSource

REQUIRED_KEYS = ("id", "player", "team")
ROUND_KEYS = ("game", "map", "mode", "started", "duration", "winner")
PLAYER_KEYS = ("name", "kills", "deaths", "score", "assists", "objectives", "squad", "ping", "quit")
STINT_KEYS = ("enter", "leave", "rank")
TABLE_KEYS = (*REQUIRED_KEYS, *ROUND_KEYS, *PLAYER_KEYS, *STINT_KEYS)
MAX_LINE_LENGTH = 1 << 20
"""Characters of a row, or of the header."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_NUMBER_KEYS = frozenset(("duration", "kills", "deaths", "score", "assists", "objectives", "ping", "enter", "leave"))
_YES_NO = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}

RowValues = dict[str, Any]


def read_csv_rounds(source: RoundFileSource) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rounds of a table, each with the line of its first row.

    Raises:
        MissingColumnError: a column is missing.
        RoundFileError: a value has the wrong type or contradicts another row.
    """
    rounds: dict[str, _TableRound] = {}
    for line, values in _read_rows(source):
        try:
            rounds.setdefault(values["id"], _TableRound(line, values)).add_row(source, line, values)
        except RoundFileError as error:
            source.report(error)
    if source.collected_errors:  # without their invalid rows, rounds would seem to contradict themselves
        return
    for each in rounds.values():
        yield each.line, each.to_object()


class _TableRound:
    def __init__(self, line: int, first_row: RowValues) -> None:
        self.line = line
        self._round_values = {key: first_row[key] for key in ROUND_KEYS if key in first_row}
        self._id = first_row["id"]
        self._ranks: dict[str, Any] = {}
        self._players: dict[str, dict[str, Any]] = {}
        self._teams: list[str] = []

    def add_row(self, source: RoundFileSource, line: int, row: RowValues) -> None:
        """Add a row of this round.

        Raises:
            RoundFileError: it contradicts an earlier row.
        """
        team = row["team"]
        for key, earlier_value in (*self._round_values.items(), ("rank", self._ranks.get(team))):
            if earlier_value is not None and key in row and row[key] != earlier_value:
                raise source.error(
                    line,
                    key,
                    _("{value} contradicts {known} in an earlier row").format(
                        value=repr(row[key]), known=repr(earlier_value)
                    ),
                )
        if team not in self._teams:
            self._teams.append(team)
        if "rank" in row:
            self._ranks[team] = row["rank"]
        player = self._players.setdefault(row["player"], {"id": row["player"], "stays": []})
        player |= {key: row[key] for key in PLAYER_KEYS if key in row}
        leave = row.get("leave", row.get("duration", self._round_values.get("duration")))
        if leave is not None:
            player["stays"].append({"team": team, "enter": row.get("enter", 0.0), "leave": leave})

    def to_object(self) -> dict[str, Any]:
        """Return the round as an object of the round file."""
        outcome: dict[str, Any] = {"ranks": self._ranks} if self._ranks else {}
        if self._round_values.get("winner") == "draw" and "draw" not in self._teams:
            self._round_values["winner"] = None
        return {
            "id": self._id,
            **self._round_values,
            "teams": self._teams,
            **outcome,
            "players": list(self._players.values()),
        }


def guess_delimiter(header: str) -> str:
    """Return the most likely delimiter of a table, given its first line."""
    return max("\t;,", key=header.count)


def _read_rows(source: RoundFileSource) -> Iterator[tuple[int, RowValues]]:
    """Yield the rows as values by key, without empty fields."""
    try:
        text = source.read_all().decode()
    except UnicodeDecodeError as error:
        raise source.error(None, None, _("is not UTF-8 at byte {n}").format(n=error.start + 1)) from None
    header = text.partition("\n")[0]
    reader = csv.DictReader(_split_lines(source, text), delimiter=guess_delimiter(header), strict=True)
    try:
        columns = _resolve_columns(source, reader.fieldnames or ())
        for row in reader:
            if None in row or None in row.values():
                source.report(source.error(reader.line_num, None, _("does not have as many fields as the first line")))
                continue
            try:
                values = _parse_row(source, reader.line_num, columns, row)
            except RoundFileError as error:
                source.report(error)
                continue
            yield reader.line_num, values
    except csv.Error as error:
        raise source.error(reader.reader.line_num, None, str(error)) from None


def _split_lines(source: RoundFileSource, text: str) -> Iterator[str]:
    """Yield the lines with their line ends, one at a time to save memory."""
    blank_lines = 0
    for number, match in enumerate(_LINE.finditer(text), 1):
        line = match[0]
        if len(line) > MAX_LINE_LENGTH:
            raise source.error(number, None, _("is longer than {n} MiB").format(n=MAX_LINE_LENGTH >> 20))
        if line.isspace():
            blank_lines += 1
            if blank_lines > MAX_BLANK_LINES:
                raise source.error(number, None, _("more than {n} blank lines").format(n=MAX_BLANK_LINES))
        yield line


def _resolve_columns(source: RoundFileSource, header: Sequence[str]) -> dict[str, str]:
    columns = {key: source.column_map.get(key, key) for key in TABLE_KEYS}
    for key, column in columns.items():
        if column not in header and (key in REQUIRED_KEYS or source.column_map.get(key) is not None):
            raise MissingColumnError(source.path, 1, column or key, _("there is no such column"))
    return {key: column for key, column in columns.items() if column is not None and column in header}


def _parse_row(source: RoundFileSource, line: int, columns: dict[str, str], row: dict[str, str]) -> RowValues:
    values = {}
    for key, column in columns.items():
        try:
            if row[column]:
                values[key] = _parse_value(key, row[column])
            elif key in REQUIRED_KEYS:
                raise ValueError(_("is missing"))
        except ValueError as error:
            raise source.error(line, column, str(error)) from None
    return values


def _parse_value(key: str, text: str) -> Any:
    if key == "quit":
        if text.lower() not in _YES_NO:
            raise ValueError(_("{value} is neither yes nor no").format(value=repr(text)))
        return _YES_NO[text.lower()]
    if key == "rank":
        return _parse_number(text, int)
    if key not in _NUMBER_KEYS:
        return text
    value = _parse_number(text, float)
    if value < 0 and key != "score":
        raise ValueError(_("{value} is below 0").format(value=repr(text)))
    return value


def _parse_number(text: str, kind: type[int] | type[float]) -> float:
    try:
        value = kind(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(_("{value} is not a number").format(value=repr(text)))
    return value


_COLUMN_ALIASES: Mapping[str, str] = {
    "id": "round id, match id, game id, round, match, round no, match no, game no, round number, match number",
    "player": "player id, steam id, steam id 64, hashkey, guid, user id, who, player name, name, nick, nickname",
    "team": "side, team name, faction",
    "game": "game name",
    "map": "map name, level, arena",
    "mode": "game mode, game type, match type",
    "started": "start, start time, started at, date, date time, time, timestamp, when, played at",
    "duration": "seconds, secs, length, round length, match length, duration s",
    "winner": "winning team, won by, winner team, result, outcome",
    "name": "player name, nick, nickname, user name",
    "kills": "frags",
    "deaths": "died",
    "score": "points",
    "assists": "assist",
    "objectives": "objective, captures, caps, goals, flags",
    "squad": "party, clan, group",
    "ping": "latency, ping ms",
    "quit": "left early, quitter, abandoned",
    "enter": "joined, join time, entered, from",
    "leave": "left, leave time, until, to",
    "rank": "place, placement, position, team rank",
}
"""Other column names for a key, best first. Keys choose their columns in the order of `TABLE_KEYS`."""


def guess_columns(columns: Sequence[str]) -> dict[str, str]:
    """Return the most likely column of each key, for keys that seem to have one.

    No column is used for two keys, except that the start of the round also serves as its `id` if there is no other.
    """
    unused_columns = {_normalise_name(column): column for column in reversed(columns)}
    column_by_key = {}
    for key in TABLE_KEYS:
        names = map(_normalise_name, (key, *_COLUMN_ALIASES[key].split(",")))
        name = next((each for each in names if each in unused_columns), None)
        if name is not None:
            column_by_key[key] = unused_columns.pop(name)
    if "id" not in column_by_key and "started" in column_by_key:
        column_by_key["id"] = column_by_key["started"]
    return column_by_key


def _normalise_name(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())


MAX_PREVIEW_COLUMNS = 256
MAX_PREVIEW_ROWS = 5


class TablePreview(NamedTuple):
    """Columns and first rows of a table.

    Column names are unique, and each row has one field per column.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_table_preview(source: RoundFileSource) -> TablePreview | None:
    """Return the columns and the first rows, None if the file is not a table.

    A table has 2 to `MAX_PREVIEW_COLUMNS` columns with unique names.

    Raises:
        RoundFileError: the file cannot be read.
    """
    text = source.head.decode(errors="replace")
    reader = csv.reader(text.splitlines(keepends=True), delimiter=guess_delimiter(text.partition("\n")[0]))
    try:
        columns, *rows = map(tuple, islice(reader, 1 + MAX_PREVIEW_ROWS))
    except (csv.Error, ValueError):
        return None
    if not 2 <= len(columns) == len(set(columns)) <= MAX_PREVIEW_COLUMNS:
        return None
    return TablePreview(columns, tuple(row for row in rows if len(row) == len(columns)))
