"""Reports of one round are recognised in either order.

Consecutive rounds stay separate.
"""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_data import facts_of

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rounds.round_identity import (
    MAX_LENGTH_DIFFERENCE_S,
    MAX_START_DIFFERENCE_S,
    RoundReport,
    is_same_round,
    report_from_object,
)
from browser_app.rounds.round_reader import stream_objects
from browser_app.rounds.round_source import RoundFileSource

TEAMS = ("marines", "aliens")


def players(*names: str, leave: float = 600.0) -> tuple[Player, ...]:
    return tuple(
        Player(name, (Stint(TEAMS[seat % 2], 0.0, leave),), kills=seat + 1.0, deaths=2.0)
        for seat, name in enumerate(names)
    )


ROUND = Round("a", TEAMS, players("ann", "bob", "cid", "dot"), 1_000_000.0, 600.0, (1, 2), "ns2", "veil", "ns2")
DATED = RoundReport(ROUND, "S")


def other(**changes: object) -> RoundReport:
    return DATED._replace(round=replace(ROUND, **{"id": "b"} | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("second", "same"),
    [
        (other(started=ROUND.started + MAX_START_DIFFERENCE_S), True),  # type: ignore[operator]
        (other(started=ROUND.started + MAX_START_DIFFERENCE_S + 1), False),  # type: ignore[operator]
        (other(duration=600 + MAX_LENGTH_DIFFERENCE_S), True),
        (other(duration=600 + MAX_LENGTH_DIFFERENCE_S + 1), False),
        (other(map="tram"), False),
        (other(map=""), False),  # the map is required
        (other(mode=""), True),
        (other(ranks=(2, 1)), False),
        (other(ranks=(1, 1)), False),
        (other(ranks=None), True),
        (other(ranks=None, duration=300.0, players=players("ann", "bob", leave=300.0)), True),
        (other(ranks=None, duration=700.0), False),
        (other(players=players("ann", "bob", "cid")), False),
        (other(players=players("bob", "ann", "dot", "cid")), False),  # on the other teams
        (other(players=(*ROUND.players, Player("eve", (Stint("aliens", 0.0, 20.0),)))), True),  # present only briefly
        (other(players=()), True),
        (other(players=())._replace(server=None), False),
        (DATED._replace(server="T"), False),
        (DATED._replace(server=None), True),
        (other(started=2_000_000.0)._replace(is_undated=True), True),
        (other(started=500_000.0)._replace(is_undated=True), False),  # file written before the round was played
        (other(started=2_000_000.0, duration=603.0)._replace(is_undated=True), False),
        (other(started=2_000_000.0, players=players("bob", "ann", "dot", "cid"))._replace(is_undated=True), False),
    ],
)
def test_is_same_round(second: RoundReport, same: bool) -> None:
    assert is_same_round(DATED, second) is same
    assert is_same_round(second, DATED) is same


def unfinished(**changes: object) -> RoundReport:
    return other(
        **{"ranks": None, "duration": 300.0, "players": players("ann", "bob", "cid", "dot", leave=300.0)} | changes
    )


@pytest.mark.parametrize(
    ("second", "same"),
    [
        (unfinished(), True),
        (unfinished(duration=500.0, players=players("ann", "bob", "cid", "dot", "eve", leave=500.0)), True),
        (unfinished(duration=None), True),
        (unfinished(started=1_000_060.0), True),
        (unfinished(started=1_000_121.0), False),
        (unfinished(started=1_000_060.0, map="tram"), False),
        (unfinished(players=players("eve", "fay", "gus", "dot")), False),
        (unfinished(players=players("bob", "ann", "dot", "cid")), False),  # on the other teams
        (unfinished(players=()), False),
        (unfinished(started=1_050_000.0, id="a"), True),  # a plan that was put off
        (unfinished(started=1_090_000.0, id="a"), False),
        (unfinished(started=None, id="a", duration=None), True),
    ],
)
def test_unfinished_reports_of_one_round(second: RoundReport, same: bool) -> None:
    first = unfinished(id="a")
    assert is_same_round(first, second) is same
    assert is_same_round(second, first) is same


def test_aborted_round_and_its_repetition_differ() -> None:
    first, second = unfinished(id="a", duration=50.0), unfinished(started=1_000_060.0)
    assert not is_same_round(first, second)
    assert not is_same_round(second, first)


@given(st.integers(1, 9), st.integers(1, 9))
def test_undated_rounds_differ_by_counts(kills: int, kills_there: int) -> None:
    first, *rest = ROUND.players
    one = other(players=(replace(first, kills=float(kills)), *rest))
    copied = other(started=2_000_000.0, players=(replace(first, kills=float(kills_there)), *rest))
    assert is_same_round(one, copied._replace(is_undated=True)) is (kills == kills_there)


def test_recorded_rounds_are_all_different(data_dir: Path) -> None:
    files = sorted((data_dir / "ns2plus").glob("*.json"))
    tellings = [
        report_from_object(each)
        for file in files
        for _line, each in stream_objects(RoundFileSource(str(file)), "ns2plus")
    ]
    assert len(tellings) == len(files) == facts_of(data_dir).ns2plus_files
    assert not any(is_same_round(one, two) for one, two in combinations(tellings, 2))
    assert all(
        is_same_round(each, each._replace(server=None, is_approximate=False)) for each in tellings if each.is_finished
    )
