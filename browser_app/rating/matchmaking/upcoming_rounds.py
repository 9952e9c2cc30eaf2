"""Forecasts of upcoming rounds."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from browser_app.rating.forward_pass import ForwardPass
from browser_app.rating.game_round import Round
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import APPEARANCE_COLUMNS, Offsets, RoundRecord, Stints
from browser_app.rating.round_prediction import Prediction

_NAME_COLUMNS = {
    "player_ids": "player",
    "games": "game",
    "maps": "map",
    "modes": "mode",
    "team_names": "team_name",
    "races": "team_race",
}
"""Which column indexes which names."""
_PLAIN_COLUMNS = ("started", "duration", "team_rank", *(name for name in APPEARANCE_COLUMNS if name != "player"))


def append_upcoming_rounds(history: RoundRecord, upcoming: Sequence[Round]) -> RoundRecord:
    """Return a record of the history's rounds followed by the upcoming ones, by start.

    The history's rounds, players, modes and all other names keep their indices. An upcoming round that starts before
    the last played one, or has no start, is taken to start with it.

    Raises:
        InvalidRoundError: one of the upcoming rounds contradicts itself.
    """
    now = history.last_played
    if now is not None:
        upcoming = [replace(game_round, started=max(now, game_round.started or now)) for game_round in upcoming]
    return _concatenate_records(history, build_record(upcoming))


def _concatenate_records(first: RoundRecord, second: RoundRecord) -> RoundRecord:
    fields: dict[str, Any] = {
        name: np.concatenate([getattr(first, name), getattr(second, name)]) for name in _PLAIN_COLUMNS
    }
    for names, column in _NAME_COLUMNS.items():
        known = {name: index for index, name in enumerate(getattr(first, names))}
        now = [known.setdefault(name, len(known)) for name in getattr(second, names)]
        renumbered = np.array([*now, -1], np.int32)[getattr(second, column)]  # -1 (none) stays -1
        fields[column] = np.concatenate([getattr(first, column), renumbered])
        fields[names] = tuple(known)
    called = dict(zip(second.player_ids, second.player_names, strict=True))
    named = zip(first.player_ids, first.player_names, strict=True)
    called |= {player: name for player, name in named if name is not None}
    return RoundRecord(
        player_names=tuple(map(called.get, fields["player_ids"])),
        ids=[*first.ids, *second.ids],
        input_index=np.concatenate([first.input_index, second.input_index + np.int32(len(first))]),
        team_start=_concatenate_offsets(first.team_start, second.team_start),
        appearance_start=_concatenate_offsets(first.appearance_start, second.appearance_start),
        stays=_concatenate_stints(first.stays, second.stays, len(first.player)),
        commander_stints=_concatenate_stints(first.commander_stints, second.commander_stints, len(first.player)),
        **fields,
    )


def _concatenate_offsets(first: Offsets, second: Offsets) -> Offsets:
    return np.concatenate([first, first[-1] + second[1:]])


def _concatenate_stints(first: Stints, second: Stints, appearances: int) -> Stints:
    return Stints(
        np.concatenate([first.appearance, second.appearance + np.int32(appearances)]),
        np.concatenate([first.team, second.team]),
        np.concatenate([first.enter, second.enter]),
        np.concatenate([first.leave, second.leave]),
    )


def run_to_upcoming(
    system: RatingSystem,
    history: RoundRecord,
    upcoming: Sequence[Round],
    progress: ProgressCallback = ignore_progress,
    *,
    full_history: bool = False,
) -> RatingRun:
    """Return a run over history and upcoming rounds that has learned from the former.

    With `full_history` the ratings are those of `RatingSystem.solve`; outcomes of the upcoming rounds are ignored.
    """
    without_outcomes = [replace(game_round, ranks=None) for game_round in upcoming]
    run = system.start_run(append_upcoming_rounds(history, without_outcomes), full_history=full_history)
    ForwardPass(run, progress).advance_to(len(history))
    return run


def forecast_upcoming(
    system: RatingSystem,
    history: RoundRecord,
    upcoming: Sequence[Round],
    progress: ProgressCallback = ignore_progress,
    *,
    full_history: bool = False,
) -> list[Prediction | None]:
    """Return the forecast of each upcoming round, in the order given.

    Players count on the team with most time. Outcomes that the rounds may have are ignored. None where a system gives
    no forecast: one team is empty, or the system supports two teams only. For `full_history` see `run_to_upcoming`.
    """
    run = run_to_upcoming(system, history, upcoming, progress, full_history=full_history)
    forecasts: list[Prediction | None] = [None] * len(upcoming)
    for k in range(len(history), len(run.record)):
        forecasts[int(run.record.input_index[k]) - len(history)] = run.forecast(k)
    return forecasts
