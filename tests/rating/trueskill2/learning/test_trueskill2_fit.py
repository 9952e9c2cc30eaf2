"""Fit of all parameters at once: its promises, and better forecasts of unseen rounds."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from learning_helpers import default_parameters, known_world, shooter
from recorded_data import facts_of

from browser_app.rating.evaluation.backtest import forecast_pairs
from browser_app.rating.evaluation.decided_pairs import find_decided_pairs
from browser_app.rating.evaluation.forecast_scores import log_losses
from browser_app.rating.evaluation.parameter_fit import fit_parameters
from browser_app.rating.progress_callback import ignore_progress
from browser_app.rating.rating_parameters import ParameterSet, resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.trueskill2.learning import trueskill2_fit as estimating
from browser_app.rating.trueskill2.learning.forecast_trials import ForecastTrials
from browser_app.rating.trueskill2.learning.trueskill2_fit import estimate_parameters
from browser_app.rating.trueskill2.trueskill2_model import CountModel, QuitModel
from browser_app.rating.trueskill2.trueskill2_system import TrueSkill2System, TrueSkillSystem
from browser_app.rounds.round_reader import read_rounds

pytestmark = pytest.mark.slow

EVERYTHING = default_parameters(
    draw_margin=0.3,
    kills=CountModel(0.4, -0.3, 0.8, 0.6),
    quits=QuitModel(-1.0, 0.5, 0.03, 0.6),
    squad_offset=(0.0, 0.4),
)


@pytest.fixture(scope="module")
def small() -> RoundRecord:
    return known_world(EVERYTHING, rounds=150, sizes=(2, 3), squad=0.4)


def short_search(patch: pytest.MonkeyPatch) -> None:
    """Limit the search to a fifth of the trials, enough for what holds for any search."""
    patch.setattr(estimating, "_CORE_RUNS", 12)
    patch.setattr(estimating, "_SHAPE_RUNS", 12)


def test_core_is_found() -> None:
    found = estimate_parameters(
        TrueSkillSystem.declared_parameters,
        resolve_parameters(TrueSkillSystem.declared_parameters),
        known_world(default_parameters(m0=1.6, v0=0.9, draw_margin=0.5), rounds=2500, players=120),
        ignore_progress,
    )
    assert found.number("m0") == pytest.approx(1.6, abs=0.5)
    assert 0.45 < found.number("v0") < 1.8
    assert found.number("draw_margin") == pytest.approx(0.5, abs=0.1)
    assert found.number("beta") == 1.0


def test_fit_is_deterministic_and_storable(small: RoundRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    short_search(monkeypatch)
    given = shooter()
    found = estimate_parameters(TrueSkill2System.declared_parameters, given, small, ignore_progress)
    assert found == estimate_parameters(TrueSkill2System.declared_parameters, given, small, ignore_progress)
    trials = ForecastTrials(small, ignore_progress, 1)
    quits_off = dict.fromkeys(("quit_m", "quit_v", "quit_pu", "quit_pr"))
    assert trials.log_loss(ParameterSet({**found.default, **quits_off}, found.modes)) < trials.log_loss(given)
    content = json.loads(json.dumps(found.to_file_content("trueskill2")))
    assert resolve_parameters(TrueSkill2System.declared_parameters, file=content) == found
    for extra in ("kill_wp", "squad_offset"):
        assert found.default[extra] is not None
    assert found.default["death_wp"] is None


def test_later_rounds_are_not_seen(small: RoundRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    short_search(monkeypatch)
    until = 80
    other = replace(
        small, team_rank=np.concatenate([small.team_rank[: 2 * until], small.team_rank[: 2 * until - 1 : -1]])
    )
    system = TrueSkill2System(shooter())
    assert fit_parameters(system, small, until).parameters == fit_parameters(system, other, until).parameters


def test_without_extras_only_core_moves(small: RoundRecord) -> None:
    found = TrueSkillSystem(resolve_parameters(TrueSkillSystem.declared_parameters)).fit(small, ignore_progress)
    assert set(found.default) == {parameter.name for parameter in TrueSkillSystem.declared_parameters}
    assert found.modes == {}


def test_empty_record_changes_nothing() -> None:
    given = shooter(v0=0.7)
    assert estimate_parameters(TrueSkill2System.declared_parameters, given, build_record([]), ignore_progress) == given


def test_only_large_modes_get_own_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimating, "_MIN_MODE_ROUNDS", 100)
    both = known_world(default_parameters(), rounds=500, sizes=(1, 2))
    mode = (np.arange(500) % 6 == 0).astype(np.int32)  # 416 and 84 rounds
    record = replace(both, mode=mode, modes=("many", "few"))
    assert set(
        estimate_parameters(TrueSkill2System.declared_parameters, shooter(v0=3.0), record, ignore_progress).modes
    ) <= {"many"}


def test_informative_score_is_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A score that tells the performance is turned on, one of other players is not."""
    short_search(monkeypatch)
    world = known_world(default_parameters(kills=CountModel(0.8, -0.4, 0.3, 2.0)), rounds=400, players=60, sizes=(3, 3))
    unknown = np.full(len(world.player), np.nan)
    scored = replace(world, kills=unknown, score=10.0 * world.kills)
    shuffled = replace(scored, score=np.random.default_rng(2).permutation(scored.score))
    declared = TrueSkill2System.declared_parameters
    found, nothing = (
        estimate_parameters(declared, shooter(), record, ignore_progress) for record in (scored, shuffled)
    )
    own, opponents = found.default["score_wp"], found.default["score_wo"]
    assert isinstance(own, float)
    assert isinstance(opponents, float)
    assert own > 0.0 > opponents
    assert found.default["kill_wp"] is None
    assert nothing.default["score_wp"] is None
    trials = ForecastTrials(scored, ignore_progress, 1)
    off = {**found.default, **{f"score_{name}": None for name in ("wp", "wo", "v", "b")}}
    assert trials.log_loss(found) < trials.log_loss(ParameterSet(off, found.modes)) - 1.5 * np.log(400)


def test_counts_improve_forecasts_of_season(data_dir: Path) -> None:
    """Fitted on the first half of a season, every mode is better with counts than without.

    That holds even if the parameters without counts are searched for as long as those of the product.
    """
    record = read_rounds([str(data_dir / "rounds" / facts_of(data_dir).season)]).record
    half = len(record) // 2
    declared = [
        parameter for parameter in TrueSkill2System.declared_parameters if parameter.name != "experience_offset"
    ]
    with pytest.MonkeyPatch.context() as patch:
        short_search(patch)
        with_counts = estimate_parameters(
            declared, resolve_parameters(declared), record.first_rounds(half), ignore_progress
        )
    without = estimate_parameters(
        TrueSkillSystem.declared_parameters,
        resolve_parameters(TrueSkillSystem.declared_parameters),
        record.first_rounds(half),
        ignore_progress,
    )
    pairs = find_decided_pairs(record)
    loss = log_losses(forecast_pairs(TrueSkill2System(with_counts).new_run(record), pairs), pairs.won)
    plain_loss = log_losses(forecast_pairs(TrueSkillSystem(without).new_run(record), pairs), pairs.won)
    for mode in range(len(record.modes)):
        tested = (pairs.round >= half) & (record.mode[pairs.round] == mode)
        assert loss[tested].mean() < plain_loss[tested].mean()
