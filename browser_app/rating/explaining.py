"""One round of a record explained: everything before it is rated first."""

from browser_app.rating.explanation import Explanation
from browser_app.rating.progress import Progress, untold
from browser_app.rating.rate import Forward
from browser_app.rating.record import Record
from browser_app.rating.system import RatingSystem


def explain_round(
    system: RatingSystem, record: Record, k: int, player: str, progress: Progress = untold
) -> Explanation:
    """What round k does to the rating of a player (by id), and why.

    Raises:
        ValueError: he is not in this round or was on no team, or the system does not rate it.
    """
    row = appearance_of(record, k, player)
    run = system.start(record)
    Forward(run, progress).to(k)
    return run.explain(k, row)


def appearance_of(record: Record, k: int, player: str) -> int:
    """The row of a player (by id) in round k.

    Raises:
        ValueError: he is not in it.
    """
    rows = record.appearances(k)
    there = [row for row in range(rows.start, rows.stop) if record.player_ids[record.player[row]] == player]
    if not there:
        raise ValueError(f"{player} is not in round {k}")
    return there[0]
