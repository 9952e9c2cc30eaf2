"""Forecasts: log loss of every system and of other packages.

Measured in simulated communities, each with a trait of its own.

All parameters are fitted on the first half of a simulation's rounds, those of the packages to the best of a few
values. The second half is scored, by the true chances; every round is forecast before anyone learns from it.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

from bench_child import ask_child
from bench_report import Cell, Report, Table

LIMIT_S = 3600.0
_PROCESSES = 2
_Row: TypeAlias = Mapping[str, Any]
"""Figures of one forecaster in one simulation."""


def run(quick: bool) -> Report:
    """All simulations; half as many rounds when quick."""
    rounds: Mapping[str, int] = ask_child("forecast_child.py", {}, LIMIT_S)
    requests = [{"simulation": name, "rounds": count // 2 if quick else count} for name, count in rounds.items()]
    with ThreadPoolExecutor(_PROCESSES) as pool:
        simulations = pool.map(lambda request: ask_child("forecast_child.py", request, LIMIT_S), requests)
        found = {
            f"{simulation['title']}, {request['rounds']:,} rounds": simulation["rows"]
            for simulation, request in zip(simulations, requests, strict=True)
        }
    return Report([_log_loss_table(found), _fit_table(found)])


_COLUMNS = {
    "all skills known": "All skills known",
    "best": "best",
    **{name: name for name in ("trueskill2", "trueskill", "ns2", "elo-blog")},
    "trueskill 0.4.5 (package)": "`trueskill` 0.4.5",
    "openskill 6.2.0 (package)": "`openskill` 6.2.0",
    "constant": "Base rate",
}
"""Titles by forecaster. XonStat's two systems rate by score, which the simulations lack."""


def _log_loss_table(found: Mapping[str, Mapping[str, _Row]]) -> Table:
    """Return the log losses by simulation, the lowest in bold, and the blend's gains."""
    intervals = ("best, less the better package, 95 %", "best, less the best single system, 95 %")
    table = Table("Log loss", ("Simulation, rounds", *_COLUMNS.values(), *intervals))
    for simulation, rows in found.items():
        losses = {name: f"{rows[name]['log_loss']:.4f}" for name in _COLUMNS if name in rows}
        least = min(loss for name, loss in losses.items() if name != "all skills known")
        cells = [f"**{loss}**" if loss == least else loss for loss in map(losses.get, _COLUMNS)]
        table.rows.append((simulation, *cells, *(_interval(rows["best"], rival) for rival in ("package", "system"))))
    return table


def _fit_table(found: Mapping[str, Mapping[str, _Row]]) -> Table:
    fitted = [name for name in _COLUMNS if any(rows.get(name, {}).get("fit_s") is not None for rows in found.values())]
    table = Table("CPU time of the fit, s", ("Simulation, rounds", *(_COLUMNS[name] for name in fitted)))
    table.rows.extend(
        (simulation, *(rows.get(name, {}).get("fit_s") for name in fitted)) for simulation, rows in found.items()
    )
    return table


def _interval(blend: _Row, rival: str) -> Cell:
    low, high = blend[f"{rival}_low"], blend[f"{rival}_high"]
    return None if low is None else f"{low:+z.4f} … {high:+z.4f}".replace("-", "−").replace("+", "")
