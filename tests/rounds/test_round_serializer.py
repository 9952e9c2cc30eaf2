"""Rounds written by the tests' serializer read back unchanged."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from round_file_helpers import to_builtins
from round_serializer import encode_round_line, object_from_round

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rounds.round_file import DecodedRound, convert_round, decode_round

NAMES = st.text(min_size=1, max_size=4)
NUMBERS = st.none() | st.floats(allow_nan=False, allow_infinity=False)
STAYS = st.lists(st.builds(Stint, NAMES, st.floats(0, 9), st.floats(0, 9)), max_size=2).map(tuple)
PLAYERS = st.builds(
    Player,
    id=st.text(),
    stays=STAYS,
    commanding=STAYS,
    name=st.none() | st.text(),
    kills=NUMBERS,
    deaths=NUMBERS,
    score=NUMBERS,
    squad=st.none() | NAMES,
    ping=NUMBERS,
    quit=st.none() | st.booleans(),
    ranked=st.none() | st.booleans(),
    skill=NUMBERS,
    offset=NUMBERS,
    commander_skill=NUMBERS,
    adagrad_sum=NUMBERS,
    commander_adagrad_sum=NUMBERS,
    locked=st.booleans(),
    friends=st.lists(NAMES, max_size=2).map(tuple),
)


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    teams = tuple(draw(st.lists(NAMES, min_size=2, max_size=4, unique=True)))
    count = len(teams)
    places = draw(st.none() | st.lists(st.integers(1, 4), min_size=count, max_size=count))
    return Round(
        id=draw(st.text()),
        teams=teams,
        players=tuple(draw(st.lists(PLAYERS, max_size=3))),
        started=draw(st.none() | st.integers(-(10**9), 10**10).map(float)),
        duration=draw(NUMBERS),
        ranks=None if places is None else tuple(sorted(set(places)).index(place) + 1 for place in places),
        game=draw(st.text()),
        map=draw(st.text()),
        mode=draw(st.text()),
        races=draw(st.just(()) | st.lists(st.none() | NAMES, min_size=count, max_size=count).map(tuple)),
    )


def list_fields(round_: Round | DecodedRound) -> dict[str, Any]:
    values: dict[str, Any] = to_builtins(round_)
    values["races"] = [race for race in values["races"] if race] and list(values["races"])
    return json.loads(json.dumps(values))  # type: ignore[no-any-return]


@given(rounds())
def test_round_trip(round_: Round) -> None:
    round_object = object_from_round(round_)
    assert list_fields(convert_round(round_object)) == list_fields(round_)
    assert list_fields(decode_round(encode_round_line(round_object))) == list_fields(round_)


@pytest.mark.parametrize(("ranks", "outcome"), [((2, 1), {"winner": "B"}), ((1, 1), {"winner": None}), (None, {})])
def test_outcome_fields(ranks: tuple[int, int] | None, outcome: dict[str, Any]) -> None:
    round_object = object_from_round(Round("r", ("A", "B"), (), 0.0, 60.0, ranks))
    assert {key: round_object[key] for key in ("winner", "ranks") if key in round_object} == outcome
