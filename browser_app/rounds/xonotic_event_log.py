"""Rounds from the event log of a Xonotic server.

A round is everything between `:scores:` and `:end`, plus earlier `:gamestart:`, `:join:` and, if the log has them,
`:time:` lines. The log identifies players by their nicks only. Bots are listed separately, as in match reports.
"""

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.protocols.coloured_text import plain_text
from browser_app.rounds import xonotic_common
from browser_app.rounds.iso_time import parse_iso_time
from browser_app.rounds.round_source import RoundFileSource

_MAX_SCORE_LINES = 10_000
"""Largest number of lines between `:scores:` and `:end`; a server with 255 slots writes a few hundred at most."""


class _ScoreRow(NamedTuple):
    """Scores by label of a player, or of a team, for which only `team` is set as well."""

    line: int
    scores: dict[str, str]
    team: str
    playtime: str = "0"
    slot: str = ""
    nick: str = ""


@dataclass
class _LoggedGame:
    """The round that is being read; `line` is that of `:scores:`, 0 before it."""

    match_id: str = ""
    bots: set[str] = field(default_factory=set)
    time: float | None = None
    line: int = 0
    score_lines: int = 0
    mode_and_map: str = ""
    runtime: str = ""
    digest: str = ""
    labels: dict[str, Sequence[str]] = field(default_factory=dict)
    players: list[_ScoreRow] = field(default_factory=list)
    teams: list[_ScoreRow] = field(default_factory=list)


def read_xonotic_event_log(source: RoundFileSource) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rounds of a log, each with the line of its scores.

    Unfinished games are skipped.

    Raises:
        RoundFileError: a score, time or team is malformed, or the scores are cut off.
    """
    game = _LoggedGame()
    for number, line in source.read_lines():
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        event, _colon, fields_text = text[1:].partition(":") if text.startswith(":") else ("", "", "")
        if event == "gamestart":
            game = _LoggedGame(match_id=fields_text.rpartition(":")[2])
        elif event == "time" and game.time is None:
            game.time = _parse_time(source, number, fields_text)
        elif event == "join" and fields_text.split(":")[2:3] == ["bot"]:
            game.bots.add(fields_text.split(":", 3)[-1])
        elif event == "scores":
            game.line, (game.mode_and_map, _colon, game.runtime) = number, fields_text.partition(":")
        elif event == "end" and game.line:
            if humans := [row for row in game.players if row.team != "spectator" and row.nick not in game.bots]:
                yield game.line, _build_round_object(source, game, humans)
            game = _LoggedGame()
        elif game.line:
            _parse_scores(source, game, number, event, fields_text)
    if game.line:
        raise source.error(game.line, "scores", _("are cut off: there is no :end"))


def _parse_scores(source: RoundFileSource, game: _LoggedGame, number: int, event: str, fields_text: str) -> None:
    game.score_lines += 1
    if game.score_lines > _MAX_SCORE_LINES:
        raise source.error(number, "scores", _("have more than {n} lines").format(n=integer_text(_MAX_SCORE_LINES)))
    game.digest = hashlib.sha256(f"{game.digest}{event}:{fields_text}".encode()).hexdigest()
    if event == "labels":
        owner, _colon, labels = fields_text.partition(":")
        game.labels[owner] = labels.split(",")
    elif event == "player":
        _reference, texts, playtime, team, slot, nick = _split_fields(source, number, event, fields_text, 6)
        game.players.append(_ScoreRow(number, _map_scores_to_labels(game, event, texts), team, playtime, slot, nick))
    elif event == "teamscores":
        _reference, texts, team = _split_fields(source, number, event, fields_text, 3)
        game.teams.append(_ScoreRow(number, _map_scores_to_labels(game, event, texts), team))


def _split_fields(source: RoundFileSource, number: int, event: str, fields_text: str, count: int) -> list[str]:
    fields = fields_text.split(":", count - 1)  # a nick, the last field, may contain colons
    if len(fields) < count:
        raise source.error(number, event, _("is cut off"))
    return fields


def _map_scores_to_labels(game: _LoggedGame, event: str, texts: str) -> dict[str, str]:
    return dict(zip(game.labels.get(event, ()), texts.split(","), strict=False))


def _build_round_object(source: RoundFileSource, game: _LoggedGame, rows: Sequence[_ScoreRow]) -> dict[str, Any]:
    runtime = _parse_number(source, game.line, "scores", game.runtime)
    mode, _underscore, map_name = game.mode_and_map.partition("_")
    started = xonotic_common.parse_match_start(game.match_id) if game.time is None else game.time
    ids = _assign_player_ids(rows)
    if game.teams:
        results = {_read_team_name(source, row): _result_sort_key(source, row) for row in game.teams}
        teams = [_read_team_name(source, row) for row in rows]
        results |= {team: (math.inf,) for team in teams if team not in results}
    else:
        results = {player_id: _result_sort_key(source, row) for player_id, row in zip(ids, rows, strict=True)}
        teams = ids
    ranks = xonotic_common.rank_by_result(results)
    ranks = xonotic_common.add_empty_opponent(ranks, has_bots=bool(game.bots), humans_won=_is_human_first(source, game))
    return {
        "id": f"{xonotic_common.XONOTIC_GAME} {game.match_id or game.digest[:32]}",
        "game": xonotic_common.XONOTIC_GAME,
        "map": map_name,
        "mode": mode,
        **xonotic_common.build_start_fields(source, game.line, started, source.modified_at - runtime),
        "duration": runtime,
        "teams": list(ranks),
        **xonotic_common.build_outcome_fields(ranks),
        "approximate": True,
        "players": [
            _build_player_object(source, row, player_id, team, runtime)
            for row, player_id, team in zip(rows, ids, teams, strict=True)
        ],
        "bots": sorted(game.bots),
    }


def _is_human_first(source: RoundFileSource, game: _LoggedGame) -> bool:
    participants = [row for row in game.players if row.team != "spectator"]
    return min(participants, key=lambda row: _result_sort_key(source, row)).nick not in game.bots


def _build_player_object(
    source: RoundFileSource, row: _ScoreRow, player_id: str, team: str, runtime: float
) -> dict[str, Any]:
    playtime_s = min(_parse_number(source, row.line, "playtime", row.playtime), runtime)
    labels = {label.rstrip("!<"): label for label in row.scores}

    def read_score(label: str) -> float | None:
        return _parse_number(source, row.line, label, row.scores[labels[label]]) if label in labels else None

    deaths = read_score("deaths")
    if deaths is not None and deaths < 0:
        raise source.error(row.line, "deaths", _("{value} is below 0").format(value=f"{deaths:g}"))
    return {
        "id": player_id,
        "name": plain_text(row.nick, "xonotic"),
        "stays": [{"team": team, "enter": 0.0, "leave": playtime_s}],
        "kills": xonotic_common.discard_negative_kills(read_score("kills")),
        "deaths": deaths,
        "score": read_score("score"),
        "objectives": next((read_score(label) for label in xonotic_common.OBJECTIVE_LABELS if label in labels), None),
    }


def _assign_player_ids(rows: Sequence[_ScoreRow]) -> list[str]:
    """Return nicks without colour codes, with the slot number where a nick is taken."""
    ids: list[str] = []
    for row in rows:
        nick = plain_text(row.nick, "xonotic")
        ids.append(f"{nick}#{row.slot}" if nick in ids else nick)
    return ids


def _read_team_name(source: RoundFileSource, row: _ScoreRow) -> str:
    return xonotic_common.format_team_name(int(_parse_number(source, row.line, "team", row.team)))


def _result_sort_key(source: RoundFileSource, row: _ScoreRow) -> tuple[float, ...]:
    """Return the scores that decide the rank, so that the best result sorts first.

    The label marked `!!` comes first, then the one marked `!`; with `<`, lower scores are better.
    """
    results = []
    for mark in ("!!", "!"):
        for label, text in row.scores.items():
            if label.count("!") == len(mark):
                value = _parse_number(source, row.line, label.rstrip("!<"), text)
                results.append(value if "<" in label else -value)
    return tuple(results)


def _parse_number(source: RoundFileSource, line: int, field: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise source.error(line, field, _("{value} is not a number").format(value=repr(text)))
    return value


def _parse_time(source: RoundFileSource, line: int, text: str) -> float:
    try:
        return parse_iso_time(text)
    except ValueError as error:
        raise source.error(line, "time", str(error)) from None
