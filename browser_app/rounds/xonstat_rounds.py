"""Rounds from Xonotic match reports, as servers send them to XonStat.

Participants are determined as XonStat does: humans who joined and have time alive; those with `matches` and
`scoreboardvalid` played to the end, the others quit. Time alive becomes one stint from the start, cut at the end of the
match. Without teams, every player is a team. Bots are not rated but listed separately, so a team of bots has no
players.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from browser_app.language import gettext as _
from browser_app.protocols.coloured_text import plain_text
from browser_app.rounds import xonotic_common
from browser_app.rounds.round_source import RoundFileSource

EventCounts = dict[str, float]

REPORT_BEGIN, REPORT_END = b"BEGIN REQUEST BODY", b"END REQUEST BODY"
"""Markers around each report in XonStat's own log."""

MAX_REPORT_LINES = 100_000
"""Largest number of lines of a report; one of 64 players has about 3,000."""

_INTEGER_KEYS = frozenset(("V", "C", "U", "RP"))


@dataclass
class XonStatPlayer:
    """A player of a report: the `P` line and those after it."""

    key: str
    """Fingerprint of the player's key; `bot#…` for a bot, `player#…` for a player who is not tracked."""
    line: int
    index: str = ""
    nick: str | None = None
    team: int | None = None
    """−1 for spectators; None in modes without teams."""
    ranked: bool | None = None
    events: EventCounts = field(default_factory=dict)


@dataclass
class XonStatReport:
    """One report: its header, the events of its teams by number, its players."""

    line: int
    header: dict[str, tuple[int, str]] = field(default_factory=dict)
    teams: dict[int, EventCounts] = field(default_factory=dict)
    players: list[XonStatPlayer] = field(default_factory=list)


def parse_reports(source: RoundFileSource) -> Iterator[XonStatReport]:
    """Yield the reports of a file, or those between the markers of XonStat's log.

    Raises:
        RoundFileError: a report is cut off, does not start with its version, or has a malformed number.
    """
    for lines in _split_reports(source):
        yield _ReportParser(source).parse(lines)


def _split_reports(source: RoundFileSource) -> Iterator[list[tuple[int, bytes]]]:
    """Yield the numbered lines of each report.

    Without markers, each starts with its version.
    """
    has_markers, has_version = REPORT_BEGIN in source.head, False
    lines: list[tuple[int, bytes]] | None = None if has_markers else []
    for number, line in source.read_lines():
        if REPORT_BEGIN in line:
            lines = []
        elif lines is not None and REPORT_END in line:
            yield lines
            lines = None
        elif lines is not None:
            if not has_markers and line.startswith(b"V "):
                if has_version:
                    yield lines
                    lines = []
                has_version = True
            lines.append((number, line))
            _check_length(source, number, len(lines))
    if lines is not None:
        if has_markers:
            raise source.error(None, None, _("ends within a report"))
        yield lines


def _check_length(source: RoundFileSource, line: int, count: int) -> None:
    if count > MAX_REPORT_LINES:
        raise source.error(line, None, _("the report has more than {n} lines").format(n=MAX_REPORT_LINES))


class _ReportParser:
    """Parser of one report; unknown keys are stored in the header."""

    def __init__(self, source: RoundFileSource) -> None:
        self._source = source
        self._line = 1
        self._report = XonStatReport(1)
        self._player: XonStatPlayer | None = None
        self._events: EventCounts | None = None

    def parse(self, lines: Iterable[tuple[int, bytes]]) -> XonStatReport:
        for self._line, line in lines:
            try:
                text = line.decode().rstrip("\r\n")
            except UnicodeDecodeError:
                raise self._source.error(self._line, None, _("is not UTF-8")) from None
            key, _space, value = text.partition(" ")
            if key and not key.startswith(("#", "IDFP")):
                self._parse_line(key, value)
        if "V" not in self._report.header:
            raise self._source.error(self._line, "V", _("is missing"))
        return self._report

    def _parse_line(self, key: str, value: str) -> None:
        report = self._report
        if not report.header:
            report.line = self._line
            if key != "V":
                raise self._source.error(self._line, "V", _("must come first"))
        if key == "Q":
            self._player = None
            self._events = report.teams.setdefault(self._parse_integer(key, value.removeprefix("team#")), {})
        elif key == "P":
            self._player = XonStatPlayer(value, self._line)
            self._events = self._player.events
            report.players.append(self._player)
        elif key == "e":
            self._parse_event(value)
        elif self._player is not None:
            self._parse_player_line(self._player, key, value)
        else:
            report.header[key] = self._line, value
            if key in _INTEGER_KEYS:
                self._parse_integer(key, value)

    def _parse_player_line(self, player: XonStatPlayer, key: str, value: str) -> None:
        if key == "i":
            player.index = str(self._parse_integer(key, value))
        elif key == "n":
            player.nick = value
        elif key == "t":
            player.team = self._parse_integer(key, value)
        elif key == "r":
            player.ranked = self._parse_integer(key, value) != 0

    def _parse_event(self, value: str) -> None:
        name, _space, number = value.partition(" ")
        if self._events is None:
            raise self._source.error(self._line, f"e {name}", _("belongs to no team and no player"))
        try:
            self._events[name] = float(number)
        except ValueError:
            raise self._source.error(
                self._line, f"e {name}", _("{value} is not a number").format(value=repr(number))
            ) from None

    def _parse_integer(self, key: str, value: str) -> int:
        try:
            return int(value)
        except ValueError:
            raise self._source.error(self._line, key, _("{value} is not a number").format(value=repr(value))) from None


def read_player_event(source: RoundFileSource, player: XonStatPlayer, *event_names: str) -> float | None:
    """Return the value of the first of several events that a player has, or None.

    Raises:
        RoundFileError: it is infinite or NaN.
    """
    for name in event_names:
        if (value := player.events.get(name)) is not None:
            if not math.isfinite(value):
                raise source.error(player.line, f"e {name}", _("is not a number"))
            return value
    return None


def read_xonstat_reports(source: RoundFileSource) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rounds of a file, each with the first line of its report.

    Reports without human participants are skipped.

    Raises:
        RoundFileError: a report is malformed.
    """
    for report in parse_reports(source):
        roles = _PlayersByRole(source, report)
        round_object = _build_round_object(source, report, roles)
        if roles.humans:
            yield report.line, round_object


class _PlayersByRole:
    """Players of a report by role: humans who took part, bots, and spectators."""

    def __init__(self, source: RoundFileSource, report: XonStatReport) -> None:
        self.is_team_game = bool(report.teams) or any(player.team is not None for player in report.players)
        self.humans: list[XonStatPlayer] = []
        self.bots: list[XonStatPlayer] = []
        self.spectators: list[XonStatPlayer] = []
        """Also those who never joined."""
        for player in report.players:
            alive_s = read_player_event(source, player, "alivetime") or 0.0
            took_part = alive_s > 0 and "joins" in player.events and not (self.is_team_game and (player.team or -1) < 0)
            if player.key.startswith("bot#"):
                self.bots.append(player)
            elif took_part:
                self.humans.append(player)
            else:
                self.spectators.append(player)


def _build_round_object(source: RoundFileSource, report: XonStatReport, roles: _PlayersByRole) -> dict[str, Any]:
    duration = _parse_duration(source, report)
    match_id = _read_header(source, report, "I")
    ids = _assign_player_ids(roles.humans, match_id)
    if roles.is_team_game:
        ranks = _rank_teams(report)
        teams = [xonotic_common.format_team_name(player.team) for player in roles.humans]
    else:
        ranks, teams = _rank_players(source, roles.humans, ids), ids
    humans_won = any("wins" in player.events for player in roles.humans)
    event_names = {label for player in roles.humans for label in player.events}
    objective_label = next(
        (each for each in xonotic_common.OBJECTIVE_LABELS if f"scoreboard-{each}" in event_names), None
    )
    ranks = xonotic_common.add_empty_opponent(ranks, has_bots=bool(roles.bots), humans_won=humans_won)
    return {
        "id": f"{match_id}@{_read_header(source, report, 'S')}",
        "game": xonotic_common.XONOTIC_GAME,
        "map": _read_header(source, report, "M"),
        "mode": _read_header(source, report, "G"),
        **xonotic_common.build_start_fields(
            source, report.line, xonotic_common.parse_match_start(match_id), source.modified_at - duration
        ),
        "duration": duration,
        "teams": list(ranks),
        **xonotic_common.build_outcome_fields(ranks),
        "approximate": True,
        "server": _read_header(source, report, "S"),
        "mod": report.header.get("O", (0, ""))[1],
        "players": [
            _build_player_object(source, player, name, team, duration, objective_label)
            for player, name, team in zip(roles.humans, ids, teams, strict=True)
        ],
        "bots": [player.key for player in roles.bots],
        "spectators": [player.key for player in roles.spectators],
    }


def _read_header(source: RoundFileSource, report: XonStatReport, key: str) -> str:
    if key not in report.header:
        raise source.error(report.line, key, _("is missing"))
    return report.header[key][1]


def _parse_duration(source: RoundFileSource, report: XonStatReport) -> float:
    text = _read_header(source, report, "D")
    try:
        duration = float(text)
    except ValueError:
        duration = math.nan
    if not 0 < duration < math.inf:
        raise source.error(report.header["D"][0], "D", _("{value} is not a length above 0").format(value=repr(text)))
    return duration


def _assign_player_ids(players: Sequence[XonStatPlayer], match_id: str) -> list[str]:
    """Return the players' keys as ids.

    Untracked and duplicate players get an id that is valid in this match only.
    """
    ids: list[str] = []
    for player in players:
        key = f"player#{player.index}" if player.key in ids else player.key
        ids.append(f"{key}@{match_id}" if key.startswith("player#") else key)
    return ids


def _rank_teams(report: XonStatReport) -> dict[str, int]:
    """Rank teams: those with a winning player first, then by goals and by score."""
    numbers = set(report.teams) | {player.team for player in report.players if player.team is not None}
    winners = {player.team for player in report.players if "wins" in player.events}

    def sort_key(team: int) -> tuple[float, ...]:
        events = report.teams.get(team, {})
        goals = max(events.get(f"scoreboard-{label}", 0.0) for label in ("caps", "rounds", "goals"))
        return (0.0 if team in winners else 1.0, -goals, -events.get("scoreboard-score", 0.0))

    return xonotic_common.rank_by_result(
        {xonotic_common.format_team_name(team): sort_key(team) for team in numbers if team > 0}
    )


def _rank_players(source: RoundFileSource, players: Sequence[XonStatPlayer], ids: Sequence[str]) -> dict[str, int]:
    """Rank players by scoreboard position; equal scores tie, those who quit come last."""
    results: dict[str, tuple[float, ...]] = {}
    for player, player_id in zip(players, ids, strict=True):
        place = read_player_event(source, player, "scoreboardpos")
        results[player_id] = (0.0, place) if _has_finished(player) and place is not None else (1.0, 0.0)
    scores = {
        player_id: read_player_event(source, player, "scoreboard-score")
        for player_id, player in zip(ids, players, strict=True)
    }
    winners = {player_id for player_id, player in zip(ids, players, strict=True) if "wins" in player.events}
    in_order = sorted(ids, key=results.__getitem__)
    for ahead, behind in itertools.pairwise(in_order):
        is_tied = scores[ahead] is not None and scores[ahead] == scores[behind]
        if is_tied and results[behind][0] == 0 and (ahead in winners) == (behind in winners):
            results[behind] = results[ahead]
    return xonotic_common.rank_by_result(results)


def _has_finished(player: XonStatPlayer) -> bool:
    return "matches" in player.events and "scoreboardvalid" in player.events


def _build_player_object(
    source: RoundFileSource,
    player: XonStatPlayer,
    player_id: str,
    team: str,
    duration: float,
    objective_label: str | None,
) -> dict[str, Any]:
    """Return an entry of `players`.

    Reports omit counts of 0, so missing ones are 0; a missing ping is unknown.

    Args:
        source: the file, for errors.
        player: a human who took part.
        player_id: their id.
        team: name of their team.
        duration: length of the round, s.
        objective_label: label of the event that counts objectives in this match, None if there is none.

    Raises:
        RoundFileError: a value is not a number, or below 0.
    """

    def read_total(label: str) -> float:
        return read_player_event(source, player, f"scoreboard-{label}", f"total-{label}") or 0.0

    deaths = read_total("deaths")
    if deaths < 0:
        raise source.error(player.line, "e scoreboard-deaths", _("{value} is below 0").format(value=f"{deaths:g}"))
    alive_s = min(read_player_event(source, player, "alivetime") or 0.0, duration)
    return {
        "id": player_id,
        "name": None if player.nick is None else plain_text(player.nick, "xonotic"),
        "stays": [{"team": team, "enter": 0.0, "leave": alive_s}],
        "kills": xonotic_common.discard_negative_kills(read_total("kills")),
        "deaths": deaths,
        "score": read_total("score"),
        "objectives": None if objective_label is None else read_total(objective_label),
        "ping": read_player_event(source, player, "avglatency"),
        "quit": not _has_finished(player),
        "ranked": player.ranked,
    }
