"""Rounds from a table (CSV, or separated by tabs or semicolons): one row a player and round, or a stay of his.

Columns are named as the keys of the round file, `id` being the round's and `player` the player's; other names are given
by a map. Rows with one `id` are one round; what they say of the round must be the same. A row says on which `team` its
player was, from `enter` (else the start) to `leave` (else the end); `winner` names a team, "draw" is a draw, and
`rank` is that of the row's team. Teams stand in the order in which they first appear.
"""

import csv
import math
from collections.abc import Iterator, Sequence
from typing import Any

from browser_app.rounds.errors import NoColumnError
from browser_app.rounds.source import Source

NEEDED = ("id", "player", "team")
OF_ROUND = ("game", "map", "mode", "started", "duration", "winner")
OF_PLAYER = ("name", "kills", "deaths", "score", "squad", "ping", "quit")
OF_STAY = ("enter", "leave", "rank")
KEYS = (*NEEDED, *OF_ROUND, *OF_PLAYER, *OF_STAY)
_NUMBERS = frozenset(("duration", "kills", "deaths", "score", "ping", "enter", "leave"))
_ANSWERS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}

Values = dict[str, Any]


def read(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rounds of a table, each at the line of its first row.

    Raises:
        NoColumnError: a column is missing.
        RoundError: a value is of a wrong type or contradicts another row.
    """
    rounds: dict[str, _Round] = {}
    for line, values in _rows(source):
        rounds.setdefault(values["id"], _Round(line, values)).take(source, line, values)
    for each in rounds.values():
        yield each.line, each.as_object()


class _Round:
    """A round on its way through the rows that tell of it."""

    def __init__(self, line: int, first: Values) -> None:
        self.line = line
        self._of_round = {key: first[key] for key in OF_ROUND if key in first}
        self._id = first["id"]
        self._ranks: dict[str, Any] = {}
        self._players: dict[str, dict[str, Any]] = {}
        self._teams: list[str] = []

    def take(self, source: Source, line: int, row: Values) -> None:
        """One more row of this round.

        Raises:
            RoundError: it contradicts an earlier one.
        """
        team = row["team"]
        for key, known in (*self._of_round.items(), ("rank", self._ranks.get(team))):
            if known is not None and key in row and row[key] != known:
                raise source.error(line, key, f"{row[key]!r} contradicts {known!r} in an earlier row")
        if team not in self._teams:
            self._teams.append(team)
        if "rank" in row:
            self._ranks[team] = row["rank"]
        player = self._players.setdefault(row["player"], {"id": row["player"], "stays": []})
        player |= {key: row[key] for key in OF_PLAYER if key in row}
        leave = row.get("leave", row.get("duration", self._of_round.get("duration")))
        if leave is not None:
            player["stays"].append({"team": team, "enter": row.get("enter", 0.0), "leave": leave})

    def as_object(self) -> dict[str, Any]:
        """The round as the round file has it."""
        outcome: dict[str, Any] = {"ranks": self._ranks} if self._ranks else {}
        if self._of_round.get("winner") == "draw" and "draw" not in self._teams:
            self._of_round["winner"] = None
        return {
            "id": self._id,
            **self._of_round,
            "teams": self._teams,
            **outcome,
            "players": list(self._players.values()),
        }


def separator(first: str) -> str:
    """What stands between the fields of a table whose first line this is."""
    return max("\t;,", key=first.count)


def _rows(source: Source) -> Iterator[tuple[int, Values]]:
    """The rows, with our names; empty fields are not there."""
    try:
        text = source.body().decode()
    except UnicodeDecodeError as error:
        raise source.error(None, None, f"is not UTF-8 at byte {error.start + 1}") from None
    first = text.partition("\n")[0]
    reader = csv.DictReader(text.splitlines(keepends=True), delimiter=separator(first), strict=True)
    try:
        columns = _columns(source, reader.fieldnames or ())
        for row in reader:
            if None in row or None in row.values():
                raise source.error(reader.line_num, None, "has not as many fields as the first line")
            yield reader.line_num, _values(source, reader.line_num, columns, row)
    except csv.Error as error:
        raise source.error(reader.reader.line_num, None, str(error)) from None


def _columns(source: Source, there: Sequence[str]) -> dict[str, str]:
    """The column of each of our keys that has one."""
    columns = {key: source.columns.get(key, key) for key in KEYS}
    for key, column in columns.items():
        if column not in there and (key in NEEDED or source.columns.get(key) is not None):
            raise NoColumnError(source.path, 1, column or key, "there is no such column")
    return {key: column for key, column in columns.items() if column is not None and column in there}


def _values(source: Source, line: int, columns: dict[str, str], row: dict[str, str]) -> Values:
    values = {}
    for key, column in columns.items():
        try:
            if row[column]:
                values[key] = _value(key, row[column])
            elif key in NEEDED:
                raise ValueError("is missing")
        except ValueError as error:
            raise source.error(line, column, str(error)) from None
    return values


def _value(key: str, text: str) -> Any:
    if key == "quit":
        if text.lower() not in _ANSWERS:
            raise ValueError(f"{text!r} is neither yes nor no")
        return _ANSWERS[text.lower()]
    if key == "rank":
        return int(text)
    if key not in _NUMBERS:
        return text
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is not a number")
    return value
