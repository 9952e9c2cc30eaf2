"""Calibration tables by squad size, experience and history of a player.

These are the tables of the TrueSkill 2 paper: squad size, experience, previous kill rate, previous outcome and lapse. A
table whose predicted rates stray from the actual ones shows an effect that the system does not model.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from browser_app.rating.evaluation.decided_pairs import DecidedPairs
from browser_app.rating.record.round_record import Floats, Ints, RoundRecord
from browser_app.rating.record.team_presence import longest_team, seconds_per_appearance, squad_sizes


@dataclass(frozen=True)
class PriorAppearances:
    """Earlier appearances of the players, one entry per appearance.

    Only appearances on a team in rounds with an outcome count, whatever the mode.

    Attributes:
        record: the rounds.
        team: the team with most time (index within the round), -1 for none.
        minutes: time on any team.
        previous: the last appearance of the same player before this one, -1 for none.
        rounds_before: number of earlier appearances.
    """

    record: RoundRecord
    team: Ints
    minutes: Floats
    previous: Ints
    rounds_before: Ints


def find_prior_appearances(record: RoundRecord) -> PriorAppearances:
    """Find the earlier appearances of the player of every appearance."""
    team = longest_team(record)
    minutes = seconds_per_appearance(record) / 60.0
    counts = np.flatnonzero((team >= 0) & record.finished[record.round_of_appearance]).astype(np.int32)
    order = counts[np.argsort(record.player[counts], kind="stable")]
    player = record.player[order]
    new = np.concatenate([[True], player[1:] != player[:-1]]) if len(order) else np.zeros(0, np.bool_)
    before = np.full(len(record.player), -1, np.int32)
    before[order[1:]] = np.where(new[1:], -1, order[:-1])
    first = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
    rounds = np.zeros(len(record.player), np.int32)
    rounds[order] = np.arange(len(order)) - first
    return PriorAppearances(record, team, minutes, before, rounds)


_NONE = -1
_DAY_S = 86400.0
_MAX_SQUAD, _MAX_ROUNDS, _MAX_DAYS = 10, 10, 9
_KILL_RATE_STEP, _MAX_KILL_RATES = 0.4, 10


class CalibrationGroup(NamedTuple):
    """A group of appearances: their number, mean predicted chance and actual win rate."""

    group: str
    n: int
    predicted: float
    actual: float


class _GroupLabels(NamedTuple):
    """Group of each appearance (-1 for none) and the names of the groups."""

    group: Ints
    names: Sequence[str]


def _count_labels(most: int, first: int = 0) -> list[str]:
    return [*map(str, range(first, most)), f"{most}+"]


def group_by_squad_size(past: PriorAppearances) -> _GroupLabels:
    """Group by the number of squad members on the player's team, the player included."""
    size = squad_sizes(past.record, past.team)
    return _GroupLabels(np.minimum(size, _MAX_SQUAD) - 1, _count_labels(_MAX_SQUAD, 1))


def group_by_experience(past: PriorAppearances) -> _GroupLabels:
    """Group by the number of earlier rounds, in any mode."""
    return _GroupLabels(np.minimum(past.rounds_before, _MAX_ROUNDS), _count_labels(_MAX_ROUNDS))


def group_by_previous_kill_rate(past: PriorAppearances) -> _GroupLabels:
    """Group by kills per minute in the previous round."""
    before = past.previous
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = past.record.kills[before] / past.minutes[before]
    known = (before >= 0) & np.isfinite(rate)
    step = np.minimum(np.where(known, rate, 0.0) / _KILL_RATE_STEP, _MAX_KILL_RATES).astype(np.int32)
    edges = [f"{_KILL_RATE_STEP * i:.1f}" for i in range(_MAX_KILL_RATES + 1)]
    names = [f"{low}-{high}" for low, high in itertools.pairwise(edges)]
    return _GroupLabels(np.where(known, step, _NONE), [*names, f"{edges[-1]}+"])


def group_by_previous_outcome(past: PriorAppearances) -> _GroupLabels:
    """Group by outcome of the previous round and quit (unknown: completed)."""
    record, before = past.record, past.previous
    start = record.team_start[record.round_of_appearance]
    own = record.team_rank[start + np.maximum(past.team, 0)]
    best = np.minimum.reduceat(record.team_rank, record.team_start[:-1])[record.round_of_appearance]
    worst = np.maximum.reduceat(record.team_rank, record.team_start[:-1])[record.round_of_appearance]
    ended = np.where(best == worst, 2, np.where(own == best, 0, 1))
    group = 2 * ended + (record.quit == 1)
    names = [f"{ended} {how}" for ended in ("win", "loss", "draw") for how in ("completed", "quit")]
    return _GroupLabels(np.where(before >= 0, group[before], _NONE).astype(np.int32), names)


def group_by_lapse(past: PriorAppearances) -> _GroupLabels:
    """Group by days since the end of the previous round."""
    record = past.record
    started = record.started[record.round_of_appearance]
    ended = (record.started + np.nan_to_num(record.duration))[record.round_of_appearance]
    days = np.minimum(np.maximum(started - ended[past.previous], 0.0) / _DAY_S, _MAX_DAYS).astype(np.int32)
    names = [*(f"{day}-{day + 1}" for day in range(_MAX_DAYS)), f"{_MAX_DAYS}+"]
    return _GroupLabels(np.where(past.previous >= 0, days, _NONE), names)


CALIBRATION_TABLES: Mapping[str, Callable[[PriorAppearances], _GroupLabels]] = {
    "squad_size": group_by_squad_size,
    "experience": group_by_experience,
    "previous_kill_rate": group_by_previous_kill_rate,
    "previous_outcome": group_by_previous_outcome,
    "lapse_days": group_by_lapse,
}


class CalibrationTables:
    """All calibration tables of one record; the groups are found once for all systems."""

    def __init__(self, record: RoundRecord, pairs: DecidedPairs) -> None:
        self._past = find_prior_appearances(record)
        self._labels = {name: table(self._past) for name, table in CALIBRATION_TABLES.items()} if len(record) else {}
        has_two_teams = record.team_count[pairs.round] == 2
        self._pair = np.full(len(record), _NONE)
        self._pair[pairs.round[has_two_teams]] = np.flatnonzero(has_two_teams)
        self._won = pairs.won
        self._round = record.round_of_appearance

    def compute(self, chance: Floats) -> dict[str, list[CalibrationGroup]]:
        """Return the tables of one system by name, without empty groups.

        Args:
            chance: P(first-named wins | no draw) per pair, NaN without a forecast; only rounds of two teams count.
        """
        pair = self._pair[self._round]
        rows = np.flatnonzero((pair >= 0) & (self._past.team >= 0))
        rows = rows[~np.isnan(chance[pair[rows]])]
        first = self._past.team[rows] == 0
        chances, won = chance[pair[rows]], self._won[pair[rows]]
        chances, won = np.where(first, chances, 1.0 - chances), np.where(first, won, 1.0 - won)
        return {
            name: _summarise_groups(names, labels[rows], chances, won) for name, (labels, names) in self._labels.items()
        }


def _summarise_groups(names: Sequence[str], labels: Ints, chances: Floats, won: Floats) -> list[CalibrationGroup]:
    known = labels >= 0
    labels = labels[known]
    n = np.bincount(labels, minlength=len(names))
    predicted, actual = (np.bincount(labels, column[known], len(names)) for column in (chances, won))
    return [
        CalibrationGroup(name, int(n[i]), float(predicted[i] / n[i]), float(actual[i] / n[i]))
        for i, name in enumerate(names)
        if n[i]
    ]
