"""Outcome model that draws rounds from TrueSkill 2's generative model."""

import math
from collections.abc import Sequence

import numpy as np

from browser_app.demo.outcome_model import SimulatedLineup, SimulatedOutcome
from browser_app.rating.record.round_record import Floats
from browser_app.rating.trueskill2.inference.performance_evidence import opponent_matrix
from browser_app.rating.trueskill2.trueskill2_model import CountModel, ModeModel, QuitModel


class TrueSkill2OutcomeModel:
    """True skills of all players in every mode, and rounds drawn from them.

    Without a base skill each mode has a skill of its own; with one, a skill is w · base + the mode's offset, eq. (20).
    The simulation decides presence: leaving early and quitting, eq. (13), are drawn independently.
    """

    def __init__(self, players: int, models: Sequence[ModeModel], rng: np.random.Generator) -> None:
        self._models = models
        shape = (len(models), players)
        self._own = np.array([[model.m0] for model in models]) + _normal(rng, [model.v0 for model in models], shape)
        """Skill in a mode, eq. (1), or its offset, eq. (17)."""
        base = models[0].base
        self._base = np.zeros(players) if base is None else _normal(rng, [base.v], (1, players))[0]
        self._own_seen = np.full(shape, np.nan)
        self._base_seen = np.full(players, np.nan)
        self._matches = np.zeros(shape, np.int64)

    def play(self, lineup: SimulatedLineup, rng: np.random.Generator) -> SimulatedOutcome:
        """Draw performances, and from them the result, counts and quits."""
        model, player = self._models[lineup.mode], lineup.player
        self._drift_idle(lineup, model, rng)
        skill = self._own[lineup.mode, player] + (model.base.w if model.base else 0.0) * self._base[player]
        expected = skill + _squad_shifts(lineup, model.squad_offset)
        performance = expected + math.sqrt(model.beta2) * rng.standard_normal(len(player))
        share = np.zeros((len(player), lineup.teams))
        for stint in lineup.stays:
            share[stint.seat, stint.team] += (stint.leave - stint.enter) / lineup.length
        faced = opponent_matrix(share) @ performance
        minutes = share.sum(axis=1) * lineup.length / 60.0
        self._drift_after_round(lineup, model, rng)
        return SimulatedOutcome(
            _ranks(performance @ share, model.draw_margin),
            _chance(expected, share, model) if lineup.teams == 2 else None,
            skill,
            None if model.kills is None else _counts(model.kills, performance, faced, minutes, rng),
            None if model.deaths is None else _counts(model.deaths, performance, faced, minutes, rng),
            None if model.quits is None else _quits(model.quits, performance - faced, rng),
        )

    def _drift_idle(self, lineup: SimulatedLineup, model: ModeModel, rng: np.random.Generator) -> None:
        """Apply eqs. (3), (16), (19): the random walk of the minutes since the last round."""
        mode, player = lineup.mode, lineup.player
        idle = np.nan_to_num(lineup.started - self._own_seen[mode, player]) / 60.0
        self._own[mode, player] += np.sqrt(model.tau2 * idle) * rng.standard_normal(len(player))
        self._own_seen[mode, player] = lineup.started + lineup.length
        if model.base is not None:
            idle = np.nan_to_num(lineup.started - self._base_seen[player]) / 60.0
            self._base[player] += np.sqrt(model.base.tau2 * idle) * rng.standard_normal(len(player))
            self._base_seen[player] = lineup.started + lineup.length

    def _drift_after_round(self, lineup: SimulatedLineup, model: ModeModel, rng: np.random.Generator) -> None:
        """Apply eqs. (2), (8), (15), (18) after the round, by its number in this mode."""
        mode, player = lineup.mode, lineup.player
        if model.experience_offset:
            gains = np.array(model.experience_offset)
            self._own[mode, player] += gains[np.minimum(self._matches[mode, player], len(gains) - 1)]
        self._own[mode, player] += math.sqrt(model.gamma2) * rng.standard_normal(len(player))
        self._matches[mode, player] += 1
        if model.base is not None:
            self._base[player] += math.sqrt(model.base.gamma2) * rng.standard_normal(len(player))


def _normal(rng: np.random.Generator, variances: Sequence[float], shape: tuple[int, int]) -> Floats:
    drawn: Floats = np.sqrt(np.array(variances))[:, np.newaxis] * rng.standard_normal(shape)
    return drawn


def _squad_shifts(lineup: SimulatedLineup, offsets: Sequence[float]) -> Floats:
    """Return eq. (7), by the squad's size; larger sizes use the last entry."""
    if not offsets:
        return np.zeros(len(lineup.player))
    squad = np.where(lineup.squad < 0, -1 - np.arange(len(lineup.squad)), lineup.squad)
    _, place, sizes = np.unique(squad, return_inverse=True, return_counts=True)
    shifts: Floats = np.array(offsets)[np.minimum(sizes[place], len(offsets)) - 1]
    return shifts


def _ranks(performances: Floats, draw_margin: float) -> list[int]:
    """Rank by performance, best first.

    The next rank begins where the gap to the previous one exceeds the margin.
    """
    order = np.argsort(-performances, kind="stable")
    rank = 1 + np.concatenate([[0], np.cumsum(-np.diff(performances[order]) > draw_margin)])
    ranks = np.empty(len(order), np.int64)
    ranks[order] = rank
    return [int(each) for each in ranks]


def _chance(expected: Floats, share: Floats, model: ModeModel) -> float:
    """Return P(first wins | no draw).

    The difference of the teams is N(aᵀ expected, β² aᵀa), a = the shares' difference.
    """
    sides = share[:, 0] - share[:, 1]
    spread = math.sqrt(model.beta2 * float(sides @ sides))
    mean = float(sides @ expected)
    win, lose = _normal_cdf((mean - model.draw_margin) / spread), _normal_cdf((-mean - model.draw_margin) / spread)
    return win / (win + lose)


def _normal_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def _counts(
    model: CountModel, performance: Floats, faced: Floats, minutes: Floats, rng: np.random.Generator
) -> list[float]:
    """Draw eq. (9), with the intercept b."""
    mean = (model.wp * performance + model.wo * faced + model.b) * minutes
    counts: list[float] = np.maximum(0.0, mean + np.sqrt(model.v * minutes) * rng.standard_normal(len(mean))).tolist()
    return counts


def _quits(model: QuitModel, difference: Floats, rng: np.random.Generator) -> list[bool]:
    """Draw eqs. (12), (13)."""
    under = difference - model.m + math.sqrt(model.v) * rng.standard_normal(len(difference)) < 0.0
    unrelated, related = rng.random((2, len(difference)))
    quits: list[bool] = ((unrelated < model.pu) | (under & (related < model.pr))).tolist()
    return quits
