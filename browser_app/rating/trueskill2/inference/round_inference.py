"""Inference of the players' skills from one round.

Evidence is extracted first, as it does not depend on the skills: batch smoothing uses it many times.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from browser_app.rating.record.round_record import Floats
from browser_app.rating.trueskill2.inference import performance_evidence
from browser_app.rating.trueskill2.inference.expectation_propagation import GaussianBelief, apply_mixture_factors
from browser_app.rating.trueskill2.inference.likelihood_factors import DirectedFactor, StepFactor
from browser_app.rating.trueskill2.trueskill2_model import ModeModel

Quits: TypeAlias = Sequence[bool | None]


class RoundEvidence(NamedTuple):
    """Evidence of a round on performances; the linear Gaussian part is `observed`."""

    factors: Sequence[DirectedFactor]
    observed: performance_evidence.LinearObservations | None


@dataclass(frozen=True, slots=True)
class RoundPosterior:
    """Skills after a round, without γ² and the experience offset."""

    mean: list[float]
    var: list[float]


def extract_evidence(
    shares: Floats,
    ranks: Sequence[Sequence[int]],
    model: ModeModel,
    minutes: Floats,
    counts: Mapping[str, Floats],
    quits: Sequence[Quits],
) -> list[RoundEvidence]:
    """Return the evidence of rounds of one mode, with equally many players and teams.

    Args:
        shares: share of the round of each player on each team, one table per round.
        ranks: of each team; lower is better, equal is a tie.
        model: of the mode; what it does not model is ignored.
        minutes: played by each player; more than 0.
        counts: by column of the record, at least those that the model uses; NaN: no evidence.
        quits: whether each player quit; None: no evidence.
    """
    kinds = [(kind, counts[column]) for column, kind in model.counts.items()]
    results = performance_evidence.extract_result_evidence(ranks, shares, model.draw_margin)
    if not kinds and not model.quits:
        return [RoundEvidence(factors, None) for factors in results]
    against = performance_evidence.opponent_matrix(shares)
    counted: Sequence[tuple[performance_evidence.LinearObservations | None, list[DirectedFactor]]] = [(None, [])] * len(
        results
    )
    if kinds:
        counted = performance_evidence.extract_count_evidence(kinds, minutes, against)
    evidence = []
    for k, (factors, (observed, zeros)) in enumerate(zip(results, counted, strict=True)):
        left = performance_evidence.extract_quit_evidence(model.quits, quits[k], against[k]) if model.quits else []
        evidence.append(RoundEvidence([*factors, *zeros, *left], observed))
    return evidence


def shift_result(evidence: RoundEvidence, outcome: int, mean: float, var: float) -> RoundEvidence:
    """Return the evidence of two teams with N(mean, var) added to their gap.

    Counts and quits do not depend on it. The result is the first factor, from the winner's side.

    Args:
        evidence: of the round.
        outcome: 1 the first-named team won, -1 the other one, 0 a draw.
        mean: of what is added to the first-named team's side.
        var: of the same.
    """
    (direction, factor), *others = evidence.factors
    if isinstance(factor, StepFactor):
        shifted = DirectedFactor(direction, replace(factor, margin=factor.margin - outcome * mean, noise=var))
    else:
        shifted = DirectedFactor(direction, replace(factor, shift=mean, noise=var))
    return evidence._replace(factors=[shifted, *others])


def update_skills(
    mean: Sequence[float], var: Sequence[float], shift: Sequence[float], beta2: float, evidence: RoundEvidence
) -> RoundPosterior:
    """Return the skills after a round from those before, one entry per player.

    Exact with positive counts and one factor, as between two teams, and with one zero count or player who quit beside
    it; more factors, and results of several teams, use expectation propagation, with the positive counts in its prior.
    A change of performance changes the skill by the share g = V/(V + β²), and the variance V − g²(V + β² − S') is
    computed without its cancellation.

    Args:
        mean: of each skill.
        var: of each skill, idle time included.
        shift: what a squad adds to each performance, eq. (7).
        beta2: β², eq. (4).
        evidence: of the round.
    """
    skill, skill_var = np.array(mean), np.array(var)
    performance, noisy = skill + shift, skill_var + beta2
    middle, cov = _condition_on_observations(performance, noisy, evidence.observed)
    played, played_var = apply_mixture_factors(middle, cov, evidence.factors)
    gain = skill_var / noisy
    played_var = np.maximum(played_var, 0.0)  # absurd weights leave rounding errors only
    new_var: list[float] = (skill_var * (1.0 - gain) + gain * gain * played_var).tolist()
    new_mean: list[float] = (skill + gain * (played - performance)).tolist()
    return RoundPosterior(new_mean, new_var)


def posterior_performances(
    mean: Sequence[float], var: Sequence[float], shift: Sequence[float], beta2: float, evidence: RoundEvidence
) -> tuple[Floats, Floats]:
    """Return means and covariances of the performances after a round.

    The arguments are those of `update_skills`.
    """
    noisy = np.array(var) + beta2
    belief = GaussianBelief(*_condition_on_observations(np.array(mean) + shift, noisy, evidence.observed))
    belief.apply_factors(evidence.factors)
    return belief.mean, belief.cov


def _condition_on_observations(
    performance: Floats, noisy: Floats, observed: performance_evidence.LinearObservations | None
) -> tuple[Floats, Floats]:
    """Return mean and covariance of N(performance, diag(noisy)) given observations."""
    if observed is None:
        return performance, np.diag(noisy)
    half = _covariance_root(noisy, observed)
    cov = half.T @ half
    return performance + cov @ (observed.information_vector - observed.information @ performance), cov


def _covariance_root(noisy: Floats, observed: performance_evidence.LinearObservations) -> Floats:
    """Return a triangular matrix W with WᵀW = (diag(1/noisy) + information)⁻¹.

    Where the counts are so informative that the sum loses the prior (a variance of counts next to 0), W is computed
    from the observations, which takes four times as long and has half as many digits.
    """
    precision = observed.information.copy()
    precision.flat[:: len(noisy) + 1] += 1.0 / noisy
    try:
        return np.linalg.inv(np.linalg.cholesky(precision))
    except np.linalg.LinAlgError:
        rows = np.concatenate([observed.h, np.diag(noisy**-0.5)])
        root: Floats = np.linalg.inv(np.linalg.qr(rows, "r")).T
        return root * np.sign(root.diagonal())
