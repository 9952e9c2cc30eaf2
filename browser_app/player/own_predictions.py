"""Predictions of one player's rounds, with checkpoints of the rating run."""

import math
from typing import NamedTuple

import numpy as np

from browser_app.player.own_rounds import OwnRounds
from browser_app.player.skill_summary import compute_error_sd, compute_rating_interval_90
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.round_record import Ints, RoundRecord
from browser_app.rating.round_prediction import Prediction

CHECKPOINT_ROUNDS = 8192
"""Rounds between checkpoints, which take a fifth of a second."""


class RunCheckpoints:
    """Copies of one system's run at some rounds of one record, in memory."""

    def __init__(self, system: RatingSystem, record: RoundRecord) -> None:
        self._system, self._record = system, record
        self._runs: dict[int, RatingRun] = {}
        self._is_rated = np.empty(0, np.bool_)
        """Whether the system rates each round; empty until it is needed."""

    def store(self, run: RatingRun, k: int) -> None:
        """Store a copy of a run that has learned from all rounds before k, if it is due."""
        if k and k % CHECKPOINT_ROUNDS == 0 and k not in self._runs:
            self._runs[k] = run.transfer_to(self._record)

    def run_before(self, k: int, progress: ProgressCallback = ignore_progress) -> RatingRun:
        """Return a run that has learned from all rounds before k, owned by the caller."""
        position = max((each for each in self._runs if each <= k), default=0)
        run = self._runs[position].transfer_to(self._record) if position else self._system.new_run(self._record)
        while position < k:
            progress(position, k)
            last = min(k, position - position % CHECKPOINT_ROUNDS + CHECKPOINT_ROUNDS)
            run.update_range(position, last)
            self.store(run, last)
            position = last
        return run

    def rated_rounds(self, last: int) -> Ints:
        """Return the rounds before `last` that the system rates, ascending."""
        if not len(self._is_rated):
            rounds, run = len(self._record), self._system.new_run(self._record)
            self._is_rated = np.fromiter((run.skip_reason(k) is None for k in range(rounds)), np.bool_, rounds)
        return np.flatnonzero(self._is_rated[:last]).astype(np.int32)


_PROGRESS_ROUNDS = 512  # each checkpoint coincides with a progress report


class OwnRoundPrediction(NamedTuple):
    """Prediction of one round with the player, in the system's own units.

    Attributes:
        prediction: None if the round was not rated; `skip_reason` has the reason.
        before, after: the rating; NaN if the player has not been rated up to this round, because a newcomer's initial
            value is not a rating.
        sd: standard deviation of `after`.
        error_sd: that of its error, where `sd` is not that or there is none (`compute_error_sd`).
        low, high: 90 % interval of `after`, NaN if unknown.
    """

    prediction: Prediction | None
    before: float
    after: float
    sd: float | None
    error_sd: float | None
    low: float
    high: float
    skip_reason: str


def predict_own_rounds(
    run: RatingRun,
    player: int,
    own_rounds: OwnRounds,
    progress: ProgressCallback = ignore_progress,
    checkpoints: RunCheckpoints | None = None,
) -> list[OwnRoundPrediction]:
    """Learn from the whole record and predict the rounds of a player (index).

    Stores checkpoints on the way.
    """
    rounds = len(run.record)
    own_rows = dict(zip(own_rounds.round.tolist(), own_rounds.row.tolist(), strict=True))
    predictions: list[OwnRoundPrediction] = []
    for k in range(rounds):
        if k % _PROGRESS_ROUNDS == 0:
            progress(k, rounds)
            if checkpoints is not None:
                checkpoints.store(run, k)
        if k in own_rows:
            predictions.append(_predict_and_update(run, k, player, own_rows[k]))
        elif run.skip_reason(k) is None:
            run.update(k)
    progress(rounds, rounds)
    return predictions


def _predict_and_update(run: RatingRun, k: int, player: int, row: int) -> OwnRoundPrediction:
    """Predict round k of a player (index) with this appearance, and learn from it."""
    mode = int(run.record.mode[k])
    skip_reason, before, prediction = run.skip_reason(k), run.rating_in_round(k, row), None
    if skip_reason is not None and not run.is_rated(player, mode):
        return OwnRoundPrediction(None, math.nan, math.nan, None, None, math.nan, math.nan, skip_reason)
    if skip_reason is None:
        prediction = run.prediction(k)
        run.update(k)
    after, inferred = run.rating_in_round(k, row), run.inferred_skill_in_round(k, row)
    interval, error_sd = compute_rating_interval_90(after, 1.0, inferred), compute_error_sd(after, inferred)
    return OwnRoundPrediction(prediction, before.value, after.value, after.sd, error_sd, *interval, skip_reason or "")


def compute_team_chance(prediction: Prediction, team: int) -> float:
    """Return P(the team wins | no draw) of two teams, P(it alone is first) of more."""
    return prediction.chance(team, 1 - team) if len(prediction.first_place) == 2 else prediction.first_place[team]
