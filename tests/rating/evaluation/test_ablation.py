"""Ablation: systems without one of their extras, and shuffled counts."""

import numpy as np
import pytest
from rating_helpers import played, season

from browser_app.rating.evaluation.ablation import ablate_counts, ablate_extras, list_active_extras, shuffle_counts
from browser_app.rating.evaluation.backtest import backtest
from browser_app.rating.game_round import Player, Round
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system
from browser_app.rating.trueskill2.trueskill2_system import TrueSkill2System

KILLS = {"kill_wp": 1.0, "kill_wo": -1.0, "kill_v": 0.1}


def with_counts(rounds: list[Round]) -> list[Round]:
    """Give the strongest most kills: `p3` has 3."""
    counted = []
    for each in rounds:
        players = [Player(p.id, p.stays, kills=float(p.id[1:]), deaths=1.0 + float(p.id[1:])) for p in each.players]
        counted.append(Round(each.id, each.teams, players, each.started, each.duration, each.ranks, mode=each.mode))
    return counted


@pytest.mark.parametrize("name", RATING_SYSTEMS)
def test_every_extra_is_off_once_removed(name: str) -> None:
    system = create_rating_system(name)
    names = [extra.name for extra in system.extras]
    assert len(set(names)) == len(names)
    for extra in list_active_extras(system):
        without = type(system)(extra.remove_from(system.parameters))
        assert without.parameters != system.parameters
        assert extra.name not in {each.name for each in list_active_extras(without)}


def test_extras_of_modes_are_removed() -> None:
    file = {"default": {**KILLS, "experience_offset": [0.1]}, "modes": {"ctf": {"kill_wp": 2.0, "v0": 0.3}}}
    system = TrueSkill2System(resolve_parameters(TrueSkill2System.declared_parameters, file=file))
    extras = {extra.name: extra for extra in list_active_extras(system)}
    assert list(extras) == ["counts", "experience", "drift", "idle_drift"], "kills alone are the same as all counts"
    without = extras["counts"].remove_from(system.parameters)
    assert without.in_mode("ctf")["kill_wp"] is None
    assert without.default["experience_offset"] == (0.1,)
    assert without.modes == {"ctf": {"v0": 0.3}}


def test_modes_without_base_keep_their_variance() -> None:
    given = {"base_v": 0.5, "base_w": 2.0, "base_gamma2": 0.1, "v0": 0.25, "gamma2": 0.05, "mode_m": 3.0}
    system = TrueSkill2System(resolve_parameters(TrueSkill2System.declared_parameters, explicit=given))
    (base,) = [extra for extra in system.extras if extra.name == "base"]
    values = base.remove_from(system.parameters).default
    assert values["base_v"] is values["mode_m"] is None
    assert (values["m0"], values["v0"], values["gamma2"]) == pytest.approx((3.0, 2.25, 0.45))


def test_ablation_scores_the_system_without_the_extra() -> None:
    record = build_record(with_counts(season(60)))
    whole, plain = create_rating_system("trueskill2", None, **KILLS), create_rating_system("trueskill2")
    found = backtest(record, [whole], 20)
    ablations = ablate_extras(whole, found, 20)
    assert list(ablations) == ["counts", "drift", "idle_drift"]
    alone = backtest(record, [plain], 20).scores["trueskill2"].log_loss
    assert alone is not None
    assert ablations["counts"].log_loss == pytest.approx(alone, rel=1e-12)
    score = found.scores["trueskill2"].log_loss
    assert score is not None
    assert ablations["counts"].difference.mean == pytest.approx(alone - score, rel=1e-9)
    assert score < alone, "kills show the skill at once"
    shuffled = ablate_counts(whole, shuffle_counts(record), found, 20)
    assert shuffled.log_loss is not None
    assert shuffled.log_loss > score


def test_shuffled_counts_stay_in_their_round() -> None:
    rounds = [*with_counts(season(20)), played(99, ["a"], ["b"])]
    record = build_record(rounds)
    shuffled = shuffle_counts(record)
    for k in range(len(record)):
        rows = record.appearances(k)
        before, after = (
            sorted(zip(each.kills[rows].tolist(), each.deaths[rows].tolist(), strict=True))
            for each in (record, shuffled)
        )
        assert np.array_equal(before, after, equal_nan=True)
    assert (shuffled.kills[:-2] != record.kills[:-2]).mean() > 0.5
    assert np.array_equal(shuffled.player, record.player)
