"""Score and gain of many servers at once, and fast sorting by several keys."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from browser_app.ranking.ranking_inputs import FloatArray, IntArray, RankingConstantsTable, RankingInputs
from browser_app.ranking.score_factors import SCORE_FACTORS, unjoinable_mask, viability


def argsort_by_keys(first_key: FloatArray, *other_keys: FloatArray) -> IntArray:
    """Return indices sorted by the first key, ties by the next, and so on; NaN last.

    Equals `np.lexsort((*reversed(other_keys), first_key))`; twenty times as fast if few values of `first_key` are
    equal.
    """
    order = np.argsort(first_key)
    values = first_key[order]
    same = (values[1:] == values[:-1]) | np.isnan(values[:-1])
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    if len(tied):
        among = order[tied]
        order[tied] = among[np.lexsort((*(key[among] for key in reversed(other_keys)), values[tied]))]
    return order


@dataclass(frozen=True, slots=True)
class ServerScores:
    """Scores and their factors, one element per server."""

    total: FloatArray
    """Product of the factors, ≥ 0; NaN if the server is not ranked (ping or players unknown)."""
    factors: dict[str, FloatArray]
    """Each factor by its name in `SCORE_FACTORS`, in that order."""


def compute_scores(inputs: RankingInputs, table: RankingConstantsTable) -> ServerScores:
    """Score all servers at once."""
    constants = table.columns_for(inputs.constants_row)
    factors = {name: factor.compute(inputs, constants) for name, factor in SCORE_FACTORS.items()}
    total = np.ones(len(inputs))
    for values in factors.values():
        total *= values
    return ServerScores(total, factors)


def compute_gains(
    inputs: RankingInputs, table: RankingConstantsTable, factors: Mapping[str, FloatArray] | None = None
) -> FloatArray:
    """Return the gain by one more player, [V(P+1) − V(P)] × the factors but players.

    V is the viability. 0 where no usable slot is free, NaN where the server is not ranked.

    Args:
        inputs: the servers.
        table: their constants.
        factors: the factors of the same inputs, if `compute_scores` has already computed them.
    """
    factors = compute_scores(inputs, table).factors if factors is None else factors
    constants = table.columns_for(inputs.constants_row)
    change = viability(inputs.players + 1.0, constants) - viability(inputs.players, constants)
    unjoinable = unjoinable_mask(inputs.players, inputs.usable_slots, inputs.can_join)
    result = np.where(unjoinable & ~np.isnan(change), 0.0, change)
    for name, values in factors.items():
        if name != "players":
            result *= values
    return result
