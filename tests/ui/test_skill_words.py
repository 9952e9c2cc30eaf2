"""What the skill pages say: numbers, sentences, scales."""

import math
import re
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from skill_view_rig import HABITS, IDENTITIES, shown, states

from browser_app.bridge.skill.shown import Points
from browser_app.player.now import Now, Part, Trend
from browser_app.player.sources import SourceKind, SourceState
from browser_app.player.tiers import TIERS, next_tier, tier_of, to_next
from browser_app.ui.skill import habit_words, now_words, source_words
from browser_app.ui.skill.numbers import chance_words, change_words, points_words
from browser_app.ui.skill.parts_table import range_ends, range_words, sd_words
from browser_app.ui.skill.scale import round_step, scale_of
from browser_app.ui.skill.skill_side import identity_words
from browser_app.ui.texts import MINUS, THIN_SPACE


def now_at(points: float, *, adagrad_sum: float = 0.261, sd: float | None = 84.0, **changes: object) -> Now:
    """Somebody in NS2 with a rating."""
    effective = max(0.0, points - 25 / math.sqrt(adagrad_sum))
    tier = tier_of(effective)
    now = replace(
        shown().now,
        value=points,
        sd=sd,
        low=None if sd is None else points - 1.645 * sd,
        high=None if sd is None else points + 1.645 * sd,
        tier=tier,
        next_tier=next_tier(tier),
        to_next=to_next(effective),
        effective=effective,
        adagrad_sum=adagrad_sum,
        doubt="unknown" if sd is None else "fairly sure",
        sd_from="",
    )
    return replace(now, **changes)  # type: ignore[arg-type]


def test_the_pictures_own_numbers() -> None:
    now = now_at(1640.0, rank=41, ranked_players=388)
    assert now_words.standing_words(now, "ns2") == ("Veteran", "509 points to Commandant")
    assert now_words.doubt_words(now, "ns2") == "Fairly sure: 9 times in 10 between 1 502 and 1 778.".replace(
        " 502", "\u2009502"
    ).replace(" 778", "\u2009778")
    estimated = now_words.doubt_words(replace(now, sd_from="gradients"), "ns2").replace(THIN_SPACE, " ")
    assert estimated == "Fairly sure: 9 times in 10 between ≈ 1 502 and ≈ 1 778."
    assert "estimated" in now_words.range_source_words(replace(now, sd_from="gradients"))
    assert "being worked out" in now_words.range_source_words(replace(now, sd_from="gradients"), solving=True)
    told = now_words.range_source_words(replace(now, sd_from="full history"), solving=True)
    assert told == "The range is that of the most probable skills given the whole record."
    basis = now_words.basis_words(now).replace(THIN_SPACE, " ")
    assert basis == "For the tier the game counts 1 591: your 1 640 less 25 / √0.261 for doubt."
    assert now_words.rank_words(now).startswith("41st of 388 players with 10 or more rounds")
    assert now_words.rank_words(replace(now, rank=1, ranked_players=1)) == "Nobody else has 10 or more rounds."
    played = replace(now, rounds=214, won=110, lost=100, drawn=4)
    assert now_words.played_words(played, 0) == "214 rated rounds: 110 won, 100 lost, 4 drawn."
    assert "Of 40 the files tell no times of joining" in now_words.played_words(played, 40)
    trend = Trend(20, 28.0, 11, 9, 0, 9.3)
    assert now_words.trend_words(trend) == "11 won, 9 lost"
    assert now_words.expected_words(trend) == "9.3 wins were expected from the teams."


def test_what_is_estimated_of_a_part_is_marked_as_it_is_of_the_whole() -> None:
    solved = now_at(1640.0)
    estimated = replace(solved, sd_from="gradients")
    marines = Part("team", "marines", 583.0, 96.0, 425.0, 741.0, 108, 64, 42, 2, "offset", -57.0)
    assert (sd_words(marines, solved, 0), sd_words(marines, estimated, 0)) == ("96", "≈ 96")
    assert range_words(marines, estimated, 0) == "9 times in 10 between ≈ 425 and ≈ 741"
    unsure = replace(marines, sd=None, low=None, high=None)
    assert (sd_words(unsure, estimated, 0), sd_words(replace(unsure, value=None), estimated, 0)) == ("–", "")


def test_unknown_is_said_and_not_drawn_as_0() -> None:
    assert now_words.doubt_words(now_at(1640.0, sd=None), "ns2") == "How sure this is, is unknown."
    nobody = now_at(1640.0, value=None, tier=None, effective=None, sd=None, low=None, high=None, rank=None)
    assert now_words.standing_words(nobody, "ns2")[0] == "Not rated yet"
    assert scale_of(nobody, "ns2") is None
    assert "fewer than 10" in now_words.rank_words(nobody)
    often = now_at(1640.0, rank=None, rounds=27, mode="ctf")
    assert now_words.rank_words(often) == "Unknown: you have fewer than 10 rated rounds in ctf."
    assert points_words(None) == points_words(math.nan) == change_words(math.nan) == chance_words(None) == "–"
    assert now_words.use_words(None, 0, "NS2", told=True, system="ns2")[0].startswith(
        "Your skill is unknown to the list"
    )
    unknown = Part("mode", "combat", None, None, None, None, 0, 0, 0, 0, "unknown")
    assert now_words.mark_words(unknown, "ns2") == "unknown"
    assert now_words.record_words(0, 0, 0) == ""


@pytest.mark.parametrize(
    ("value", "words"), [(1640.0, "1\u2009640"), (-3.26, f"{MINUS}3"), (-0.3, "0"), (999.6, "1\u2009000")]
)
def test_points(value: float, words: str) -> None:
    assert points_words(value) == words


@given(st.floats(-1e7, 1e7), st.integers(0, 3))
def test_a_number_reads_back_and_nothing_has_no_sign(value: float, decimals: int) -> None:
    for words in (points_words(value, decimals), change_words(value, decimals)):
        back = float(words.replace(THIN_SPACE, "").replace(MINUS, "-"))
        assert back == pytest.approx(float(f"{value:.{decimals}f}"))
        if back == 0.0:
            assert not words.startswith((MINUS, "+"))


def test_what_the_list_makes_of_it() -> None:
    use, why = now_words.use_words(Points(1640.0, "record"), 64, "NS2", told=True, system="ns2")
    assert use.replace(THIN_SPACE, " ") == "1 640 feeds the skill factor of 64 NS2 servers now."
    assert why == "It comes from your own record."
    other = now_words.use_words(Points(1640.0, "record"), 64, "NS2", told=True, system="trueskill2")
    assert other == (use, "It comes from your own record under NS2 logistic, whose scale the servers use.")
    guess = now_words.use_words(Points(1640.0, "guess"), 64, "NS2", told=True, system="ns2")
    assert guess == (use, "It comes from your own record, a guess so far: no surer number is known.")
    said = now_words.use_words(Points(1640.0, "game"), 64, "NS2", told=True, system="ns2")
    assert said == (use, "It is the game’s own number: your own record is not yet surer than a guess.")
    silent = now_words.use_words(Points(1640.0, "typed"), 0, "XON", told=False, system="ns2")
    assert silent == ("XON servers tell no skill, so yours does not count in the list.", "")
    assert "typed" in now_words.use_words(Points(1.0, "typed"), 1, "NS2", told=True, system="ns2")[1]


def test_the_scale_of_tiers_has_every_bound_and_the_needle_in_its_band() -> None:
    scale = scale_of(now_at(1640.0), "ns2")
    assert scale is not None
    assert [band.low for band in scale.bands] == [0.0, 300.0, 750.0, 1400.0, 2100.0, 2900.0, 4100.0]
    assert [band.title for band in scale.bands if band.mine] == ["Veteran"]
    assert scale.counted is None
    assert "Veteran, from 1 400 to 2 100".replace(" ", "") in scale.spoken.replace(" ", "").replace(THIN_SPACE, "")
    below = scale_of(now_at(1430.0), "ns2")  # counts 1381: the tier below that of the number
    assert below is not None
    assert [band.title for band in below.bands if band.mine] == ["Squad Leader"]
    assert below.counted == pytest.approx(1381.07, abs=0.01)


@given(st.floats(0, 9000), st.floats(1, 900))
def test_no_tier_scale_ends_before_its_needle(value: float, sd: float) -> None:
    scale = scale_of(now_at(value, sd=sd), "ns2")
    assert scale is not None
    assert scale.low <= value <= scale.high
    assert sum(band.mine for band in scale.bands) == 1
    assert len(scale.bands) == len(TIERS)


@given(st.lists(st.floats(-50, 3000), min_size=5, max_size=5), st.floats(-100, 4000))
def test_a_scale_without_tiers_has_the_quarters_of_the_others(quantiles: list[float], value: float) -> None:
    now = now_at(
        1640.0, value=value, tier=None, effective=None, quantiles=tuple(sorted(quantiles)), low=None, high=None
    )
    scale = scale_of(now, "elo-xonstat")
    assert scale is not None
    assert scale.low <= value <= scale.high
    assert scale.low < scale.high
    assert [band.high for band in scale.bands[:-1]] == [band.low for band in scale.bands[1:]] == sorted(quantiles)[1:-1]
    mine = next(place for place, band in enumerate(scale.bands) if band.mine)
    assert now_words.standing_words(now, "elo-xonstat")[0] == now_words.quarter_titles()[mine]
    assert mine == sum(each <= value for each in sorted(quantiles)[1:-1])


@given(st.floats(1e-6, 1e9))
def test_steps_are_round_and_not_too_small(least: float) -> None:
    step = round_step(least)
    assert least <= step * (1 + 1e-12) <= 10 * least
    assert re.fullmatch(r"[125]\.0+e[+-]\d+", f"{step:.6e}")


def test_the_ranges_have_room_for_every_part() -> None:
    now = shown().now
    ends = range_ends(now)
    assert ends is not None
    for part in now.parts:
        for each in (part.value, part.low, part.high):
            assert each is None or ends[0] <= each <= ends[1]
    assert range_ends(replace(now, parts=())) is None


def test_sources_say_what_they_give_and_why_two_differ() -> None:
    record, steam, typed = states()
    assert source_words.source_words(record, 1640.0, "ns2") == "642 rounds, 214 of them yours; 2 folders watched"
    told = source_words.source_words(steam, 1640.0, "ns2").replace(THIN_SPACE, " ")
    assert told == "the game says 1 652, 12 more than your record"
    assert source_words.source_words(typed, 1640.0, "ns2") == "not used"
    assert "hence the gap" in source_words.why_they_differ(states(), 1640.0, "ns2")
    assert source_words.why_they_differ(states(), 1652.2, "ns2") == ""
    assert source_words.why_they_differ((record, typed), 1640.0, "ns2") == ""
    assert source_words.source_words(steam, 1.1, "trueskill2").replace(THIN_SPACE, " ") == "the game says 1 652"
    assert source_words.why_they_differ(states(), 1.1, "trueskill2") == ""
    modes = {"ctf": (1796.4, 88.1), "dm": (1911.2, 97.5)}
    xonstat = SourceState(SourceKind.XONSTAT, "xonotic", True, 1796.4, modes=modes)
    told = source_words.source_line(xonstat, 162.0, "elo-xonstat").replace(THIN_SPACE, " ")
    assert told == "ctf 1 796 ± 88, dm 1 911 ± 98"
    failed = SourceState(SourceKind.STEAM, "ns2", True, error="The profile is private.")
    assert source_words.source_words(failed, None, "ns2") == "The profile is private."
    assert source_words.ago_words(None) == ""
    kept = SourceState(
        SourceKind.STEAM, "ns2", True, 1652.0, kept=12, kept_since=time.mktime((2020, 11, 3, 12, 0, 0, 0, 0, -1))
    )
    assert source_words.kept_words(kept) == "12 samples since 3 Nov 2020"
    assert source_words.kept_words(replace(kept, kept=1)) == "1 sample since 3 Nov 2020"
    assert source_words.kept_words(replace(kept, on=False)) == source_words.kept_words(states()[1]) == ""
    assert source_words.ago_words(time.time() - 125) == "2 min ago"


def test_identities_are_counted_by_kind() -> None:
    assert identity_words(IDENTITIES) == "2 Steam identities,\n1 Xonotic fingerprint"
    assert identity_words(()).startswith("Nobody yet")


def test_habits_in_words() -> None:
    veil, hour = HABITS[0], next(habit for habit in HABITS if habit.kind == "hour" and habit.name == "9")
    assert habit_words.over_text(veil) == "+9.6"
    assert habit_words.wins_text(16.5) == "16.5"
    assert habit_words.habit_title(hour) == "9:00 to 10:00"
    assert habit_words.habit_title(replace(hour, name="23", title="23")) == "23:00 to 0:00"
    assert habit_words.verdict_text("good") == "good, not luck"
    assert habit_words.range_text(veil) == "luck alone makes 15.2 to 25.7 of 41, 20.4 expected, 30 wins won".replace(
        "30 wins won", "30 won"
    )
