"""Every rating system on one record: which one predicts best, and with how much doubt."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from browser_app.player.slope import Slope, slope_of
from browser_app.rating.baselines import BASELINES
from browser_app.rating.bootstrap import difference
from browser_app.rating.decided import Decided
from browser_app.rating.evaluate import Backtest
from browser_app.rating.record import Floats, Ints
from browser_app.rating.scores import Bin, Scores

ROLLING = 150
"""Rounds of the rolling log loss."""
_MOST_POINTS = 1000
_LEAST_SHARE = 0.5
"""A system that says something of fewer rounds than this share of the others' cannot be the best."""


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One system or baseline; means over what it said, None where it said nothing.

    Attributes:
        name: of the system, or "size" or "constant".
        baseline: whether it knows nobody.
        rounds: scored ones.
        behind: mean log loss less that of the best, on the rounds of which both said something; 0 for the best itself.
        low, high: 95 % of ``behind`` by the bootstrap; None for the best, and where there are too few rounds.
        within_doubt: whether the interval has 0 in it: the lead of the best may be luck.
        calibration: ten bins of the chance that was said.
        slope: below 1 it is too sure of itself, above 1 too timid; None where that cannot be told.
    """

    name: str
    baseline: bool
    rounds: int
    log_loss: float | None
    accuracy: float | None
    brier: float | None
    behind: float | None
    low: float | None
    high: float | None
    within_doubt: bool
    calibration: tuple[Bin, ...]
    slope: Slope | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The back-test of one record, each chance said before its round was known.

    Attributes:
        rows: systems by log loss, the best first, then the baselines; those that said nothing last.
        best: name of the system with least log loss, None where no system was scored.
        second: the next behind it among the systems, None where there is none.
        within: names of systems whose lead or lag cannot be told from luck.
        rounds: of the record. mine: whether only rounds with me were scored.
        rolling_round: scored rounds so far (1, 2, …) at each point of the curves, from 150 on; at most 1000 points.
        rolling: mean log loss of the last 150 scored rounds by name; NaN where little of them was foretold.
    """

    rows: tuple[SystemRow, ...]
    best: str | None
    second: str | None
    within: tuple[str, ...]
    rounds: int
    mine: bool
    rolling_round: Ints
    rolling: Mapping[str, Floats]


def comparison_of(found: Backtest, rounds: Ints | None = None) -> Comparison:
    """What a back-test says; with `rounds` (of the record), by these alone."""
    mine = rounds is not None
    if rounds is not None:
        found = _only(found, np.isin(found.pairs.round, rounds))
    scores, losses = found.scores, found.losses
    systems = [name for name in scores if name not in BASELINES]
    best = _best(scores, systems)
    rows = {name: _row(found, name, best) for name in scores}
    order = sorted(rows, key=lambda name: (rows[name].log_loss is None, name in BASELINES, rows[name].log_loss or 0.0))
    said = [name for name in order if name in systems and name != best and rows[name].behind is not None]
    points, rolling = _rolling(losses, len(found.pairs.round))
    return Comparison(
        rows=tuple(rows[name] for name in order),
        best=best,
        second=min(said, key=lambda name: rows[name].behind or 0.0, default=None),
        within=tuple(name for name in said if rows[name].within_doubt),
        rounds=len(found.record),
        mine=mine,
        rolling_round=points,
        rolling=rolling,
    )


def _only(found: Backtest, which: NDArray[np.bool_]) -> Backtest:
    rounds, a, b, won = found.pairs
    pairs = Decided(rounds[which], a[which], b[which], won[which])
    return Backtest(found.record, pairs, {name: chance[which] for name, chance in found.chances.items()})


def _best(scores: Mapping[str, Scores], systems: list[str]) -> str | None:
    """That with least log loss, among those that say something of most rounds that any does."""
    most = max((scores[name].rounds for name in systems), default=0)
    able = {name: scores[name].log_loss for name in systems if scores[name].rounds >= _LEAST_SHARE * most}
    losses = {name: loss for name, loss in able.items() if loss is not None}
    return min(losses, key=losses.__getitem__, default=None)


def _row(found: Backtest, name: str, best: str | None) -> SystemRow:
    score, losses = found.scores[name], found.losses
    behind = low = high = None
    if name == best:
        behind = 0.0
    elif best is not None:
        _, behind, low, high = difference(losses[name], losses[best], found.pairs.round)
    return SystemRow(
        name=name,
        baseline=name in BASELINES,
        rounds=score.rounds,
        log_loss=score.log_loss,
        accuracy=score.accuracy,
        brier=score.brier,
        behind=behind,
        low=low,
        high=high,
        within_doubt=low is not None and high is not None and low <= 0.0 <= high,
        calibration=score.calibration,
        slope=slope_of(found.chances[name], found.pairs.won),
    )


def _rolling(losses: Mapping[str, Floats], scored: int) -> tuple[Ints, dict[str, Floats]]:
    if scored < ROLLING:
        return np.zeros(0, np.int32), {name: np.zeros(0) for name in losses}
    ends = np.unique(np.linspace(ROLLING, scored, min(_MOST_POINTS, scored - ROLLING + 1)).astype(np.int32))
    return ends, {name: _means(loss, ends) for name, loss in losses.items()}


def _means(loss: Floats, ends: Ints) -> Floats:
    """Mean of the last 150 before each end; an outcome that was held to be impossible makes it infinite."""
    finite, never = np.isfinite(loss), np.isinf(loss)
    sums, counts, nevers = (
        np.concatenate([[0.0], np.cumsum(column)]) for column in (np.where(finite, loss, 0.0), finite, never)
    )
    total, count, impossible = (column[ends] - column[ends - ROLLING] for column in (sums, counts, nevers))
    enough = count + impossible >= _LEAST_SHARE * ROLLING
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(enough, np.where(impossible > 0, np.inf, total / count), np.nan)
