"""Evidence on performances from results, counts and quits.

A positive count is an exact linear observation with normal noise; any number of them together is one Gaussian in
information form, independent of the skills. A count of 0 is censored: P(0) = Φ(−mean/√(v·T)), a factor. A negative
score counts as 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, pairwise

import numpy as np

from browser_app.rating.record.record_validation import LEAVE_SLACK_S
from browser_app.rating.record.round_record import Floats
from browser_app.rating.trueskill2.inference.likelihood_factors import DirectedFactor, StepFactor, WindowFactor
from browser_app.rating.trueskill2.trueskill2_model import MINUTE_S, CountModel, QuitModel


def opponent_matrix(shares: Floats) -> Floats:
    """Return the matrix O with perf^o = O·perf; row i averages player i's opponents.

    opposing_j = Σ over players k of other teams than j's of share_k, eq. (10), and O_ij = share_j/opposing_j for j on
    another team than i's, eq. (11): each opponent's attention is divided by the number of enemies they face, for any
    number of teams of any sizes. With equal teams present all the time it is the mean of the enemies. Row i is 0
    without opponents.

    The paper does not cover changes of team. Here i faces of j's share what j spent on other teams than i's, averaged
    over i's own teams by time; no player faces themselves.

    Args:
        shares: share of the round of each player (row, not 0) on each team (column), eq. (5); for many rounds such
            tables along the first axis, and so the result.
    """
    played = shares.sum(axis=-1)[..., None]
    facing = played.swapaxes(-1, -2) - (shares / played) @ shares.swapaxes(-1, -2)
    own = np.arange(facing.shape[-1])
    facing[..., own, own] = 0.0
    opposing = facing.sum(axis=-1)[..., None, :]
    mix: Floats = np.divide(facing, opposing, out=np.zeros_like(facing), where=opposing > 0.0)
    return mix


def extract_result_evidence(
    ranks: Sequence[Sequence[int]], shares: Floats, draw_margin: float
) -> list[list[DirectedFactor]]:
    """Return one factor per pair of teams adjacent in rank.

    See Herbrich, Minka, Graepel 2006, fig. 1: d = perf_A − perf_B > ε where A came before B, |d| ≤ ε where they were
    level; perf_team as in eq. (5), so players who changed from one to the other count with w_A − w_B. Empty teams are
    ignored.

    Args:
        ranks: of each team of each round; lower is better.
        shares: share of the round of each player (row) on each team (column), one table per round.
        draw_margin: ε.
    """
    won, level = StepFactor(draw_margin), WindowFactor(draw_margin)
    factors = []
    all_occupied: list[list[bool]] = np.any(shares, axis=1).tolist()
    for rank, share, occupied in zip(ranks, shares.swapaxes(1, 2), all_occupied, strict=True):
        order = sorted(compress(range(len(rank)), occupied), key=rank.__getitem__)
        factors.append(
            [DirectedFactor(share[a] - share[b], level if rank[a] == rank[b] else won) for a, b in pairwise(order)]
        )
    return factors


def extract_quit_evidence(model: QuitModel, quits: Sequence[bool | None], opponents: Floats) -> list[DirectedFactor]:
    """Return a factor for each player who quit, or who finished if that is evidence.

    The former is pu + (1 − pu)·pr·Φ((m − d)/√v), d = perf − perf^o. Players who finished have the factor (1 − pu)·(1 −
    pr + pr·Φ((d − m)/√v)) if finishing counts in the model.

    Args:
        model: of quits.
        quits: whether each player quit; None: no evidence.
        opponents: the opponents' matrix O; players without opponents are no evidence.
    """
    related = (1.0 - model.pu) * model.pr
    whole = model.finishing_counts
    left = StepFactor(-model.m, model.v, model.pu, related, is_single_site=whole)
    stayed = StepFactor(model.m, model.v, (1.0 - model.pu) * (1.0 - model.pr), related, is_single_site=whole)
    if related == 0.0:
        return []
    factors = []
    for i, quit_ in enumerate(quits):
        if quit_ is None or not (quit_ or model.finishing_counts) or not opponents[i].any():
            continue
        ahead = np.negative(opponents[i])
        ahead[i] += 1.0
        factors.append(DirectedFactor(-ahead, left) if quit_ else DirectedFactor(ahead, stayed))
    return factors


@dataclass(frozen=True, slots=True)
class LinearObservations:
    """Observations y = Hx + N(0, R) of performances x, R diagonal.

    Attributes:
        h: R^(−½)H, one row per observation; rows without one are 0.
        information: HᵀR⁻¹H.
        information_vector: HᵀR⁻¹y.
    """

    h: Floats
    information: Floats
    information_vector: Floats


def count_variance(v: Floats | float, minutes: Floats) -> Floats:
    """Return the variance of counts, v·T of eq. (9), T at least a second.

    Times are known to a second; else counts of an instant would be as much evidence on a player as the same surplus in
    a whole round.
    """
    variance: Floats = v * np.maximum(minutes, LEAVE_SLACK_S / MINUTE_S)
    return variance


def extract_count_evidence(
    kinds: Sequence[tuple[CountModel, Floats]], minutes: Floats, opponents: Floats
) -> list[tuple[LinearObservations, list[DirectedFactor]]]:
    """Return positive counts of some rounds as observations, zeros as factors.

    Args:
        kinds: model and counts of each kind, one row per round, one column per player; NaN: no evidence.
        minutes: T of each player, likewise.
        opponents: the opponents' matrix O of each round.
    """
    zeros: list[list[DirectedFactor]] = [[] for _ in minutes]
    parts = [_observation_rows(model, counts, minutes, opponents, zeros) for model, counts in kinds]
    h, y = (np.concatenate(columns, axis=1) for columns in zip(*parts, strict=True))
    turned = h.swapaxes(1, 2)
    return list(zip(map(LinearObservations, h, turned @ h, (turned @ y[:, :, None])[:, :, 0]), zeros, strict=True))


def _observation_rows(
    model: CountModel, count: Floats, minutes: Floats, against: Floats, zeros: Sequence[list[DirectedFactor]]
) -> tuple[Floats, Floats]:
    """Return the positive counts of one kind as rows, and add the others to `zeros`.

    The rows are R^(−½)H and R^(−½)y, 0 for all others.
    """
    h = model.wo * against
    own = np.arange(h.shape[1])
    h[:, own, own] += model.wp
    h *= minutes[:, :, None]
    always, noise = model.b * minutes, count_variance(model.v, minutes)
    for k, i in np.argwhere(count <= 0.0).tolist():
        zeros[k].append(DirectedFactor(-h[k, i], StepFactor(float(always[k, i]), float(noise[k, i]))))
    positive = count > 0.0
    weight = np.where(positive, 1.0 / np.sqrt(noise), 0.0)
    h *= weight[:, :, None]
    return h, np.where(positive, count - always, 0.0) * weight
