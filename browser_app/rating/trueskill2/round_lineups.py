"""Line-ups of rounds for TrueSkill 2: who played, and for what share of a round."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record.round_record import Floats, Ints, RoundRecord
from browser_app.rating.record.team_presence import Presence, compute_presence, stint_seconds


@dataclass(frozen=True)
class RoundLineups:
    """Line-ups of rounds first to last - 1; a round's index counts from `first`.

    Rows are appearances with a share in some team. `net` is the share in the first team less that in the second, w_A
    − w_B for players who changed team; it is meaningful for two teams only.

    Attributes:
        start: rows of round i are start[i]:start[i + 1].
        row: the appearance (in the record).
        slot: its index in lists of skills.
        net: see above.
        shift: what the squad adds to the performance.
        occupied_teams: number of teams with players.
        net_square: Σ net², one per round.
        net_shift: Σ net·shift, one per round.
        has_disjoint_teams: whether no player of a round was on two teams: then their performances are independent.
        shares: share of the round by appearance and team, eq. (5).
    """

    start: Sequence[int]
    row: Ints
    slot: Sequence[int]
    net: Sequence[float]
    shift: Floats | None
    occupied_teams: Sequence[int]
    net_square: Sequence[float]
    net_shift: Sequence[float]
    has_disjoint_teams: NDArray[np.bool_]
    shares: Presence

    def team_shares(self, first: int, last: int, teams: int) -> Floats:
        """Return the share of each row of rounds first to last - 1 in each team.

        `teams` is the largest number of teams.
        """
        rows = self.row[self.start[first] : self.start[last]]
        shares = np.zeros((len(rows), teams))
        if len(rows):
            bounds = np.array((rows[0], rows[-1] + 1), np.int32)  # another type would make numpy copy all shares
            a, b = np.searchsorted(self.shares.appearance, bounds)
            index = np.searchsorted(rows, self.shares.appearance[a:b])
            shares[index, self.shares.team[a:b]] = self.shares.amount[a:b]
        return shares

    def shifts(self, i: int) -> list[float]:
        """Return what the squad adds to the performance of each row of round i."""
        rows = slice(self.start[i], self.start[i + 1])
        if self.shift is None:
            return [0.0] * (rows.stop - rows.start)
        shifts: list[float] = self.shift[rows].tolist()
        return shifts


def build_played_lineups(record: RoundRecord, slots: Ints, shift: Floats | None, first: int, last: int) -> RoundLineups:
    """Return the line-ups as they were: each player with Σ stays / duration, eq. (5)."""
    stayed = compute_presence(record, record.stays, stint_seconds, first, last)
    duration = record.duration[record.round_of_appearance[stayed.appearance]]
    return _build_lineups(record, slots, shift, first, last, stayed._replace(amount=stayed.amount / duration))


def build_forecast_lineups(
    record: RoundRecord, slots: Ints, shift: Floats | None, longest: Ints, first: int, last: int
) -> RoundLineups:
    """Return the line-ups with all players for the whole round on their longest team."""
    rows = record.appearance_start[[first, last]]
    appearance = (np.flatnonzero(longest[rows[0] : rows[1]] >= 0) + rows[0]).astype(np.int32)
    shares = Presence(appearance, longest[appearance], np.ones(len(appearance)))
    return _build_lineups(record, slots, shift, first, last, shares)


def _build_lineups(
    record: RoundRecord, slots: Ints, shift: Floats | None, first: int, last: int, shares: Presence
) -> RoundLineups:
    new = np.flatnonzero(np.diff(shares.appearance, prepend=-1))
    row = shares.appearance[new]
    signed = np.where(shares.team == 0, shares.amount, -shares.amount)
    net = np.add.reduceat(signed, new) if len(new) else signed
    changed_team = np.diff(new, append=len(shares.appearance)) > 1
    start = np.searchsorted(row, record.appearance_start[first : last + 1])
    rounds = record.round_of_appearance[row] - first
    shift = None if shift is None else shift[row]
    return RoundLineups(
        start=start.tolist(),
        row=row,
        slot=slots[row].tolist(),
        net=net.tolist(),
        shift=shift,
        occupied_teams=_count_occupied_teams(record, shares, first, last),
        net_square=np.bincount(rounds, net * net, last - first).tolist(),
        net_shift=[0.0] * (last - first) if shift is None else np.bincount(rounds, net * shift, last - first).tolist(),
        has_disjoint_teams=np.bincount(rounds[changed_team], minlength=last - first) == 0,
        shares=shares,
    )


def _count_occupied_teams(record: RoundRecord, shares: Presence, first: int, last: int) -> list[int]:
    start = record.team_start[first : last + 1] - record.team_start[first]
    occupied = np.zeros(start[-1], np.int64)
    occupied[start[record.round_of_appearance[shares.appearance] - first] + shares.team] = 1
    counts: list[int] = np.add.reduceat(occupied, start[:-1]).tolist()
    return counts
