"""Reports of one round are recognised in either order.

Consecutive rounds stay separate.
"""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_data import expected_recordings

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rounds.round_identity import (
    MAX_LENGTH_DIFFERENCE_S,
    MAX_START_DIFFERENCE_S,
    RoundReport,
    convert_report,
    is_same_round,
)
from browser_app.rounds.round_reader import stream_objects
from browser_app.rounds.round_source import RoundFileSource

TEAMS = ("marines", "aliens")


def build_players(*names: str, leave: float = 600.0) -> tuple[Player, ...]:
    return tuple(
        Player(name, (Stint(TEAMS[seat % 2], 0.0, leave),), kills=seat + 1.0, deaths=2.0)
        for seat, name in enumerate(names)
    )


ROUND = Round("a", TEAMS, build_players("ann", "bob", "cid", "dot"), 1_000_000.0, 600.0, (1, 2), "ns2", "veil", "ns2")
DATED = RoundReport(ROUND, "S")


def build_report(**changes: object) -> RoundReport:
    return DATED._replace(round=replace(ROUND, **{"id": "b"} | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("second", "same"),
    [
        (build_report(started=ROUND.started + MAX_START_DIFFERENCE_S), True),  # type: ignore[operator]
        (build_report(started=ROUND.started + MAX_START_DIFFERENCE_S + 1), False),  # type: ignore[operator]
        (build_report(duration=600 + MAX_LENGTH_DIFFERENCE_S), True),
        (build_report(duration=600 + MAX_LENGTH_DIFFERENCE_S + 1), False),
        (build_report(map="tram"), False),
        (build_report(map=""), False),  # the map is required
        (build_report(mode=""), True),
        (build_report(ranks=(2, 1)), False),
        (build_report(ranks=(1, 1)), False),
        (build_report(ranks=None), True),
        (build_report(ranks=None, duration=300.0, players=build_players("ann", "bob", leave=300.0)), True),
        (build_report(ranks=None, duration=700.0), False),
        (build_report(players=build_players("ann", "bob", "cid")), False),
        (build_report(players=build_players("bob", "ann", "dot", "cid")), False),  # on the other teams
        (
            build_report(players=(*ROUND.players, Player("eve", (Stint("aliens", 0.0, 20.0),)))),
            True,
        ),  # present only briefly
        (build_report(players=()), True),
        (build_report(players=())._replace(server=None), False),
        (DATED._replace(server="T"), False),
        (DATED._replace(server=None), True),
        (build_report(started=2_000_000.0)._replace(is_undated=True), True),
        (build_report(started=500_000.0)._replace(is_undated=True), False),  # file written before the round was played
        (build_report(started=2_000_000.0, duration=603.0)._replace(is_undated=True), False),
        (
            build_report(started=2_000_000.0, players=build_players("bob", "ann", "dot", "cid"))._replace(
                is_undated=True
            ),
            False,
        ),
    ],
)
def test_is_same_round(second: RoundReport, same: bool) -> None:
    assert is_same_round(DATED, second) is same
    assert is_same_round(second, DATED) is same


def build_unfinished_report(**changes: object) -> RoundReport:
    return build_report(
        **{"ranks": None, "duration": 300.0, "players": build_players("ann", "bob", "cid", "dot", leave=300.0)}
        | changes
    )


@pytest.mark.parametrize(
    ("second", "same"),
    [
        (build_unfinished_report(), True),
        (
            build_unfinished_report(
                duration=500.0, players=build_players("ann", "bob", "cid", "dot", "eve", leave=500.0)
            ),
            True,
        ),
        (build_unfinished_report(duration=None), True),
        (build_unfinished_report(started=1_000_060.0), True),
        (build_unfinished_report(started=1_000_121.0), False),
        (build_unfinished_report(started=1_000_060.0, map="tram"), False),
        (build_unfinished_report(players=build_players("eve", "fay", "gus", "dot")), False),
        (build_unfinished_report(players=build_players("bob", "ann", "dot", "cid")), False),  # on the other teams
        (build_unfinished_report(players=()), False),
        (build_unfinished_report(started=1_050_000.0, id="a"), True),  # a plan that was put off
        (build_unfinished_report(started=1_090_000.0, id="a"), False),
        (build_unfinished_report(started=None, id="a", duration=None), True),
    ],
)
def test_unfinished_reports_of_one_round(second: RoundReport, same: bool) -> None:
    first = build_unfinished_report(id="a")
    assert is_same_round(first, second) is same
    assert is_same_round(second, first) is same


def test_aborted_round_and_its_repetition_differ() -> None:
    first, second = build_unfinished_report(id="a", duration=50.0), build_unfinished_report(started=1_000_060.0)
    assert not is_same_round(first, second)
    assert not is_same_round(second, first)


@given(st.integers(1, 9), st.integers(1, 9))
def test_undated_rounds_differ_by_counts(kills: int, kills_there: int) -> None:
    first, *rest = ROUND.players
    one = build_report(players=(replace(first, kills=float(kills)), *rest))
    copied = build_report(started=2_000_000.0, players=(replace(first, kills=float(kills_there)), *rest))
    assert is_same_round(one, copied._replace(is_undated=True)) is (kills == kills_there)


def test_recorded_rounds_are_all_different(data_dir: Path) -> None:
    files = sorted((data_dir / "ns2plus").glob("*.json"))
    reports = [
        convert_report(each) for file in files for _line, each in stream_objects(RoundFileSource(str(file)), "ns2plus")
    ]
    assert len(reports) == len(files) == expected_recordings(data_dir).ns2plus_files
    assert not any(is_same_round(one, two) for one, two in combinations(reports, 2))
    assert all(
        is_same_round(each, each._replace(server=None, is_approximate=False)) for each in reports if each.is_finished
    )
