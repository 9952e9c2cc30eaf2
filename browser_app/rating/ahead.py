"""What a system says of rounds to come, once it knows all that has happened."""

from collections.abc import Sequence

from browser_app.rating.match import Match
from browser_app.rating.prediction import Prediction
from browser_app.rating.progress import Progress, untold
from browser_app.rating.rate import Forward
from browser_app.rating.record import Record
from browser_app.rating.record_future import followed_by
from browser_app.rating.system import RatingRun, RatingSystem


def run_ahead(
    system: RatingSystem, history: Record, to_come: Sequence[Match], progress: Progress = untold
) -> RatingRun:
    """A run that has learnt all of the history, over a record with the rounds to come behind it."""
    run = system.start(followed_by(history, to_come))
    Forward(run, progress).to(len(history))
    return run


def forecasts(
    system: RatingSystem, history: Record, to_come: Sequence[Match], progress: Progress = untold
) -> list[Prediction | None]:
    """The forecast of each round to come, in the order given: everybody on the team he was longest on.

    Outcomes they may have are not looked at, and none of them is learnt from. None where a system cannot tell: one
    side is empty, or it takes two teams only.
    """
    run = run_ahead(system, history, to_come, progress)
    told: list[Prediction | None] = [None] * len(to_come)
    for k in range(len(history), len(run.record)):
        told[int(run.record.given[k]) - len(history)] = run.forecast(k)
    return told
