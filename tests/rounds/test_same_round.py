"""Tellings of one round are recognised, whichever came first; rounds played one after another are several."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.rating.match import Match, Player, Stay
from browser_app.rounds.reading import stream_objects
from browser_app.rounds.same_round import LENGTH_S, START_S, Telling, is_same, telling_of
from browser_app.rounds.source import Source

TEAMS = ("marines", "aliens")


def players(*names: str, leave: float = 600.0) -> tuple[Player, ...]:
    return tuple(
        Player(name, (Stay(TEAMS[seat % 2], 0.0, leave),), kills=seat + 1.0, deaths=2.0)
        for seat, name in enumerate(names)
    )


MATCH = Match("a", TEAMS, players("ann", "bob", "cid", "dot"), 1_000_000.0, 600.0, (1, 2), "ns2", "veil", "ns2")
DATED = Telling(MATCH, "S")


def other(**changes: object) -> Telling:
    return DATED._replace(match=replace(MATCH, id="b", **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("second", "same"),
    [
        (other(started=MATCH.started + START_S), True),  # type: ignore[operator]
        (other(started=MATCH.started + START_S + 1), False),  # type: ignore[operator]
        (other(duration=600 + LENGTH_S), True),
        (other(duration=600 + LENGTH_S + 1), False),
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
        (other(players=(*MATCH.players, Player("eve", (Stay("aliens", 0.0, 20.0),)))), True),  # hardly there
        (other(players=()), True),
        (other(players=())._replace(server=None), False),
        (DATED._replace(server="T"), False),
        (DATED._replace(server=None), True),
        (other(started=2_000_000.0)._replace(undated=True), True),
        (other(started=500_000.0)._replace(undated=True), False),  # written before it was played
        (other(started=2_000_000.0, duration=603.0)._replace(undated=True), False),
        (other(started=2_000_000.0, players=players("bob", "ann", "dot", "cid"))._replace(undated=True), False),
    ],
)
def test_what_tells_two_rounds_apart(second: Telling, same: bool) -> None:
    assert is_same(DATED, second) is same
    assert is_same(second, DATED) is same


@given(st.integers(1, 9), st.integers(1, 9))
def test_without_a_date_other_counts_are_another_round(kills: int, kills_there: int) -> None:
    first, *rest = MATCH.players
    one = other(players=(replace(first, kills=float(kills)), *rest))
    copied = other(started=2_000_000.0, players=(replace(first, kills=float(kills_there)), *rest))
    assert is_same(one, copied._replace(undated=True)) is (kills == kills_there)


def test_recorded_rounds_are_all_others(data_dir: Path) -> None:
    files = sorted((data_dir / "ns2plus").glob("*.json"))
    tellings = [telling_of(each) for file in files for _line, each in stream_objects(Source(str(file)), "ns2plus")]
    assert len(tellings) == len(files) >= 40
    assert not any(is_same(one, two) for one, two in combinations(tellings, 2))
    assert all(is_same(each, each._replace(server=None, approximate=False)) for each in tellings if each.finished)
