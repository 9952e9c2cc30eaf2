"""Tiers with their bounds, certainty levels, rank, trend and parts."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from player_rounds import ME, generate_record

from browser_app.player.ns2_tiers import SKILL_TIERS, compute_points_to_next_tier, find_next_tier, find_skill_tier
from browser_app.player.own_history import OwnHistory, compute_own_history
from browser_app.player.skill_summary import (
    MIN_RANKED_ROUNDS,
    SkillSummary,
    compute_error_sd,
    compute_interval_90,
    compute_rating_interval_90,
    find_certainty,
)
from browser_app.player.skill_summary_builder import (
    apply_summary_sd,
    build_skill_summary,
    estimate_team_sd,
)
from browser_app.rating.ns2.ns2_points import compute_confident_points
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system
from browser_app.rating_worker.rating_jobs import compute_record_skill


def summarise(
    record: RoundRecord, system: RatingSystem, player: str = ME
) -> tuple[RatingRun, OwnHistory, SkillSummary]:
    run = system.new_run(record)
    history = compute_own_history(record, system, player, run=run)
    return run, history, build_skill_summary(run, system, history)


def test_points_without_anchor_include_uncertain_level(record: RoundRecord) -> None:
    """Rounds alone show differences between players.

    Their level has a newcomer's uncertainty.
    """
    mine = record.player == record.player_ids.index(ME)
    record_with_skill = replace(record, skill=np.where(mine, 1407.0, np.nan))
    (*_, alone), (*_, anchored) = (summarise(each, create_rating_system("ns2")) for each in (record, record_with_skill))
    assert (alone.anchored, anchored.anchored) == (False, True)
    assert alone.sd is not None
    assert alone.newcomer_sd == pytest.approx(500.0)
    points, anchored_points = compute_record_skill(alone), compute_record_skill(anchored)
    assert points is not None
    assert points.sd == pytest.approx((alone.sd**2 + 500.0**2) ** 0.5)
    assert points.last_round_at == record.started[record.round_of_appearance[mine]][-1]
    assert anchored_points is not None
    assert (anchored_points.anchored, anchored_points.sd) == (True, anchored.sd)


def test_points_continue_from_last_reported_number(record: RoundRecord) -> None:
    rows = np.flatnonzero(record.player == record.player_ids.index(ME))
    skill = np.full(len(record.player), np.nan)
    skill[rows[0]], skill[rows[-3]] = 0.0, 461.0  # rounds in between that the record misses
    _, history, summary = summarise(replace(record, skill=skill), create_rating_system("ns2"))
    points = compute_record_skill(summary)
    assert points is not None
    assert points.value == pytest.approx(461.0 + history.after[-1] - history.before[-3])
    assert summary.value == history.after[-1] != points.value
    skill[rows[-3]] = np.nan
    *_, at_start = summarise(replace(record, skill=skill), create_rating_system("ns2"))
    assert at_start.in_game_value == pytest.approx(at_start.value)


@pytest.fixture(scope="module")
def record() -> RoundRecord:
    return generate_record(200)


@pytest.mark.parametrize(
    ("points", "name", "missing"),
    [(0, "Recruit", 301), (300, "Recruit", 1), (300.5, "Frontiersman", 450), (435, "Frontiersman", 316),
     (1591.07, "Veteran", 509), (2100, "Veteran", 1), (4100, "Special Ops", 1), (4101, "Sanji Survivor", None)],
)  # fmt: skip
def test_tiers_have_inclusive_bounds(points: float, name: str, missing: int | None) -> None:
    tier = find_skill_tier(points)
    assert tier.name == name
    assert compute_points_to_next_tier(points) == missing
    after = find_next_tier(tier)
    assert (after is None) == (missing is None)
    if missing is not None:
        assert find_skill_tier(np.floor(points) + missing) in (tier, after)
        assert find_skill_tier(points + missing) == after
        assert find_skill_tier(points + missing - 1) == tier


@given(st.floats(0.0, 5000.0))
def test_tiers_leave_no_gap(points: float) -> None:
    tier = find_skill_tier(points)
    assert tier.above is None or points > tier.above
    assert tier.up_to is None or points <= tier.up_to
    assert SKILL_TIERS[tier.number - 1] == tier


def test_confident_points() -> None:
    assert round(compute_confident_points(1640.0, 0.261)) == 1591
    assert round(compute_confident_points(693.0, 0.00938774528901076)) == 435


def test_interval_and_certainty() -> None:
    low, high = compute_interval_90(1640.0, 84.0)
    assert low is not None
    assert high is not None
    assert (round(low), round(high)) == (1502, 1778)
    assert [find_certainty(sd, 500.0) for sd in (40.0, 84.0, 190.0, 400.0, None)] == [
        "sure", "fairly sure", "unsure", "guess", "unknown",
    ]  # fmt: skip
    assert compute_interval_90(None, 3.0) == (None, None)


def test_certainty_is_independent_of_parameters(record: RoundRecord) -> None:
    narrow = create_rating_system("ns2", k=100.0, theta=0.3)  # rated_players within 150 points of 1500
    _, _, now = summarise(record, narrow)
    assert (
        apply_summary_sd(now, narrow, 140.0).certainty
        == apply_summary_sd(now, create_rating_system("ns2"), 140.0).certainty
        == "unsure"
    )


def test_ns2_parts_and_estimated_sd(record: RoundRecord) -> None:
    run, history, now = summarise(record, create_rating_system("ns2"))
    fields = run.rated_players()[ME]
    assert (now.sd_from, now.sd) == ("gradients", history.sd[-1])
    player = run.record.player_ids.index(ME)
    sd = compute_error_sd(run.rating(player, 0), run.inferred_skill(player, 0))
    assert now.sd == pytest.approx(50.0 * (sd or 0.0))
    assert (now.low, now.high) == (history.low[-1], history.high[-1])
    assert (now.low, now.high) == compute_rating_interval_90(run.rating(player, 0), 50.0, run.inferred_skill(player, 0))
    assert now.confident_points == compute_confident_points(
        float(str(fields["points"])), float(str(fields["adagrad_sum"]))
    )
    assert now.tier == find_skill_tier(now.confident_points)
    parts = {(part.kind, part.name): part for part in now.parts}
    marines, aliens, commander = parts["team", "marines"], parts["team", "aliens"], parts["commander", ""]
    assert now.value is not None
    assert marines.value == pytest.approx(now.value + 50.0 * float(str(fields["offset"])))
    assert aliens.value == pytest.approx(now.value - 50.0 * float(str(fields["offset"])))
    assert marines.offset == pytest.approx(-(aliens.offset or 0.0))
    assert commander.value == pytest.approx(50.0 * float(str(fields["commander"])))
    assert commander.rounds == (history.commander_share > 0.0).sum()
    sd = compute_error_sd(run.commander_rating(player), run.inferred_commander_skill(player))
    assert commander.sd == pytest.approx(50.0 * (sd or 0.0))
    assert now.sd is not None
    assert marines.sd is not None
    assert aliens.sd is not None
    assert now.sd <= min(marines.sd, aliens.sd)  # a single team has fewer rounds
    assert {parts["mode", mode].mark for mode in ("ns2", "siege")} == {"shared"}
    for part in (marines, aliens):
        assert part.won + part.lost + part.drawn == part.rounds
    assert marines.rounds + aliens.rounds == now.rounds == len(history)


def test_information_of_teams_adds_up(record: RoundRecord) -> None:
    _, history, _ = summarise(record, create_rating_system("ns2"))
    history = replace(history, sd=np.linspace(500.0, 100.0, len(history)))
    marines, aliens = (estimate_team_sd(history, team) or 0.0 for team in ("marines", "aliens"))
    assert min(marines, aliens) > 100.0
    assert marines**-2 + aliens**-2 - 500.0**-2 == pytest.approx(100.0**-2)


def test_full_history_has_skewed_intervals(record: RoundRecord) -> None:
    system = create_rating_system("ns2")
    run = system.solve(record)
    assert run is not None
    history = compute_own_history(record, system, ME, run=run)
    now = build_skill_summary(run, system, history)
    fields = run.rated_players()[ME]
    assert (now.low, now.high) == (history.low[-1], history.high[-1])
    assert (now.low, now.high) == tuple(50.0 * float(str(fields[key])) for key in ("low", "high"))
    commander = next(part for part in now.parts if part.kind == "commander")
    assert commander.low == 50.0 * float(str(fields["commander_low"]))
    assert now.sd_from == ""


def test_unrated_rounds_add_no_team_information(record: RoundRecord) -> None:
    system = create_rating_system("ns2")
    _, history, _ = summarise(record, system)
    early = replace(history, sd=np.concatenate([[np.nan, np.nan], history.sd[2:]]))
    assert estimate_team_sd(early, "marines") is not None
    longer = replace(early, team=np.concatenate([1 - early.team[:2], early.team[2:]]))
    assert estimate_team_sd(early, "marines") == estimate_team_sd(longer, "marines")


def test_initial_skill_counts_for_all_teams(record: RoundRecord) -> None:
    _, history, _ = summarise(record, create_rating_system("ns2"))
    constant = replace(history, sd=np.full_like(history.sd, 150.0))
    assert [estimate_team_sd(constant, team) for team in ("marines", "aliens")] == [pytest.approx(150.0)] * 2
    growing = replace(history, sd=np.linspace(150.0, 168.0, len(history.sd)))
    assert [estimate_team_sd(growing, team) for team in ("marines", "aliens")] == [pytest.approx(168.0)] * 2


def test_separately_rated_modes_are_apart(record: RoundRecord) -> None:
    run, _, now = summarise(record, create_rating_system("elo-blog"))
    modes = {part.name: part for part in now.parts if part.kind == "mode"}
    me = record.player_ids.index(ME)
    for name, part in modes.items():
        assert part.value == run.rating(me, record.modes.index(name)).value
        assert part.mark == ("" if name == now.mode else "apart")
    assert now.value == modes[now.mode].value
    assert modes[now.mode].rounds == max(part.rounds for part in modes.values())
    assert now.tier is None
    assert not [part for part in now.parts if part.kind == "commander"]
    assert {part.value for part in now.parts if part.kind == "team"} == {now.value}


@pytest.mark.parametrize("name", RATING_SYSTEMS)
def test_rank_needs_enough_rounds(name: str, record: RoundRecord) -> None:
    run, _, now = summarise(record, create_rating_system(name))
    rated_players = run.rated_players()
    if now.mode:
        by_player = {who: each["modes"] for who, each in rated_players.items()}
        rated_players = {who: modes[now.mode] for who, modes in by_player.items() if now.mode in modes}  # type: ignore[index, operator]
    values = {
        who: each.get("points", each.get("mean", each.get("rating")))
        for who, each in rated_players.items()
        if int(str(each["rounds"])) >= MIN_RANKED_ROUNDS
    }
    best_first = sorted(values, key=lambda who: -float(str(values[who])))
    assert now.rank == best_first.index(ME) + 1
    assert now.ranked_players == len(values)
    assert now.quantiles[0] == values[best_first[-1]]
    assert now.quantiles[-1] == values[best_first[0]]


def test_trend_covers_last_twenty_rated_rounds(record: RoundRecord) -> None:
    _, history, now = summarise(record, create_rating_system("ns2"))
    last = slice(-20, None)
    assert now.recent_trend.rounds == 20
    assert now.recent_trend.change == pytest.approx(history.after[-1] - history.before[-20])
    assert now.recent_trend.expected == pytest.approx(history.probability[last].sum())
    assert now.recent_trend.won == (history.outcome[last] == 1.0).sum()
    assert now.recent_trend.lost + now.recent_trend.won + now.recent_trend.drawn == 20


def test_unrated_player_is_unknown(record: RoundRecord) -> None:
    for name in RATING_SYSTEMS:
        _, _, now = summarise(record, create_rating_system(name), "nobody")
        assert (now.value, now.sd, now.rank, now.tier, now.confident_points) == (None, None, None, None, None)
        assert now.rounds == now.recent_trend.rounds == 0
        assert {part.value for part in now.parts} <= {None}


def test_unplayed_mode_is_unknown(record: RoundRecord) -> None:
    system = create_rating_system("ns2")
    both, history, _ = summarise(record, system)
    played = history.modes.index("ns2")
    only = replace(history, probability=np.where(history.mode == played, history.probability, np.nan))
    now = build_skill_summary(both, system, only)
    parts = {part.name: part for part in now.parts if part.kind == "mode"}
    assert (parts["siege"].value, parts["siege"].rounds, parts["siege"].mark) == (None, 0, "unknown")
    assert parts["ns2"].mark == ""
