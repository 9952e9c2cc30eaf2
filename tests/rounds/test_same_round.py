"""Tellings of one round are recognised, whichever came first; rounds played one after another are several."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


MATCH = Round("a", TEAMS, players("ann", "bob", "cid", "dot"), 1_000_000.0, 600.0, (1, 2), "ns2", "veil", "ns2")
DATED = RoundReport(MATCH, "S")


def other(**changes: object) -> RoundReport:
    return DATED._replace(round=replace(MATCH, id="b", **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("second", "same"),
    [
        (other(started=MATCH.started + MAX_START_DIFFERENCE_S), True),  # type: ignore[operator]
        (other(started=MATCH.started + MAX_START_DIFFERENCE_S + 1), False),  # type: ignore[operator]
        (other(duration=600 + MAX_LENGTH_DIFFERENCE_S), True),
        (other(duration=600 + MAX_LENGTH_DIFFERENCE_S + 1), False),
        (other(map="tram"), False),
        (other(map=""), False),  # nothing says that it is there
        (other(mode=""), True),
        (other(ranks=(2, 1)), False),
        (other(ranks=(1, 1)), False),
        (other(ranks=None), True),
        (other(ranks=None, duration=300.0, players=players("ann", "bob", leave=300.0)), True),
        (other(ranks=None, duration=700.0), False),
        (other(players=players("ann", "bob", "cid")), False),
        (other(players=players("bob", "ann", "dot", "cid")), False),  # on the other sides
        (other(players=(*MATCH.players, Player("eve", (Stint("aliens", 0.0, 20.0),)))), True),  # hardly there
        (other(players=()), True),
        (other(players=())._replace(server=None), False),
        (DATED._replace(server="T"), False),
        (DATED._replace(server=None), True),
        (other(started=2_000_000.0)._replace(is_undated=True), True),
        (other(started=500_000.0)._replace(is_undated=True), False),  # written before it was played
        (other(started=2_000_000.0, duration=603.0)._replace(is_undated=True), False),
        (other(started=2_000_000.0, players=players("bob", "ann", "dot", "cid"))._replace(is_undated=True), False),
    ],
)
def test_what_tells_two_rounds_apart(second: RoundReport, same: bool) -> None:
    assert is_same_round(DATED, second) is same
    assert is_same_round(second, DATED) is same


@given(st.integers(1, 9), st.integers(1, 9))
def test_without_a_date_other_counts_are_another_round(kills: int, kills_there: int) -> None:
    first, *rest = MATCH.players
    one = other(players=(replace(first, kills=float(kills)), *rest))
    copied = other(started=2_000_000.0, players=(replace(first, kills=float(kills_there)), *rest))
    assert is_same_round(one, copied._replace(is_undated=True)) is (kills == kills_there)


def test_recorded_rounds_are_all_others(data_dir: Path) -> None:
    files = sorted((data_dir / "ns2plus").glob("*.json"))
    tellings = [
        report_from_object(each)
        for file in files
        for _line, each in stream_objects(RoundFileSource(str(file)), "ns2plus")
    ]
    assert len(tellings) == len(files) >= 40
    assert not any(is_same_round(one, two) for one, two in combinations(tellings, 2))
    assert all(
        is_same_round(each, each._replace(server=None, is_approximate=False)) for each in tellings if each.is_finished
    )
