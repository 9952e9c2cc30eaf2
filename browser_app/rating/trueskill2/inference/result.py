"""The result of a match as evidence on performances: who came before whom, and who was level."""

from collections.abc import Sequence
from itertools import compress, pairwise

import numpy as np

from browser_app.rating.record import Floats
from browser_app.rating.trueskill2.inference.factors import Fact, Step, Window


def read_results(ranks: Sequence[Sequence[int]], shares: Floats, draw_margin: float) -> list[list[Fact]]:
    """One factor a pair of teams next to each other by rank (Herbrich, Minka, Graepel 2006, fig. 1).

    d = perf_A − perf_B > ε where A came before B, |d| ≤ ε where they were level; perf_team as in eq. (5), so who
    changed from one to the other counts with w_A − w_B. Teams that had nobody take no part.

    Args:
        ranks: of each team of each match; lower is better.
        shares: share of the match of each player (row) on each team (column), a table a match.
        draw_margin: ε.
    """
    won, level = Step(draw_margin), Window(draw_margin)
    facts = []
    all_manned: list[list[bool]] = np.any(shares, axis=1).tolist()
    for rank, share, manned in zip(ranks, shares.swapaxes(1, 2), all_manned, strict=True):
        order = sorted(compress(range(len(rank)), manned), key=rank.__getitem__)
        facts.append([Fact(share[a] - share[b], level if rank[a] == rank[b] else won) for a, b in pairwise(order)])
    return facts
