"""One line of the round file: valid forms, and errors with their place."""

import contextlib
import json
from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from round_file_helpers import ROUND, build_round, read_error, read_record, to_builtins, write_rounds

from browser_app.rating.game_round import MinimalPlayer, Player, Stint
from browser_app.rounds.round_errors import RoundFieldError
from browser_app.rounds.round_file import PlayerObject, StintObject, convert_round, decode_round


@pytest.mark.parametrize(("ours", "theirs"), [(StintObject, Stint), (PlayerObject, Player)])
def test_structs_have_fields_of_dataclasses(ours: type[msgspec.Struct], theirs: type) -> None:
    assert [field.name for field in msgspec.structs.fields(ours)] == [field.name for field in fields(theirs)]


def test_default_player_equals_dataclass() -> None:
    ours, theirs = PlayerObject("p"), Player("p")
    for field in fields(Player):
        assert getattr(ours, field.name) == getattr(theirs, field.name), field.name


def test_minimal_player_has_defaults_of_player() -> None:
    for field in fields(Player):
        if field.name not in ("id", "stays"):
            assert getattr(MinimalPlayer, field.name) == getattr(Player("p"), field.name), field.name


def test_round_has_all_fields() -> None:
    round_ = decode_round(json.dumps(ROUND).encode())
    assert (round_.id, round_.game, round_.map, round_.mode) == ("r1", "ns2", "ns2_summit", "ns2")
    assert (round_.started, round_.duration, round_.ranks) == (1714593600.0, 600.0, (2, 1))
    assert to_builtins(round_.players)[0]["stays"][1] == {"team": "aliens", "enter": 210.0, "leave": 600.0}
    assert [player.quit for player in round_.players] == [None, False]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    ),
    st.text().filter(lambda key: key not in ROUND),
)
def test_unknown_keys_are_ignored(value: Any, key: str) -> None:
    optional_keys = {"ranks", "races"}
    line = json.dumps(ROUND | {key: value} if key not in optional_keys else ROUND).encode()
    assert to_builtins(decode_round(line).players) == to_builtins(convert_round(ROUND).players)


@pytest.mark.parametrize(
    ("outcome", "ranks"),
    [
        ({"winner": "marines"}, (1, 2)),
        ({"winner": None}, (1, 1)),
        ({"winner": ...}, None),
        ({"winner": ..., "ranks": {"marines": 7, "aliens": -2}}, (2, 1)),
        ({"winner": ..., "ranks": {"marines": 1, "aliens": 1}}, (1, 1)),
        ({"winner": ..., "ranks": None}, None),
        ({"winner": "aliens", "ranks": {"marines": 2, "aliens": 1}}, (2, 1)),
        ({"winner": None, "ranks": {"marines": 3, "aliens": 3}}, (1, 1)),
    ],
)
def test_outcomes_give_ranks(outcome: dict[str, Any], ranks: tuple[int, ...] | None) -> None:
    assert convert_round(build_round(**outcome)).ranks == ranks


def test_outcomes_of_three_teams() -> None:
    teams: dict[str, Any] = {"teams": ["a", "b", "c"], "players": [], "winner": ...}
    assert convert_round(build_round(**teams | {"winner": "b"})).ranks == (2, 1, 2)
    assert convert_round(build_round(**teams, ranks={"a": 2, "b": 9, "c": 2})).ranks == (1, 2, 1)
    assert convert_round(build_round(**teams | {"winner": None}, ranks={"a": 1, "b": 1, "c": 2})).ranks == (1, 1, 2)


def test_null_is_unknown() -> None:
    unknown = dict.fromkeys(("name", "kills", "deaths", "score", "squad", "ping", "quit"))
    round_ = convert_round(build_round(players=[{"id": "p", **unknown}], map=None, mode=None, game=None, races=None))
    assert to_builtins(round_.players[0]) == to_builtins(PlayerObject("p"))
    assert (round_.map, round_.mode, round_.game, round_.races) == ("", "", "", ())


def test_one_race_per_team() -> None:
    assert convert_round(build_round(races={"aliens": "alien"})).races == (None, "alien")


def test_balance_fields() -> None:
    players = [{"id": "p", "locked": True, "prefers": "aliens", "friends": ["q"]}]
    (player,) = convert_round(build_round(winner=..., duration=..., players=players)).players
    assert (player.locked, player.prefers, tuple(player.friends)) == (True, "aliens", ("q",))


@given(st.datetimes(timezones=st.just(UTC)), st.integers(-14 * 60, 14 * 60))
def test_start_with_offset(time: datetime, minutes: int) -> None:
    try:
        local = time.astimezone(timezone(timedelta(minutes=minutes)))
    except OverflowError:
        return
    expected = (time - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(seconds=1)
    assert convert_round(build_round(started=local.isoformat())).started == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    "text", ["2024-05-01T20:00:00", "2024-05-01 20:00:00Z", "20240501T220000+02", "2024-05-01T20:00:00.000000Z"]
)
def test_start_formats(text: str) -> None:
    assert convert_round(build_round(started=text)).started == 1714593600.0


def build_bad_player(**changes: Any) -> dict[str, Any]:
    return build_round(players=[ROUND["players"][0], ROUND["players"][1] | changes])


def build_bad_stay(**changes: Any) -> dict[str, Any]:
    return build_bad_player(stays=[{"team": "aliens", "enter": 0, "leave": 600} | changes])


NAN = float("nan")
INVALID: list[tuple[str, str, dict[str, Any]]] = [
    ("id", "missing", build_round(id=...)),
    ("id", "expected `str`, got `int`", build_round(id=7)),
    ("teams", "missing", build_round(teams=...)),
    ("teams[1]", "expected `str`", build_round(teams=["marines", None])),
    ("teams", "name", build_round(teams=["aliens", "aliens"], players=[])),
    ("players", "missing", build_round(players=...)),
    ("players[1].id", "missing", build_round(players=[{"id": "a"}, {}])),
    ("players[1].id", "twice", build_bad_player(id="ann")),
    ("started", "missing", build_round(started=...)),
    ("started", "ISO 8601", build_round(started="yesterday")),
    ("started", "ISO 8601", build_round(started="2024-13-01T00:00:00Z")),
    ("started", "expected `str", build_round(started=1714593600)),
    ("duration", "missing", build_round(duration=...)),
    ("duration", "above 0", build_round(duration=0)),
    ("duration", "above 0", build_round(duration=-1)),
    ("duration", "expected `float", build_round(duration="600")),
    ("duration", "expected `float", build_round(duration=True)),
    ("duration", "not a number", build_round(duration=NAN)),
    ("duration", "not a number", build_round(duration=float("inf"))),
    ("winner", "teams", build_round(winner="skulks")),
    ("winner", "expected", build_round(winner=1)),
    ("ranks.skulks", "teams", build_round(winner=..., ranks={"marines": 1, "aliens": 2, "skulks": 3})),
    ("ranks", "missing", build_round(winner=..., ranks={"marines": 1})),
    ("ranks[...]", "expected `int`", build_round(winner=..., ranks={"marines": 1, "aliens": "2"})),
    ("winner", "contradicts ranks", build_round(ranks={"marines": 1, "aliens": 2})),
    ("winner", "contradicts ranks", build_round(ranks={"marines": 1, "aliens": 1})),
    ("winner", "contradicts ranks", build_round(winner=None, ranks={"marines": 1, "aliens": 2})),
    ("races.skulks", "teams", build_round(races={"skulks": "alien"})),
    ("players[1].stays[0].enter", "before the start", build_bad_stay(enter=-0.5)),
    ("players[1].stays[0].leave", "before enter", build_bad_stay(enter=20, leave=10)),
    ("players[1].stays[0].leave", "after the end", build_bad_stay(leave=601.01)),
    ("players[1].stays[0].team", "teams", build_bad_stay(team="skulks")),
    ("players[1].stays[0].enter", "expected `float`", build_bad_stay(enter=None)),
    ("players[1].stays[0].leave", "not a number", build_bad_stay(leave=NAN)),
    ("players[1].stays[0].leave", "missing", build_bad_player(stays=[{"team": "aliens", "enter": 0}])),
    (
        "players[1].stays[1].enter",
        "before the end of another stint",
        build_bad_player(stays=[{"team": team, "enter": 0, "leave": 5} for team in ("aliens", "marines")]),
    ),
    (
        "players[1].commanding[0].enter",
        "outside",
        build_bad_player(
            stays=[{"team": "aliens", "enter": 0, "leave": 50}],
            commanding=[{"team": "aliens", "enter": 40, "leave": 60}],
        ),
    ),
    ("players[1].kills", "not a number", build_bad_player(kills=NAN)),
    ("players[1].ping", "expected `float", build_bad_player(ping="20")),
    ("players[1].quit", "expected `bool", build_bad_player(quit=1)),
    ("players[1].prefers", "teams", build_bad_player(prefers="skulks") | {"winner": ...}),
]


@pytest.mark.usefixtures("german_language")
def test_problems_are_translated(tmp_path: Path) -> None:
    for bad, problem in (
        (build_round(id=7), "id: erwartet `str`, gefunden `int`"),
        (build_round(duration=-1), "duration: muss über 0 liegen"),
        (build_round(winner="skulks"), "winner: 'skulks' ist keines der Teams"),
    ):
        path = write_rounds(tmp_path, bad)
        assert str(read_error(path)) == f"{path}:1: {problem}"


@pytest.mark.parametrize(("field", "problem", "bad"), INVALID, ids=[f"{f}: {p}" for f, p, _ in INVALID])
def test_error_has_line_and_field(field: str, problem: str, bad: dict[str, Any], tmp_path: Path) -> None:
    bad = {key: value for key, value in bad.items() if value is not ...}
    path = write_rounds(
        tmp_path, build_round(id="first"), bad | {"id": bad["id"]} if "id" in bad else bad, build_round(id="last")
    )
    error = read_error(path)
    assert (error.file, error.line, error.field) == (path, 2, field)
    assert problem in error.problem
    assert str(error) == f"{path}:2: {field}: {error.problem}"


def test_empty_stint_is_ignored(tmp_path: Path) -> None:
    record = read_record(write_rounds(tmp_path, build_bad_stay(enter=30, leave=30)))
    assert record.stays.appearance.tolist() == [0, 0]


def test_leave_slightly_after_end_is_cut(tmp_path: Path) -> None:
    record = read_record(write_rounds(tmp_path, build_bad_stay(leave=601)))
    assert record.stays.leave.tolist()[-1] == 600.0


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (b'{"id": "r1", "teams": [', "column 24"),
        (b'{"id": nan}', "column 8"),
        (b"\xff", "byte 1"),
        (b"[]", "round"),
        (b"17", "round"),
        (b'{"id": "r", "teams": [], "players": []} {}', "column 41"),
        (b"[" * 100_000, "round"),
        (b'{"id": "r", "teams": ["a", "b"], "players": [], "unknown": [0, Infinity]}', "unknown[1]"),
    ],
)
def test_line_that_is_not_round(line: bytes, field: str) -> None:
    with pytest.raises(RoundFieldError) as caught:
        decode_round(line)
    assert caught.value.field == field


LINES = (
    st.binary()
    | st.text().map(str.encode)
    | st.builds(
        lambda text, at, new: text[:at] + new + text[at + 1 :],
        st.just(json.dumps(ROUND).encode()),
        st.integers(0, len(json.dumps(ROUND))),
        st.binary(max_size=2),
    )
)


@given(LINES)
def test_any_bytes_read_or_raise(line: bytes) -> None:
    with contextlib.suppress(RoundFieldError):
        decode_round(line)
