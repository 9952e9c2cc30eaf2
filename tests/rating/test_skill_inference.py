"""Skills inferred beside a rating run, and the intervals from them."""

from collections.abc import Mapping
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_system import Rating, RatingRun
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import Floats, RoundRecord
from browser_app.rating.skill_inference import Z90, SharedError, find_interval_90, find_root_interval_90
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system

QUITS: Mapping[str, Any] = {"quit_m": -1.0, "quit_v": 1.0, "quit_pr": 0.6}
INFERRED: Mapping[str, Mapping[str, Any]] = {"ns2": {}, "xonstat-go": {}, "trueskill2": {**QUITS, "quit_form": "paper"}}
"""Systems whose ratings need an inference of the true skills, with parameters."""


def play(skill: Floats, count: int, team: int, seed: int) -> RoundRecord:
    """Play rounds of random teams; scores are skills with Gumbel noise of √2 · 175.

    Everybody is there all the time; some quit.
    """
    rng = np.random.default_rng(seed)
    rounds = []
    for number in range(count):
        chosen = rng.choice(len(skill), 2 * team, replace=False)
        score = skill[chosen] + rng.gumbel(0.0, 2.0**0.5 * 175.0, len(chosen))
        sides = ["red"] * team + ["blue"] * team
        players = [
            Player(f"p{who}", [Stint(side, 0.0, 600.0)], score=points, quit=bool(rng.random() < 0.1))
            for who, side, points in zip(chosen.tolist(), sides, score.tolist(), strict=True)
        ]
        ranks = (1, 2) if score[:team].sum() > score[team:].sum() else (2, 1)
        rounds.append(Round(str(number), ("red", "blue"), players, 1e3 * number, 600.0, ranks, mode="ctf"))
    return build_record(rounds)


@pytest.fixture(scope="module", name="record")
def small_record() -> RoundRecord:
    return play(1500.0 + 350.0 * np.random.default_rng(0).standard_normal(12), 40, 3, 1)


def run_over(record: RoundRecord, name: str) -> RatingRun:
    run = create_rating_system(name, **INFERRED.get(name, {})).new_run(record)
    run.update_range(0, len(record))
    return run


def inferred_skills(run: RatingRun) -> list[Rating | None]:
    return [run.inferred_skill(player, 0) for player in range(len(run.record.player_ids))]


def is_within(run: RatingRun, player: int, skill: float) -> bool:
    """Return whether the 90 % interval of a rating contains the true skill."""
    inferred = run.inferred_skill(player, 0)
    assert inferred is not None
    assert inferred.sd is not None
    low, high = central(inferred.value, inferred.sd)
    low, high = find_interval_90(run.rating(player, 0).value, inferred.value, low, high)
    return low <= skill <= high


def central(mean: float, sd: float) -> tuple[float, float]:
    """Return the central 90 % interval of a normal distribution."""
    return mean - Z90 * sd, mean + Z90 * sd


@given(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4), st.floats(1e-3, 1e4))
def test_interval_holds_90_percent_and_rating(value: float, mean: float, sd: float) -> None:
    low, high = find_interval_90(value, mean, *central(mean, sd))
    skill = NormalDist(mean, sd)
    assert low <= value <= high
    assert skill.cdf(high) - skill.cdf(low) == pytest.approx(0.9, abs=1e-9)


def test_interval_is_central_where_it_can_be() -> None:
    known = central(2.0, 1.0)
    assert find_interval_90(3.0, 2.0, *known) == known
    low, high = find_interval_90(12.0, 2.0, *known)
    assert low == pytest.approx(2.0 - 1.2816, abs=1e-4)
    assert high == 12.0
    assert find_interval_90(-8.0, 2.0, *known) == pytest.approx((-8.0, 4.0 - low))
    assert find_interval_90(3.0, 2.0, 2.0, 2.0) == (2.0, 3.0)
    skewed = find_interval_90(20.0, 2.0, 1.0, 5.0)
    assert skewed == pytest.approx((2.0 - 1.2816 / Z90, 20.0), abs=1e-4)


@given(st.floats(4.0, 50.0), st.floats(0.1, 10.0))
def test_root_interval_is_that_of_gamma_skills(shape: float, scale: float) -> None:
    """From the k of NS2's prior on, to 2 % of probability: moments are matched."""
    interval = find_root_interval_90(shape * scale, shape * scale**2)
    assert interval is not None
    low, high = interval
    draws = np.sort(np.random.default_rng(0).gamma(shape, scale, 20_000))
    below, above = np.searchsorted(draws, [low, high]) / len(draws)
    assert above - below == pytest.approx(0.9, abs=0.02)
    assert below == pytest.approx(0.05, abs=0.03)


def test_root_interval_needs_a_shape_of_1() -> None:
    assert find_root_interval_90(1.0, 1.01) is None
    assert find_root_interval_90(0.0, 1.0) is None


def test_level_stays_as_unsure_as_without_rounds() -> None:
    shared = SharedError()
    for _ in range(4):
        shared.add_player(100.0)
    assert shared.variance == 25.0
    assert shared.add_to(1.0, 100.0) == pytest.approx(1.0 + 0.99 * 25.0)
    assert shared.add_to(100.0, 100.0) == 100.0  # a newcomer's has it already


@pytest.mark.parametrize("name", list(INFERRED))
def test_inference_needs_none_itself(name: str, record: RoundRecord) -> None:
    run = run_over(record, name)
    inferred = run.infer_skills()
    assert inferred is not None
    assert inferred.infer_skills() is None
    for player in range(len(record.player_ids)):
        assert run.inferred_skill(player, 0) == inferred.rating(player, 0)
        overall = run.inferred_skill(player, None)  # of one mode
        assert overall is not None
        assert overall[:2] == pytest.approx(inferred.rating(player, 0)[:2])


@pytest.mark.parametrize("name", list(INFERRED))
def test_inference_is_the_same_whenever_asked(name: str, record: RoundRecord) -> None:
    """After each round or at the end, in a copy or not; ratings do not change by it."""
    at_end, each_round = run_over(record, name), create_rating_system(name, **INFERRED[name]).new_run(record)
    for k in range(len(record)):
        each_round.update(k)
        each_round.inferred_skill(0, 0)
        if k in (9, 20):
            each_round = each_round.transfer_to(record)
    late = create_rating_system(name, **INFERRED[name]).new_run(record)
    late.update_range(0, 17)
    late = late.transfer_to(record)  # before anybody asked
    late.update_range(17, len(record))
    assert inferred_skills(at_end) == inferred_skills(each_round) == inferred_skills(late)
    assert at_end.rated_players() == each_round.rated_players() == late.rated_players()


@pytest.mark.parametrize("name", list(INFERRED))
def test_copy_leaves_inference_of_original(name: str, record: RoundRecord) -> None:
    run = create_rating_system(name, **INFERRED[name]).new_run(record)
    run.update_range(0, 20)
    before = inferred_skills(run)
    copy = run.transfer_to(record)
    copy.update_range(20, len(record))
    assert inferred_skills(copy) != before
    assert inferred_skills(run) == before


@pytest.mark.parametrize("name", list(INFERRED))
def test_other_record_has_no_inference(name: str, record: RoundRecord) -> None:
    """Its rounds are not those that the ratings come from."""
    assert run_over(record, name).transfer_to(record.first_rounds(5)).inferred_skill(0, 0) is None


def test_other_systems_need_none(record: RoundRecord) -> None:
    for name in RATING_SYSTEMS:
        if name not in INFERRED or name == "trueskill2":
            assert create_rating_system(name).new_run(record).infer_skills() is None


def test_quits_whole_and_full_history_of_ns2_need_none(record: RoundRecord) -> None:
    whole = create_rating_system("trueskill2", **QUITS, quit_form="whole")
    assert whole.new_run(record).infer_skills() is None
    assert create_rating_system("ns2").start_run(record, full_history=True).infer_skills() is None


def test_smoothed_quits_compare_the_same_round(record: RoundRecord) -> None:
    run = create_rating_system("trueskill2", **INFERRED["trueskill2"]).start_run(record, full_history=True)
    whole = create_rating_system("trueskill2", **QUITS, quit_form="whole").start_run(record, full_history=True)
    row = record.appearances(7).start
    assert run.rating_in_round(7, row) != whole.rating_in_round(7, row)
    assert run.inferred_skill_in_round(7, row) == whole.rating_in_round(7, row)


@pytest.mark.slow
@pytest.mark.parametrize(("team", "rounds"), [(1, 600), (3, 300), (6, 300)])
def test_xonstat_go_intervals_cover_true_skills(team: int, rounds: int) -> None:
    """85 to 95 % of them.

    Also in teams, where all pairs of a round depend on each other.
    """
    held = []
    for seed in range(16):
        skill = 1500.0 + 350.0 * np.random.default_rng(seed).standard_normal(30)
        run = run_over(play(skill, rounds, team, 100 + seed), "xonstat-go")
        for player, name in enumerate(run.record.player_ids):
            held.append(is_within(run, player, float(skill[int(name[1:])])))
    assert 0.85 <= np.mean(held) <= 0.95


def test_inferred_mean_of_all_is_that_of_newcomers(record: RoundRecord) -> None:
    """Rounds of xonstat-go tell differences only, whatever they are."""
    inferred = run_over(record, "xonstat-go").infer_skills()
    assert inferred is not None
    ratings = [inferred.rating(player, 0) for player in range(len(record.player_ids))]
    assert np.mean([each.value for each in ratings]) == pytest.approx(1500.0)
    assert min(each.sd or 0.0 for each in ratings) > 350.0 / len(ratings) ** 0.5
