"""Rating history of one player under one rating system."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from browser_app.player.dataclass_codec import EncodedDataclass
from browser_app.player.own_predictions import (
    OwnRoundPrediction,
    RunCheckpoints,
    compute_team_chance,
    predict_own_rounds,
)
from browser_app.player.own_rounds import OwnRounds, collect_own_rounds
from browser_app.player.skill_summary import SdSource
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.round_record import Floats, Ints, RoundRecord


@dataclass(frozen=True)
class OwnHistory(EncodedDataclass):
    """One player's rounds on a team, by start; each column has one entry per round.

    Ratings are in displayed units: NS2 points, else the system's own. Times are in seconds since 1970 (UTC). A rating
    change is `after − before`: between two rounds time may change a rating as well, and each mode may have its own.

    Attributes:
        game: id of the game.
        system: name of the rating system.
        player: the player's id in the record.
        ids: ids of the rounds.
        round: indices of the rounds in the record.
        duration: seconds, NaN if unknown.
        map, mode, team, server: indices into `maps`, `modes`, `teams`, `servers`; −1 for none. The team is the
            one that the player was longest on.
        size_mine, size_other: players on that team and on all others, each counted where they were longest.
        share: share of the round's time on any team, 0 to 1, weighted as the system does; NaN without a duration.
        commander_share: share of the same time as commander.
        probability: chance of that team, forecast with everybody's presence as it turned out: P(win | no draw) of
            two teams, P(first place alone) of more; NaN if the round was not rated.
        outcome: 1 won, 0 not, ½ drawn (first place shared), NaN without an outcome.
        before, after: the rating in the round's mode; NaN before the first rated round there.
        sd: standard deviation of `after`, NaN if unknown.
        sd_from: source of all standard deviations.
        low, high: 90 % interval of `after`, NaN if unknown.
        approximate: whether the times of the players' stints are unknown.
        skip_reason: `SkipReason` why the round was not rated, "" if it was.
    """

    FORMAT_VERSION: ClassVar[int] = 2

    game: str
    system: str
    player: str
    maps: tuple[str, ...]
    modes: tuple[str, ...]
    teams: tuple[str, ...]
    servers: tuple[str, ...]

    ids: tuple[str, ...]
    skip_reason: tuple[str, ...]
    round: Ints
    started: Floats
    duration: Floats
    map: Ints
    mode: Ints
    team: Ints
    server: Ints
    size_mine: Ints
    size_other: Ints
    share: Floats
    commander_share: Floats
    probability: Floats
    outcome: Floats
    before: Floats
    after: Floats
    sd: Floats
    low: Floats
    high: Floats
    approximate: NDArray[np.bool_]
    sd_from: SdSource = ""

    def __len__(self) -> int:
        """Return the number of rounds."""
        return len(self.ids)

    @property
    def is_rated(self) -> NDArray[np.bool_]:
        """Mask of the rounds that the system has rated."""
        return ~np.isnan(self.probability)


def compute_own_history(
    record: RoundRecord,
    system: RatingSystem,
    player: str,
    *,
    game: str = "",
    servers: Sequence[str | None] | None = None,
    approximate: NDArray[np.bool_] | None = None,
    run: RatingRun | None = None,
    progress: ProgressCallback = ignore_progress,
    checkpoints: RunCheckpoints | None = None,
) -> OwnHistory:
    """Run a system over a record and collect its predictions of one player's rounds.

    Args:
        record: all rounds of one game.
        system: with its parameters.
        player: their id; a player who is not in the record has no rounds.
        game: the game's id.
        servers: the server of each round of the record; None if all are unknown.
        approximate: rounds in which the times of the stints are unknown; None for none.
        run: a fresh run of the system over the record, which ends after its last round; None creates one.
        progress: called with rounds done and total.
        checkpoints: of the system and the record, stored on the way.
    """
    run = system.new_run(record) if run is None else run
    index = record.player_ids.index(player) if player in record.player_ids else -1
    own_rounds = collect_own_rounds(record, index, system.stint_weight)
    ratings = _build_rating_columns(
        predict_own_rounds(run, index, own_rounds, progress, checkpoints), own_rounds, run.points_per_unit
    )
    return OwnHistory(
        game=game,
        system=system.name,
        player=player,
        **_build_place_columns(record, own_rounds.round, servers),
        **_build_presence_columns(record, own_rounds, approximate),
        **ratings,
    )


def _build_place_columns(record: RoundRecord, rounds: Ints, servers: Sequence[str | None] | None) -> dict[str, Any]:
    server_names, server = _index_names([] if servers is None else [servers[k] for k in rounds.tolist()], len(rounds))
    return {
        "maps": record.maps,
        "modes": record.modes,
        "servers": server_names,
        "ids": tuple([record.ids[k] for k in rounds.tolist()]),
        "round": rounds,
        "started": record.started[rounds],
        "duration": record.duration[rounds],
        "map": record.map[rounds],
        "mode": record.mode[rounds],
        "server": server,
    }


def _build_presence_columns(
    record: RoundRecord, own_rounds: OwnRounds, approximate: NDArray[np.bool_] | None
) -> dict[str, Any]:
    return {
        "teams": record.team_names,
        "team": record.team_name[record.team_start[own_rounds.round] + own_rounds.team],
        "size_mine": own_rounds.size_mine,
        "size_other": own_rounds.size_other,
        "share": own_rounds.share,
        "commander_share": own_rounds.commander_share,
        "outcome": own_rounds.outcome,
        "approximate": np.zeros(len(own_rounds.round), np.bool_)
        if approximate is None
        else approximate[own_rounds.round],
    }


def _build_rating_columns(
    predictions: Sequence[OwnRoundPrediction], own_rounds: OwnRounds, unit: float
) -> dict[str, Any]:
    """Return the system's predictions and ratings, in displayed units."""
    chances = [
        np.nan if each.prediction is None else compute_team_chance(each.prediction, team)
        for each, team in zip(predictions, own_rounds.team.tolist(), strict=True)
    ]
    before, after, sd, error_sd, low, high = (
        np.array([np.nan if each[i] is None else each[i] for each in predictions], np.float64) for i in range(1, 7)
    )
    is_estimated = bool(np.isnan(sd).all() and not np.isnan(error_sd).all())
    return {
        "skip_reason": tuple([each.skip_reason for each in predictions]),
        "probability": np.array(chances, np.float64),
        "before": unit * before,
        "after": unit * after,
        "sd": unit * (error_sd if is_estimated else sd),
        "low": unit * low,
        "high": unit * high,
        "sd_from": "gradients" if is_estimated else "",
    }


def _index_names(names: Sequence[str | None], length: int) -> tuple[tuple[str, ...], Ints]:
    """Return the distinct names and the index of each entry's name among them.

    There are `length` entries; the index is −1 for none.
    """
    index_by_name = {name: i for i, name in enumerate(dict.fromkeys(name for name in names if name is not None))}
    if not names:
        return (), np.full(length, -1, np.int32)
    return tuple(index_by_name), np.array([-1 if name is None else index_by_name[name] for name in names], np.int32)
