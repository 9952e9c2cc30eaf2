"""One round of a record explained: everything before it is rated first."""

from collections.abc import Callable
from typing import TypeAlias

from browser_app.rating.explanation import Explanation
from browser_app.rating.progress import Progress, untold
from browser_app.rating.rate import Forward
from browser_app.rating.record import Record
from browser_app.rating.system import RatingRun, RatingSystem

RunBefore: TypeAlias = Callable[[int, Progress], RatingRun]


def explain_round(
    system: RatingSystem,
    record: Record,
    k: int,
    player: str,
    progress: Progress = untold,
    run_before: RunBefore | None = None,
) -> Explanation:
    """What round k does to the rating of a player (by id), and why.

    `run_before` gives a run over the record that has learnt from all rounds before one; None begins at the first.

    Raises:
        ValueError: he is not in this round or was on no team, or the system does not rate it.
    """
    rows = record.appearances(k)
    there = [row for row in range(rows.start, rows.stop) if record.player_ids[record.player[row]] == player]
    if not there:
        raise ValueError(f"{player} is not in round {k}")
    if run_before is not None:
        return run_before(k, progress).explain(k, there[0])
    run = system.start(record)
    Forward(run, progress).to(k)
    return run.explain(k, there[0])
