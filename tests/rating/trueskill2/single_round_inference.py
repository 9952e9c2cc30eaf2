"""Inference of a single round given as plain lists."""

from collections.abc import Sequence

import numpy as np

from browser_app.rating.trueskill2.inference.round_inference import RoundPosterior, extract_evidence, update_skills
from browser_app.rating.trueskill2.trueskill2_model import ModeModel


def infer_round(
    mean: Sequence[float],
    var: Sequence[float],
    shift: Sequence[float],
    shares: Sequence[Sequence[float]],
    ranks: Sequence[int],
    model: ModeModel,
    minutes: Sequence[float],
    kills: Sequence[float | None] = (),
    deaths: Sequence[float | None] = (),
    quits: Sequence[bool | None] = (),
) -> RoundPosterior:
    """Update the skills of one round; all but `ranks` have one entry per player."""
    known = [np.array([counts], np.float64) for counts in (kills, deaths)]
    of_kills, of_deaths = (counts if counts.size else None for counts in known)
    share, minute = np.array([shares], np.float64), np.array([minutes], np.float64)
    (evidence,) = extract_evidence(share, [ranks], model, minute, of_kills, of_deaths, [quits])
    return update_skills(mean, var, shift, model.beta2, evidence)
