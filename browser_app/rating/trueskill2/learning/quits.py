"""The parameters of quits, eqs. (12)-(13), from who quit and who finished (the normalised form).

P(quit) of each player given the result and the counts, d ~ N(mean, var): pu + (1 − pu)·pr·Φ((m − mean)/√(v + var)).
The likelihood takes the players of a match one by one, each given its result: what one quit says of another's skill
is left out, which keeps the maximum a matter of arrays instead of runs.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from browser_app.rating.compass import compass_search
from browser_app.rating.parameters import ParameterSet, Value
from browser_app.rating.record import Floats, Record
from browser_app.rating.trueskill2.inference.one_match import performances
from browser_app.rating.trueskill2.inference.opponents import opponents
from browser_app.rating.trueskill2.run import TrueSkillRun
from browser_app.rating.trueskill2.setting import Setting

_LEAST = 50  # quits, and finishes
_WORTH = 4.0  # nats over one chance for all: a number a nat, as Akaike has it
_CALLS = 600
_WIDTHS = 6.0  # powers of ten that v may lie from β², either way: beyond, Φ is a step or flat, and no record tells more


class _Ahead(NamedTuple):
    """Of one player in one round: mean and variance of own performance less the opponents', and whether he quit."""

    mean: float
    var: float
    quit: bool


class _Watched(TrueSkillRun):
    """A run without quits that tells how far ahead of his opponents everybody was who quit or finished."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting, over_modes=False)
        self.seen: list[_Ahead] = []

    def watch(self, k: int) -> None:
        i, rounds, played = self._local(k), self._rounds, self._rounds.played
        rows = slice(played.start[i], played.start[i + 1])
        quits: list[int] = self.record.quit[played.row[rows]].tolist()
        if max(quits, default=-1) < 0:
            return
        mean, var = zip(*(self._skills.before(slot, rounds.started[i]) for slot in played.slot[rows]), strict=True)
        expected, cov = performances(mean, var, played.shifts(i), rounds.model(i).beta2, rounds.evidence(i))
        ahead = np.eye(len(quits)) - opponents(played.team_shares(i, i + 1, rounds.teams[i]))
        means, variances = ahead @ expected, np.einsum("ij,jk,ik->i", ahead, cov, ahead)
        told = zip(means.tolist(), variances.tolist(), quits, strict=True)
        self.seen += [_Ahead(m, v, bool(quit_)) for m, v, quit_ in told if quit_ >= 0]


def quit_parameters(record: Record, parameters: ParameterSet, beta: float) -> dict[str, Value]:
    """The likeliest parameters; empty where there are too few quits, or performance says nothing of them.

    Args:
        record: the rounds.
        parameters: of everything else, without quits.
        beta: β, the scale of performances.
    """
    known = record.quit >= 0
    if min(int((record.quit[known] == 1).sum()), int((record.quit[known] == 0).sum())) < _LEAST:
        return {}
    run = _Watched(Setting(record, parameters))
    for k in np.flatnonzero(record.finished).tolist():
        if run.unrated(k) is None:
            run.watch(k)
            run.update(k)
    return _likeliest(np.array(run.seen, np.float64).reshape(-1, 3), beta)


def _likeliest(seen: Floats, beta: float) -> dict[str, Value]:
    mean, var, left = seen[:, 0], seen[:, 1], seen[:, 2]
    share = float(left.mean()) if len(left) else 0.0
    if not 0.0 < share < 1.0:
        return {}

    def loss(point: Sequence[float]) -> float:
        m, log_v, unrelated, related = point
        if m > 0.0 or abs(log_v) > _WIDTHS:
            return math.inf
        pu, pr = _chance(unrelated), _chance(related)
        under = _cdf((m * beta - mean) / np.sqrt(10.0**log_v * beta**2 + var))
        quits = pu + (1.0 - pu) * pr * under
        return -float(np.log(np.where(left == 1.0, quits, 1.0 - quits)).sum())

    odds = math.log(share / (1.0 - share))
    m, log_v, unrelated, related = compass_search(
        loss, [-0.5, 0.0, odds - 1.0, odds + 1.0], [0.5, 0.5, 1.0, 1.0], _CALLS
    )
    flat = -len(left) * (share * math.log(share) + (1.0 - share) * math.log1p(-share))
    if flat - loss((m, log_v, unrelated, related)) < _WORTH:
        return {}
    v = 10.0**log_v * beta**2
    return {"quit_m": m * beta, "quit_v": v, "quit_pu": _chance(unrelated), "quit_pr": _chance(related)}


def _chance(odds: float) -> float:
    return 0.5 + 0.5 * math.tanh(0.5 * odds)


def _cdf(x: Floats) -> Floats:
    return 0.5 * np.array([math.erfc(-math.sqrt(0.5) * value) for value in x.tolist()])
