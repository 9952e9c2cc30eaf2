"""Fit of all parameters at once: its promises, and forecasts of unseen rounds."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from learning_helpers import default_parameters, shooter, simulate_known_model
from rating_simulations import RATING_SIMULATIONS, simulate_record
from recorded_data import expected_recordings

from browser_app.rating.evaluation.parameter_fit import fit_parameters
from browser_app.rating.rating_parameters import ParameterSet, resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.trueskill2.learning import trueskill2_fit
from browser_app.rating.trueskill2.learning.count_fit import CountShape
from browser_app.rating.trueskill2.learning.forecast_trials import TrueSkill2Trials, forecast_losses
from browser_app.rating.trueskill2.learning.model_extras import FITTED_EXTRAS
from browser_app.rating.trueskill2.learning.parameter_candidate import ParameterCandidate
from browser_app.rating.trueskill2.trueskill2_model import CountModel, QuitModel
from browser_app.rating.trueskill2.trueskill2_system import TrueSkill2System, TrueSkillSystem
from browser_app.rounds.round_reader import read_rounds

if TYPE_CHECKING:
    from browser_app.rating.fit_steps import FitStep

pytestmark = pytest.mark.slow

COUNTS = CountModel(0.8, -0.4, 0.3, 2.0)
EVERYTHING = default_parameters(draw_margin=0.3, kills=COUNTS, squad_offset=(0.0, 0.6))


class FitRun:
    """A fit with a small budget, and its report."""

    def __init__(self, record: RoundRecord, given: ParameterSet | None = None, runs: int = 12) -> None:
        self.steps: list[FitStep] = []
        self.shares: list[float] = []
        system = TrueSkill2System(given or shooter())
        self.parameters = fit_parameters(
            system, record, len(record), self._on_progress, self.steps.append, runs * len(record)
        ).parameters

    def _on_progress(self, done: int, total: int) -> None:
        self.shares.append(done / total)

    @property
    def kept(self) -> set[str]:
        return {step.name for step in self.steps if step.kept} - {"start"}


@pytest.fixture(scope="module")
def small() -> RoundRecord:
    return simulate_known_model(EVERYTHING, rounds=300, players=40, sizes=(3, 3), squad=0.4)


@pytest.fixture(scope="module")
def small_fit(small: RoundRecord) -> FitRun:
    return FitRun(small)


def test_core_is_found() -> None:
    """Luck decides which variances fit best, but none fit worse than the true ones."""
    truth = {"m0": 1.6, "v0": 0.9, "draw_margin": 0.5}
    record = simulate_known_model(default_parameters(**truth), rounds=1500, players=120)
    system = TrueSkillSystem(resolve_parameters(TrueSkillSystem.declared_parameters))
    found = fit_parameters(system, record, 1500, max_forecasts=30_000).parameters
    assert forecast_losses(record, found).sum() < forecast_losses(record, shooter(**truth)).sum()
    assert found.number("m0") == pytest.approx(1.6, abs=0.5)
    assert found.number("draw_margin") == pytest.approx(0.5, abs=0.1)
    assert found.number("beta") == 1.0
    assert set(found.default) == {parameter.name for parameter in TrueSkillSystem.declared_parameters}
    assert found.modes == {}


def test_fit_keeps_what_the_simulation_has(small: RoundRecord, small_fit: FitRun) -> None:
    assert {"kills_deaths", "squads"} <= small_fit.kept
    found = small_fit.parameters
    own, opponents, squads = (found.default[name] for name in ("kill_wp", "kill_wo", "squad_offset"))
    assert isinstance(own, float)
    assert isinstance(opponents, float)
    assert isinstance(squads, tuple)
    assert own > 0.0 > opponents
    assert squads[1] > 0.1
    assert found.default["death_wp"] is None
    assert forecast_losses(small, found).sum() < forecast_losses(small, shooter()).sum() - 20.0


def test_steps_show_what_was_tried(small_fit: FitRun) -> None:
    steps = {step.name: step for step in small_fit.steps}
    assert "base" not in steps  # one mode
    assert "quits_whole" not in steps  # no quits
    kills = steps["kills_deaths"]
    assert kills.rounds == 150
    assert kills.loss_after < kills.loss_before
    assert kills.tried["kill_wp"] > 0.0  # type: ignore[operator]
    assert small_fit.steps[-1].parameters == small_fit.parameters
    assert small_fit.shares == sorted(small_fit.shares)
    assert small_fit.shares[-1] == 1.0
    assert json.loads(json.dumps(kills.to_json()))["kept"] is True


def test_result_is_storable(small_fit: FitRun) -> None:
    content = json.loads(json.dumps(small_fit.parameters.to_file_content("trueskill2")))
    assert resolve_parameters(TrueSkill2System.declared_parameters, file=content) == small_fit.parameters


def test_fit_refuses_counts_of_others(small: RoundRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores that belong to other players are refused, as are shuffled kills."""
    counts = {"kills_deaths", "score"}
    monkeypatch.setattr(trueskill2_fit, "FITTED_EXTRAS", [each for each in FITTED_EXTRAS if each.name in counts])
    rng = np.random.default_rng(2)
    shuffled = replace(small, kills=rng.permutation(small.kills), score=rng.permutation(small.kills))
    fit = FitRun(shuffled)
    assert counts <= {step.name for step in fit.steps}
    assert not counts & fit.kept


def test_fit_is_deterministic_and_sees_nothing_later(small: RoundRecord) -> None:
    until = 60
    other = replace(
        small, team_rank=np.concatenate([small.team_rank[: 2 * until], small.team_rank[: 2 * until - 1 : -1]])
    )
    system = TrueSkill2System(shooter())
    found = [fit_parameters(system, record, until, max_forecasts=10 * until).parameters for record in (small, other)]
    assert found[0] == found[1]
    assert found[0] != system.parameters


def test_empty_record_changes_nothing() -> None:
    assert FitRun(build_record([]), shooter(v0=0.7)).parameters == shooter(v0=0.7)


def test_modes_share_base_skill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trueskill2_fit, "FITTED_EXTRAS", [each for each in FITTED_EXTRAS if each.name == "base"])
    fit = FitRun(simulate_record(RATING_SIMULATIONS["modes"], 1200).record, runs=15)
    assert "base" in fit.kept
    assert fit.parameters.number("base_v") > 0.05


def test_quits_are_judged_by_forecasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where bad players quit, quits and finishes are evidence.

    Where quits are random they are not even tried.
    """
    monkeypatch.setattr(trueskill2_fit, "FITTED_EXTRAS", ())
    simulations = [
        simulate_known_model(default_parameters(v0=0.8, quits=quits), seed=6, rounds=240, players=40, sizes=(2, 2))
        for quits in (QuitModel(m=-0.5, v=0.3, pu=0.02, pr=0.7), QuitModel(m=-0.5, v=0.3, pu=0.25, pr=0.0))
    ]
    informative, random = (FitRun(simulation, runs=8) for simulation in simulations)
    assert "quits_whole" in informative.kept
    assert informative.parameters.default["quit_form"] == "whole"
    assert [step.name for step in random.steps] == ["start"]
    assert random.parameters.default["quit_v"] is None


def test_only_large_modes_get_own_core(small: RoundRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trueskill2_fit, "_MIN_MODE_ROUNDS", 100)
    record = replace(small, mode=(np.arange(300) % 6 == 0).astype(np.int32), modes=("many", "few")).first_rounds(150)
    tried = {step.name for step in FitRun(record, runs=2).steps if step.name.startswith("mode ")}
    assert tried <= {"mode many"}


def test_counts_improve_forecasts_of_season(data_dir: Path) -> None:
    """With the usual shape, kills and deaths improve a season's forecasts.

    They do so in every mode.
    """
    record = read_rounds([str(data_dir / "rounds" / expected_recordings(data_dir).season)]).record
    given = shooter(v0=0.15, gamma2=1e-4)
    trials = TrueSkill2Trials(TrueSkill2System.declared_parameters, given, record.first_rounds(len(record) // 2))
    plain = ParameterCandidate(given.default, given.default)
    counted = replace(plain, shapes={"kill": CountShape(), "death": CountShape()})
    gain = trials.losses(plain, record) - trials.losses(counted, record)
    for mode in range(len(record.modes)):
        assert np.nanmean(gain[len(record) // 2 :][record.mode[len(record) // 2 :] == mode]) > 0.0
