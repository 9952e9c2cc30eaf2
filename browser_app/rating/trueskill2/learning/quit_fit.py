"""Fit of the quit parameters.

P(quit) of each player given the result and the counts, d ~ N(mean, var): pu + (1 − pu)·pr·Φ((m − mean)/√(v + var)). The
likelihood takes the players of a round one by one, each given its result. It ignores what one player's quit means for
another's skill, so that the maximum needs arrays instead of runs.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from browser_app.rating.evaluation.loss_search import SearchAxis, minimise_losses
from browser_app.rating.rating_parameters import ParameterSet, ParameterValue
from browser_app.rating.record.round_record import Floats, RoundRecord
from browser_app.rating.trueskill2.inference.performance_evidence import opponent_matrix
from browser_app.rating.trueskill2.inference.round_inference import posterior_performances
from browser_app.rating.trueskill2.inference.truncated_normal import normal_cdf
from browser_app.rating.trueskill2.modelled_record import ModelledRecord
from browser_app.rating.trueskill2.trueskill2_run import TrueSkillRun

_MIN_QUITS = 50  # quits, and finishes
_MIN_GAIN = 4.0  # nats over one chance for all: one nat per number (Akaike)
_MAX_CALLS = 200
_MAX_LOG_ODDS = 12.0
_MAX_LOG_VARIANCE = (
    6.0  # powers of ten that v may differ from β²: beyond, Φ is a step or flat, and all values fit alike
)


class _QuitObservation(NamedTuple):
    """One player in one round, and whether they quit.

    `mean` and `var` are of the own performance less the opponents'.
    """

    mean: float
    var: float
    quit: bool


class _QuitRecordingRun(TrueSkillRun):
    """Run without quits that records the gap of every player who quit or finished."""

    def __init__(self, modelled: ModelledRecord) -> None:
        super().__init__(modelled, over_modes=False)
        self.observations: list[_QuitObservation] = []

    def record_round(self, k: int) -> None:
        i, rounds, played = self._block_index(k), self._block, self._block.played
        rows = slice(played.start[i], played.start[i + 1])
        quits: list[int] = self.record.quit[played.row[rows]].tolist()
        if max(quits, default=-1) < 0:
            return
        started = rounds.started[i]
        mean, var = zip(*(self._skills.skill_before(slot, started) for slot in played.slot[rows]), strict=True)
        expected, cov = posterior_performances(mean, var, played.shifts(i), rounds.model(i).beta2, rounds.evidence(i))
        ahead = np.eye(len(quits)) - opponent_matrix(played.team_shares(i, i + 1, rounds.teams[i]))
        means, variances = ahead @ expected, np.einsum("ij,jk,ik->i", ahead, cov, ahead)
        observed = zip(means.tolist(), variances.tolist(), quits, strict=True)
        self.observations += [_QuitObservation(m, v, bool(quit_)) for m, v, quit_ in observed if quit_ >= 0]


def fit_quit_parameters(
    record: RoundRecord, parameters: ParameterSet, beta: float, min_variance: float = 0.0
) -> dict[str, ParameterValue]:
    """Return the likeliest parameters, empty without enough quits due to performance.

    `min_variance` is the least v in units of β²: with a large one a quit is little evidence.
    """
    known = record.quit >= 0
    if min(int((record.quit[known] == 1).sum()), int((record.quit[known] == 0).sum())) < _MIN_QUITS:
        return {}
    run = _QuitRecordingRun(ModelledRecord(record, parameters))
    for k in np.flatnonzero(record.finished).tolist():
        if run.skip_reason(k) is None:
            run.record_round(k)
            run.update(k)
    lowest = max(-_MAX_LOG_VARIANCE, math.log10(min_variance)) if min_variance > 0.0 else -_MAX_LOG_VARIANCE
    return _maximise_likelihood(np.array(run.observations, np.float64).reshape(-1, 3), beta, lowest)


def _maximise_likelihood(seen: Floats, beta: float, min_log_v: float) -> dict[str, ParameterValue]:
    mean, var, left = seen[:, 0], seen[:, 1], seen[:, 2]
    share = float(left.mean()) if len(left) else 0.0
    if not 0.0 < share < 1.0:
        return {}

    def losses(point: Sequence[float]) -> Floats:
        m, log_v, unrelated, related = point
        pu, pr = _chance(unrelated), _chance(related)
        under = normal_cdf((m * beta - mean) / np.sqrt(10.0**log_v * beta**2 + var))
        quits = pu + (1.0 - pu) * pr * under
        return -np.log(np.where(left == 1.0, quits, 1.0 - quits))

    odds = math.log(share / (1.0 - share))
    axes = [
        SearchAxis(-0.5, 0.5, high=0.0),
        SearchAxis(max(0.0, min_log_v), 0.5, min_log_v, _MAX_LOG_VARIANCE),
        SearchAxis(odds - 1.0, 1.0, -_MAX_LOG_ODDS, _MAX_LOG_ODDS),
        SearchAxis(odds + 1.0, 1.0, -_MAX_LOG_ODDS, _MAX_LOG_ODDS),
    ]
    (m, log_v, unrelated, related), total = minimise_losses(losses, axes, _MAX_CALLS)
    flat = -len(left) * (share * math.log(share) + (1.0 - share) * math.log1p(-share))
    if flat - total < _MIN_GAIN:
        return {}
    v = 10.0**log_v * beta**2
    return {"quit_m": m * beta, "quit_v": v, "quit_pu": _chance(unrelated), "quit_pr": _chance(related)}


def _chance(odds: float) -> float:
    return 0.5 + 0.5 * math.tanh(0.5 * odds)
