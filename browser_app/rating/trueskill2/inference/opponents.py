"""Whom a player is up against: the mix of the others' performances in his counts and quits, eqs. (10)-(11)."""

import numpy as np

from browser_app.rating.record import Floats


def opponents(shares: Floats) -> Floats:
    """The matrix O with perf^o = O·perf: row i mixes those on other teams than player i's.

    opposing_j = Σ over players k of other teams than j's of share_k, eq. (10), and O_ij = share_j/opposing_j for j on
    another team than i's, eq. (11): each opponent's attention is divided by how many enemies he faces, for any number
    of teams of any sizes. Equal teams there all the time: the mean of the enemies. Row i is 0 where nobody opposes.

    The paper knows no change of team. Who was on two teams counts as a person on each with his share there, never
    against himself, and faces the mix of both by how long he was on each.

    Args:
        shares: share of the match of each player (row) on each team (column), eq. (5).
    """
    player, team = np.nonzero(shares)
    share = shares[player, team]
    against = (team[:, None] != team) & (player[:, None] != player)
    opposing = against @ share
    mix = against * np.divide(share, opposing, out=np.zeros_like(share), where=opposing > 0.0)
    if len(player) == len(shares):
        return np.asarray(mix)
    of_player = np.equal.outer(np.arange(len(shares)), player).astype(np.float64)
    by_time = of_player * share
    by_time /= np.maximum(by_time.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    joined: Floats = by_time @ mix @ of_player.T
    return joined
