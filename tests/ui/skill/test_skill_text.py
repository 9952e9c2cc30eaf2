"""Texts and scales of the My Skill pages."""

import math
import re
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from skill_view_helpers import EXAMPLE_HABITS, IDENTITIES, example_state, source_states

from browser_app.application.own_skill.skill_state import OwnSkill, OwnSkillSource
from browser_app.number_text import GROUP_SEPARATOR, MINUS, UNIT_SEPARATOR
from browser_app.player.ns2_tiers import SKILL_TIERS, compute_points_to_next_tier, find_next_tier, find_skill_tier
from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.player.skill_summary import RatingPart, RecentTrend, SkillSummary
from browser_app.ui.skill.habits import habit_columns
from browser_app.ui.skill.now import now_text
from browser_app.ui.skill.now.rating_breakdown_table import interval_axis_ends, rating_interval_text, sd_text
from browser_app.ui.skill.now.rating_scale import create_rating_scale, title_start
from browser_app.ui.skill.rating_format import format_chance, format_change, format_points, format_share
from browser_app.ui.skill.sources import skill_source_text
from browser_app.ui.skill.view.skill_sidebar import identity_summary_text
from browser_app.ui.widgets.plots.tick_steps import nice_tick_step


def now_at(points: float, *, adagrad_sum: float = 0.261, sd: float | None = 84.0, **changes: object) -> SkillSummary:
    """Return the summary of an NS2 player with a rating."""
    confident_points = max(0.0, points - 25 / math.sqrt(adagrad_sum))
    tier = find_skill_tier(confident_points)
    now = replace(
        example_state().now,
        value=points,
        sd=sd,
        low=None if sd is None else points - 1.645 * sd,
        high=None if sd is None else points + 1.645 * sd,
        tier=tier,
        next_tier=find_next_tier(tier),
        points_to_next_tier=compute_points_to_next_tier(confident_points),
        confident_points=confident_points,
        adagrad_sum=adagrad_sum,
        certainty="unknown" if sd is None else "fairly sure",
        sd_from="",
    )
    return replace(now, **changes)  # type: ignore[arg-type]


def test_now_texts_of_rating() -> None:
    now = now_at(1640.0, rank=41, ranked_players=388)
    assert now_text.tier_texts(now, "ns2") == ("Veteran", "509 points to Commandant")
    assert now_text.uncertainty_text(now, "ns2") == "Medium confidence: 90 % range 1 502 to 1 778.".replace(
        " 502", "\u202f502"
    ).replace(" 778", "\u202f778")
    estimated = now_text.uncertainty_text(replace(now, sd_from="gradients"), "ns2").replace(GROUP_SEPARATOR, " ")
    assert estimated == "Medium confidence: 90 % range ≈ 1 502 to ≈ 1 778."
    assert "estimated" in now_text.range_source_text(replace(now, sd_from="gradients"))
    assert "too small" in now_text.range_source_text(replace(now, is_range_inferred=True))
    assert now_text.range_source_text(now) == ""
    basis = now_text.basis_text(now).replace(GROUP_SEPARATOR, " ")
    assert basis == "The tier uses 1 591: your 1 640 minus 25 / √0.261 for uncertainty."
    no_tier = replace(now, tier=None, next_tier=None, points_to_next_tier=None, confident_points=None)
    assert now_text.basis_text(no_tier).startswith("No tier: with hindsight")
    assert now_text.rank_text(now).startswith("Rank 41 of 388 players with 10 or more rounds")
    assert now_text.rank_text(replace(now, rank=1, ranked_players=1)) == "No other player has 10 or more rounds."
    played = replace(now, rounds=214, won=110, lost=100, drawn=4)
    assert now_text.rounds_played_text(played, 0) == "214 rated rounds: 110 won, 100 lost, 4 drawn."
    assert now_text.rounds_played_text(played, 40).endswith("40 rounds have estimated join times.")
    trend = RecentTrend(20, 28.0, 11, 9, 0, 9.3)
    assert now_text.trend_text(trend) == "11 won, 9 lost"
    assert now_text.expected_wins_text(trend) == "9.3 wins expected from the teams."


def test_estimated_parts_are_marked() -> None:
    solved = now_at(1640.0)
    estimated = replace(solved, sd_from="gradients")
    marines = RatingPart("team", "marines", 583.0, 96.0, 425.0, 741.0, 108, 64, 42, 2, "offset", -57.0)
    assert (sd_text(marines, solved, 0), sd_text(marines, estimated, 0)) == ("96", "≈ 96")
    assert rating_interval_text(marines, estimated, 0) == "90 % range ≈ 425 to ≈ 741"
    unsure = replace(marines, sd=None, low=None, high=None)
    assert (sd_text(unsure, estimated, 0), sd_text(replace(unsure, value=None), estimated, 0)) == ("–", "")


def test_unknown_values_are_not_zero() -> None:
    assert now_text.uncertainty_text(now_at(1640.0, sd=None), "ns2") == "Uncertainty unknown."
    nobody = now_at(1640.0, value=None, tier=None, confident_points=None, sd=None, low=None, high=None, rank=None)
    assert now_text.tier_texts(nobody, "ns2")[0] == "Not rated yet"
    assert create_rating_scale(nobody, "ns2") is None
    assert "fewer than 10" in now_text.rank_text(nobody)
    often = now_at(1640.0, rank=None, rounds=27, mode="ctf")
    assert now_text.rank_text(often) == "Unranked: fewer than 10 rated rounds in ctf."
    assert format_points(None) == format_points(math.nan) == format_change(math.nan) == format_chance(None) == "–"
    use, requirement = now_text.usage_texts(None, 0, "NS2", server_system="ns2", system="ns2")
    assert "not available" in use
    assert "10 rated rounds" in requirement
    unknown = RatingPart("mode", "combat", None, None, None, None, 0, 0, 0, 0, "unknown")
    assert now_text.breakdown_note(unknown, "ns2") == "unknown"
    assert now_text.win_loss_text(0, 0, 0) == ""


@pytest.mark.parametrize(
    ("value", "words"), [(1640.0, "1\u202f640"), (-3.26, f"{MINUS}3"), (-0.3, "0"), (999.6, "1\u202f000")]
)
def test_format_points(value: float, words: str) -> None:
    assert format_points(value) == words


@pytest.mark.usefixtures("german_language")
def test_german_numbers_have_decimal_comma() -> None:
    assert format_points(-1640.25, 1) == f"{MINUS}1\u202f640,2"
    assert format_chance(0.375, 1) == "37,5\u00a0%"


@pytest.mark.parametrize(
    ("chance", "decimals", "text"),
    [(0.994, 0, "99 %"), (0.995, 0, "> 99 %"), (1.0, 0, "> 99 %"), (0.9996, 1, "> 99.9 %"), (0.0, 0, "< 1 %"),
     (0.0049, 0, "< 1 %"), (0.0049, 1, "0.5 %"), (0.006, 0, "1 %")],
)  # fmt: skip
def test_chance_is_never_certain(chance: float, decimals: int, text: str) -> None:
    assert format_chance(chance, decimals) == text.replace(" ", UNIT_SEPARATOR)


def test_share_can_be_complete() -> None:
    assert format_share(1.0) == "100\u00a0%"
    assert format_share(0.0) == "0\u00a0%"


@given(st.floats(-1e7, 1e7), st.integers(0, 3))
def test_formatted_numbers_read_back(value: float, decimals: int) -> None:
    for words in (format_points(value, decimals), format_change(value, decimals)):
        back = float(words.replace(GROUP_SEPARATOR, "").replace(MINUS, "-"))
        assert back == pytest.approx(float(f"{value:.{decimals}f}"))
        if back == 0.0:
            assert not words.startswith((MINUS, "+"))


def usage_of(source: OwnSkillSource, system: str = "ns2") -> tuple[str, str]:
    return now_text.usage_texts(OwnSkill(1640.0, source), 64, "NS2", server_system="ns2", system=system)


def test_usage_texts() -> None:
    use, why = usage_of("record")
    assert use.replace(GROUP_SEPARATOR, " ") == "1 640 is used to score 64 servers of NS2 now."
    assert why == "Calculated from your rounds alone, because your in-game skill is not known."
    assert usage_of("record", "trueskill2") == (use, f"{why} Rating system: NS2 logistic, the scale servers use.")
    for source, word in (("game", "in-game skill"), ("anchored", "in your round files"), ("entered", "you entered")):
        assert usage_of(source)[0] == use  # type: ignore[arg-type]  # the literals above
        assert word in usage_of(source)[1]  # type: ignore[arg-type]
    unlisted, _why = now_text.usage_texts(OwnSkill(27.0, "record"), 0, "NS2", server_system="ns2", system="ns2")
    assert unlisted == "27 is used to score servers of NS2 once some are listed."
    silent = now_text.usage_texts(OwnSkill(1640.0, "entered"), 0, "Xonotic", server_system="", system="ns2")
    assert silent == ("Servers of Xonotic do not report skill, so yours is not used in the list.", "")


def test_source_reason_has_uncertainty_and_age() -> None:
    game, record = OwnSkill(1640.0, "game", 39.8, 1000.0), OwnSkill(1640.0, "anchored", None, 1000.0)
    assert now_text.source_reason_text(game, "", 1000.0 + 7200.0).endswith(" Uncertainty: ±40. Read 2 h ago.")
    assert now_text.source_reason_text(record, "", 1000.0 + 86400.0).endswith(" since. Last round 1 d ago.")
    assert now_text.source_reason_text(record, "", 1000.0 + 1354 * 86400.0).endswith(" Last round 4 y ago.")
    assert "ago" not in now_text.source_reason_text(OwnSkill(1640.0, "entered"), "", 1000.0)


def test_tier_scale_bands() -> None:
    scale = create_rating_scale(now_at(1640.0), "ns2")
    assert scale is not None
    assert [band.low for band in scale.bands] == [0.0, 300.0, 750.0, 1400.0, 2100.0, 2900.0, 4100.0]
    assert [band.title for band in scale.bands if band.is_own] == ["Veteran"]
    assert scale.confident_value is None
    assert "Veteran, from 1 400 to 2 100".replace(" ", "") in scale.accessible_text.replace(" ", "").replace(
        GROUP_SEPARATOR, ""
    )
    below = create_rating_scale(now_at(1430.0), "ns2")  # its tier value 1381 is in the tier below
    assert below is not None
    assert [band.title for band in below.bands if band.is_own] == ["Squad Leader"]
    assert below.confident_value == pytest.approx(1381.07, abs=0.01)


@given(st.floats(0, 9000), st.floats(1, 900))
def test_tier_scale_contains_rating(value: float, sd: float) -> None:
    scale = create_rating_scale(now_at(value, sd=sd), "ns2")
    assert scale is not None
    assert scale.low <= value <= scale.high
    assert sum(band.is_own for band in scale.bands) == 1
    assert len(scale.bands) == len(SKILL_TIERS)


@given(st.lists(st.floats(-50, 3000), min_size=5, max_size=5), st.floats(-100, 4000))
def test_quarter_scale_bands(quantiles: list[float], value: float) -> None:
    now = now_at(
        1640.0, value=value, tier=None, confident_points=None, quantiles=tuple(sorted(quantiles)), low=None, high=None
    )
    scale = create_rating_scale(now, "elo-xonstat")
    assert scale is not None
    assert scale.low <= value <= scale.high
    assert scale.low < scale.high
    assert [band.high for band in scale.bands[:-1]] == [band.low for band in scale.bands[1:]] == sorted(quantiles)[1:-1]
    mine = next(place for place, band in enumerate(scale.bands) if band.is_own)
    assert now_text.tier_texts(now, "elo-xonstat")[0] == now_text.quarter_titles()[mine]
    assert mine == sum(each <= value for each in sorted(quantiles)[1:-1])


@given(st.floats(1e-6, 1e9))
def test_nice_tick_step(min_step: float) -> None:
    step = nice_tick_step(min_step)
    assert min_step * (1 - 1e-8) <= step <= 10 * min_step
    assert re.fullmatch(r"[125]\.0+e[+-]\d+", f"{step:.6e}")


def test_interval_axis_contains_all_parts() -> None:
    now = example_state().now
    ends = interval_axis_ends(now)
    assert ends is not None
    for part in now.parts:
        for each in (part.value, part.low, part.high):
            assert each is None or ends[0] <= each <= ends[1]
    assert interval_axis_ends(replace(now, parts=())) is None


def test_source_texts() -> None:
    record, steam, entered = source_states()
    assert skill_source_text.source_text(record, 1640.0, "ns2") == "642 rounds, 214 of them yours; 2 folders watched"
    text = skill_source_text.source_text(steam, 1640.0, "ns2").replace(GROUP_SEPARATOR, " ")
    assert text == "in-game skill 1 652, 12 above your rating"
    assert skill_source_text.source_text(entered, 1640.0, "ns2") == "not used"
    assert "in-game skill" in skill_source_text.difference_reason(source_states(), 1640.0, "ns2")
    assert skill_source_text.difference_reason(source_states(), 1652.2, "ns2") == ""
    assert skill_source_text.difference_reason((record, entered), 1640.0, "ns2") == ""
    assert (
        skill_source_text.source_text(steam, 1.1, "trueskill2").replace(GROUP_SEPARATOR, " ") == "in-game skill 1 652"
    )
    other_scale = skill_source_text.difference_reason(source_states(), 1.1, "trueskill2")
    assert "scale" in other_scale
    assert "TrueSkill 2" in other_scale
    modes = {"ctf": (1796.4, 88.1), "dm": (1911.2, 97.5)}
    xonstat = SkillSourceState(SkillSourceKind.XONSTAT, "xonotic", True, 1796.4, modes=modes)
    text = skill_source_text.source_summary(xonstat, 162.0, "elo-xonstat").replace(GROUP_SEPARATOR, " ")
    assert text == "ctf 1 796\u00a0±\u00a088, dm 1 911\u00a0±\u00a098"
    failed = SkillSourceState(SkillSourceKind.STEAM, "ns2", True, error="The profile is private.")
    assert skill_source_text.source_text(failed, None, "ns2") == "The profile is private."
    assert skill_source_text.ago_text(None) == ""
    kept = SkillSourceState(
        SkillSourceKind.STEAM,
        "ns2",
        True,
        1652.0,
        sample_count=12,
        first_sample_at=time.mktime((2020, 11, 3, 12, 0, 0, 0, 0, -1)),
    )
    assert skill_source_text.samples_text(kept) == "12 samples since 3 Nov 2020"
    assert skill_source_text.samples_text(replace(kept, sample_count=1)) == "1 sample since 3 Nov 2020"
    assert (
        skill_source_text.samples_text(replace(kept, is_enabled=False))
        == skill_source_text.samples_text(source_states()[1])
        == ""
    )
    assert skill_source_text.ago_text(time.time() - 125) == "2 min ago"


def test_identity_summary_counts_kinds() -> None:
    assert identity_summary_text(IDENTITIES) == "2 Steam IDs\n1 Xonotic key"
    assert identity_summary_text(()).startswith("Not set")


def test_habit_texts() -> None:
    veil, hour = (
        EXAMPLE_HABITS[0],
        next(habit for habit in EXAMPLE_HABITS if habit.kind == "hour" and habit.name == "9"),
    )
    assert habit_columns.difference_text(veil) == "+9.6"
    assert habit_columns.wins_text(16.5) == "16.5"
    assert habit_columns.habit_title(hour) == "9:00 to 10:00"
    assert habit_columns.habit_title(replace(hour, name="23", title="23")) == "23:00 to 0:00"
    assert habit_columns.verdict_text("good") == "clearly good"
    assert {"15.2", "25.7", "41,", "20.4", "30"} <= set(habit_columns.luck_interval_text(veil).split())


def test_scale_titles_begin_before_the_middle_of_their_bands() -> None:
    assert title_start(100.0, 60.0, 0.0) == 70.0
    assert title_start(100.0, 60.0, 90.0) == 90.0
    assert title_start(100.0, 60.0, 101.0) is None
    assert title_start(10.0, 60.0, 0.0) == 0.0
