"""The program's round file (JSON Lines): schema, decoding and reading.

Every other format is turned into such objects first, so all rounds pass through here.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, cast

import msgspec

from browser_app.rating.game_round import Player, Round
from browser_app.rounds.iso_time import parse_iso_time
from browser_app.rounds.round_errors import RoundFieldError
from browser_app.rounds.round_source import WHOLE_FILE, ByteRange, RoundFileSource


def describe_json_error(text: bytes, error: Exception) -> RoundFieldError:
    """What is wrong with a text, at its key or column. Some programs write NaN, which JSON cannot say."""
    try:
        for path, value in _walk_leaves(json.loads(text), ""):
            if isinstance(value, float) and not math.isfinite(value):
                return RoundFieldError(path or "round", f"{value} is not a number")
    except json.JSONDecodeError as place:
        return RoundFieldError(f"column {place.colno}", f"is not JSON: {place.msg}")
    except UnicodeDecodeError as place:
        return RoundFieldError(f"byte {place.start + 1}", "is not UTF-8")
    except (ValueError, RecursionError) as place:
        return RoundFieldError("round", f"is not JSON: {place}")
    return RoundFieldError("round", f"is not JSON: {error}")


def _walk_leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _walk_leaves(each, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _walk_leaves(each, f"{path}[{number}]")
    else:
        yield path, value


class StintObject(msgspec.Struct, gc=False):
    """A `stays` or `commanding` entry; the fields of rating.match.Stay."""

    team: str
    enter: float
    leave: float


class PlayerObject(msgspec.Struct, gc=False):
    """A `players` entry; the fields of rating.match.Player. null is "unknown", as a key that is not there."""

    id: str
    stays: tuple[StintObject, ...] = ()
    commanding: tuple[StintObject, ...] = ()
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


class DecodedRound(msgspec.Struct, gc=False):
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


_decode_object = msgspec.json.Decoder(RoundObject).decode


def decode_round(line: bytes) -> Round:
    """One line of the round file.

    Raises:
        FieldError: it is no round; whether its times and names fit together is for the record to say.
    """
    return _round_from_struct(decode_round_struct(line))


def decode_round_struct(line: bytes) -> DecodedRound:
    """The same, for a `RecordBuilder` alone: no dataclass, but with the fields of one.

    Raises:
        FieldError: as `decode`.
    """
    try:
        return _struct_from_object(_decode_object(line))
    except msgspec.ValidationError as error:
        raise field_error_from(error) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise describe_json_error(line, error) from None


def convert_round(round_object: dict[str, Any]) -> Round:
    """The same from an object that is read already.

    Raises:
        FieldError: as `decode`.
    """
    try:
        return _round_from_struct(_struct_from_object(msgspec.convert(round_object, RoundObject)))
    except msgspec.ValidationError as error:
        raise field_error_from(error) from None


def _round_from_struct(row: DecodedRound) -> Round:
    players = cast("tuple[Player, ...]", row.players)  # the same fields, decoded five times as fast
    return Round(
        row.id, row.teams, players, row.started, row.duration, row.ranks, row.game, row.map, row.mode, row.races
    )


def _struct_from_object(given: RoundObject) -> DecodedRound:
    ranks = _team_ranks(given)
    if ranks is None:
        _check_preferred_teams(given)
    return DecodedRound(
        given.id,
        given.teams,
        given.players,
        None if given.started is None else _parse_started(given.started),
        given.duration,
        ranks,
        given.game or "",
        given.map or "",
        given.mode or "",
        _team_races(given) if given.races else (),
    )


def _parse_started(text: str) -> float:
    try:
        return parse_iso_time(text)
    except ValueError as error:
        raise RoundFieldError("started", str(error)) from None


def _team_ranks(given: RoundObject) -> tuple[int, ...] | None:
    """Rank of each team, from 1; None without an outcome."""
    winner, teams = given.winner, given.teams
    if winner is not msgspec.UNSET and winner is not None and winner not in teams:
        raise RoundFieldError("winner", f"{winner!r} is none of the teams")
    if given.ranks is None:
        if winner is msgspec.UNSET:
            return None
        return (1,) * len(teams) if winner is None else tuple([1 if team == winner else 2 for team in teams])
    _check_team_names(given.ranks, teams, "ranks")
    for team in teams:
        if team not in given.ranks:
            raise RoundFieldError("ranks", f"{team!r} is missing")
    place = {value: number for number, value in enumerate(sorted(set(given.ranks.values())), 1)}
    ranks = tuple([place[given.ranks[team]] for team in teams])
    first = [team for team, rank in zip(teams, ranks, strict=True) if rank == 1]
    if winner is not msgspec.UNSET and (len(first) == 1) != (winner is not None and winner in first):
        raise RoundFieldError("winner", "contradicts ranks")
    return ranks


def _team_races(given: RoundObject) -> tuple[str | None, ...]:
    races = given.races or {}
    _check_team_names(races, given.teams, "races")
    return tuple(races.get(team) for team in given.teams)


def _check_team_names(names: Iterable[str], teams: Iterable[str], field: str) -> None:
    known = set(teams)
    for name in names:
        if name not in known:
            raise RoundFieldError(f"{field}.{name}", "is none of the teams")


def _check_preferred_teams(given: RoundObject) -> None:
    for number, player in enumerate(given.players):
        if player.prefers is not None and player.prefers not in given.teams:
            raise RoundFieldError(f"players[{number}].prefers", f"{player.prefers!r} is none of the teams")


_VALIDATION_MESSAGE = re.compile(r"(?P<problem>.*?)(?: - at `\$?(?P<path>.*)`)?", re.DOTALL)
_MISSING_FIELD_MESSAGE = re.compile(r"Object missing required field `(.*)`")


def field_error_from(error: msgspec.ValidationError) -> RoundFieldError:
    """The library's "Expected `float`, got `str` - at `$.players[0].kills`" taken apart."""
    found = _VALIDATION_MESSAGE.fullmatch(str(error))
    problem, path = (found["problem"], found["path"]) if found else (str(error), None)
    path = (path or "").removeprefix(".")
    if missing := _MISSING_FIELD_MESSAGE.fullmatch(problem):
        return RoundFieldError(".".join(filter(None, (path, missing[1]))), "is missing")
    return RoundFieldError(path or "round", problem[:1].lower() + problem[1:])


_DecodedT = TypeVar("_DecodedT")


def read_round_file(source: RoundFileSource) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rounds as objects, with every key they have; whether they are rounds is not looked at.

    Raises:
        RoundError: a line is no JSON object.
    """
    for number, line in _nonempty_lines(source):
        try:
            yield number, msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            fault = describe_json_error(line, error)
            raise source.error(number, fault.field, fault.problem) from None


def read_file_rounds(source: RoundFileSource) -> Iterator[tuple[int, Round]]:
    """The rounds in one go from text to matches, five times as fast; keys that are not known are passed over.

    Raises:
        RoundError: a line is no round.
    """
    return _decode_lines(source, decode_round)


def read_round_structs(source: RoundFileSource, byte_range: ByteRange = WHOLE_FILE) -> Iterator[tuple[int, Round]]:
    """The same for a record alone, faster still, also of a stretch of the file.

    They are no matches, but have the fields of one.

    Raises:
        RoundError: a line is no round.
    """
    return cast("Iterator[tuple[int, Round]]", _decode_lines(source, decode_round_struct, byte_range))


def _decode_lines(
    source: RoundFileSource, decoder: Callable[[bytes], _DecodedT], byte_range: ByteRange = WHOLE_FILE
) -> Iterator[tuple[int, _DecodedT]]:
    for number, line in source.read_lines(byte_range):
        try:
            decoded = decoder(line)
        except RoundFieldError as error:
            if not line.strip():
                continue
            raise source.error(number, error.field, error.problem) from None
        yield number, decoded


def _nonempty_lines(source: RoundFileSource) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in source.read_lines() if line.strip())


def encode_round_line(round_object: dict[str, Any]) -> bytes:
    """A round as a line of the round file."""
    return msgspec.json.encode(round_object) + b"\n"
