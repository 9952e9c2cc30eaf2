"""Ranked players of a rating run, by mode."""

from rating_helpers import DAY_S, counting_system, played

from browser_app.rating.forward_pass import ForwardPass
from browser_app.rating.leaderboards import RankedPlayer, compute_leaderboards, rank_players
from browser_app.rating.rating_system import Rating
from browser_app.rating.record.record_builder import build_record

ROUNDS = [
    played(1, ["a"], ["b"]),
    played(2, ["a"], [], ranks=(1, 2)),
    played(3, ["a"], ["b"], ranks=None),
    played(4, ["a", "c"], ["b"], ranks=(2, 1), mode="tdm"),
    played(5, ["a"], ["b"], ranks=(1, 1)),
]


def test_leaderboards_per_mode() -> None:
    forward = ForwardPass(counting_system().new_run(build_record(ROUNDS)))
    assert compute_leaderboards(forward) == {}
    forward.advance_to(3)
    assert compute_leaderboards(forward) == {"ctf": [("a", 1.0), ("b", 0.0)]}
    forward.advance_to(5)
    assert compute_leaderboards(forward) == {
        "ctf": [("a", 1.0), ("b", 1.0)],
        "tdm": [("a", 1.0), ("b", 1.0), ("c", 0.0)],
    }


def test_ranked_players_count_rounds_of_mode() -> None:
    record = build_record(ROUNDS)
    forward = ForwardPass(counting_system().new_run(record))
    forward.advance_to(5)
    a, b = (record.player_ids.index(name) for name in "ab")
    assert rank_players(forward.run, forward.rated_rounds)["ctf"] == [
        RankedPlayer(a, Rating(1.0), 2),
        RankedPlayer(b, Rating(1.0), 2),
    ]


def test_skipped_rounds_give_no_rank() -> None:
    forward = ForwardPass(
        counting_system().new_run(build_record([played(1, ["a"], []), played(2, ["b"], ["c"], started=DAY_S)]))
    )
    forward.advance_to(2)
    assert compute_leaderboards(forward) == {"ctf": [("b", 1.0), ("c", 0.0)]}
