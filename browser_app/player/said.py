"""What a rating system says of one player's rounds on its way over a record."""

import math
from typing import NamedTuple

from browser_app.player.own_rounds import OwnRounds
from browser_app.player.waypoints import Waypoints
from browser_app.rating.prediction import Prediction
from browser_app.rating.progress import Progress, untold
from browser_app.rating.system import RatingRun

_TOLD = 512  # rounds between two words about progress; each waypoint is at one of them


class Said(NamedTuple):
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
    why: str


def forward(
    run: RatingRun, player: int, own: OwnRounds, progress: Progress = untold, waypoints: Waypoints | None = None
) -> list[Said]:
    """Learn from the whole record, past the waypoints; what is said of the player's (index) rounds, one entry each."""
    rounds = len(run.record)
    mine = set(own.round.tolist())
    said: list[Said] = []
    for k in range(rounds):
        if k % _TOLD == 0:
            progress(k, rounds)
            if waypoints is not None:
                waypoints.pass_by(run, k)
        if k in mine:
            said.append(_say(run, k, player))
        elif run.unrated(k) is None:
            run.update(k)
    progress(rounds, rounds)
    return said


def _say(run: RatingRun, k: int, player: int) -> Said:
    """Learn from round k, and what is said of it."""
    mode = int(run.record.mode[k])
    why, before, prediction = run.unrated(k), run.rating(player, mode), None
    if why is not None and not run.knows(player, mode):
        return Said(None, math.nan, math.nan, None, None, why)
    if why is None:
        prediction = run.prediction(k)
        run.update(k)
    after, estimated_sd = run.rating(player, mode), run.estimated_sd(player, mode)
    return Said(prediction, before.value, after.value, after.sd, estimated_sd, why or "")


def chance_of(prediction: Prediction, team: int) -> float:
    """P(the team wins | no draw) of two, P(it is alone in first place) of more."""
    return prediction.beats[team][1 - team] if len(prediction.first) == 2 else prediction.first[team]
