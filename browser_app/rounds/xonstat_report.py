"""The lines of a Xonotic match report, with their places (qcsrc/common/playerstats.qc)."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from browser_app.rounds.source import Source

Events = dict[str, float]

BEGIN, END = b"BEGIN REQUEST BODY", b"END REQUEST BODY"
"""What stands around each report in XonStat's own log."""

_WHOLE_NUMBERS = frozenset(("V", "C", "U", "RP"))


@dataclass
class ReportedPlayer:
    """One `P` with what follows it; `team` is -1 for spectators and None where no teams play."""

    key: str
    line: int
    index: str = ""
    nick: str | None = None
    team: int | None = None
    ranked: bool | None = None
    events: Events = field(default_factory=dict)


@dataclass
class Report:
    """One report: its header, the events of its teams by number, its players."""

    line: int
    header: dict[str, tuple[int, str]] = field(default_factory=dict)
    teams: dict[int, Events] = field(default_factory=dict)
    players: list[ReportedPlayer] = field(default_factory=list)


def reports(source: Source) -> Iterator[Report]:
    """The reports of a file: a lone one, or all that stand between the marks of XonStat's log.

    Raises:
        RoundError: a report is cut off, does not begin with its version, or has something else than a number for one.
    """
    if BEGIN not in source.head:
        yield _Reader(source).read(source.lines())
        return
    lines: list[tuple[int, bytes]] | None = None
    for number, line in source.lines():
        if BEGIN in line:
            lines = []
        elif END in line and lines is not None:
            yield _Reader(source).read(lines)
            lines = None
        elif lines is not None:
            lines.append((number, line))
    if lines is not None:
        raise source.error(None, None, "ends within a report")


class _Reader:
    """Reads one report line by line; keys that are not known are kept in the header."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._line = 1
        self._report = Report(1)
        self._player: ReportedPlayer | None = None
        self._events: Events | None = None

    def read(self, lines: Iterable[tuple[int, bytes]]) -> Report:
        for self._line, line in lines:
            try:
                text = line.decode().rstrip("\r\n")
            except UnicodeDecodeError:
                raise self._source.error(self._line, None, "is not UTF-8") from None
            key, _, value = text.partition(" ")
            if key and not key.startswith(("#", "IDFP")):
                self._take(key, value)
        if "V" not in self._report.header:
            raise self._source.error(self._line, "V", "is missing")
        return self._report

    def _take(self, key: str, value: str) -> None:
        report = self._report
        if not report.header:
            report.line = self._line
            if key != "V":
                raise self._source.error(self._line, "V", "must come first")
        if key == "Q":
            self._player = None
            self._events = report.teams.setdefault(self._integer(key, value.removeprefix("team#")), {})
        elif key == "P":
            self._player = ReportedPlayer(value, self._line)
            self._events = self._player.events
            report.players.append(self._player)
        elif key == "e":
            self._event(value)
        elif self._player is not None:
            self._take_of_player(self._player, key, value)
        else:
            report.header[key] = self._line, value
            if key in _WHOLE_NUMBERS:
                self._integer(key, value)

    def _take_of_player(self, player: ReportedPlayer, key: str, value: str) -> None:
        if key == "i":
            player.index = str(self._integer(key, value))
        elif key == "n":
            player.nick = value
        elif key == "t":
            player.team = self._integer(key, value)
        elif key == "r":
            player.ranked = self._integer(key, value) != 0

    def _event(self, value: str) -> None:
        name, _, number = value.partition(" ")
        if self._events is None:
            raise self._source.error(self._line, f"e {name}", "belongs to no team and no player")
        try:
            self._events[name] = float(number)
        except ValueError:
            raise self._source.error(self._line, f"e {name}", f"{number!r} is not a number") from None

    def _integer(self, key: str, value: str) -> int:
        try:
            return int(value)
        except ValueError:
            raise self._source.error(self._line, key, f"{value!r} is not a number") from None


def number(source: Source, player: ReportedPlayer, *names: str) -> float | None:
    """The first of some events a player has, None if he has none; NaN is no number here.

    Raises:
        RoundError: it is not finite.
    """
    for name in names:
        if (value := player.events.get(name)) is not None:
            if not math.isfinite(value):
                raise source.error(player.line, f"e {name}", "is not a number")
            return value
    return None
