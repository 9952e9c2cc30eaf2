"""One round as the table shows it: plain values, cut from the history's columns for the rows in sight."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from browser_app.player.own_history import OwnHistory
from browser_app.rating.record import Floats, Ints
from browser_app.ui.skill.numbers import decimals_of


class RoundRow(NamedTuple):
    """What a row's cells, texts and speech are made of. None is unknown, for texts the empty one."""

    id: int
    """Its place in the history."""
    started: float
    map: str
    mode: str
    team: str
    """Empty where everybody plays alone."""
    size_mine: int
    size_other: int
    share: float | None
    """Of the weighted time, 0…1."""
    chance: float | None
    """Of my team, said before."""
    outcome: float | None
    """1 won, ½ drawn, 0 lost."""
    before: float | None
    after: float | None
    change: float | None
    bar: float
    """The change on a scale where nearly all lie in −1…1; clipped to that."""
    decimals: int
    """Of a rating; a change has one more."""
    approximate: bool
    why: str
    """Why it is not rated."""
    server: str


def changes(history: OwnHistory) -> Floats:
    """How each round moved the rating, NaN where it was not rated."""
    moved: Floats = np.where(np.isnan(history.probability), np.nan, history.after - history.before)
    return moved


class RoundSource:
    """Makes the rows of one history."""

    def __init__(self, history: OwnHistory) -> None:
        self.history = history
        self.change = changes(history)
        self.decimals = decimals_of(history.system)
        sizes = np.abs(self.change[~np.isnan(self.change)])
        self._reach = float(np.quantile(sizes, 0.98)) if len(sizes) else 0.0

    def __call__(self, rounds: Sequence[int]) -> list[RoundRow]:
        """The rows of these rounds, in this order."""
        h, at = self.history, np.asarray(rounds, np.intp)
        change = self.change[at]
        bars = np.clip(np.nan_to_num(change) / self._reach, -1.0, 1.0) if self._reach else np.zeros(len(at))
        columns: list[Sequence[object]] = [
            list(rounds),
            h.started[at].tolist(),
            _named(h.maps, h.map[at]),
            _named(h.modes, h.mode[at]),
            ["" if team == h.player else team for team in _named(h.teams, h.team[at])],
            h.size_mine[at].tolist(),
            h.size_other[at].tolist(),
            _known(h.share[at]),
            _known(h.probability[at]),
            _known(h.outcome[at]),
            _known(h.before[at]),
            _known(h.after[at]),
            _known(change),
            bars.tolist(),
            [self.decimals] * len(at),
            h.approximate[at].tolist(),
            [h.why[place] for place in at.tolist()],
            _named(h.servers, h.server[at]),
        ]
        return [RoundRow(*values) for values in zip(*columns, strict=True)]


def _named(names: Sequence[str], places: Ints) -> list[str]:
    return ["" if place < 0 else names[place] for place in places.tolist()]


def _known(values: Floats) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]
