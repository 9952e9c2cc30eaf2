"""Predictions of one player's rounds, with checkpoints of the rating run."""

import math
from typing import NamedTuple

from browser_app.player.own_rounds import OwnRounds
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.round_prediction import Prediction

CHECKPOINT_ROUNDS = 8192
"""Rounds from one to the next: a fifth of a second."""


class RunCheckpoints:
    """Those of one system on its way over one record, in memory."""

    def __init__(self, system: RatingSystem, record: RoundRecord) -> None:
        self._system, self._record = system, record
        self._runs: dict[int, RatingRun] = {}

    def store(self, run: RatingRun, k: int) -> None:
        """A run over the record has learnt from all rounds before k: it is remembered there, if k is a waypoint."""
        if k and k % CHECKPOINT_ROUNDS == 0 and k not in self._runs:
            self._runs[k] = run.transfer_to(self._record)

    def run_before(self, k: int, progress: ProgressCallback = ignore_progress) -> RatingRun:
        """A run that has learnt from all rounds before k, for the caller to take on."""
        at = max((each for each in self._runs if each <= k), default=0)
        run = self._runs[at].transfer_to(self._record) if at else self._system.new_run(self._record)
        while at < k:
            progress(at, k)
            last = min(k, at - at % CHECKPOINT_ROUNDS + CHECKPOINT_ROUNDS)
            run.update_range(at, last)
            self.store(run, last)
            at = last
        return run


_PROGRESS_ROUNDS = 512  # rounds between two words about progress; each waypoint is at one of them


class OwnRoundPrediction(NamedTuple):
    """What a run told of one round with the player, in the system's own units.

    Attributes:
        prediction: None where the round was not rated; ``why`` says the reason then.
        before, after: NaN where neither this round nor one before it told anything of him: where a system lets
            newcomers begin is no rating.
        sd: that of ``after``. estimated_sd: an estimate of it, of a system that has none.
    """

    prediction: Prediction | None
    before: float
    after: float
    sd: float | None
    estimated_sd: float | None
    skip_reason: str


def predict_own_rounds(
    run: RatingRun,
    player: int,
    own: OwnRounds,
    progress: ProgressCallback = ignore_progress,
    checkpoints: RunCheckpoints | None = None,
) -> list[OwnRoundPrediction]:
    """Learn from the whole record, past the waypoints; what is said of the player's (index) rounds, one entry each."""
    rounds = len(run.record)
    mine = set(own.round.tolist())
    said: list[OwnRoundPrediction] = []
    for k in range(rounds):
        if k % _PROGRESS_ROUNDS == 0:
            progress(k, rounds)
            if checkpoints is not None:
                checkpoints.store(run, k)
        if k in mine:
            said.append(_predict_and_update(run, k, player))
        elif run.skip_reason(k) is None:
            run.update(k)
    progress(rounds, rounds)
    return said


def _predict_and_update(run: RatingRun, k: int, player: int) -> OwnRoundPrediction:
    """Learn from round k, and what is said of it."""
    mode = int(run.record.mode[k])
    why, before, prediction = run.skip_reason(k), run.rating(player, mode), None
    if why is not None and not run.is_rated(player, mode):
        return OwnRoundPrediction(None, math.nan, math.nan, None, None, why)
    if why is None:
        prediction = run.prediction(k)
        run.update(k)
    after, estimated_sd = run.rating(player, mode), run.estimated_sd(player, mode)
    return OwnRoundPrediction(prediction, before.value, after.value, after.sd, estimated_sd, why or "")


def team_chance(prediction: Prediction, team: int) -> float:
    """P(the team wins | no draw) of two, P(it is alone in first place) of more."""
    return prediction.beats[team][1 - team] if len(prediction.first_place) == 2 else prediction.first_place[team]
