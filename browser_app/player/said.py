"""What a rating system says of one player's rounds on its way over a record."""

from typing import NamedTuple

from browser_app.player.own_rounds import OwnRounds
from browser_app.rating.prediction import Prediction
from browser_app.rating.progress import Progress, untold
from browser_app.rating.system import RatingRun

_TOLD = 512  # rounds between two words about progress


class Said(NamedTuple):
    """What a run told of one round with the player, in the system's own units.

    Attributes:
        prediction: None where the round was not rated; ``why`` says the reason then.
        sd: that of ``after``. estimated_sd: an estimate of it, of a system that has none.
    """

    prediction: Prediction | None
    before: float
    after: float
    sd: float | None
    estimated_sd: float | None
    why: str


def forward(run: RatingRun, player: int, own: OwnRounds, progress: Progress = untold) -> list[Said]:
    """Learn from the whole record; what is said of the player's (index) rounds, one entry each."""
    record = run.record
    said: list[Said] = []
    at = 0
    for k, mode in zip(own.round.tolist(), record.mode[own.round].tolist(), strict=True):
        _learn(run, at, k + 1, progress, but=k)
        why, before, prediction = run.unrated(k), run.rating(player, mode), None
        if why is None:
            prediction = run.prediction(k)
            run.update(k)
        after, estimated_sd = run.rating(player, mode), run.estimated_sd(player, mode)
        said.append(Said(prediction, before.value, after.value, after.sd, estimated_sd, why or ""))
        at = k + 1
    _learn(run, at, len(record), progress)
    progress(len(record), len(record))
    return said


def _learn(run: RatingRun, first: int, last: int, progress: Progress, but: int = -1) -> None:
    """Learn from rounds first to last - 1 but one."""
    for k in range(first, last):
        if k % _TOLD == 0:
            progress(k, len(run.record))
        if k != but and run.unrated(k) is None:
            run.update(k)


def chance_of(prediction: Prediction, team: int) -> float:
    """P(the team wins | no draw) of two, P(it is alone in first place) of more."""
    return prediction.beats[team][1 - team] if len(prediction.first) == 2 else prediction.first[team]
