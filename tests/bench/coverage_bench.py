"""Coverage: how many true skills lie within the stated 90 % intervals.

Rounds are drawn from each system's own model, with its parameters, by a simulator that shares no code with it. The
players of a simulation share errors, such as that of the level, so the error given is between simulations. A system is
right if 88 to 92 % are covered.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from bench_report import Report, Table
from coverage_simulations import GaussianSimulation, LogisticSimulation, PlayerPool, ScoreSimulation

from browser_app.player.skill_summary import compute_rating_interval_90
from browser_app.rating.rating_system import RatingRun
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.system_registry import create_rating_system

Simulation = LogisticSimulation | GaussianSimulation | ScoreSimulation


@dataclass(frozen=True)
class CoverageCase:
    """One row of the table: a system over simulations of one kind.

    Attributes:
        system, params: as for `rate`.
        about: the simulation, in words.
        simulation: makes a simulation of a number of rounds.
    """

    title: str
    system: str
    about: str
    simulation: Callable[[int, np.random.Generator], Simulation]
    params: Mapping[str, Any] = field(default_factory=dict)
    full_history: bool = False


def _logistic(k: float, theta: float, **more: Any) -> Callable[[int, np.random.Generator], Simulation]:
    return lambda rounds, rng: LogisticSimulation(PlayerPool(rounds=rounds), rng, k, theta, **more)


def _gaussian(**more: Any) -> Callable[[int, np.random.Generator], Simulation]:
    return lambda rounds, rng: GaussianSimulation(PlayerPool(rounds=rounds), rng, **more)


def _scores(min_size: int, max_size: int) -> Callable[[int, np.random.Generator], Simulation]:
    return lambda rounds, rng: ScoreSimulation(
        PlayerPool(rounds=rounds, sizes=(min_size, max_size), late=0.0, early=0.0), rng
    )


_QUITS = {"quit_m": -1.0, "quit_v": 1.0, "quit_pu": 1e-3, "quit_pr": 0.6}
_DRIFT = {"gamma2": 0.01, "draw_margin": 0.3}
_MIXED = {"has_commanders": True, "draw_margin": 0.1}

CASES = (
    *(
        CoverageCase(
            "ns2, full history", "ns2", f"k = {k:g}{more}", _logistic(k, theta, **given), {"k": k, "theta": theta}, True
        )
        for k, theta in ((1.0, 10.0), (1.2, 10.0), (2.0, 7.0), (4.0, 5.0))
        for more, given in (("", {}), (", commanders and draws", _MIXED))
    ),
    CoverageCase("ns2, online (estimated)", "ns2", "k = 4", _logistic(4.0, 5.0)),
    CoverageCase("ns2, online (estimated)", "ns2", "k = 4, commanders and draws", _logistic(4.0, 5.0, **_MIXED)),
    CoverageCase("ns2, online (estimated), `c=4`, `a=2`", "ns2", "k = 4", _logistic(4.0, 5.0), {"c": 4.0, "a": 2.0}),
    CoverageCase("trueskill", "trueskill", "teams of 3 to 7, late and early", _gaussian()),
    CoverageCase("trueskill2", "trueskill2", "drift and draws", _gaussian(**_DRIFT), _DRIFT),
    CoverageCase(
        "trueskill2, `quit_form=whole`", "trueskill2", "quits", _gaussian(quits=0.6), {**_QUITS, "quit_form": "whole"}
    ),
    CoverageCase(
        "trueskill2, `quit_form=paper`", "trueskill2", "quits", _gaussian(quits=0.6), {**_QUITS, "quit_form": "paper"}
    ),
    CoverageCase("trueskill2, quits ignored", "trueskill2", "quits", _gaussian(quits=0.6)),
    CoverageCase("trueskill2, full history", "trueskill2", "drift and draws", _gaussian(**_DRIFT), _DRIFT, True),
    CoverageCase("xonstat-go", "xonstat-go", "duels", _scores(1, 1)),
    CoverageCase("xonstat-go", "xonstat-go", "teams of 2 to 4", _scores(2, 4)),
)
ROUNDS = {100: 100, 600: 40, 3000: 40}
"""Simulations by their number of rounds."""
_SMOOTHED_ROUNDS = 600  # smoothing more takes minutes


def run(quick: bool) -> Report:
    """A tenth of the simulations, and none of 3,000 rounds, when quick."""
    sizes = {rounds: simulations // 10 for rounds, simulations in ROUNDS.items() if rounds < 3000} if quick else ROUNDS
    columns = [f"{rounds:,} rounds" for rounds in sizes]
    table = Table("True skills within 90 % intervals, in percent", ("System", "Simulation", *columns))
    for case in CASES:
        cells: list[str | None] = []
        for rounds, simulations in sizes.items():
            slow = case.full_history and case.system != "ns2" and rounds > _SMOOTHED_ROUNDS
            cells.append(None if slow else _cell(*measure_coverage(case, rounds, simulations)))
        table.rows.append((case.title, case.about, *cells))
    return Report([table])


def _cell(percent: float, error: float) -> str:
    return f"{percent:.0f} ± {error:.0f}"


def measure_coverage(case: CoverageCase, rounds: int, simulations: int) -> tuple[float, float]:
    """Return the share of true skills within the intervals, in percent.

    Also that of commander skills, and the standard errors.
    """
    shares = []
    for seed in range(simulations):
        simulation = case.simulation(rounds, np.random.default_rng(seed))
        record = build_record(simulation.rounds())
        rating_run = create_rating_system(case.system, **case.params).start_run(record, full_history=case.full_history)
        rating_run.update_range(0, len(record))
        shares.append(float(np.mean(_covered(simulation, rating_run))))
    return 100.0 * float(np.mean(shares)), 100.0 * float(np.std(shares, ddof=1)) / math.sqrt(simulations)


def _covered(simulation: Simulation, run: RatingRun) -> list[bool]:
    """Return which true skills are within their intervals.

    Of rated players, and of all who commanded.
    """
    record, mode = run.record, 0
    true_skill = {player: float(simulation.skill[int(name[1:])]) for player, name in enumerate(record.player_ids)}
    covered = [
        low <= skill <= high
        for player, skill in true_skill.items()
        if run.is_rated(player, mode)
        for low, high in [compute_rating_interval_90(run.rating(player, mode), 1.0, run.inferred_skill(player, mode))]
    ]
    if isinstance(simulation, LogisticSimulation) and simulation.has_commanders:
        for player in np.unique(record.player[record.commander_stints.appearance]).tolist():
            inferred = run.inferred_commander_skill(player)
            low, high = compute_rating_interval_90(run.commander_rating(player), 1.0, inferred)
            covered.append(low <= simulation.commander[int(record.player_ids[player][1:])] <= high)
    return covered
