"""Rounds from Xonotic's match reports, as servers send them to XonStat.

Who took part is decided as XonStat does: a human with time alive who joined; with `matches` and `scoreboardvalid` he
played to the end, else he left. Time alive is one stay from the start, cut at the end of the match. Where no teams
play, everybody is his own. Bots stand beside the players: they are not rated, and a side of bots is an empty one.
"""

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from browser_app.protocols.coloured_text import plain
from browser_app.rounds.places import against_nobody, place_by, ranks_or_winner
from browser_app.rounds.source import UNDATED, Source
from browser_app.rounds.times import iso_8601
from browser_app.rounds.xonstat_report import Report, ReportedPlayer, number, reports

GAME = "xonotic"
TEAMS = {5: "red", 14: "blue", 13: "yellow", 10: "pink"}
"""Names of the teams by their numbers, in the game's order."""

_MATCH_ID = re.compile(r"\d+\.(\d{9,10})\.\d+")
_EARLIEST = 1_230_768_000  # 2009: no match id of that time has a date in it


def read(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rounds of a file, each at the line of its first key.

    Reports of nobody playing are passed over.

    Raises:
        RoundError: a report is no report.
    """
    for report in reports(source):
        present = _Present(source, report)
        if present.humans:
            yield report.line, _round(source, report, present)


class _Present:
    """Who of a report is what: `humans` took part, `others` watched or never entered."""

    def __init__(self, source: Source, report: Report) -> None:
        self.teams_play = bool(report.teams) or any(player.team is not None for player in report.players)
        self.humans: list[ReportedPlayer] = []
        self.bots: list[ReportedPlayer] = []
        self.others: list[ReportedPlayer] = []
        for player in report.players:
            alive = number(source, player, "alivetime") or 0.0
            joined = alive > 0 and "joins" in player.events and not (self.teams_play and (player.team or -1) < 0)
            if player.key.startswith("bot#"):
                self.bots.append(player)
            elif joined:
                self.humans.append(player)
            else:
                self.others.append(player)


def _round(source: Source, report: Report, present: _Present) -> dict[str, Any]:
    duration = _duration(source, report)
    match_id = _text(source, report, "I")
    ids = _ids(present.humans, match_id)
    if present.teams_play:
        places = _places_of_teams(report)
        sides = [_team(player.team) for player in present.humans]
    else:
        places, sides = _places_of_players(source, present.humans, ids), ids
    won = any("wins" in player.events for player in present.humans)
    places = against_nobody(places, bots=bool(present.bots), won=won)
    return {
        "id": f"{match_id}@{_text(source, report, 'S')}",
        "game": GAME,
        "map": _text(source, report, "M"),
        "mode": _text(source, report, "G"),
        **start_of(source, report.line, match_start(match_id), source.modified - duration),
        "duration": duration,
        "teams": list(places),
        **ranks_or_winner(places),
        "approximate": True,
        "server": _text(source, report, "S"),
        "mod": report.header.get("O", (0, ""))[1],
        "players": [
            _player(source, player, name, side, duration)
            for player, name, side in zip(present.humans, ids, sides, strict=True)
        ],
        "bots": [player.key for player in present.bots],
        "spectators": [player.key for player in present.others],
    }


def _text(source: Source, report: Report, key: str) -> str:
    if key not in report.header:
        raise source.error(report.line, key, "is missing")
    return report.header[key][1]


def _duration(source: Source, report: Report) -> float:
    text = _text(source, report, "D")
    try:
        duration = float(text)
    except ValueError:
        duration = math.nan
    if not 0 < duration < math.inf:
        raise source.error(report.header["D"][0], "D", f"{text!r} is not a length above 0")
    return duration


def match_start(match_id: str) -> float | None:
    """Match ids of servers that write event logs hold the start as counter.SECONDS.random; others have no date."""
    found = _MATCH_ID.fullmatch(match_id)
    return float(found[1]) if found and int(found[1]) > _EARLIEST else None


def start_of(source: Source, line: int, told: float | None, reckoned: float) -> dict[str, Any]:
    """The round file's keys for a start: the one that was told, else the reckoned one, which is marked.

    Raises:
        RoundError: no calendar has it.
    """
    try:
        return {"started": iso_8601(reckoned), UNDATED: True} if told is None else {"started": iso_8601(told)}
    except ValueError as error:
        raise source.error(line, "started", str(error)) from None


def _ids(players: Sequence[ReportedPlayer], match_id: str) -> list[str]:
    """Ids of the players: their keys; who is not followed, or there twice, is somebody else in each match."""
    ids: list[str] = []
    for player in players:
        twice = player.key in ids
        anonymous = f"player#{player.index}" if twice else player.key
        ids.append(f"{anonymous}@{match_id}" if anonymous.startswith("player#") else player.key)
    return ids


def _team(number: int | None) -> str:
    return TEAMS.get(number or 0, f"team {number}")


def _places_of_teams(report: Report) -> dict[str, int]:
    """The teams with a winning player are first; the others, or all without one, stand by what they scored."""
    numbers = set(report.teams) | {player.team for player in report.players if player.team is not None}
    first = {player.team for player in report.players if "wins" in player.events}
    in_order = [team for team in TEAMS if team in numbers] + sorted(
        team for team in numbers if team > 0 and team not in TEAMS
    )

    def achieved(team: int) -> tuple[float, ...]:
        events = report.teams.get(team, {})
        goals = max(events.get(f"scoreboard-{label}", 0.0) for label in ("caps", "rounds", "goals"))
        return (0.0 if team in first else 1.0, -goals, -events.get("scoreboard-score", 0.0))

    return place_by({_team(team): achieved(team) for team in in_order})


def _places_of_players(source: Source, players: Sequence[ReportedPlayer], ids: Sequence[str]) -> dict[str, int]:
    """By their place on the scoreboard; equal scores are a tie, and who left is behind all who did not."""
    results: dict[str, tuple[float, ...]] = {}
    for player, name in zip(players, ids, strict=True):
        place = number(source, player, "scoreboardpos")
        results[name] = (0.0, place) if _finished(player) and place is not None else (1.0, 0.0)
    scores = {name: number(source, player, "scoreboard-score") for name, player in zip(ids, players, strict=True)}
    winners = {name for name, player in zip(ids, players, strict=True) if "wins" in player.events}
    in_order = sorted(ids, key=results.__getitem__)
    for ahead, behind in itertools.pairwise(in_order):
        same = scores[ahead] is not None and scores[ahead] == scores[behind]
        if same and results[behind][0] == 0 and (ahead in winners) == (behind in winners):
            results[behind] = results[ahead]
    return place_by({name: results[name] for name in ids})


def _finished(player: ReportedPlayer) -> bool:
    return "matches" in player.events and "scoreboardvalid" in player.events


def _player(source: Source, player: ReportedPlayer, name: str, side: str, duration: float) -> dict[str, Any]:
    """Only values other than 0 are written, so what is not there is 0; but an unknown latency is not."""

    def total(label: str) -> float:
        return number(source, player, f"scoreboard-{label}", f"total-{label}") or 0.0

    alive = min(number(source, player, "alivetime") or 0.0, duration)
    return {
        "id": name,
        "name": None if player.nick is None else plain(player.nick, "xonotic"),
        "stays": [{"team": side, "enter": 0.0, "leave": alive}],
        "kills": total("kills"),
        "deaths": total("deaths"),
        "score": total("score"),
        "ping": number(source, player, "avglatency"),
        "quit": not _finished(player),
        "ranked": player.ranked,
    }
