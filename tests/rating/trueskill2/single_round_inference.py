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
    score: Sequence[float | None] = (),
    assists: Sequence[float | None] = (),
    objectives: Sequence[float | None] = (),
) -> RoundPosterior:
    """Update the skills of one round; all but `ranks` have one entry per player."""
    unknown = [None] * len(mean)
    given = {"kills": kills, "deaths": deaths, "score": score, "assists": assists, "objectives": objectives}
    counts = {column: np.array([known or unknown], np.float64) for column, known in given.items()}
    share, minute = np.array([shares], np.float64), np.array([minutes], np.float64)
    (evidence,) = extract_evidence(share, [ranks], model, minute, counts, [quits])
    return update_skills(mean, var, shift, model.beta2, evidence)
