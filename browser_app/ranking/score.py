"""The score of whole columns of servers, the product of all factors; and how much the user would add to each."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from browser_app.ranking.factors import FACTORS, is_full, viability
from browser_app.ranking.inputs import ConstantsTable, FloatArray, RankingInputs


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores and what they are made of, one element a server."""

    total: FloatArray
    """The product of the factors, ≥ 0; NaN where the server is not ranked (no ping, or players unknown)."""
    factors: dict[str, FloatArray]
    """Each factor by its name in `FACTORS`, in that order."""


def score(inputs: RankingInputs, table: ConstantsTable) -> Scores:
    """Score all servers at once."""
    constants = table.rows(inputs.rules)
    factors = {name: factor(inputs, constants) for name, factor in FACTORS.items()}
    total = np.ones(len(inputs))
    for values in factors.values():
        total *= values
    return Scores(total, factors)


def gain(inputs: RankingInputs, table: ConstantsTable, factors: Mapping[str, FloatArray] | None = None) -> FloatArray:
    """What one more player changes: [V(P+1) − V(P)] × the factors other than players; 0 where no usable slot is free.

    NaN where the server is not ranked. `factors`: those of the same inputs, where `score` has made them already.
    """
    factors = score(inputs, table).factors if factors is None else factors
    constants = table.rows(inputs.rules)
    change = viability(inputs.players + 1.0, constants) - viability(inputs.players, constants)
    result = np.where(is_full(inputs) & ~np.isnan(change), 0.0, change)
    for name, values in factors.items():
        if name != "players":
            result *= values
    return result
