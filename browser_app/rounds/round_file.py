"""The round file's schema: one JSON object a round, decoded and type-checked in one go.

Every other format is turned into such objects first, so all rounds pass through here.
"""

import re
from collections.abc import Iterable
from typing import Any, cast

import msgspec

from browser_app.rating.match import Match, Player
from browser_app.rounds.errors import FieldError
from browser_app.rounds.not_json import no_json
from browser_app.rounds.times import seconds_since_1970


class SpellObject(msgspec.Struct, gc=False):
    """A `stays` or `commanding` entry; the fields of rating.match.Stay."""

    team: str
    enter: float
    leave: float


class PlayerObject(msgspec.Struct, gc=False):
    """A `players` entry; the fields of rating.match.Player. null is "unknown", as a key that is not there."""

    id: str
    stays: tuple[SpellObject, ...] = ()
    commanding: tuple[SpellObject, ...] = ()
    name: str | None = None
    kills: float | None = None
    deaths: float | None = None
    score: float | None = None
    squad: str | int | None = None
    ping: float | None = None
    quit: bool | None = None
    ranked: bool | None = None
    locked: bool = False
    prefers: str | None = None
    friends: tuple[str, ...] = ()


class RoundObject(msgspec.Struct, gc=False):
    """One line of the round file. A `winner` of null is a draw; without the key there is no outcome yet."""

    id: str
    teams: tuple[str, ...]
    players: tuple[PlayerObject, ...]
    started: str | None = None
    duration: float | None = None
    winner: str | msgspec.UnsetType | None = msgspec.UNSET
    ranks: dict[str, int] | None = None
    game: str | None = None
    map: str | None = None
    mode: str | None = None
    races: dict[str, str | None] | None = None


class RoundRow(msgspec.Struct, gc=False):
    """The fields of rating.match.Match; made eight times as fast, which is all that a record needs."""

    id: str
    teams: tuple[str, ...]
    players: tuple[PlayerObject, ...]
    started: float | None
    duration: float | None
    ranks: tuple[int, ...] | None
    game: str
    map: str
    mode: str
    races: tuple[str | None, ...]


_decode = msgspec.json.Decoder(RoundObject).decode


def decode(line: bytes) -> Match:
    """One line of the round file.

    Raises:
        FieldError: it is no round; whether its times and names fit together is for the record to say.
    """
    return _match_of(decode_row(line))


def decode_row(line: bytes) -> RoundRow:
    """The same, for a `RecordBuilder` alone: no dataclass, but with the fields of one.

    Raises:
        FieldError: as `decode`.
    """
    try:
        return _row_of(_decode(line))
    except msgspec.ValidationError as error:
        raise field_error(error) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise no_json(line, error) from None


def convert(round_object: dict[str, Any]) -> Match:
    """The same from an object that is read already.

    Raises:
        FieldError: as `decode`.
    """
    try:
        return _match_of(_row_of(msgspec.convert(round_object, RoundObject)))
    except msgspec.ValidationError as error:
        raise field_error(error) from None


def _match_of(row: RoundRow) -> Match:
    players = cast("tuple[Player, ...]", row.players)  # the same fields, decoded five times as fast
    return Match(
        row.id, row.teams, players, row.started, row.duration, row.ranks, row.game, row.map, row.mode, row.races
    )


def _row_of(given: RoundObject) -> RoundRow:
    ranks = _ranks(given)
    if ranks is None:
        _check_wishes(given)
    return RoundRow(
        given.id,
        given.teams,
        given.players,
        None if given.started is None else _started(given.started),
        given.duration,
        ranks,
        given.game or "",
        given.map or "",
        given.mode or "",
        _races(given) if given.races else (),
    )


def _started(text: str) -> float:
    try:
        return seconds_since_1970(text)
    except ValueError as error:
        raise FieldError("started", str(error)) from None


def _ranks(given: RoundObject) -> tuple[int, ...] | None:
    """Rank of each team, from 1; None without an outcome."""
    winner, teams = given.winner, given.teams
    if winner is not msgspec.UNSET and winner is not None and winner not in teams:
        raise FieldError("winner", f"{winner!r} is none of the teams")
    if given.ranks is None:
        if winner is msgspec.UNSET:
            return None
        return (1,) * len(teams) if winner is None else tuple([1 if team == winner else 2 for team in teams])
    _check_names(given.ranks, teams, "ranks")
    for team in teams:
        if team not in given.ranks:
            raise FieldError("ranks", f"{team!r} is missing")
    place = {value: number for number, value in enumerate(sorted(set(given.ranks.values())), 1)}
    ranks = tuple([place[given.ranks[team]] for team in teams])
    first = [team for team, rank in zip(teams, ranks, strict=True) if rank == 1]
    if winner is not msgspec.UNSET and (len(first) == 1) != (winner is not None and winner in first):
        raise FieldError("winner", "contradicts ranks")
    return ranks


def _races(given: RoundObject) -> tuple[str | None, ...]:
    races = given.races or {}
    _check_names(races, given.teams, "races")
    return tuple(races.get(team) for team in given.teams)


def _check_names(names: Iterable[str], teams: Iterable[str], field: str) -> None:
    known = set(teams)
    for name in names:
        if name not in known:
            raise FieldError(f"{field}.{name}", "is none of the teams")


def _check_wishes(given: RoundObject) -> None:
    for number, player in enumerate(given.players):
        if player.prefers is not None and player.prefers not in given.teams:
            raise FieldError(f"players[{number}].prefers", f"{player.prefers!r} is none of the teams")


_AT = re.compile(r"(?P<problem>.*?)(?: - at `\$?(?P<path>.*)`)?", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*)`")


def field_error(error: msgspec.ValidationError) -> FieldError:
    """The library's "Expected `float`, got `str` - at `$.players[0].kills`" taken apart."""
    found = _AT.fullmatch(str(error))
    problem, path = (found["problem"], found["path"]) if found else (str(error), None)
    path = (path or "").removeprefix(".")
    if missing := _MISSING.fullmatch(problem):
        return FieldError(".".join(filter(None, (path, missing[1]))), "is missing")
    return FieldError(path or "round", problem[:1].lower() + problem[1:])
