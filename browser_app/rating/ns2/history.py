"""A whole record as one problem: the rounds' coefficients, outcomes and circumstances, and its solution."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.ns2.bias import WinRates, circumstances, sizes
from browser_app.rating.ns2.declared import Settings
from browser_app.rating.ns2.newton import maximise
from browser_app.rating.ns2.posterior import Point, Posterior
from browser_app.rating.ns2.rounds import outcomes
from browser_app.rating.ns2.sparse import SparseMatrix
from browser_app.rating.ns2.terms import Terms, chair_terms, field_terms
from browser_app.rating.record import Floats, Record


class Solution(NamedTuple):
    """The most probable skills of a record.

    Attributes:
        posterior: what they maximise. point: where its maximum is.
        skill: whose skill a column is, as a player's index; the commander skill of player p is len(players) + p.
    """

    posterior: Posterior
    point: Point
    skill: NDArray[np.int64]


def solve(record: Record, settings: Settings, rated: NDArray[np.bool_], win_rates: WinRates | None) -> Solution:
    """The maximum of the posterior, from every skill at the prior's mean k θ.

    Args:
        record: the rounds.
        settings: ``k`` and ``theta`` of the prior, weights of time.
        rated: which rounds have a part.
        win_rates: those of the whole record, or None where circumstances have no part.
    """
    count, players = len(record), len(record.player_ids)
    parts = (field_terms(record, settings, 0, count), 0), (chair_terms(record, settings, 0, count), players)
    row, skill, value = (np.concatenate(column) for column in zip(*(_entries(*part) for part in parts), strict=True))
    kept = rated[row] & (value != 0.0)
    rounds, row = _numbered(row[kept], count)
    skills, column = _numbered(skill[kept], 2 * players)
    bias = np.zeros(count) if win_rates is None else _biases(record, win_rates)
    outcome = outcomes(record, 0, count)
    matrix = SparseMatrix(row, column, value[kept])
    posterior = Posterior(matrix, outcome[rounds], bias[rounds], settings.k, settings.theta)
    return Solution(posterior, maximise(posterior, np.full(len(skills), settings.k * settings.theta)), skills)


def measure(record: Record, rated: NDArray[np.bool_], win_rates: WinRates) -> None:
    """Count every rated round of a record."""
    count = len(record)
    known = circumstances(record, sizes(record, 0, count), 0, count)[rated].tolist()
    for circumstance, outcome in zip(known, outcomes(record, 0, count)[rated].tolist(), strict=True):
        win_rates.add(circumstance, outcome)


def _biases(record: Record, win_rates: WinRates) -> Floats:
    count = len(record)
    distinct, which = np.unique(circumstances(record, sizes(record, 0, count), 0, count), return_inverse=True)
    return np.array([win_rates.logit(circumstance) for circumstance in distinct.tolist()], np.float64)[which]


def _entries(terms: Terms, first: int) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    row = np.repeat(np.arange(len(terms.start) - 1), np.diff(terms.start))
    return row, terms.player.astype(np.int64) + first, terms.signed


def _numbered(present: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct numbers below size, ascending, and for each entry which of them it is."""
    there = np.zeros(size, np.bool_)
    there[present] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[present]
