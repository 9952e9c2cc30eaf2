"""Comparisons of rating systems, computed once or made up."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from skill_view_rig import record

from browser_app.player.comparison import Comparison, SystemRow, comparison_of
from browser_app.rating.evaluate import backtest
from browser_app.rating.scores import Bin
from browser_app.rating.systems import SYSTEMS, rating_system

BINS = tuple(Bin(i / 10, (i + 1) / 10, 20 * i, (i + 0.5) / 10 if i else None, i / 10 if i else None) for i in range(10))


@cache
def compared() -> Comparison:
    """Every system on the simulated record."""
    return comparison_of(backtest(record(), [rating_system(name) for name in SYSTEMS]))


def row(name: str, behind: float, doubt: float | None = None, **changes: Any) -> SystemRow:
    low, high = (None, None) if doubt is None else (behind - doubt, behind + doubt)
    within = low is not None and high is not None and low <= 0.0 <= high
    plain = SystemRow(
        name, name in ("constant", "size"), 642, 0.6 + behind, 0.668, 0.208, behind, low, high, within, BINS, None
    )
    return replace(plain, **changes)


def comparison(*rows: SystemRow) -> Comparison:
    systems = [each for each in rows if not each.baseline]
    within = tuple(each.name for each in systems[1:] if each.within_doubt)
    rounds = np.arange(150, 643, dtype=np.int32)
    lines = {each.name: np.full(len(rounds), each.log_loss) for each in rows}
    return Comparison(
        rows, systems[0].name, systems[1].name if len(systems) > 1 else None, within, 642, False, rounds, lines
    )
