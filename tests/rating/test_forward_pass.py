"""Forward pass over a record: skipped rounds and each step."""

import pytest
from rating_helpers import counting_system, played, season

from browser_app.rating.forward_pass import ForwardPass, SkippedRound, first_team_outcome
from browser_app.rating.record.record_builder import build_record

ROUNDS = [
    played(1, ["a"], ["b"]),
    played(2, ["a"], [], ranks=(1, 2)),
    played(3, ["a"], ["b"], ranks=None),
    played(4, ["a", "c"], ["b"], ranks=(2, 1), mode="tdm"),
    played(5, ["a"], ["b"], ranks=(1, 1)),
]


def test_skipped_rounds_have_reasons() -> None:
    forward = ForwardPass(counting_system().new_run(build_record(ROUNDS)))
    forward.advance_to(2)
    forward.advance_to(5)
    assert forward.skipped == [SkippedRound(1, "one_side_empty"), SkippedRound(2, "no_outcome")]
    assert forward.rated_rounds.tolist() == [0, 3, 4]
    assert forward.run.rated_players() == {
        "a": {"wins": 1.0, "rounds": 3},
        "b": {"wins": 1.0, "rounds": 3},
        "c": {"wins": 0.0, "rounds": 1},
    }


def test_rated_round_has_ratings_before_and_after() -> None:
    forward = ForwardPass(counting_system().new_run(build_record(ROUNDS)))
    steps = list(forward.rate_rounds(5))
    assert [step.round for step in steps] == [0, 3, 4]
    assert [step.prediction.probability for step in steps] == pytest.approx([1 / 2, 2 / 3, 1 / 2])
    assert [[rating.value for rating in step.before] for step in steps] == [[0, 0], [1, 0, 0], [1, 1]]
    assert [[rating.value for rating in step.after] for step in steps] == [[1, 0], [1, 0, 1], [1, 1]]
    assert forward.skipped == [SkippedRound(1, "one_side_empty"), SkippedRound(2, "no_outcome")]


def test_rate_rounds_equals_advance_to() -> None:
    record = build_record(season(200))
    plain, iterated = ForwardPass(counting_system().new_run(record)), ForwardPass(counting_system().new_run(record))
    plain.advance_to(200)
    assert len(list(iterated.rate_rounds(200))) == 200
    assert plain.run.rated_players() == iterated.run.rated_players()


def test_first_team_outcome() -> None:
    record = build_record([*ROUNDS, played(6, ["a"], ["b"], ["c"], ranks=(1, 2, 3))])
    assert [first_team_outcome(record, k) for k in range(6)] == [1.0, 1.0, None, 0.0, 0.5, None]


def test_progress_can_cancel_run() -> None:
    record = build_record(season(5000))
    progress: list[tuple[int, int]] = []
    ForwardPass(counting_system().new_run(record), lambda done, total: progress.append((done, total))).advance_to(5000)
    assert progress == [(0, 5000), (4096, 5000), (5000, 5000)]

    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    forward = ForwardPass(counting_system().new_run(record), stop)
    with pytest.raises(KeyboardInterrupt):
        forward.advance_to(5000)
    assert forward.next_round == 4096
