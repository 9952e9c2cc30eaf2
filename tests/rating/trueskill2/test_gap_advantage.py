"""Advantage by circumstances in TrueSkill 2: inference, evidence, smoothing."""

import math
from collections.abc import Mapping
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from trueskill2_helpers import finished, played, present_player

from browser_app.rating.record.record_builder import build_record
from browser_app.rating.system_registry import create_rating_system
from browser_app.rating.trueskill2.gap_advantage import LOG_ODDS_PER_SD
from browser_app.rating.trueskill2.trueskill2_run import TrueSkillRun

if TYPE_CHECKING:
    from browser_app.rating.game_round import Player

LEARNED: Mapping[str, object] = {"bias": "learnt", "bias_v": 0.5, "gamma2": 0.0, "draw_margin": 0.2}
NO_NEWS: Mapping[str, object] = {"kill_wp": 0.0, "kill_wo": 0.0, "kill_v": 1.0, "kill_b": 1.0}


@pytest.mark.parametrize("ranks", [(1, 2), (2, 1), (1, 1)])
def test_update_is_exact(ranks: tuple[int, int]) -> None:
    """Compare with the posterior on a grid of the skills' difference and F.

    Skill 0.4, β 1, F of two effects.
    """
    run = finished([played(1, [["a"], ["b"]], ranks)], LEARNED)
    assert isinstance(run, TrueSkillRun)
    assert run.advantage is not None
    sd_gap, sd_added = math.sqrt(0.8), math.sqrt(2 * 0.5 * 2.0) / LOG_ODDS_PER_SD
    gap, added = np.meshgrid(np.linspace(-7, 7, 201) * sd_gap, np.linspace(-7, 7, 201) * sd_added, indexing="ij")
    low, high = ((sign * 0.2 - gap - added) / math.sqrt(2.0) for sign in (-1.0, 1.0))
    below = np.vectorize(lambda z: 0.5 * math.erfc(-z / math.sqrt(2.0)))
    likelihood = {(1, 2): 1.0 - below(high), (2, 1): below(low), (1, 1): below(high) - below(low)}[ranks]
    weight = likelihood * np.exp(-0.5 * ((gap / sd_gap) ** 2 + (added / sd_added) ** 2))
    weight /= weight.sum()
    mean, var = run.advantage.in_gap(0, 2.0)
    assert mean == pytest.approx(float((weight * added).sum()), abs=1e-6)
    ratings = run.ratings(0)
    assert ratings[0].value - ratings[1].value == pytest.approx(float((weight * gap).sum()), abs=1e-6)
    # the effects' correlation is not stored, so their sum has the variance of independent ones
    spread = float((weight * (added - mean) ** 2).sum())
    assert var == pytest.approx((sd_added**2 + spread) / 2.0, abs=1e-6)


@pytest.mark.parametrize("ranks", [(1, 2), (2, 1), (1, 1)])
def test_other_evidence_leaves_advantage_as_it_is(ranks: tuple[int, int]) -> None:
    teams: list[list[str | Player]] = [
        [present_player("a", 0, 1.0, kills=3.0)],
        [present_player("b", 1, 0.5, kills=2.0), "c"],
    ]
    rounds = [played(number, teams, ranks) for number in (1, 2)]
    plain, counted = finished(rounds, LEARNED), finished(rounds, {**LEARNED, **NO_NEWS})
    for one, other in zip(plain.ratings(1), counted.ratings(1), strict=True):
        assert other == pytest.approx(one, abs=1e-9)
    assert counted.forecast(1).probability == pytest.approx(plain.forecast(1).probability, abs=1e-12)  # type: ignore[union-attr]


def test_default_ignores_circumstances() -> None:
    rounds = [played(number, [["a"], ["b"]]) for number in range(5)]
    assert finished(rounds).rated_players() == finished(rounds, {"bias_v": 9.0}).rated_players()


def test_side_explains_results_when_smoothed() -> None:
    """Everybody meets everybody on both sides, and the first side always wins.

    The side is strong, nobody is.
    """
    rounds = [played(k, [[one], [other]]) for k, (one, other) in enumerate(permutations("abcdef", 2))]
    record = build_record(rounds)

    def solved(parameters: Mapping[str, object]) -> tuple[float, float]:
        run = create_rating_system("trueskill2", None, **parameters).solve(record)
        assert run is not None
        chance = run.forecast(len(record) - 1)
        assert chance is not None
        return chance.first_place[0], float(np.std([run.rating(player, 0).value for player in range(6)]))

    (plain, spread), (chance, less_spread) = solved({}), solved({"bias": "learnt", "bias_v": 0.5})
    assert chance > 0.8 > plain
    assert less_spread < 0.5 * spread
