"""What one match teaches about the skills of its players.

In two steps, so that a match that is looked at again (batch smoothing) is read once: what it tells does not depend on
skills.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from browser_app.rating.record import Floats
from browser_app.rating.trueskill2.inference.counts import Observed, read_counts
from browser_app.rating.trueskill2.inference.factors import Fact
from browser_app.rating.trueskill2.inference.mixtures import absorb
from browser_app.rating.trueskill2.inference.opponents import opponents
from browser_app.rating.trueskill2.inference.propagation import Belief
from browser_app.rating.trueskill2.inference.quits import read_quits
from browser_app.rating.trueskill2.inference.result import read_results
from browser_app.rating.trueskill2.model import Model

Counts: TypeAlias = Sequence[float | None]
Quits: TypeAlias = Sequence[bool | None]


class Evidence(NamedTuple):
    """What a match tells of the performances: ``observed`` exactly linear and Gaussian, ``facts`` all else."""

    facts: Sequence[Fact]
    observed: Observed | None


@dataclass(frozen=True, slots=True)
class Posterior:
    """Skills after a match, without γ² and the experience offset; log_evidence = log p(all that was observed)."""

    mean: list[float]
    var: list[float]
    log_evidence: float


def infer(
    mean: Sequence[float],
    var: Sequence[float],
    shift: Sequence[float],
    shares: Sequence[Sequence[float]],
    ranks: Sequence[int],
    model: Model,
    minutes: Sequence[float],
    kills: Counts = (),
    deaths: Counts = (),
    quits: Quits = (),
) -> Posterior:
    """``learn`` from what ``read_match`` reads."""
    return learn(mean, var, shift, model.beta2, read_match(shares, ranks, model, minutes, kills, deaths, quits))


def read_match(
    shares: Sequence[Sequence[float]],
    ranks: Sequence[int],
    model: Model,
    minutes: Sequence[float],
    kills: Counts = (),
    deaths: Counts = (),
    quits: Quits = (),
    *,
    finishers: bool = False,
) -> Evidence:
    """What a match tells; one entry a player in everything but ``ranks``.

    Args:
        shares: share of the match of each player on each team.
        ranks: of each team; lower is better, equal is level.
        model: of the mode; what it has no part for is not read.
        minutes: played; more than 0.
        kills: None: no evidence; empty: of nobody.
        deaths: like ``kills``.
        quits: whether the player quit; None: no evidence; empty: of nobody.
        finishers: whether finishing is evidence too (to learn the parameters of quits).
    """
    share, known = np.array([shares], np.float64), [np.array([counts], np.float64) for counts in (kills, deaths)]
    of_kills, of_deaths = (counts if counts.size else None for counts in known)
    minute = np.array([minutes], np.float64)
    return read_matches(share, [ranks], model, minute, of_kills, of_deaths, [quits], finishers=finishers)[0]


def read_matches(
    shares: Floats,
    ranks: Sequence[Sequence[int]],
    model: Model,
    minutes: Floats,
    kills: Floats | None,
    deaths: Floats | None,
    quits: Sequence[Quits],
    *,
    finishers: bool = False,
) -> list[Evidence]:
    """What each of some matches of one mode tells, with as many players and teams in each.

    All is as for ``read_match``, with the match as the first axis; an unknown count is NaN.
    """
    kinds = [
        (kind, known) for kind, known in ((model.kills, kills), (model.deaths, deaths)) if kind and known is not None
    ]
    results = read_results(ranks, shares, model.draw_margin)
    if not kinds and not model.quits:
        return [Evidence(facts, None) for facts in results]
    against = opponents(shares)
    counted: Sequence[tuple[Observed | None, list[Fact]]] = [(None, [])] * len(results)
    if kinds:
        counted = read_counts(kinds, minutes, against)
    evidence = []
    for k, (facts, (observed, zeros)) in enumerate(zip(results, counted, strict=True)):
        left = read_quits(model.quits, quits[k], against[k], finishers=finishers) if model.quits else []
        evidence.append(Evidence([*facts, *zeros, *left], observed))
    return evidence


def learn(
    mean: Sequence[float], var: Sequence[float], shift: Sequence[float], beta2: float, evidence: Evidence
) -> Posterior:
    """Skills after a match from those before, one entry a player.

    Exact with positive counts and one fact, as between two teams; more facts (zero counts, results of several teams,
    quits) by expectation propagation, with the positive counts in its prior.

    From performance to skill: what moves a performance moves its skill by the share g = V/(V + β²) of it, and the
    variance V − g²(V + β² − S') is written without its cancellation.

    Args:
        mean: of each skill.
        var: of each skill, idle time included.
        shift: what a squad adds to each performance, eq. (7).
        beta2: β², eq. (4).
        evidence: what the match tells.
    """
    skill, skill_var = np.array(mean), np.array(var)
    performance, noisy = skill + shift, skill_var + beta2
    middle, cov, log_evidence = _observed(performance, noisy, evidence.observed)
    played, played_var, log_mass = absorb(middle, cov, evidence.facts)
    gain = skill_var / noisy
    new_var: list[float] = (skill_var * (1.0 - gain) + gain * gain * played_var).tolist()
    new_mean: list[float] = (skill + gain * (played - performance)).tolist()
    return Posterior(new_mean, new_var, log_evidence + log_mass)


def performances(
    mean: Sequence[float], var: Sequence[float], shift: Sequence[float], beta2: float, evidence: Evidence
) -> tuple[Floats, Floats]:
    """Means and covariances of the performances themselves after a match; arguments as for ``learn``."""
    noisy = np.array(var) + beta2
    belief = Belief(*_observed(np.array(mean) + shift, noisy, evidence.observed)[:2])
    belief.absorb(evidence.facts)
    return belief.mean, belief.cov


def _observed(performance: Floats, noisy: Floats, observed: Observed | None) -> tuple[Floats, Floats, float]:
    """Mean and covariance of performances N(performance, diag(noisy)) given observations; log p(observations)."""
    if observed is None:
        return performance, np.diag(noisy), 0.0
    half = _root(noisy, observed)
    cov = half.T @ half
    informed = observed.information @ performance
    residual = observed.pull - informed
    moved = cov @ residual
    square = observed.square + float(performance @ (informed - 2.0 * observed.pull)) - float(residual @ moved)
    log_det = float(np.log(noisy).sum()) - 2.0 * float(np.log(half.diagonal()).sum())
    return performance + moved, cov, -0.5 * (observed.log_scale + log_det + square)


def _root(noisy: Floats, observed: Observed) -> Floats:
    """A triangular matrix W with WᵀW = (diag(1/noisy) + information)⁻¹.

    Where counts say so much more than was known that the sum has lost what was known (a variance of counts next to 0),
    W comes from the observations themselves, which takes four times as long and half as many digits.
    """
    precision = observed.information.copy()
    precision.flat[:: len(noisy) + 1] += 1.0 / noisy
    try:
        return np.linalg.inv(np.linalg.cholesky(precision))
    except np.linalg.LinAlgError:
        rows = np.concatenate([observed.h, np.diag(noisy**-0.5)])
        root: Floats = np.linalg.inv(np.linalg.qr(rows, "r")).T
        return root * np.sign(root.diagonal())
