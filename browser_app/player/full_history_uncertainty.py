"""Uncertainty of an NS2 rating from full-history solutions.

What was known after round k is what the rounds up to k imply: the most probable skills with their standard deviations
(``rate --full-history``). Solving once per round would take minutes. So it is done for some rounds, more closely spaced
at the beginning where most is learnt; in between, the information 1 / sd² is interpolated linearly over the rounds.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from browser_app.player.own_history import OwnHistory
from browser_app.player.own_rounds import collect_own_rounds
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.round_record import Floats, RoundRecord

_POINTS = 16
_MAX_ROUNDS_SOLVED = 200_000
"""Limit of the rounds in all solved records together; a large record is solved less often."""


class FullHistoryUncertainty(NamedTuple):
    """Displayed standard deviations.

    Attributes:
        rating: after each of the player's rounds (as in `compute_own_history`); the last one covers all rounds.
        commander: of their commander skill after all rounds, None if unknown.
    """

    rating: Floats
    commander: float | None


def apply_uncertainty(history: OwnHistory, uncertainty: FullHistoryUncertainty) -> OwnHistory:
    """Return the history with these standard deviations where it has a rating."""
    sd = np.where(np.isnan(history.after), np.nan, uncertainty.rating)
    return replace(history, sd=sd, sd_from="full history")


def compute_full_history_uncertainty(
    record: RoundRecord, system: RatingSystem, player: str, progress: ProgressCallback = ignore_progress
) -> FullHistoryUncertainty | None:
    """Compute the uncertainty of a player's rating after each of their rounds.

    None if the system has no full-history form, the player is not in the record, or the record implies none.
    """
    if player not in record.player_ids:
        return None
    index = record.player_ids.index(player)
    rounds = collect_own_rounds(record, index, system.stint_weight).round
    if not len(rounds):
        return None
    points = max(2, min(_POINTS, _MAX_ROUNDS_SOLVED // len(record)))
    at = np.unique(np.geomspace(1, len(rounds), points).round().astype(np.int64)) - 1
    until = [*(rounds[at[:-1]] + 1).tolist(), len(record)]
    sds, commander = [], None
    for number, last in enumerate(until):
        progress(number, len(until))
        run = system.solve(record.first_rounds(last))
        if run is None:
            return None
        sd = run.rating(index, 0).sd
        sds.append(np.nan if sd is None else run.points_per_unit * sd)
        if last == len(record) and run.rates_commanders:
            in_chair = run.commander_rating(index).sd
            commander = None if in_chair is None else run.points_per_unit * in_chair
    known = np.isfinite(sds)
    if not known[-1]:
        return None
    information = np.interp(np.arange(len(rounds)), at[known], np.array(sds)[known] ** -2.0)
    return FullHistoryUncertainty(
        (information + _told_information(system.new_run(record), system, index)) ** -0.5, commander
    )


def compute_final_uncertainties(record: RoundRecord, system: RatingSystem) -> Floats | None:
    """Compute the uncertainty of every player of a record (by index) after all rounds, NaN where it is unknown.

    It is the last one of `compute_full_history_uncertainty`; None if the system has no full-history form.
    """
    solved, start = system.solve(record), system.new_run(record)
    if solved is None:
        return None
    players = range(len(record.player_ids))
    solved_sd = [sd if (sd := solved.rating(player, 0).sd) is not None else np.nan for player in players]
    told = np.array([_told_information(start, system, player) for player in players])
    sds: Floats = ((solved.points_per_unit * np.array(solved_sd)) ** -2.0 + told) ** -0.5
    return sds


def _told_information(run: RatingRun, system: RatingSystem, player: int) -> float:
    """Return what the game knew of a player before a run's record, as 1 / sd²; the full history starts without it."""
    sd, newcomer_sd = run.estimated_sd(player, 0), system.newcomer_sd
    if sd is None or newcomer_sd is None:
        return 0.0
    return max(0.0, 1.0 / (run.points_per_unit * sd) ** 2 - 1.0 / newcomer_sd**2)
