"""Are chances right for everybody? Win rates by what is known of a player, in the shapes of the TrueSkill 2 paper.

The paper's tables are by squad size, experience, previous kill rate, previous outcome and
lapse: one that strays from the actual rate shows an effect that the system has no part for.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from browser_app.rating.decided import Decided
from browser_app.rating.past import Past, past_of
from browser_app.rating.record import Floats, Ints, Record

_NONE = -1
_DAY_S = 86400.0
_MOST_SQUAD, _MOST_MATCHES, _MOST_DAYS = 10, 10, 9
_KILL_RATE_STEP, _MOST_KILL_RATES = 0.4, 10


class Group(NamedTuple):
    """Players alike: how many, how often they were said to win, and how often they did."""

    group: str
    n: int
    predicted: float
    actual: float


class _Labels(NamedTuple):
    """The group of each appearance, -1 for none, and the groups' names."""

    group: Ints
    names: Sequence[str]


def _up_to(most: int, first: int = 0) -> list[str]:
    return [*map(str, range(first, most)), f"{most}+"]


def squad_size(past: Past) -> _Labels:
    """How many of his squad were on his team, he included."""
    record = past.record
    size = np.ones(len(record.player), np.int32)
    rows = np.flatnonzero((record.squad >= 0) & (past.team >= 0))
    keys = np.stack([record.round_of_appearance[rows], past.team[rows], record.squad[rows]])
    _, which, counts = np.unique(keys, axis=1, return_inverse=True, return_counts=True)
    size[rows] = counts[which.ravel()]
    return _Labels(np.minimum(size, _MOST_SQUAD) - 1, _up_to(_MOST_SQUAD, 1))


def experience(past: Past) -> _Labels:
    """Matches before, in any mode."""
    return _Labels(np.minimum(past.matches, _MOST_MATCHES), _up_to(_MOST_MATCHES))


def previous_kill_rate(past: Past) -> _Labels:
    """Kills a minute in the match before."""
    before = past.before
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = past.record.kills[before] / past.minutes[before]
    known = (before >= 0) & np.isfinite(rate)
    step = np.minimum(np.where(known, rate, 0.0) / _KILL_RATE_STEP, _MOST_KILL_RATES).astype(np.int32)
    edges = [f"{_KILL_RATE_STEP * i:.1f}" for i in range(_MOST_KILL_RATES + 1)]
    names = [f"{low}-{high}" for low, high in itertools.pairwise(edges)]
    return _Labels(np.where(known, step, _NONE), [*names, f"{edges[-1]}+"])


def previous_outcome(past: Past) -> _Labels:
    """How the match before ended, and whether he saw the end; unknown counts as completed."""
    record, before = past.record, past.before
    start = record.team_start[record.round_of_appearance]
    own = record.team_rank[start + np.maximum(past.team, 0)]
    best = np.minimum.reduceat(record.team_rank, record.team_start[:-1])[record.round_of_appearance]
    worst = np.maximum.reduceat(record.team_rank, record.team_start[:-1])[record.round_of_appearance]
    ended = np.where(best == worst, 2, np.where(own == best, 0, 1))
    group = 2 * ended + (record.quit == 1)
    names = [f"{ended} {how}" for ended in ("win", "loss", "draw") for how in ("completed", "quit")]
    return _Labels(np.where(before >= 0, group[before], _NONE).astype(np.int32), names)


def lapse_days(past: Past) -> _Labels:
    """Days since the end of the match before."""
    record = past.record
    started = record.started[record.round_of_appearance]
    ended = (record.started + np.nan_to_num(record.duration))[record.round_of_appearance]
    days = np.minimum(np.maximum(started - ended[past.before], 0.0) / _DAY_S, _MOST_DAYS).astype(np.int32)
    names = [*(f"{day}-{day + 1}" for day in range(_MOST_DAYS)), f"{_MOST_DAYS}+"]
    return _Labels(np.where(past.before >= 0, days, _NONE), names)


TABLES: Mapping[str, Callable[[Past], _Labels]] = {
    "squad_size": squad_size,
    "experience": experience,
    "previous_kill_rate": previous_kill_rate,
    "previous_outcome": previous_outcome,
    "lapse_days": lapse_days,
}


class CalibrationTables:
    """All tables of one record; the groups are found once for all systems."""

    def __init__(self, record: Record, pairs: Decided) -> None:
        self._past = past_of(record)
        self._labels = {name: table(self._past) for name, table in TABLES.items()} if len(record) else {}
        of_two = record.team_count[pairs.round] == 2
        self._pair = np.full(len(record), _NONE)
        self._pair[pairs.round[of_two]] = np.flatnonzero(of_two)
        self._won = pairs.won
        self._round = record.round_of_appearance

    def of(self, chance: Floats) -> dict[str, list[Group]]:
        """The tables of one system by name, without groups that nobody is in.

        Args:
            chance: P(first-named wins | no draw), one a pair, NaN where nothing was said; rounds of two teams count.
        """
        pair = self._pair[self._round]
        rows = np.flatnonzero((pair >= 0) & (self._past.team >= 0))
        rows = rows[~np.isnan(chance[pair[rows]])]
        first = self._past.team[rows] == 0
        said, won = chance[pair[rows]], self._won[pair[rows]]
        said, won = np.where(first, said, 1.0 - said), np.where(first, won, 1.0 - won)
        return {name: _groups(names, labels[rows], said, won) for name, (labels, names) in self._labels.items()}


def _groups(names: Sequence[str], labels: Ints, said: Floats, won: Floats) -> list[Group]:
    known = labels >= 0
    labels = labels[known]
    n = np.bincount(labels, minlength=len(names))
    predicted, actual = (np.bincount(labels, column[known], len(names)) for column in (said, won))
    return [
        Group(name, int(n[i]), float(predicted[i] / n[i]), float(actual[i] / n[i]))
        for i, name in enumerate(names)
        if n[i]
    ]
