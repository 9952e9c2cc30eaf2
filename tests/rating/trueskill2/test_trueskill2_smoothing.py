"""Batch smoothing against TrueSkillThroughTime and against dense Gaussian algebra."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import trueskillthroughtime as through_time
from hypothesis import given, settings
from hypothesis import strategies as st
from trueskill2_helpers import Given, finished, played, present_player, skill

from browser_app.rating.game_round import Round
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.trueskill2.gaussian_walks import GaussianWalk, SharedBaseWalk, SweepExtrapolation, WalkSteps
from browser_app.rating.trueskill2.modelled_record import ModelledRecord
from browser_app.rating.trueskill2.trueskill2_smoothing import BatchSmoother, SmoothedTrueSkillRun
from browser_app.rating.trueskill2.trueskill2_system import TrueSkill2System


def smoothed(matches: Sequence[Round], given: Given) -> SmoothedTrueSkillRun:
    return TrueSkill2System(resolve_parameters(TrueSkill2System.declared_parameters, explicit=given)).solve(
        build_record(matches)
    )


def test_later_rounds_order_earlier_players() -> None:
    """The paper's example.

    Online, A, C and E, and B, D and F, can hardly be distinguished after three duels.
    """
    duels = ["AB", "CD", "EF", "BC", "DE"]
    run = smoothed([played(i, list(duel)) for i, duel in enumerate(duels)], {})
    means = [skill(run, name)[0] for name in "ABCDEF"]
    assert all(a > b + 1e-3 for a, b in pairwise(means))
    online = finished([played(i, list(duel)) for i, duel in enumerate(duels[:3])])
    assert skill(online, "A") == skill(online, "C") == skill(online, "E")


def test_one_round_equals_online_without_drift() -> None:
    game_round = played(0, [["a", present_player("b", 0, 0.3)], "cd"])
    online, whole = finished([game_round], {"gamma2": 0.0}), smoothed([game_round], {"gamma2": 0.5})
    for name in "abcd":
        assert skill(whole, name) == pytest.approx(skill(online, name), abs=1e-12)


@pytest.mark.parametrize("size", [1, 3])
def test_agrees_with_trueskill_through_time(size: int) -> None:
    rng = np.random.default_rng(size)
    games = [[str(who) for who in rng.permutation(12)[: 2 * size]] for _ in range(40)]
    sides = [[game[:size], game[size:]] for game in games]
    results = [[1, 0] if rng.random() < 0.8 else [0, 0] for _ in games]
    draw = 0.1
    margin = math.sqrt(2.0 * size) * 0.12566134685507402  # the package's: one draw in ten between so many equals
    history = through_time.History(sides, results, mu=0.0, sigma=1.5, beta=1.0, gamma=0.1, p_draw=draw)
    history.convergence(epsilon=1e-8, iterations=100, verbose=False)
    ranks = {(1, 0): (1, 2), (0, 0): (1, 1)}
    rounds = [
        played(i, side, ranks[first, second])
        for i, (side, (first, second)) in enumerate(zip(sides, results, strict=True))
    ]
    run = smoothed(rounds, {"m0": 0, "v0": 2.25, "gamma2": 0.01, "tau2": 0, "draw_margin": margin})
    for name, curve in history.learning_curves().items():
        assert skill(run, name) == pytest.approx((curve[-1][1].mu, curve[-1][1].sigma), abs=2e-5)


def test_skill_in_every_round() -> None:
    rounds = [played(i, ["a", "b"] if i % 3 else ["b", "a"]) for i in range(6)]
    run = smoothed(rounds, {"gamma2": 0.2})
    assert run.ratings(5)[0].value == skill(run, run.record.players(5)[0])[0]
    assert len({run.ratings(k)[0].value for k in range(6)}) == 6
    run.update(0)
    assert run.ratings(5)[0].value == skill(run, run.record.players(5)[0])[0]


def test_rating_in_round_equals_ratings() -> None:
    rounds = [played(i, ["ab", "cd"] if i % 3 else ["db", "a"]) for i in range(6)]
    run = smoothed([*rounds, replace(rounds[0], id="not rated", started=1e10, ranks=None)], {"gamma2": 0.2})
    for k in range(7):
        rows = run.record.appearances(k)
        assert [run.rating_in_round(k, row) for row in range(rows.start, rows.stop)] == list(run.ratings(k))


def test_counts_many_teams_and_modes() -> None:
    given = {"kill_wp": 1.0, "kill_v": 2.0, "base_v": 0.3, "squad_offset": [0, 0.1], "experience_offset": [0.1, 0]}
    one = [
        present_player(name, i, 1.0, kills=kills)
        for i, (name, kills) in enumerate(zip("abc", (20.0, 10.0, 0.0), strict=True))
    ]
    rounds = [
        played(0, [[one[0]], [one[1]], [one[2]]], mode="x"),
        played(1, ["a", "b"], mode="y"),
        played(2, [["c"], ["a"], ["b"]], (3, 1, 1), mode="y"),
    ]
    run = smoothed(rounds, given)
    assert skill(run, "a", "x")[0] > skill(run, "b", "x")[0] > skill(run, "c", "x")[0]
    assert skill(run, "a", "y")[0] > skill(run, "c", "y")[0]
    assert set(run.rated_players()) == {"a", "b", "c"}


def test_rankings_smooth_like_full_covariance() -> None:
    rng = np.random.default_rng(4)
    rounds = [played(i, [[who] for who in rng.permutation(list("abcdef"))[:4]], (1, 2, 2, 4)) for i in range(15)]
    parameters = resolve_parameters(TrueSkill2System.declared_parameters, explicit={"gamma2": 0.02, "draw_margin": 0.1})
    modelled = ModelledRecord(build_record(rounds), parameters)
    fast, slow = BatchSmoother(modelled), BatchSmoother(modelled)
    assert all(slow.rounds.is_ranking)
    slow.rounds.is_ranking = [False] * len(rounds)
    fast.run()
    for _ in range(25):
        slow.sweep()
    for one, other in zip(fast.skills(), slow.skills(), strict=True):
        assert one == pytest.approx(other, abs=2e-6)


def test_jump_reaches_limit_of_geometric_sweeps() -> None:
    walk = straight(3)
    limit = walk.means + 1.0
    jump = SweepExtrapolation(walk)
    for sweep in range(1, 3):
        walk.means = limit + 0.7**sweep
        jumped = jump.apply(np.full(3, 0.7**sweep))
    assert jumped
    assert walk.means == pytest.approx(limit, abs=1e-12)
    assert not jump.apply(np.full(3, 0.1))


POSITIVE = st.floats(0.05, 2.0)
MESSAGES = st.lists(st.tuples(POSITIVE, st.floats(-3.0, 3.0)), min_size=2, max_size=6)


def straight(count: int, growth: float = 0.3, drift: float = 0.2, var: float = 0.7) -> GaussianWalk:
    """Create one player's walk.

    A round of 10 s per minute, idle variance 0.01 per second.
    """
    ones = np.ones(count)
    started = np.array([60.0 * link for link in range(count)])
    owner = np.zeros(count, np.int32)
    return GaussianWalk(
        WalkSteps(owner, started, started + 10.0, ones, var * ones, growth * ones, drift * ones, 0.01 * ones)
    )


@given(MESSAGES)
def test_walk_equals_gaussian_conditioning(messages: Sequence[tuple[float, float]]) -> None:
    count = len(messages)
    walk = straight(count)
    for link, (precision, precision_mean) in enumerate(messages):
        walk.set_round_message(link, precision, precision_mean)
        walk.pass_forward(link)
    for link in reversed(range(count)):
        walk.pass_backward(link)
    steps = np.arange(count)
    mean = 1.0 + 0.3 * steps
    cov = 0.7 + (0.2 + 0.01 * 50.0) * np.minimum.outer(steps, steps)
    information = np.linalg.inv(cov) + np.diag([precision for precision, _ in messages])
    pulled = np.linalg.solve(cov, mean) + [precision_mean for _, precision_mean in messages]
    found_mean, found_var = walk.marginals()
    assert found_mean == pytest.approx(np.linalg.solve(information, pulled), abs=1e-9)
    assert found_var == pytest.approx(np.linalg.inv(information).diagonal(), abs=1e-9)


@settings(max_examples=30)
@given(POSITIVE, st.floats(-3.0, 3.0), POSITIVE)
def test_base_and_offset_share_evidence(precision: float, precision_mean: float, w: float) -> None:
    shared = SharedBaseWalk(straight(1, var=0.4), straight(1, var=0.9), [w])
    shared.set_round_message(0, precision, precision_mean)
    cov, direction = np.diag([0.4, 0.9]), np.array([w, 1.0])
    after = np.linalg.inv(np.linalg.inv(cov) + precision * np.outer(direction, direction))
    mean = after @ (np.linalg.solve(cov, np.ones(2)) + precision_mean * direction)
    for walk, i in ((shared.base, 0), (shared.offset, 1)):
        assert [values[0] for values in walk.marginals()] == pytest.approx([mean[i], after[i, i]], abs=1e-12)
