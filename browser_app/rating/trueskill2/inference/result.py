"""The result of a match as evidence on performances: who came before whom, and who was level."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from browser_app.rating.record import Floats
from browser_app.rating.trueskill2.inference.factors import Fact, Step, Window


def read_result(ranks: Sequence[int], shares: Floats, draw_margin: float) -> list[Fact]:
    """One factor a pair of teams next to each other by rank (Herbrich, Minka, Graepel 2006, fig. 1).

    d = perf_A − perf_B > ε where A came before B, |d| ≤ ε where they were level; perf_team as in eq. (5), so who
    changed from one to the other counts with w_A − w_B. Teams that had nobody take no part.

    Args:
        ranks: of each team; lower is better.
        shares: share of the match of each player (row) on each team (column).
        draw_margin: ε.
    """
    manned = np.flatnonzero(shares.sum(axis=0)).tolist()
    order: list[int] = sorted(manned, key=ranks.__getitem__)
    won, level = Step(draw_margin), Window(draw_margin)
    return [Fact(shares[:, a] - shares[:, b], level if ranks[a] == ranks[b] else won) for a, b in pairwise(order)]
