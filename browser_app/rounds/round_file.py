"""The program's round file (JSON Lines): schema, decoding and reading.

All other formats are converted into its objects first, so every round passes through here.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar, cast

import msgspec

from browser_app.language import gettext as _
from browser_app.rating.game_round import MinimalPlayer, Player, Round
from browser_app.rounds.iso_time import parse_iso_time
from browser_app.rounds.round_errors import RoundFieldError, json_problem
from browser_app.rounds.round_source import WHOLE_FILE, ByteRange, RoundFileSource


def locate_json_error(text: bytes, error: Exception) -> RoundFieldError:
    """Return the error of a text that is not JSON, at its key, column or byte.

    The key is known for NaN and infinity, which some programs write. `error` is that of the decoder.
    """
    try:
        for path, value in _walk_leaves(json.loads(text.rstrip()), ""):
            if isinstance(value, float) and not math.isfinite(value):
                return RoundFieldError(path or "round", _("{value} is not a number").format(value=value))
    except json.JSONDecodeError as located:
        return RoundFieldError(_("column {n}").format(n=located.colno), json_problem(located))
    except UnicodeDecodeError as located:
        return RoundFieldError(_("byte {n}").format(n=located.start + 1), _("is not UTF-8"))
    except (ValueError, RecursionError) as other:
        return RoundFieldError("round", _("is not JSON: {problem}").format(problem=other))
    return RoundFieldError("round", _("is not JSON: {problem}").format(problem=error))


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
    """An entry of `stays` or `commanding`; same fields as `rating.game_round.Stint`."""

    team: str
    enter: float
    leave: float


class PlayerObject(msgspec.Struct, gc=False):
    """An entry of `players`; same fields as `rating.game_round.Player`.

    A value of null is unknown, as if its key were missing.
    """

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
    assists: float | None = None
    objectives: float | None = None
    skill: float | None = None
    offset: float | None = None
    commander_skill: float | None = None
    adagrad_sum: float | None = None
    commander_adagrad_sum: float | None = None
    locked: bool = False
    prefers: str | None = None
    friends: tuple[str, ...] = ()


class MinimalPlayerObject(MinimalPlayer, msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """An entry of `players` without any other key, a sixth of the size."""

    id: str
    stays: tuple[StintObject, ...] = ()


PlayerT = TypeVar("PlayerT", PlayerObject, MinimalPlayerObject)


class RoundObject(msgspec.Struct, Generic[PlayerT], gc=False):
    """One line of the round file.

    A `winner` of null is a draw; without `winner` and `ranks`, there is no outcome yet.
    """

    id: str
    teams: tuple[str, ...]
    players: tuple[PlayerT, ...]
    started: str | None = None
    duration: float | None = None
    winner: str | msgspec.UnsetType | None = msgspec.UNSET
    ranks: dict[str, int] | None = None
    game: str | None = None
    map: str | None = None
    mode: str | None = None
    races: dict[str, str | None] | None = None


class DecodedRound(msgspec.Struct, gc=False):
    """A round with the same fields as `rating.game_round.Round`, decoded faster."""

    id: str
    teams: tuple[str, ...]
    players: tuple[PlayerObject, ...] | tuple[MinimalPlayerObject, ...]
    started: float | None
    duration: float | None
    ranks: tuple[int, ...] | None
    game: str
    map: str
    mode: str
    races: tuple[str | None, ...]


_decode_object = msgspec.json.Decoder(RoundObject[PlayerObject]).decode
_decode_minimal_object = msgspec.json.Decoder(RoundObject[MinimalPlayerObject]).decode


def decode_round(line: bytes) -> DecodedRound:
    """Decode a line of the round file for a `RecordBuilder`.

    Raises:
        RoundFieldError: it is not a round. The builder checks whether its times and names are consistent.
    """
    try:
        return _build_decoded_round(_decode_object(line))
    except msgspec.ValidationError as error:
        raise convert_validation_error(error) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise locate_json_error(line, error) from None


def convert_round(round_object: dict[str, Any]) -> Round:
    """Convert an object of the round file.

    Raises:
        RoundFieldError: see `decode_round`.
    """
    try:
        decoded = _build_decoded_round(msgspec.convert(round_object, RoundObject[PlayerObject]))
    except msgspec.ValidationError as error:
        raise convert_validation_error(error) from None
    players = cast("tuple[Player, ...]", decoded.players)  # structs with the same fields
    return Round(
        decoded.id,
        decoded.teams,
        players,
        decoded.started,
        decoded.duration,
        decoded.ranks,
        decoded.game,
        decoded.map,
        decoded.mode,
        decoded.races,
    )


def _decode_minimal_round(line: bytes) -> DecodedRound | None:
    """Decode a line whose players have no keys but `id` and `stays`; None for others."""
    try:
        return _build_decoded_round(_decode_minimal_object(line))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, RoundFieldError):
        return None


def _build_decoded_round(round_object: RoundObject[PlayerT]) -> DecodedRound:
    ranks = _rank_teams(round_object)
    if ranks is None:
        _check_preferred_teams(round_object)
    return DecodedRound(
        round_object.id,
        round_object.teams,
        round_object.players,
        None if round_object.started is None else _parse_started(round_object.started),
        round_object.duration,
        ranks,
        round_object.game or "",
        round_object.map or "",
        round_object.mode or "",
        _list_races(round_object) if round_object.races else (),
    )


def _parse_started(text: str) -> float:
    try:
        return parse_iso_time(text)
    except ValueError as error:
        raise RoundFieldError("started", str(error)) from None


def _rank_teams(round_object: RoundObject[PlayerT]) -> tuple[int, ...] | None:
    """Return the rank of each team, from 1; None without an outcome.

    Raises:
        RoundFieldError: the outcome contradicts itself or the teams.
    """
    winner, teams = round_object.winner, round_object.teams
    if winner is not msgspec.UNSET and winner is not None and winner not in teams:
        raise RoundFieldError("winner", _("{team} is not one of the teams").format(team=repr(winner)))
    if round_object.ranks is None:
        if winner is msgspec.UNSET:
            return None
        return (1,) * len(teams) if winner is None else tuple([1 if team == winner else 2 for team in teams])
    _check_team_names(round_object.ranks, teams, "ranks")
    for team in teams:
        if team not in round_object.ranks:
            raise RoundFieldError("ranks", _("{team} is missing").format(team=repr(team)))
    dense_ranks = {value: number for number, value in enumerate(sorted(set(round_object.ranks.values())), 1)}
    ranks = tuple([dense_ranks[round_object.ranks[team]] for team in teams])
    first_teams = [team for team, rank in zip(teams, ranks, strict=True) if rank == 1]
    if winner is not msgspec.UNSET and (len(first_teams) == 1) != (winner is not None and winner in first_teams):
        raise RoundFieldError("winner", _("contradicts ranks"))
    return ranks


def _list_races(round_object: RoundObject[PlayerT]) -> tuple[str | None, ...]:
    races = round_object.races or {}
    _check_team_names(races, round_object.teams, "races")
    return tuple(races.get(team) for team in round_object.teams)


def _check_team_names(names: Iterable[str], teams: Iterable[str], field: str) -> None:
    team_names = set(teams)
    for name in names:
        if name not in team_names:
            raise RoundFieldError(f"{field}.{name}", _("is not one of the teams"))


def _check_preferred_teams(round_object: RoundObject[PlayerT]) -> None:
    for number, player in enumerate(round_object.players):
        if player.prefers is not None and player.prefers not in round_object.teams:
            raise RoundFieldError(
                f"players[{number}].prefers", _("{team} is not one of the teams").format(team=repr(player.prefers))
            )


_VALIDATION_MESSAGE = re.compile(r"(?P<problem>.*?)(?: - at `\$?(?P<path>.*)`)?", re.DOTALL)
_EXPECTED_MESSAGE = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")
_MISSING_FIELD_MESSAGE = re.compile(r"Object missing required field `(.*)`")


def convert_validation_error(error: msgspec.ValidationError) -> RoundFieldError:
    """Split msgspec's message into field and problem.

    A message is "Expected `float`, got `str` - at `$.players[0].kills`", for example.
    """
    match = _VALIDATION_MESSAGE.fullmatch(str(error))
    problem, path = (match["problem"], match["path"]) if match else (str(error), None)
    path = (path or "").removeprefix(".")
    if missing := _MISSING_FIELD_MESSAGE.fullmatch(problem):
        return RoundFieldError(".".join(filter(None, (path, missing[1]))), _("is missing"))
    if expected := _EXPECTED_MESSAGE.fullmatch(problem):
        problem = _("expected `{wanted}`, got `{found}`").format(wanted=expected[1], found=expected[2])
    return RoundFieldError(path or "round", problem[:1].lower() + problem[1:])


def read_round_file(source: RoundFileSource) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the lines that are not blank as objects, not checked to be rounds.

    Raises:
        RoundFileError: a line is not a JSON object.
    """
    for number, line in source.read_lines():
        if not line.strip():
            continue
        try:
            yield number, msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            located = locate_json_error(line, error)
            source.report(source.error(number, located.field, located.problem))


def read_round_structs(source: RoundFileSource, byte_range: ByteRange = WHOLE_FILE) -> Iterator[tuple[int, Round]]:
    """Yield rounds for a `RecordBuilder`, optionally from a part of the file.

    They are instances of `DecodedRound`, which has the fields of `Round`. This is five times as fast as converting the
    objects of `read_round_file`, and a sixth faster still up to the first round whose players have other keys than
    `id` and `stays`.

    Raises:
        RoundFileError: a line is not a round.
    """
    all_minimal = True
    for number, line in source.read_lines(byte_range):
        decoded = _decode_minimal_round(line) if all_minimal else None
        if decoded is not None:
            yield number, cast("Round", decoded)
            continue
        all_minimal = False
        try:
            decoded = decode_round(line)
        except RoundFieldError as error:
            if not line.strip():
                continue
            raise source.error(number, error.field, error.problem) from None
        yield number, cast("Round", decoded)
