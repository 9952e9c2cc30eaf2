"""Texts of round explanations: their numbers agree for every system."""

import re
from dataclasses import replace
from functools import cache
from math import prod

import numpy as np
import pytest
from rounds_helpers import ME, example_explanation, history_of, simulated_record

from browser_app.rating import RATING_SYSTEMS, RoundRecord, create_rating_system
from browser_app.rating.forward_pass import explain_round
from browser_app.rating.rating_explanation import ChangePart, RatingExplanation
from browser_app.ui.skill.rounds.round_explanation_text import build_explanation_text
from browser_app.ui.skill.rounds.round_result_text import unrated_reason_text


@cache
def record() -> RoundRecord:
    """Return a record with scores, without which XonStat rates nothing."""
    rounds = simulated_record(24)
    score = np.random.default_rng(2).integers(1, 40, len(rounds.player)).astype(np.float64)
    return replace(rounds, score=score)


def rated(system: str) -> list[tuple[RatingExplanation, float]]:
    """Return the last explanations of a record, with the changes in the history."""
    history = history_of(record(), system)
    rated_rows = [row for row, why in enumerate(history.skip_reason) if not why][-4:]
    changes = (history.after - history.before).tolist()
    numbers = [(int(history.round[row]), changes[row]) for row in rated_rows]
    return [(explain_round(create_rating_system(system), record(), k, ME), change) for k, change in numbers]


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("\u202f", "").replace("+", ""))


def numbers(text: str) -> list[float]:
    return [number(each) for each in re.findall(r"[−+]?\d[\d\u202f]*(?:\.\d+)?", text)]


@pytest.mark.parametrize("system", RATING_SYSTEMS)
def test_products_give_rating_change(system: str) -> None:
    explanations = rated(system)
    assert any(explanation.parts for explanation, _ in explanations)
    for explanation, change in explanations:
        explanation_text = build_explanation_text(explanation, approximate=False)
        if not explanation.parts:
            assert change == 0.0
            assert "did not change" in explanation_text.products[0]
            continue
        product, result = explanation_text.products[0].split(": ")[-1].split(" = ")
        factors = [numbers(each.replace("1/c", ""))[0] for each in product.split(" × ")]
        tenth = 0.5 * 10.0 ** -len(result.partition(".")[2])
        assert prod(factors) == pytest.approx(number(result), rel=0.02, abs=2 * tenth)
        assert number(explanation_text.change_title.split()[-1]) == pytest.approx(change, abs=tenth * 1.01)
        assert explanation_text.headline.endswith(explanation_text.change_title.split()[-1])


@pytest.mark.parametrize("system", RATING_SYSTEMS)
def test_terms_sum_to_chance(system: str) -> None:
    for explanation, _ in rated(system):
        explanation_text = build_explanation_text(explanation, approximate=False)
        assert explanation_text.total is not None
        added = sum(number(line.amount) for line in explanation_text.terms)
        assert added == pytest.approx(number(explanation_text.total.amount), abs=1e-9)
        assert explanation_text.headline.startswith(explanation_text.total.chance_alone)
        assert max(abs(line.bar_value) for line in explanation_text.terms) == pytest.approx(1.0)
        assert all(
            (line.bar_value > 0) == (number(line.amount) > 0) for line in explanation_text.terms if number(line.amount)
        )


@pytest.mark.parametrize("system", RATING_SYSTEMS)
def test_teams_list_all_players(system: str) -> None:
    for explanation, _ in rated(system):
        explanation_text = build_explanation_text(explanation, approximate=False)
        assert explanation_text.teams[0].title.endswith(" (yours)")
        assert any(member.is_own and member.name == "you" for member in explanation_text.teams[0].members)
        assert sum(len(team.members) for team in explanation_text.teams) == sum(map(len, explanation.teams))
        text = explanation_text.to_text()
        assert all(
            line in text
            for line in (*explanation_text.products, *explanation_text.notes, explanation_text.counterfactual)
        )


def test_example_explanation_texts() -> None:
    explanation_text = build_explanation_text(example_explanation(), approximate=False)
    assert explanation_text.headline == "38\u00a0% win chance, won, present for 71\u00a0% of the weighted time: +8.6"
    assert explanation_text.chance_title == "Why 38\u00a0% (model terms, bars to the right favour you)"
    assert [(line.title, line.amount, line.chance_alone) for line in explanation_text.terms] == [
        ("Field players", "−0.42", "alone: 40\u00a0%"),
        ("Commanders", "−0.23", "alone: 44\u00a0%"),
        ("Map and race", "+0.16", "alone: 54\u00a0%"),
    ]
    assert explanation_text.products[0] == "50 points × rate 4.17 × surprise 0.620 × your share 0.0668 = +8.6"
    assert explanation_text.change_notes == (
        "Rate = 2.4 + 0.9 / √(0.256 + 0.001): it falls with rounds played. "
        "Share = 0.71 of 10.63 player-rounds on the field.",
    )
    assert explanation_text.counterfactual == (
        "If you had lost: −5.3. If you had played the whole round and won, at the same chance: +11.8."
    )
    assert [member.name for member in explanation_text.teams[0].members] == [
        "moth",
        "sable",
        "you",
        "LowTide",
        "marrow, commander",
    ]


def test_full_presence_is_not_mentioned() -> None:
    explanation_text = build_explanation_text(replace(example_explanation(), share=1.0), approximate=False)
    assert explanation_text.headline == "38\u00a0% win chance, won: +8.6"
    assert explanation_text.counterfactual == "If you had lost: −5.3."


def test_estimated_share_is_marked() -> None:
    assert (
        "for ~71\u00a0% of the weighted time"
        in build_explanation_text(example_explanation(), approximate=True).headline
    )


def test_counterfactual_of_loss_and_draw() -> None:
    lost = replace(example_explanation(), outcome=0.0, if_full_round=None)
    assert build_explanation_text(lost, approximate=False).counterfactual == "If you had won: +8.6."
    drawn = replace(example_explanation(), outcome=0.5, if_full_round=None)
    assert (
        build_explanation_text(drawn, approximate=False).counterfactual
        == "If you had won: +8.6. If you had lost: −5.3."
    )


@pytest.mark.parametrize("system", ["elo-xonstat", "xonstat-go"])
def test_score_systems_do_not_mention_winning(system: str) -> None:
    (explanation,) = [
        each for each, _change in rated(system) if len(each.pair_comparisons) > 1 and each.outcome != 0.5
    ][-1:]
    explanation_text = build_explanation_text(explanation, approximate=False)
    assert explanation_text.counterfactual.startswith("If every comparison of points ")
    assert f"over {len(explanation.pair_comparisons)} other players" in explanation_text.change_notes[0]
    blog = build_explanation_text(rated("elo-blog")[-1][0], approximate=False)
    assert "opposing players" in blog.change_notes[0]
    assert blog.counterfactual.startswith("If you had ")


def test_parts_are_totalled() -> None:
    parts = (*example_explanation().parts, ChangePart("commander", 1.2), ChangePart("quits", 0.0))
    products = build_explanation_text(
        replace(example_explanation(), parts=parts, change=9.8, side_effects=()), approximate=False
    ).products
    assert products == (
        "Result: 50 points × rate 4.17 × surprise 0.620 × your share 0.0668 = +8.6",
        "Your commander skill: +1.2",
        "Total: +9.8",
    )


def test_many_teams_have_no_terms() -> None:
    several = replace(
        example_explanation(), link="none", terms=(), total=None, teams=example_explanation().teams * 2, notes={}
    )
    explanation_text = build_explanation_text(several, approximate=False)
    assert explanation_text.headline.startswith("38\u00a0% chance to finish first, won")
    assert explanation_text.terms == ()
    assert explanation_text.total is None
    assert "finishing first" in explanation_text.notes[0]


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("one_side_empty", "one side empty"),
        ("too_short:300", "shorter than 300 s"),
        ("mode_not_rated:cts", "mode cts is not rated"),
        ("", ""),
    ],
)
def test_unrated_reasons_keep_values(why: str, words: str) -> None:
    assert unrated_reason_text(why) == words
