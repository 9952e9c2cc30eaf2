"""The first contradiction in any round is refused with its position."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.rating.record import record_builder
from browser_app.rating.record.record_builder import RecordBuilder, build_record

Change = Callable[[Round], Round]

GOOD = Round(
    "good",
    ("A", "B"),
    [
        Player("ann", [Stint("A", 0.0, 30.0), Stint("B", 30.0, 60.0)], [Stint("B", 40.0, 50.0)]),
        Player("bob", [Stint("B", 0.0, 60.0)]),
    ],
    0.0,
    60.0,
    (1, 2),
)


def stays(*stints: Stint) -> Change:
    return lambda game_round: replace(game_round, players=[game_round.players[0], Player("bob", stints)])


def commanding(*stints: Stint) -> Change:
    return lambda game_round: replace(
        game_round, players=[replace(game_round.players[0], commanding=stints), game_round.players[1]]
    )


def counted(**counts: float) -> Change:
    def change(game_round: Round) -> Round:
        first, second = game_round.players
        return replace(game_round, players=[first, replace(second, **counts)])  # type: ignore[arg-type]  # by name

    return change


def with_fields(**fields: object) -> Change:
    return lambda game_round: replace(game_round, **fields)  # type: ignore[arg-type]  # wrong on purpose


BAD: Sequence[tuple[str, str, Change]] = [
    ("players[1].stays[0].enter", "before the start", stays(Stint("B", -0.1, 5.0))),
    ("players[1].stays[0].leave", "before enter", stays(Stint("B", 6.0, 5.0))),
    ("players[1].stays[1].leave", "after the end", stays(Stint("B", 0.0, 1.0), Stint("B", 5.0, 61.001))),
    ("players[1].stays[0].enter", "not a time", stays(Stint("B", math.nan, 5.0))),
    ("players[1].stays[0].leave", "not a time", stays(Stint("B", 0.0, math.inf))),
    ("players[1].stays[0].team", "one of the round’s teams", stays(Stint("C", 0.0, 5.0))),
    ("players[1].stays[0].enter", "another stint", stays(Stint("B", 9.0, 20.0), Stint("A", 0.0, 10.0))),
    ("players[1].stays[2].enter", "another stint", stays(Stint("B", 0, 9), Stint("B", 9, 9), Stint("B", 8, 20))),
    ("players[0].commanding[0].team", "one of the round’s teams", commanding(Stint("C", 0.0, 5.0))),
    ("players[0].commanding[1].enter", "outside", commanding(Stint("B", 30.0, 31.0), Stint("B", 20.0, 30.0))),
    ("players[0].commanding[0].enter", "outside", commanding(Stint("B", 29.0, 40.0))),
    ("players[0].commanding[0].leave", "after the end", commanding(Stint("B", 40.0, 62.0))),
    ("players[0].commanding[1].enter", "another stint", commanding(Stint("B", 40.0, 50.0), Stint("B", 45.0, 46.0))),
    ("players[1].id", "twice", lambda match: replace(match, players=[match.players[0], match.players[0]])),
    ("duration", "above 0", with_fields(duration=0.0)),
    ("duration", "above 0", with_fields(duration=-60.0)),
    ("duration", "finite", with_fields(duration=math.inf)),
    ("duration", "at most", with_fields(duration=1e300)),
    ("players[1].kills", "0 to 1000000000", counted(kills=1e300)),
    ("players[1].kills", "0 to 1000000000", counted(kills=-1.0)),
    ("players[1].deaths", "0 to 1000000000", counted(kills=1e9, deaths=1.1e9)),
    ("players[1].deaths", "0 to 1000000000", counted(deaths=-0.5)),
    ("players[1].score", "-1000000000 to 1000000000", counted(score=-math.inf)),
    ("players[1].ping", "0 to 1000000000", counted(ping=-20.0)),
    ("players[1].skill", "0 to 1000000", counted(skill=1e300)),
    ("players[1].skill", "0 to 1000000", counted(skill=-1.0)),
    ("players[1].commander_skill", "0 to 1000000", counted(skill=0.0, commander_skill=-200.0)),
    ("players[1].offset", "-1000000 to 1000000", counted(skill=0.0, offset=-1e300)),
    ("players[1].adagrad_sum", "0 to 1000000000", counted(adagrad_sum=-1e-9)),
    ("duration", "missing", with_fields(duration=None)),
    ("started", "missing", with_fields(started=None)),
    ("started", "not a time", with_fields(started=math.inf)),
    ("teams", "same name", with_fields(teams=("A", "A"))),
    ("teams", "two or more", with_fields(teams=())),
    ("teams", "two or more", with_fields(teams=("A",))),
    ("ranks", "one per team", with_fields(ranks=(1,))),
    ("ranks", "1 or more", with_fields(ranks=(0, 1))),
    ("races", "one per team", with_fields(races=("x",))),
]

SIZES = [(1, 1), (1, 2), (2, 2), (3, 1), (100, 100)]
"""Rounds per batch, and rounds validated together."""


@pytest.mark.parametrize(("field", "problem", "change"), BAD, ids=[f"{field}: {problem}" for field, problem, _ in BAD])
@pytest.mark.parametrize(("batch", "chunk"), SIZES)
def test_contradiction_is_refused(
    field: str, problem: str, change: Change, batch: int, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_builder, "BATCH_ROUNDS", batch)
    monkeypatch.setattr(record_builder, "CHUNK_ROUNDS", chunk)
    later = replace(GOOD, id="later", duration=-1.0)
    with pytest.raises(InvalidRoundError) as caught:
        build_record([GOOD, replace(GOOD, id="fine"), replace(change(GOOD), id="bad"), later])
    assert (caught.value.index, caught.value.field) == (2, field)
    assert problem in caught.value.problem


@pytest.mark.parametrize(("batch", "chunk"), SIZES)
def test_duplicate_id_is_refused(batch: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_builder, "BATCH_ROUNDS", batch)
    monkeypatch.setattr(record_builder, "CHUNK_ROUNDS", chunk)
    with pytest.raises(InvalidRoundError, match="also the id of round 1") as caught:
        build_record([GOOD, replace(GOOD, id="other"), GOOD])
    assert (caught.value.index, caught.value.field) == (2, "id")


def test_earlier_fault_precedes_duplicate_id() -> None:
    with pytest.raises(InvalidRoundError) as caught:
        build_record([GOOD, replace(GOOD, id="bad", duration=0.0), GOOD])
    assert (caught.value.index, caught.value.field) == (1, "duration")


def test_check_pending_finds_fault() -> None:
    builder = RecordBuilder()
    builder.add(replace(GOOD, duration=0.0))
    with pytest.raises(InvalidRoundError, match="above 0"):
        builder.check_pending()


def test_upcoming_round_needs_no_start() -> None:
    players = [Player("ann", [Stint("A", 0.0, 1e9)])]
    record = build_record([Round("r", ("A", "B"), players, None)])
    assert record.ranks(0) is None
    assert record.stays.leave.tolist() == [1e9]
