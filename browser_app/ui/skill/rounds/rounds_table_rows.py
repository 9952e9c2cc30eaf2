"""The rows of the rounds table and their sort orders."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from browser_app.player.own_history import OwnHistory
from browser_app.rating.record.round_record import Floats, Ints
from browser_app.ui.skill.rating_format import rating_decimals
from browser_app.ui.widgets.tables.sorted_table_model import RowNumbers


class RoundsTableRow(NamedTuple):
    """The values of one row; None or an empty text is unknown."""

    id: int
    """Row of the history."""
    started: float
    map: str
    mode: str
    team: str
    """Empty in free-for-all modes."""
    size_mine: int
    size_other: int
    share: float | None
    """Present share of the weighted time, 0…1."""
    chance: float | None
    """Predicted win chance of the user's team."""
    outcome: float | None
    """1 won, ½ drawn, 0 lost."""
    before: float | None
    after: float | None
    change: float | None
    bar_value: float
    """The change, scaled so that nearly all are in −1…1, and clipped to that."""
    decimals: int
    """Of a rating; a change has one more."""
    approximate: bool
    unrated_reason: str
    """Why it is not rated; empty if it is."""
    server: str


def rating_changes(history: OwnHistory) -> Floats:
    """Return the rating change of each round, NaN if it was not rated."""
    change: Floats = np.where(history.is_rated, history.after - history.before, np.nan)
    return change


class RoundsRowSource:
    """Creates the rows of one history."""

    def __init__(self, history: OwnHistory) -> None:
        self.history = history
        self.change = rating_changes(history)
        self.decimals = rating_decimals(history.system)
        sizes = np.abs(self.change[~np.isnan(self.change)])
        self._bar_scale = float(np.quantile(sizes, 0.98)) if len(sizes) else 0.0

    def __call__(self, rounds: Sequence[int]) -> list[RoundsTableRow]:
        """Return the rows of these rounds in this order."""
        h, at = self.history, np.asarray(rounds, np.intp)
        change = self.change[at]
        bars = np.clip(np.nan_to_num(change) / self._bar_scale, -1.0, 1.0) if self._bar_scale else np.zeros(len(at))
        columns: list[Sequence[object]] = [
            list(rounds),
            h.started[at].tolist(),
            _names_at(h.maps, h.map[at]),
            _names_at(h.modes, h.mode[at]),
            ["" if team == h.player else team for team in _names_at(h.teams, h.team[at])],
            h.size_mine[at].tolist(),
            h.size_other[at].tolist(),
            _nan_to_none(h.share[at]),
            _nan_to_none(h.probability[at]),
            _nan_to_none(h.outcome[at]),
            _nan_to_none(h.before[at]),
            _nan_to_none(h.after[at]),
            _nan_to_none(change),
            bars.tolist(),
            [self.decimals] * len(at),
            h.approximate[at].tolist(),
            [h.skip_reason[index] for index in at.tolist()],
            _names_at(h.servers, h.server[at]),
        ]
        return [RoundsTableRow(*values) for values in zip(*columns, strict=True)]


def _names_at(names: Sequence[str], indices: Ints) -> list[str]:
    return ["" if index < 0 else names[index] for index in indices.tolist()]


def _nan_to_none(values: Floats) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]


NEWEST_FIRST = "when"


def _name_ranks(names: Sequence[str], indices: Ints) -> Floats:
    """Return the alphabetical ranks of names, NaN for no name."""
    folded = [name.casefold() for name in names]
    rank = {name: float(number) for number, name in enumerate(sorted(set(folded)))}
    ranks = np.array([rank[name] if name else np.nan for name in folded] + [np.nan])
    named: Floats = ranks[indices]  # index -1, for no name, is the last element
    return named


ROUND_SORT_KEYS: Mapping[str, Callable[[OwnHistory], Floats]] = {
    NEWEST_FIRST: lambda h: -h.started,
    "map": lambda h: _name_ranks(h.maps, h.map),
    "mode": lambda h: _name_ranks(h.modes, h.mode),
    "team": lambda h: _name_ranks(h.teams, h.team),
    "size": lambda h: -(h.size_mine + h.size_other).astype(np.float64),
    "there": lambda h: -h.share,
    "chance": lambda h: -h.probability,
    "result": lambda h: -h.outcome,
    "change": lambda h: -rating_changes(h),
    "after": lambda h: -h.after,
    "server": lambda h: _name_ranks(h.servers, h.server),
}
"""Key → values, smallest first."""


def sort_rounds(history: OwnHistory, key: str, rounds: RowNumbers) -> RowNumbers:
    """Sort rounds by a column, descending with `-` before its key; ties newest first."""
    keys = ROUND_SORT_KEYS[key.removeprefix("-")](history)[rounds]
    if key.startswith("-"):
        keys = -keys
    newest = -history.started[rounds]
    ordered: RowNumbers = rounds[np.lexsort((newest, keys))]  # NaN sorts last
    return ordered
