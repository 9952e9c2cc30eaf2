"""Texts of system comparisons and parameters."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication
from skill_view_helpers import simulated_record
from systems_helpers import comparison, row

from browser_app import language
from browser_app.paths import resource_folder
from browser_app.rating.evaluation.backtest import backtest
from browser_app.rating.evaluation.forecast_scores import wilson_interval
from browser_app.rating.evaluation.parameter_fit import fit_and_score
from browser_app.rating.evaluation.system_comparison import CalibrationSlope, compare_systems
from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_parameters import Parameter
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system
from browser_app.ui.skill.systems.rating_parameter_text import (
    allowed_values_text,
    parameter_edit_text,
    parameter_title,
    parse_parameter_text,
)
from browser_app.ui.skill.systems.systems_comparison_text import comparison_details, comparison_headline


def test_headline_names_best_and_close_systems() -> None:
    both = comparison(row("ns2", 0.0), row("trueskill2", 0.016, 0.018), row("elo-xonstat", 0.021, 0.015))
    assert comparison_headline(both) == "NS2 logistic predicts these rounds best; possibly just as good: TrueSkill 2."
    assert comparison_details(both) == "TrueSkill 2 is 0.016 behind (95 % range −0.002 to 0.034), which may be luck."
    clear = comparison(row("ns2", 0.0), row("trueskill2", 0.016, 0.008))
    assert comparison_headline(clear) == "NS2 logistic predicts these rounds best."
    assert (
        comparison_details(clear) == "TrueSkill 2 is 0.016 behind (95 % range 0.008 to 0.024), more than luck explains."
    )
    several = comparison(*(row(name, 0.001, 0.1) for name in ("ns2", "trueskill2", "elo-blog", "xonstat-go")))
    assert "TrueSkill 2, XonStat Elo (2012 blog), XonStat Go" in comparison_headline(several)


def test_headline_counts_many_close_systems() -> None:
    names = ("ns2", "trueskill2", "trueskill", "elo-blog", "xonstat-go")
    compared = comparison(*(row(name, 0.001, 0.1) for name in names))
    assert comparison_headline(compared) == "NS2 logistic predicts these rounds best; 4 others may be just as good."


def test_details_state_what_is_unclear() -> None:
    few = comparison(row("ns2", 0.0), row("trueskill2", 0.5))
    assert comparison_details(few) == "TrueSkill 2 is 0.500 behind; there are too few rounds to rule out luck."
    even = comparison(row("ns2", 0.0), row("constant", 0.001, 0.02))
    assert comparison_details(even) == "So far, NS2 logistic is not clearly better than Base rate."
    unclear = comparison(row("ns2", 0.0), row("constant", 0.3))
    assert comparison_details(unclear) == "So far, NS2 logistic is not clearly better than Base rate."
    worse = comparison(row("ns2", 0.0), row("constant", 0.001, 0.02), row("size", -0.071, 0.02))
    assert comparison_details(worse) == "So far, NS2 logistic is worse than Team size only."
    perhaps = comparison(row("ns2", 0.0), row("size", -0.071, 0.2))
    assert comparison_details(perhaps) == "So far, NS2 logistic is not clearly better than Team size only."
    scores = row("elo-xonstat", 0.3, 0.1, rounds=27)
    assert "Compared on fewer than the 642 rounds: XonStat Elo (27)." in comparison_details(
        comparison(row("ns2", 0.0), scores)
    )
    nothing = replace(comparison(row("ns2", 0.0)), best=None, systems=())
    assert comparison_headline(nothing) == "None of these rounds can be scored."
    assert comparison_details(nothing) == "It needs rounds with a winner and players on both sides."


def test_blend_is_no_system() -> None:
    blend = row("best", -0.01, 0.005, is_blend=True)
    compared = comparison(row("ns2", 0.0), row("trueskill2", 0.02, 0.01), blend)
    assert comparison_headline(compared) == "NS2 logistic predicts these rounds best."
    assert "TrueSkill 2 is 0.020 behind" in comparison_details(compared)
    assert "Blend of all weighs all predictions" in comparison_details(compared)
    assert "is better than NS2 logistic; it rates nobody." in comparison_details(compared)
    level = comparison(row("ns2", 0.0), replace(blend, low=-0.01, high=0.01))
    assert "so far; it rates nobody." in comparison_details(level)


@pytest.mark.parametrize(("ranks", "scored"), [((1, 1), 0), (None, 0), ((1, 2), 1)])
def test_single_won_round_is_scored(ranks: tuple[int, int] | None, scored: int) -> None:
    players = [Player(each, (Stint(team, 0.0, 60.0),)) for each, team in (("x", "a"), ("y", "b"))]
    rounds = build_record([Round("r", ("a", "b"), players, 0.0, 60.0, ranks)])
    found = compare_systems(backtest(rounds, [create_rating_system("ns2"), create_rating_system("trueskill2")]))
    assert [row.rounds for row in found.systems if not row.is_baseline] == [scored] * 3
    assert (found.best is None) == (comparison_headline(found) == "None of these rounds can be scored.") == (not scored)


def test_only_significant_miscalibration_is_named() -> None:
    sure, timid, unclear = CalibrationSlope(0.6, 0.1), CalibrationSlope(1.5, 0.1), CalibrationSlope(0.8, 0.2)
    compared = comparison(row("ns2", 0.0, slope=sure), row("trueskill2", 0.2, 0.1, slope=timid))
    assert "NS2 logistic is overconfident" in comparison_details(compared)
    assert "TrueSkill 2 is underconfident" in comparison_details(compared)
    assert "line is" not in comparison_details(comparison(row("ns2", 0.0, slope=unclear)))
    same = comparison(row("trueskill2", 0.0, slope=timid), row("trueskill", 0.0, 0.0, slope=timid))
    assert comparison_details(same).count("underconfident") == 1
    both = comparison(row("ns2", 0.0, slope=timid), row("trueskill2", 0.1, 0.2, slope=timid))
    assert comparison_details(both).endswith(
        "NS2 logistic and TrueSkill 2 are underconfident: their lines are steeper than the dashed one."
    )


def test_identical_system_is_named_before_next() -> None:
    compared = comparison(row("trueskill2", 0.0), row("trueskill", 0.0, 0.0), row("ns2", 0.009, 0.011))
    assert comparison_details(compared) == (
        "TrueSkill makes the same predictions. "
        "NS2 logistic is 0.009 behind (95 % range −0.002 to 0.020), which may be luck."
    )


@given(st.integers(1, 10_000), st.data())
def test_wilson_interval_contains_share(n: int, data: st.DataObject) -> None:
    share = data.draw(st.integers(0, n)) / n
    low, high = wilson_interval(share, n)
    assert 0.0 <= low <= share <= high <= 1.0
    assert low < high
    wider = wilson_interval(share, max(1, n // 2))
    assert high - low <= wider[1] - wider[0] + 1e-12


def test_wilson_interval_published_value() -> None:
    assert wilson_interval(0.4, 10) == pytest.approx((0.168180329706236, 0.687326230266342), abs=1e-9)


def test_fit_gain_is_measured_on_later_rounds() -> None:
    rounds, until = simulated_record(), 280
    found = fit_and_score(create_rating_system("elo-blog"), rounds, until)
    before = backtest(rounds, [create_rating_system("elo-blog")], until).scores["elo-blog"]
    assert found.training_rounds == until
    assert found.scored_pairs == before.pairs
    assert found.loss_before == pytest.approx(before.log_loss)
    assert found.loss_after is not None


@pytest.mark.parametrize("system", RATING_SYSTEMS)
def test_parameter_titles_and_defaults(system: str, qapp: QApplication) -> None:
    for parameter in RATING_SYSTEMS[system].declared_parameters:
        assert parameter_title(parameter) != parameter.name
        assert allowed_values_text(parameter)
        text = parameter_edit_text(parameter.default)
        assert parameter.validate(text or None) == parameter.default


def test_parameters_with_decimal_commas() -> None:
    number, numbers = Parameter("p", "", "", 1.0), Parameter("q", "", "", None, max_numbers=4)
    language.set_language(resource_folder() / "languages", "de")
    try:
        assert parameter_edit_text(0.5) == "0,5"
        assert [parse_parameter_text(text, number) for text in ("0,5", "0.5")] == ["0.5", "0.5"]
        assert parameter_edit_text((0.5, 2.0, 3.25)) == "0,5; 2; 3,25"
        for text in ("0,5; 2; 3,25", "0.5, 2, 3.25"):
            assert numbers.validate(parse_parameter_text(text, numbers)) == (0.5, 2.0, 3.25)
    finally:
        language.set_language(resource_folder() / "languages", language.ENGLISH)
    assert parse_parameter_text("0,5", number) == "0.5"
    assert parse_parameter_text("0.5,2", numbers) == "0.5,2"


def test_allowed_values_text() -> None:
    assert allowed_values_text(Parameter("p", "", "", 1.0)) == "a number"
    assert allowed_values_text(Parameter("p", "", "", 1.0, low=0.0)) == "a number of at least 0"
    assert allowed_values_text(Parameter("p", "", "", 1.0, low=0.0, high=2.0)) == "a number from 0 to 2"
    assert allowed_values_text(Parameter("p", "", "", 1.0, exclusive_low=0.0)) == "a number above 0"
    assert allowed_values_text(Parameter("p", "", "", None, max_numbers=64)) == "1 to 64 numbers, separated by commas"
