"""Counts of two teams against full covariance, and counts of an instant."""

import math
import random

import pytest
from trueskill2_helpers import finished, played, present_player, skill

from browser_app.rating.game_round import Player, Round
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.trueskill2.inference.round_inference import shift_result, update_skills
from browser_app.rating.trueskill2.modelled_record import ModelledRecord
from browser_app.rating.trueskill2.trueskill2_rounds import TrueSkillRoundBlock
from browser_app.rating.trueskill2.trueskill2_system import TrueSkill2System

KILLS = {"kill_wp": 0.5, "kill_wo": -0.35, "kill_v": 0.6, "kill_b": 0.7}
DEATHS = {"death_wp": -0.4, "death_wo": 0.45, "death_v": 0.5, "death_b": 0.8}
SCORE = {"score_wp": 8.0, "score_wo": -3.0, "score_v": 90.0, "score_b": 20.0}


def counted_block(rounds: list[Round], **given: object) -> TrueSkillRoundBlock:
    parameters = resolve_parameters(TrueSkill2System.declared_parameters, explicit=given)
    return TrueSkillRoundBlock(ModelledRecord(build_record(rounds), parameters), 0, len(rounds))


def pickup_round(rng: random.Random, number: int, zeros: float) -> Round:
    """Create a round of 1 to 6 a side with late players, squads and some counts."""

    def player(name: str, team: int) -> Player:
        known = {
            kind: 0.0 if rng.random() < zeros else rng.uniform(*bounds)
            for kind, bounds in (("kills", (0.5, 20.0)), ("deaths", (1.0, 20.0)), ("score", (5.0, 300.0)))
            if rng.random() < 0.7
        }
        return present_player(name, team, rng.choice((1.0, 1.0, 0.6, 0.1)), squad=rng.choice(("", "s")), **known)

    sides = [[player(f"{team}{i}", team) for i in range(rng.randint(1, 6))] for team in (0, 1)]
    return played(number, sides, rng.choice(((1, 2), (2, 1), (1, 1))))


@pytest.mark.parametrize(("advantage", "zeros"), [(None, 0.0), ((0.4, 0.2), 0.0), (None, 0.3), ((0.4, 0.2), 0.3)])
def test_counts_equal_full_covariance(advantage: tuple[float, float] | None, zeros: float) -> None:
    rng = random.Random(5)
    block = counted_block(
        [pickup_round(rng, i, zeros) for i in range(40)],
        **KILLS,
        **DEATHS,
        **SCORE,
        squad_offset=[0.0, 0.2],
        draw_margin=0.1,
    )
    for i in range(40):
        players = block.played.start[i + 1] - block.played.start[i]
        mean, var = [rng.gauss(1.0, 2.0) for _ in range(players)], [rng.uniform(0.05, 1.5) for _ in range(players)]
        found = block.infer_skills(i, list(zip(mean, var, strict=True)), advantage)
        evidence = block.evidence(i)
        assert evidence.observed is None or zeros > 0.0 or len(evidence.factors) == 1
        if advantage is not None:
            evidence = shift_result(evidence, block.outcome[i], *advantage)
        expected = update_skills(mean, var, block.played.shifts(i), 1.0, evidence)
        assert [m for m, _ in found] == pytest.approx(expected.mean, abs=1e-9)
        assert [v for _, v in found] == pytest.approx(expected.var, rel=1e-9)


def test_counts_without_noise_are_solved() -> None:
    """With next to no noise the kills of a duel determine the performances.

    They are two equations for two unknowns.
    """
    duel = played(0, [[present_player("a", 0, 1.0, kills=11.0)], [present_player("b", 1, 1.0, kills=6.0)]])
    block = counted_block([duel], kill_wp=0.5, kill_wo=-0.35, kill_v=1e-12, kill_b=0.7)
    own, other = 1.1 - 0.7, 0.6 - 0.7  # a minute, without the intercept
    det = 0.5**2 - 0.35**2
    performances = (0.5 * own + 0.35 * other) / det, (0.35 * own + 0.5 * other) / det
    found = block.infer_skills(0, [(1.0, 0.4), (2.0, 0.7)])
    for (mean, var), (m, v), performance in zip(found, [(1.0, 0.4), (2.0, 0.7)], performances, strict=True):
        gain = v / (v + 1.0)
        assert mean == pytest.approx(m + gain * (performance - m), abs=1e-9)
        assert var == pytest.approx(v * (1.0 - gain), rel=1e-9)


@pytest.mark.parametrize("deaths", [3.0, 0.0])
def test_counts_of_an_instant_change_nothing(deaths: float) -> None:
    def mean_after(seconds: float, kills: float | None) -> float:
        counts = {} if kills is None else {"kills": kills}
        late = present_player("late", 0, seconds / 600.0, **counts)
        teams: list[list[str | Player]] = [[present_player("a", 0, 1.0, deaths=deaths), late], ["b", "c"]]
        return skill(finished([played(0, teams)], {**KILLS, **DEATHS, "gamma2": 0.0}), "late")[0]

    assert mean_after(1e-9, 3.0) == pytest.approx(mean_after(1e-9, None), abs=1e-6)
    assert mean_after(0.01, 3.0) == pytest.approx(mean_after(0.01, None), abs=0.02)
    assert mean_after(0.999999, 3.0) == pytest.approx(mean_after(1.000001, 3.0), abs=1e-5)
    assert mean_after(10.0, 3.0) > mean_after(10.0, None) + 0.3


@pytest.mark.parametrize("gap", [1e2, 1e5, 1e8])
def test_upsets_with_counts_stay_finite(gap: float) -> None:
    rng = random.Random(6)
    block = counted_block([pickup_round(rng, i, 0.3) for i in range(12)], **KILLS, **DEATHS, **SCORE)
    for i in range(12):
        rows = slice(block.played.start[i], block.played.start[i + 1])
        skills = [(gap if net < 0.0 else 0.0, 0.4) for net in block.played.net[rows]]
        found = block.infer_skills(i, skills)
        assert all(math.isfinite(mean) and 0.0 < var <= 0.4 for mean, var in found)
