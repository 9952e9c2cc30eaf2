"""How sure a rating was after each round, for a system that does not say so but can solve a record at once (ns2).

What could be known after round k is what the rounds up to k tell: the most probable skills of them, with their standard
deviations (``rate --full-history``). Solving once for every round would take minutes; it is done at some rounds, more
closely at the beginning where most is learnt, and in between the information 1 / sd² grows evenly with the rounds.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from browser_app.player.own_history import OwnHistory
from browser_app.player.own_rounds import own_rounds
from browser_app.player.scale import weigh
from browser_app.rating.ns2.solved import NS2SolvedRun
from browser_app.rating.progress import Progress, untold
from browser_app.rating.record import Floats, Record
from browser_app.rating.system import RatingSystem

_POINTS = 16
_MOST_ROUNDS = 200_000
"""Of all records that are solved together: a large one is solved less often."""


class FullDoubt(NamedTuple):
    """Displayed standard deviations.

    Attributes:
        rating: after each of the player's rounds (as in `own_history`); the last is of all rounds.
        commander: of his commander skill by all rounds, None where nothing tells it.
    """

    rating: Floats
    commander: float | None


def with_doubt(history: OwnHistory, doubt: FullDoubt) -> OwnHistory:
    """The history with these standard deviations, where it has a rating."""
    sd = np.where(np.isnan(history.after), np.nan, doubt.rating)
    return replace(history, sd=sd, sd_from="full history")


def full_doubt(record: Record, system: RatingSystem, player: str, progress: Progress = untold) -> FullDoubt | None:
    """How sure the record is of a player.

    None where the system has no such form, the player is not in the record, or the record does not tell.
    """
    if player not in record.player_ids:
        return None
    index = record.player_ids.index(player)
    rounds = own_rounds(record, index, weigh(system)).round
    if not len(rounds):
        return None
    points = max(2, min(_POINTS, _MOST_ROUNDS // len(record)))
    at = np.unique(np.geomspace(1, len(rounds), points).round().astype(np.int64)) - 1
    until = [*(rounds[at[:-1]] + 1).tolist(), len(record)]
    sds, commander = [], None
    for number, last in enumerate(until):
        progress(number, len(until))
        run = system.solve(record.head(last))
        if run is None:
            return None
        sd = run.rating(index, 0).sd
        sds.append(np.nan if sd is None else run.unit * sd)
        if last == len(record) and isinstance(run, NS2SolvedRun):
            in_chair = run.commander_sd(index)
            commander = None if in_chair is None else run.unit * in_chair
    known = np.isfinite(sds)
    if not known[-1]:
        return None
    information = np.interp(np.arange(len(rounds)), at[known], np.array(sds)[known] ** -2.0)
    return FullDoubt(information**-0.5, commander)
