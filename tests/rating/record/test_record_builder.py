"""A record has the content of its rounds, by start, however batched."""

import math
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_errors import DuplicateRoundIdError
from browser_app.rating.record import record_builder
from browser_app.rating.record.record_builder import RecordBuilder, build_record
from browser_app.rating.record.round_record import RoundRecord, Stints

pytestmark = pytest.mark.slow

NUMBERS = st.none() | st.floats(0.0, 1e6)
SCORES = st.none() | st.floats(-1e6, 1e6)
NAMES = st.sampled_from(["ann", "bob", "cleo", "dan", "eve"])


@st.composite
def stays(draw: st.DrawFn, teams: Sequence[str], duration: float) -> list[Stint]:
    times = sorted(draw(st.lists(st.floats(0, duration), max_size=6, unique=True)))
    stints = zip(times[::2], times[1::2], strict=False)
    return draw(st.permutations([Stint(draw(st.sampled_from(teams)), a, b) for a, b in stints]))


@st.composite
def players(draw: st.DrawFn, teams: Sequence[str], duration: float) -> Player:
    stints = draw(stays(teams, duration))
    return Player(
        id=draw(NAMES),
        stays=stints,
        commanding=[Stint(s.team, (s.enter + s.leave) / 2, s.leave) for s in stints if draw(st.booleans())],
        name=draw(st.none() | st.just("nick")),
        kills=draw(NUMBERS),
        deaths=draw(NUMBERS),
        score=draw(SCORES),
        assists=draw(NUMBERS),
        objectives=draw(NUMBERS),
        squad=draw(st.none() | st.sampled_from(["s", "t"])),
        ping=draw(NUMBERS),
        quit=draw(st.none() | st.booleans()),
        ranked=draw(st.none() | st.booleans()),
        skill=draw(NUMBERS),
        adagrad_sum=draw(NUMBERS),
    )


@st.composite
def matches(draw: st.DrawFn, number: int) -> Round:
    teams = draw(st.lists(st.sampled_from("ABCD"), min_size=2, unique=True))
    duration = draw(st.floats(1e-3, 1e5))
    races = st.lists(st.none() | st.sampled_from("xy"), min_size=len(teams), max_size=len(teams))
    ranks = st.lists(st.integers(1, 4), min_size=len(teams), max_size=len(teams))
    return Round(
        id=f"round {number}",
        teams=teams,
        players=draw(st.lists(players(teams, duration), unique_by=lambda player: player.id)),
        started=draw(st.sampled_from([0.0, 1.0, 2.0])),
        duration=duration,
        ranks=draw(st.none() | ranks),
        game=draw(st.sampled_from(["", "g"])),
        map=draw(st.sampled_from(["", "m1", "m2"])),
        mode=draw(st.sampled_from(["", "duel", "dm"])),
        races=draw(st.just(()) | races),
    )


@st.composite
def given_rounds(draw: st.DrawFn) -> list[Round]:
    return [draw(matches(number)) for number in range(draw(st.integers(0, 7)))]


def known(value: float) -> float | None:
    return None if math.isnan(value) else value


def name_of(names: Sequence[str], index: int) -> str | None:
    return names[index] if index >= 0 else None


def flag(value: int) -> bool | None:
    return None if value < 0 else bool(value)


def stints_of(stints: Stints, row: int, teams: Sequence[str]) -> list[Stint]:
    rows = np.flatnonzero(stints.appearance == row).tolist()
    return [Stint(teams[stints.team[i]], float(stints.enter[i]), float(stints.leave[i])) for i in rows]


def squads_of(record: RoundRecord, k: int) -> list[list[int]]:
    """Return the positions of players by squad, squads by their first players."""
    squads: dict[int, list[int]] = {}
    for position, squad in enumerate(record.squad[record.appearances(k)].tolist()):
        if squad >= 0:
            squads.setdefault(squad, []).append(position)
    return list(squads.values())


def match_at(record: RoundRecord, k: int) -> Round:
    """Return round k as it was given, without squads and names."""
    teams = record.teams(k)
    rows = record.appearances(k)
    races = [name_of(record.races, i) for i in record.team_race[record.team_start[k] : record.team_start[k + 1]]]
    return Round(
        id=record.ids[k],
        teams=list(teams),
        players=[
            Player(
                id=record.player_ids[record.player[row]],
                stays=stints_of(record.stays, row, teams),
                commanding=stints_of(record.commander_stints, row, teams),
                kills=known(record.kills[row]),
                deaths=known(record.deaths[row]),
                score=known(record.score[row]),
                assists=known(record.assists[row]),
                objectives=known(record.objectives[row]),
                ping=known(record.ping[row]),
                quit=flag(record.quit[row]),
                ranked=flag(record.ranked[row]),
                skill=known(record.skill[row]),
                offset=known(record.offset[row]),
                adagrad_sum=known(record.adagrad_sum[row]),
            )
            for row in range(rows.start, rows.stop)
        ],
        started=record.started[k],
        duration=record.duration[k],
        ranks=record.ranks(k),
        game=name_of(record.games, record.game[k]) or "",
        map=name_of(record.maps, record.map[k]) or "",
        mode=record.modes[record.mode[k]],
        races=races,
    )


def expected(match: Round) -> Round:
    """Return the content that a record keeps.

    Stints by time without empty ones, one race per team.
    """

    def by_time(stints: Sequence[Stint]) -> list[Stint]:
        return sorted((stint for stint in stints if stint.leave > stint.enter), key=lambda stint: stint.enter)

    return Round(
        id=match.id,
        teams=match.teams,
        players=[
            Player(
                id=player.id,
                stays=by_time(player.stays),
                commanding=by_time(player.commanding),
                kills=player.kills,
                deaths=player.deaths,
                score=player.score,
                assists=player.assists,
                objectives=player.objectives,
                ping=player.ping,
                quit=player.quit,
                ranked=player.ranked,
                skill=player.skill,
                adagrad_sum=player.adagrad_sum,
            )
            for player in match.players
        ],
        started=match.started,
        duration=match.duration,
        ranks=None if match.ranks is None else tuple(match.ranks),
        game=match.game,
        map=match.map,
        mode=match.mode,
        races=list(match.races) or [None] * len(match.teams),
    )


@settings(max_examples=40)
@given(given_rounds(), st.integers(1, 3), st.integers(1, 4), st.integers(0, 9), st.integers(0, 9))
def test_record_and_slice_have_content_of_rounds(
    rounds: list[Round], batch: int, chunk: int, first: int, more: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(record_builder, "BATCH_ROUNDS", batch)
        patch.setattr(record_builder, "CHUNK_ROUNDS", chunk)
        record = build_record(rounds)
    check_order(record, rounds)
    check_latest_names(record, rounds)
    first = min(first, len(record))
    check_slice(record, first, min(first + more, len(record)))


def check_order(record: RoundRecord, rounds: Sequence[Round]) -> None:
    in_order = sorted(range(len(rounds)), key=lambda i: rounds[i].started or 0.0)
    assert record.input_index.tolist() == in_order
    assert [match_at(record, k) for k in range(len(record))] == [expected(rounds[i]) for i in in_order]
    for k, i in enumerate(in_order):
        squads: dict[str, list[int]] = {}
        for position, player in enumerate(rounds[i].players):
            if player.squad is not None:
                squads.setdefault(player.squad, []).append(position)
        assert squads_of(record, k) == list(squads.values())


def check_latest_names(record: RoundRecord, rounds: Sequence[Round]) -> None:
    called = {
        player.id: player.name for game_round in rounds for player in game_round.players if player.name is not None
    }
    assert dict(zip(record.player_ids, record.player_names, strict=True)) == {
        player.id: called.get(player.id) for game_round in rounds for player in game_round.players
    }


def check_slice(record: RoundRecord, first: int, last: int) -> None:
    part = record.slice_rounds(first, last)
    assert len(part) == last - first
    for k in range(first, last):
        assert repr(match_at(part, k - first)) == repr(match_at(record, k))  # as text: it may contain NaN
        assert squads_of(part, k - first) == squads_of(record, k)


@settings(max_examples=30)
@given(given_rounds(), st.integers(0, 7))
def test_fragments_join_into_one_record(rounds: list[Round], first: int) -> None:
    whole, here, present = build_record(rounds), RecordBuilder(), RecordBuilder()
    for number, game_round in enumerate(rounds):
        (here if number < first else present).add(game_round)
    here.append_fragment(present.extract_fragment())
    joined = here.build()
    for field in fields(RoundRecord):
        found, expected = getattr(joined, field.name), getattr(whole, field.name)
        if field.name in ("stays", "commander_stints"):
            assert all(
                np.array_equal(getattr(found, each.name), getattr(expected, each.name)) for each in fields(found)
            )
        elif field.name != "squad":  # squad numbers only compare within a round
            assert np.array_equal(found, expected, equal_nan=getattr(expected, "dtype", None) == np.float64), field.name
    assert [squads_of(joined, k) for k in range(len(whole))] == [squads_of(whole, k) for k in range(len(whole))]


def test_duplicate_id_across_builders() -> None:
    here, present = RecordBuilder(), RecordBuilder()
    for builder, name in ((here, "a"), (here, "b"), (present, "c"), (present, "b")):
        builder.add(Round(name, ("A", "B"), (), 0.0, 60.0, (1, 2)))
    with pytest.raises(DuplicateRoundIdError) as caught:
        here.append_fragment(present.extract_fragment())
    assert (caught.value.index, caught.value.first_index) == (3, 1)


def test_upcoming_round_is_last() -> None:
    def round_at(started: float | None) -> Round:
        ranks = None if started is None else (1, 2)
        return Round(str(started), ("A", "B"), (), started, 60.0, ranks)

    record = build_record([round_at(None), round_at(7.0), round_at(3.0)])
    assert list(record.ids) == ["3.0", "7.0", "None"]
    assert record.started.tolist() == [3.0, 7.0, 7.0]


def test_late_leave_is_cut() -> None:
    stint = [Stint("A", 10.0, 61.0)]
    record = build_record([Round("r", ("A", "B"), [Player("p", stint, stint)], 0.0, 60.0, (1, 2))])
    assert record.stays.leave.tolist() == record.commander_stints.leave.tolist() == [60.0]


def test_commander_time_may_span_adjacent_stays() -> None:
    player = Player("p", [Stint("A", 0.0, 20.1), Stint("A", 20.1, 50.0)], [Stint("A", 10.0, 50.0)])
    record = build_record([Round("r", ("A", "B"), [player], 0.0, 60.0, (1, 2))])
    assert record.commander_stints.enter.tolist() == [10.0]


def test_squads_may_have_any_name() -> None:
    squads: list[Any] = ["", 0, 0, None, "0"]
    players = [Player(str(i), squad=squad) for i, squad in enumerate(squads)]
    record = build_record([Round("r", ("A", "B"), players, 0.0)])
    assert squads_of(record, 0) == [[1, 2], [4]]


def test_unknown_columns_take_no_memory() -> None:
    record = build_record([Round(str(i), ("A", "B"), [Player("p")], 0.0) for i in range(3)])
    assert record.ping.strides == (0,)
    assert np.isnan(record.ping).tolist() == [True] * 3
