"""The parts of TrueSkill 2 that a fit tries, and where the search for each starts."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.record.team_presence import squad_sizes
from browser_app.rating.translatable import N_
from browser_app.rating.trueskill2.learning.count_fit import SHAPE_STARTS, CountShape
from browser_app.rating.trueskill2.learning.forecast_trials import SHARED_FIRST, TrueSkill2Trials, winning_teams
from browser_app.rating.trueskill2.learning.parameter_candidate import ExperienceCurve, ParameterCandidate
from browser_app.rating.trueskill2.learning.quit_fit import fit_quit_parameters
from browser_app.rating.trueskill2.trueskill2_model import MINUTE_S

StartProvider = Callable[[TrueSkill2Trials, ParameterCandidate], Sequence[ParameterCandidate]]
"""Returns the candidate with a part, with numbers from which a search may start; none without data for it."""

START_TITLE = N_("Basic parameters")
MODE_TITLE = N_("Parameters of a mode")
_MAX_SQUAD = 12
"""Larger squads count as this."""
_EXPERIENCE_STARTS = (ExperienceCurve(0.02, 1.0), ExperienceCurve(0.1, 0.5))
_WIDE_QUIT_VARIANCE = 10.0
"""Least variance of the margin of quits, in units of β²: the likeliest one often makes too much of a quit."""
_BASE_SHARES = (0.8, 0.4)
"""Shares of the base in the variance of a skill; the skills of one player in two modes correlate so."""


@dataclass(frozen=True, slots=True)
class FittedExtra:
    """A part of the model.

    Attributes:
        name: as in the output of `fit`.
        title: for display, marked for translation.
        starts: see `StartProvider`.
        numbers: how many numbers are fitted to the forecasts; None: as many more as before. At least 1.
    """

    name: str
    title: str
    starts: StartProvider
    numbers: int | None = None


def core_starts(trials: TrueSkill2Trials, best: ParameterCandidate) -> list[ParameterCandidate]:
    """Return the candidate with the draws of the record."""
    return [best.with_values(**_initial_draw_margin(trials.record, best))]


def _initial_draw_margin(record: RoundRecord, best: ParameterCandidate) -> dict[str, float]:
    """Return the draw margin for the observed share of draws, if all rounds were even."""
    if not record.finished.any():
        return {}
    share = float(np.mean(winning_teams(record)[record.finished] == SHARED_FIRST))
    if not 0.0 < share < 1.0:
        return {}
    players = len(record.player) / len(record)
    sd = math.sqrt(players * (best.number("v0") + best.number("beta") ** 2))
    return {"draw_margin": sd * math.sqrt(math.pi / 2.0) * share}


def _median_idle_minutes(record: RoundRecord) -> float:
    """Return the median time between starts of a player's rounds, 0 if nobody has two."""
    started = record.started[record.round_of_appearance]
    order = np.lexsort((started, record.player))
    same = np.diff(record.player[order]) == 0
    return float(np.median(np.diff(started[order])[same])) / MINUTE_S if same.any() else 0.0


def _idle_starts(trials: TrueSkill2Trials, best: ParameterCandidate) -> list[ParameterCandidate]:
    """Start where the median idle time adds as much variance as a round usually does."""
    idle, gamma2 = _median_idle_minutes(trials.record), best.usual["gamma2"]
    return [best.with_values(tau2=gamma2 / idle)] if idle > 0.0 and isinstance(gamma2, float) else []


def _base_starts(trials: TrueSkill2Trials, best: ParameterCandidate) -> list[ParameterCandidate]:
    """Split skill into a base and a part of each mode, if players have several modes."""
    record = trials.record
    mode = record.mode[record.round_of_appearance]
    pairs = np.unique(np.stack([record.player, mode]), axis=1)
    if "base_v" not in trials.names or len(np.unique(pairs[0])) == pairs.shape[1]:
        return []
    v, gamma2, tau2 = (best.number(name) for name in ("v0", "gamma2", "tau2"))
    starts = []
    for share in _BASE_SHARES:
        split = {"base_v": share * v, "v0": (1.0 - share) * v, "base_gamma2": gamma2, "base_tau2": tau2}
        starts.append(replace(best.with_values(**split), usual={**best.usual, **split}))
    return starts


def _bias_starts(trials: TrueSkill2Trials, best: ParameterCandidate) -> list[ParameterCandidate]:
    two_teams = bool((trials.record.team_count == 2).any())
    return [best.with_values(bias="learnt")] if "bias" in trials.names and two_teams else []


def _experience_starts(trials: TrueSkill2Trials, best: ParameterCandidate) -> list[ParameterCandidate]:
    if "experience_offset" not in trials.names:
        return []
    return [replace(best, experience=curve) for curve in _EXPERIENCE_STARTS]


def _squad_starts(trials: TrueSkill2Trials, best: ParameterCandidate) -> list[ParameterCandidate]:
    record = trials.record
    if "squad_offset" not in trials.names or not len(record.squad):
        return []
    together = squad_sizes(record, np.where(record.squad >= 0, 0, -1).astype(np.int32))
    largest = min(int(together.max()), _MAX_SQUAD)
    return [best.with_values(squad_offset=(0.0,) * largest)] if largest > 1 else []


def _count_starts(*kinds: str, shapes: Sequence[CountShape] = (CountShape(),)) -> StartProvider:
    def starts(trials: TrueSkill2Trials, best: ParameterCandidate) -> list[ParameterCandidate]:
        known = [kind for kind in kinds if kind in trials.units]
        if not known:
            return []
        return [replace(best, shapes={**best.shapes, **dict.fromkeys(known, shape)}) for shape in shapes]

    return starts


def add_own_mode(_: TrueSkill2Trials, best: ParameterCandidate, mode: str) -> list[ParameterCandidate]:
    """Return the candidate whose search is for a mode's own parameters."""
    own = replace(best, modes={}, focus=None)
    return [replace(best, modes={**best.modes, mode: own}, focus=mode)]


def _quit_starts(form: str, min_variance: float) -> StartProvider:
    def starts(trials: TrueSkill2Trials, best: ParameterCandidate) -> list[ParameterCandidate]:
        if "quit_form" not in trials.names:
            return []
        off = trials.parameters(best.with_values(**dict.fromkeys(("quit_m", "quit_v", "quit_pu", "quit_pr"))))
        quits = fit_quit_parameters(trials.record, off, best.number("beta"), min_variance)
        return [replace(best.with_values(**quits, quit_form=form), is_fixed=True)] if quits else []

    return starts


FITTED_EXTRAS = (
    FittedExtra("idle_drift", N_("Drift per idle minute"), _idle_starts, 1),
    FittedExtra("base", N_("Base skill of all modes"), _base_starts),
    FittedExtra("bias", N_("Side and map"), _bias_starts),
    FittedExtra("experience", N_("Experience"), _experience_starts),
    FittedExtra("squads", N_("Squads"), _squad_starts),
    FittedExtra("kills_deaths", N_("Kills and deaths"), _count_starts("kill", "death", shapes=SHAPE_STARTS)),
    FittedExtra("score", N_("Player points"), _count_starts("score")),
    FittedExtra("assists", N_("Assists"), _count_starts("assist")),
    FittedExtra("objectives", N_("Objectives"), _count_starts("objective")),
)
"""In the order in which they are tried: the cheap ones first."""
QUIT_EXTRAS = (
    FittedExtra("quits_whole", N_("Quits and finishes"), _quit_starts("whole", _WIDE_QUIT_VARIANCE), 1),
    FittedExtra("quits_likeliest", N_("Quits and finishes, likeliest"), _quit_starts("whole", 0.0), 3),
    FittedExtra("quits_paper", N_("Quits alone"), _quit_starts("paper", _WIDE_QUIT_VARIANCE), 1),
)
