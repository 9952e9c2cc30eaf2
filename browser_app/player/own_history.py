"""Rating history of one player under one rating system."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from browser_app.player.dataclass_codec import decode_dataclass, encode_dataclass
from browser_app.player.own_predictions import OwnRoundPrediction, RunCheckpoints, predict_own_rounds, team_chance
from browser_app.player.own_rounds import OwnRounds, collect_own_rounds
from browser_app.player.skill_summary import SdSource
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.round_record import Floats, Ints, RoundRecord

OWN_HISTORY_VERSION = 4
"""Of the form of what is kept in the cache: another one is not read."""


@dataclass(frozen=True)
class OwnHistory:
    """The rounds in which a player was on a team, by start: one entry each in every column.

    Ratings are in displayed units: NS2 points, else the system's own. Times are in seconds since 1970 (UTC). A change
    is ``after − before``: between two rounds time may move a rating as well, and each mode may have one of its own.

    Attributes:
        game: its id. system: its name. player: his id in the record.
        ids: the rounds' ids. round: their indices in the record.
        duration: seconds, NaN where unknown.
        map, mode, team, server: indices into ``maps``, ``modes``, ``teams``, ``servers``; −1 for none. The team is the
            one he was longest on.
        size_mine, size_other: people on his team and on all others, each counted where he was longest.
        share: of the round's time, weighted as the system does, on any team, 0 to 1; NaN without a duration.
        chair: of the same, in the commander's chair.
        probability: of his team, said before the round with everybody's presence as it turned out: P(win | no draw) of
            two teams, P(first place alone) of more; NaN where the round was not rated.
        outcome: 1 won, 0 not, ½ drawn (first place shared), NaN without an outcome.
        before, after: the rating in the round's mode; NaN of rounds before the first that was rated there.
        sd: that of ``after``, NaN where it is unknown.
        sd_from: whence all of them are: of ns2 they are estimates, until `compute_full_history_uncertainty` has better
            ones.
        approximate: whether the record does not tell who was there when.
        why: the reason why the round was not rated, "" where it was.
    """

    game: str
    system: str
    player: str
    maps: tuple[str, ...]
    modes: tuple[str, ...]
    teams: tuple[str, ...]
    servers: tuple[str, ...]

    ids: tuple[str, ...]
    why: tuple[str, ...]
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
    chair: Floats
    probability: Floats
    outcome: Floats
    before: Floats
    after: Floats
    sd: Floats
    approximate: NDArray[np.bool_]
    sd_from: SdSource = ""

    def __len__(self) -> int:
        """How many rounds."""
        return len(self.ids)

    def to_bytes(self) -> bytes:
        """As they are kept."""
        return encode_dataclass(self, OWN_HISTORY_VERSION)

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """What ``to_bytes`` made.

        Raises:
            ValueError: it is of another version, or damaged.
        """
        return decode_dataclass(cls, content, OWN_HISTORY_VERSION)


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
    """Take a system forward over a record, asking what it says of one player's rounds only.

    Args:
        record: all rounds of one game.
        system: with its parameters.
        player: his id; who is not in the record has no rounds.
        game: the game's id.
        servers: where each round of the record was played; None: unknown of all.
        approximate: of which rounds it is not known who was there when; None: it is known of all.
        run: a fresh run of the system over the record, which is left at its end; None makes one.
        progress: told rounds done, of all.
        checkpoints: of the system and the record, to be passed on the way.
    """
    run = system.new_run(record) if run is None else run
    index = record.player_ids.index(player) if player in record.player_ids else -1
    own = collect_own_rounds(record, index, system.stint_weight)
    told = _rating_columns(predict_own_rounds(run, index, own, progress, checkpoints), own, run.points_per_unit)
    return OwnHistory(
        game=game,
        system=system.name,
        player=player,
        **_place_columns(record, own.round, servers),
        **_presence_columns(record, own, approximate),
        **told,
    )


def _place_columns(record: RoundRecord, rounds: Ints, servers: Sequence[str | None] | None) -> dict[str, Any]:
    """Which rounds they are, and what they were played on."""
    places, server = _index_names([] if servers is None else [servers[k] for k in rounds.tolist()], len(rounds))
    return {
        "maps": record.maps,
        "modes": record.modes,
        "servers": places,
        "ids": tuple([record.ids[k] for k in rounds.tolist()]),
        "round": rounds,
        "started": record.started[rounds],
        "duration": record.duration[rounds],
        "map": record.map[rounds],
        "mode": record.mode[rounds],
        "server": server,
    }


def _presence_columns(record: RoundRecord, own: OwnRounds, approximate: NDArray[np.bool_] | None) -> dict[str, Any]:
    """The player's part in them."""
    return {
        "teams": record.team_names,
        "team": record.team_name[record.team_start[own.round] + own.team],
        "size_mine": own.size_mine,
        "size_other": own.size_other,
        "share": own.share,
        "chair": own.chair,
        "outcome": own.outcome,
        "approximate": np.zeros(len(own.round), np.bool_) if approximate is None else approximate[own.round],
    }


def _rating_columns(said: Sequence[OwnRoundPrediction], own: OwnRounds, unit: float) -> dict[str, Any]:
    """What the system says of them, as displayed."""
    chances = [
        np.nan if each.prediction is None else team_chance(each.prediction, team)
        for each, team in zip(said, own.team.tolist(), strict=True)
    ]
    before, after, sd, estimated_sd = (
        np.array([np.nan if each[i] is None else each[i] for each in said], np.float64) for i in range(1, 5)
    )
    estimated = bool(np.isnan(sd).all() and not np.isnan(estimated_sd).all())
    return {
        "why": tuple([each.skip_reason for each in said]),
        "probability": np.array(chances, np.float64),
        "before": unit * before,
        "after": unit * after,
        "sd": unit * (estimated_sd if estimated else sd),
        "sd_from": "gradients" if estimated else "",
    }


def _index_names(names: Sequence[str | None], length: int) -> tuple[tuple[str, ...], Ints]:
    """The distinct names, and for each of `length` places which it has; −1 for none."""
    known = {name: i for i, name in enumerate(dict.fromkeys(name for name in names if name is not None))}
    if not names:
        return (), np.full(length, -1, np.int32)
    return tuple(known), np.array([-1 if name is None else known[name] for name in names], np.int32)
