"""Forecasts of upcoming rounds by the blend of all systems."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from browser_app.rating.evaluation.backtest import (
    BASELINES,
    FULL_HISTORY_SUFFIX,
    baseline_log_odds,
    forecast_pairs,
    forecast_solved_pairs,
    prior_blend_weights,
)
from browser_app.rating.evaluation.decided_pairs import DecidedPairs, find_decided_pairs
from browser_app.rating.evaluation.forecast_blend import blend_forecasts, blend_predictions
from browser_app.rating.game_round import Round
from browser_app.rating.matchmaking.upcoming_rounds import append_upcoming_rounds
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress, subtask_progress
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.record.round_record import Floats, RoundRecord
from browser_app.rating.round_prediction import Prediction


def forecast_upcoming_blended(
    systems: Sequence[RatingSystem],
    history: RoundRecord,
    upcoming: Sequence[Round],
    progress: ProgressCallback = ignore_progress,
    *,
    full_history: bool = False,
) -> list[Prediction | None]:
    """Return the blended forecast of each upcoming round, in the order given.

    The rounds are prepared as by `forecast_upcoming`; the weights are those after the history. With `full_history`
    the skills of systems that can solve a whole record are blended, too. None where no system gives a forecast.
    """
    record = append_upcoming_rounds(history, [replace(game_round, ranks=None) for game_round in upcoming])
    pairs = find_decided_pairs(record)
    solving = [system for system in systems if full_history and system.has_full_history]
    tasks = len(systems) + len(solving)
    runs = {system.name: system.new_run(record) for system in systems}
    log_odds: dict[str, Floats] = {}
    for number, (name, run) in enumerate(runs.items()):
        log_odds[name] = forecast_pairs(run, pairs, progress=subtask_progress(progress, number, tasks))
    for number, system in enumerate(solving, len(systems)):
        name, part = system.name + FULL_HISTORY_SUFFIX, subtask_progress(progress, number, tasks)
        log_odds[name] = forecast_solved_pairs(system, record, pairs, part)
        runs[name] = system.start_run(history, full_history=True).transfer_to(record)
    log_odds |= baseline_log_odds(record, pairs)
    weights = blend_forecasts(log_odds, prior_blend_weights(systems), pairs).weights
    forecasts: list[Prediction | None] = [None] * len(upcoming)
    for k in range(len(history), len(record)):
        known = {name: each for name, run in runs.items() if name in weights and (each := run.forecast(k)) is not None}
        if known:
            predictions = {**known, **_predict_by_baselines(record, pairs, k)}
            forecasts[int(record.input_index[k]) - len(history)] = blend_predictions(predictions, weights)
    return forecasts


def _predict_by_baselines(record: RoundRecord, pairs: DecidedPairs, k: int) -> dict[str, Prediction]:
    """Return the baselines' predictions of an upcoming round.

    Chances are even for more than two teams, which the baselines do not model.
    """
    if record.team_count[k] != 2:
        return {name: Prediction.even(int(record.team_count[k])) for name in BASELINES}
    teams = (np.append(pairs.a, np.int32(0)), np.append(pairs.b, np.int32(1)))
    # a made-up outcome: it counts for later rounds only, of which there are none
    known = DecidedPairs(np.append(pairs.round, np.int32(k)), *teams, np.append(pairs.won, 0.0))
    last_log_odds = {name: float(log_odds[-1]) for name, log_odds in baseline_log_odds(record, known).items()}
    return {name: Prediction.two_teams(each) for name, each in last_log_odds.items() if not math.isnan(each)}
