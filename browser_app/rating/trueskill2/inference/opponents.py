"""Whom a player is up against: the mix of the others' performances in his counts and quits, eqs. (10)-(11)."""

import numpy as np

from browser_app.rating.record import Floats


def opponents(shares: Floats) -> Floats:
    """The matrix O with perf^o = O·perf: row i mixes those on other teams than player i's.

    opposing_j = Σ over players k of other teams than j's of share_k, eq. (10), and O_ij = share_j/opposing_j for j on
    another team than i's, eq. (11): each opponent's attention is divided by how many enemies he faces, for any number
    of teams of any sizes. Equal teams there all the time: the mean of the enemies. Row i is 0 where nobody opposes.

    The paper knows no change of team. Here i faces of j's share what j spent on other teams than i's, averaged over
    i's own teams by his time on each; nobody faces himself.

    Args:
        shares: share of the match of each player (row, not 0) on each team (column), eq. (5); of many matches such
            tables along the first axis, and so the result.
    """
    there = shares.sum(axis=-1)[..., None]
    facing = there.swapaxes(-1, -2) - (shares / there) @ shares.swapaxes(-1, -2)
    own = np.arange(facing.shape[-1])
    facing[..., own, own] = 0.0
    opposing = facing.sum(axis=-1)[..., None, :]
    mix: Floats = np.divide(facing, opposing, out=np.zeros_like(facing), where=opposing > 0.0)
    return mix
