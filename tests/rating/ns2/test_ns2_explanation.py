"""Explanations of NS2 rounds, recalculated by hand."""

import math
from dataclasses import replace

import pytest
from ns2_helpers import full_round, system

from browser_app.rating.forward_pass import explain_round
from browser_app.rating.game_round import Player, Stint
from browser_app.rating.ns2.ns2_system import NS2System
from browser_app.rating.rating_explanation import ChangePart
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record


def test_round_by_hand() -> None:
    """50 points × rate × surprise × share, with a teammate of the second half."""
    record = build_record(
        [
            full_round("ab", "cd", 0, number=0),
            replace(
                full_round("a", "cd", 1, number=1),
                players=[
                    Player("a", [Stint("Marines", 0.0, 1200.0)], name="Ann"),
                    Player("b", [Stint("Marines", 600.0, 1200.0)]),
                    Player("c", [Stint("Aliens", 0.0, 1200.0)], [Stint("Aliens", 0.0, 1200.0)]),
                    Player("d", [Stint("Aliens", 0.0, 1200.0)]),
                ],
            ),
        ]
    )
    explained = explain_round(NS2System(resolve_parameters(NS2System.declared_parameters)), record, 1, "b")
    rate = 1.0 + 0.5 / math.sqrt(0.125**2 + 1e-3)
    gain, offset = 0.125 * rate, 0.125  # after the first round; the losers have lost as much
    skill, other = 20.0 + gain, 20.0 - gain
    weights = {"a": 0.75, "b": 0.25, "d": 0.75}
    field = ((0.75 + 0.25) * (skill + offset) - 0.75 * (other - offset)) / 1.75
    assert explained.terms[0].amount == pytest.approx(field)
    assert explained.terms[0].chance_alone == pytest.approx(1.0 / (1.0 + math.exp(-field)))
    assert [each.name for each in explained.terms] == ["field", "commanders"]
    chance = 1.0 / (1.0 + math.exp(-explained.terms[0].amount - explained.terms[1].amount))
    share = weights["b"] / 1.75
    gradient = -chance * share
    now = 1.0 + 0.5 / math.sqrt(0.125**2 + gradient**2 + 1e-3)
    assert {each.name: each.value for each in explained.factors} == pytest.approx(
        {"points": 50.0, "rate": now, "surprise": -chance, "share": share}
    )
    assert explained.change == pytest.approx(50.0 * now * gradient)
    assert explained.if_opposite_result == explained.if_won
    assert explained.if_won == pytest.approx(
        50.0 * (1.0 - chance) * share * (1.0 + 0.5 / math.sqrt(0.125**2 + ((1.0 - chance) * share) ** 2 + 1e-3))
    )
    whole = -chance * 0.75 / 2.25
    assert explained.if_full_round == pytest.approx(50.0 * whole * (1.0 + 0.5 / math.sqrt(0.125**2 + whole**2 + 1e-3)))
    assert explained.side_effects == (ChangePart.product("offset", points=50.0, c=1.0, surprise=-chance, whole=share),)
    assert explained.share == pytest.approx(weights["b"] / 0.75)
    assert [(each.id, each.name, each.is_commander) for each in explained.teams[1]] == [
        ("d", None, False), ("c", None, True)
    ]  # fmt: skip
    assert [each.share for each in explained.teams[0]] == pytest.approx([1.0, 1.0 / 3.0])
    assert explained.notes["rounds_own"] == pytest.approx(4.0 / 3.0)
    assert explained.notes["mean_own"] == pytest.approx(50.0 * (skill + offset))


def test_commander_skill_is_explained() -> None:
    record = build_record(
        [
            replace(
                full_round("a", "c"),
                players=[
                    Player("a", [Stint("Marines", 0.0, 1200.0)], [Stint("Marines", 0.0, 1200.0)]),
                    Player("b", [Stint("Marines", 0.0, 1200.0)]),
                    Player("c", [Stint("Aliens", 0.0, 1200.0)]),
                ],
            )
        ]
    )
    explained = explain_round(system(start=0.0), record, 0, "a")
    assert explained.change == 0.0
    assert explained.if_full_round is None
    _, commander = explained.side_effects
    rate = 1.0 + 0.5 / math.sqrt(0.25 + 1e-3)
    assert commander == ChangePart.product(
        "commander", points=50.0, commander_rate=rate, surprise=0.5, commander_share=1.0
    )
    assert explained.notes["commander_sum"] == 0.25


def test_offsets_have_no_part_in_duel() -> None:
    duel = replace(
        full_round("a", "c", 1, number=1),
        teams=["a", "c"],
        players=[Player(name, [Stint(name, 0.0, 1200.0)]) for name in "ac"],
    )
    explained = explain_round(system(), build_record([full_round("a", "c", 0, number=0), duel]), 1, "a")
    gain = 1.0 * 0.5 * 0.5 + 0.5 / math.sqrt(0.25**2 + 1e-3) * 0.25
    assert explained.terms[0].amount == pytest.approx(gain)  # half the difference, without the two offsets of 0.25
    assert explained.side_effects == ()


def test_unrated_round_is_refused() -> None:
    present, away = Player("a", [Stint("Marines", 0.0, 9.0)]), Player("z", [])
    record = build_record(
        [
            replace(full_round("ab", "cd"), players=[*full_round("b", "cd").players, present, away]),
            replace(full_round("ab", "cd", number=1), ranks=None),
            full_round("ab", "cd", number=2),
        ]
    )
    ns2 = NS2System(resolve_parameters(NS2System.declared_parameters))
    with pytest.raises(ValueError, match="on no team"):
        explain_round(ns2, record, 0, "z")
    with pytest.raises(ValueError, match="x is not in round 0"):
        explain_round(ns2, record, 0, "x")
    with pytest.raises(ValueError, match="no_outcome"):
        explain_round(ns2, record, 1, "a")
    with pytest.raises(ValueError, match="none of round 0"):
        ns2.new_run(record).explain(0, record.appearances(2).start)
