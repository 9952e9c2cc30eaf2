"""Forecasts of one simulated community, by our systems and other packages.

An observer who knows all skills forecasts it, too.

Scored is the expected log loss: over the true chances of a round instead of its one outcome, so that luck cancels out.
"""

import time
from typing import Any

import numpy as np
from bench_child import answer_parent
from forecast_peers import PeerForecasts, peer_models
from rating_simulations import RATING_SIMULATIONS, SimulatedRecord, simulate_record

from browser_app.rating.evaluation.backtest import backtest
from browser_app.rating.evaluation.decided_pairs import DecidedPairs
from browser_app.rating.evaluation.forecast_blend import BLEND
from browser_app.rating.evaluation.forecast_scores import compare_losses
from browser_app.rating.evaluation.parameter_fit import fit_parameters
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.round_record import Floats
from browser_app.rating.system_registry import RATING_SYSTEMS


def measure(request: dict[str, Any]) -> Any:
    """Return the simulations with their round counts, or one simulation's rows."""
    if "simulation" not in request:
        return {name: simulation.rounds for name, simulation in RATING_SIMULATIONS.items()}
    simulation = RATING_SIMULATIONS[request["simulation"]]
    played = simulate_record(simulation, request["rounds"])
    return {"title": simulation.title, "rows": _rows(played, request["rounds"] // 2)}


def _rows(played: SimulatedRecord, training_rounds: int) -> dict[str, dict[str, float | None]]:
    """Return the figures after the training rounds, by forecaster.

    The blend has 95 % intervals of the differences to the best package and to our best single system.
    """
    peers = PeerForecasts(played.record)
    seconds: dict[str, float] = {}
    ours = _our_chances(played, training_rounds, seconds)
    theirs = _their_chances(peers, played, training_rounds, seconds)
    scored = peers.pairs.round >= training_rounds
    truth = _true_chances(played, peers.pairs)[scored]
    chances = {"all skills known": truth, **ours, **{name: chance[scored] for name, chance in theirs.items()}}
    losses = {name: _expected_losses(chance, truth) for name, chance in chances.items()}
    known = {name: loss for name, loss in losses.items() if not np.isnan(loss).any()}
    rows: dict[str, dict[str, float | None]] = {
        name: {"log_loss": float(loss.mean()), "fit_s": seconds.get(name)} for name, loss in known.items()
    }
    for rival, others in (("package", theirs), ("system", RATING_SYSTEMS)):
        best = min((name for name in others if name in known), key=lambda name: float(known[name].mean()))
        gap = compare_losses(known[BLEND], known[best], peers.pairs.round[scored])
        rows[BLEND] |= {f"{rival}_low": gap.low, f"{rival}_high": gap.high}
    return rows


def _expected_losses(chance: Floats, truth: Floats) -> Floats:
    """Return the mean of −ln of the outcome's chance; NaN without a forecast."""
    bounded = np.clip(chance, 1e-12, 1.0 - 1e-12)
    return np.asarray(-truth * np.log(bounded) - (1.0 - truth) * np.log1p(-bounded))


def _our_chances(played: SimulatedRecord, training_rounds: int, seconds: dict[str, float]) -> dict[str, Floats]:
    fitted = []
    for name, system in RATING_SYSTEMS.items():
        began_s = time.process_time()
        given = system(resolve_parameters(system.declared_parameters))
        fitted.append(fit_parameters(given, played.record, training_rounds))
        seconds[name] = time.process_time() - began_s
    return backtest(played.record, fitted, training_rounds, fitted_rounds=training_rounds).chances


def _their_chances(
    peers: PeerForecasts, played: SimulatedRecord, training_rounds: int, seconds: dict[str, float]
) -> dict[str, Floats]:
    drawn = np.mean([rank == 1 for rank in played.record.team_rank[: 2 * training_rounds].tolist()]) * 2.0 - 1.0
    draws = float(drawn) if played.record.team_count.max() == 2 else 0.0
    chances = {}
    for name, makers in peer_models(draws).items():
        began_s = time.process_time()
        model = peers.fit(makers, training_rounds)
        seconds[f"{name} (package)"] = time.process_time() - began_s
        chances[f"{name} (package)"] = peers.forecast(model, len(played.record))
    return chances


def _true_chances(played: SimulatedRecord, pairs: DecidedPairs) -> Floats:
    rows = zip(pairs.round.tolist(), pairs.a.tolist(), pairs.b.tolist(), strict=True)
    return np.array([played.chances[k][a, b] for k, a, b in rows])


if __name__ == "__main__":
    answer_parent(measure)
