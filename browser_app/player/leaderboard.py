"""Leaderboards of a record: its rated players, in each mode and over all modes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from browser_app.player.skill_summary import compute_error_sd, compute_rating_interval_90
from browser_app.rating.leaderboards import RankedPlayer, rank_players
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.round_record import Floats, Ints, RoundRecord


@dataclass(frozen=True)
class Leaderboard:
    """Rated players, the best first; one entry per player, ratings in displayed units.

    Attributes:
        mode: "" for the rating over all modes.
        ids, names: in the record; the name is the id where none is known.
        rating: equal ratings in order of first appearance.
        sd: standard deviation, NaN if unknown; estimated if the system itself keeps none.
        low, high: 90 % interval, NaN likewise; wider than `sd` says where that is not the rating's error.
        rounds: rated rounds, in the mode.
        name_rank: place in alphabetical order.
        own_row: the user's, -1 if they are not rated.
        has_estimated_sd: whether `sd`, `low` and `high` are estimates.
    """

    mode: str
    ids: tuple[str, ...]
    names: tuple[str, ...]
    rating: Floats
    sd: Floats
    low: Floats
    high: Floats
    rounds: Ints
    name_rank: Ints
    own_row: int
    has_estimated_sd: bool

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def search_texts(self) -> tuple[str, ...]:
        """The names, casefolded."""
        return tuple(name.casefold() for name in self.names)


class RecordLeaderboards(NamedTuple):
    """Leaderboards of a record as of some time.

    Attributes:
        boards: the one over all modes first, if the system has one, then modes with most players first.
        rounds: rated rounds up to then.
        first_start, last_start: of the record's rounds, seconds since 1970 (UTC); 0 without rounds.
    """

    boards: Sequence[Leaderboard]
    rounds: int
    first_start: float
    last_start: float


def build_leaderboards(
    record: RoundRecord, run: RatingRun, system: RatingSystem, rated_rounds: Ints, own_id: str | None
) -> RecordLeaderboards:
    """Collect the leaderboards of a run that has learned from `rated_rounds`.

    The run may be over the first rounds of the record only. `own_id` is the user's id.
    """
    by_mode = sorted(rank_players(run, rated_rounds).items(), key=lambda each: -len(each[1]))
    if system.has_overall_rating and len(by_mode) > 1:
        by_mode.insert(0, ("", _rank_over_all_modes(run)))
    boards = [_build_board(run, mode, players, own_id) for mode, players in by_mode]
    started = record.started
    first, last = (float(started[0]), float(started[-1])) if len(started) else (0.0, 0.0)
    return RecordLeaderboards(boards, len(rated_rounds), first, last)


def _rank_over_all_modes(run: RatingRun) -> list[RankedPlayer]:
    player_by_id = {player_id: player for player, player_id in enumerate(run.record.player_ids)}
    ranked = []
    for player_id, fields in run.rated_players().items():
        player = player_by_id[player_id]
        rounds: int = fields["rounds"]  # type: ignore[assignment]  # always an int
        ranked.append(RankedPlayer(player, run.overall_rating(player), rounds))
    return sorted(ranked, key=lambda each: (-each.rating.value, each.player))


def _build_board(run: RatingRun, mode: str, players: Sequence[RankedPlayer], own_id: str | None) -> Leaderboard:
    record, unit = run.record, run.points_per_unit
    ids = tuple(record.player_ids[each.player] for each in players)
    names = tuple(record.player_names[each.player] or record.player_ids[each.player] for each in players)
    number = record.modes.index(mode) if mode in record.modes else None
    rated = [(each.rating, run.inferred_skill(each.player, number)) for each in players]
    errors = [compute_error_sd(rating, inferred) for rating, inferred in rated]
    sds = [error if rating.sd is None else rating.sd for (rating, _), error in zip(rated, errors, strict=True)]
    bounds = [compute_rating_interval_90(rating, unit, inferred) for rating, inferred in rated]
    low, high = np.array(bounds, np.float64).T
    name_rank = np.empty(len(players), np.int32)
    name_rank[sorted(range(len(players)), key=lambda row: names[row].casefold())] = np.arange(len(players))
    return Leaderboard(
        mode=mode,
        ids=ids,
        names=names,
        rating=unit * np.array([each.rating.value for each in players], np.float64),
        sd=unit * np.array(sds, np.float64),
        low=low,
        high=high,
        rounds=np.array([each.rounds for each in players], np.int32),
        name_rank=name_rank,
        own_row=ids.index(own_id) if own_id in ids else -1,
        has_estimated_sd=all(each.rating.sd is None for each in players) and any(each is not None for each in errors),
    )
