"""Who is on which team for which share of a round: the inputs of inference, prepared for many rounds at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from browser_app.rating.presence import Presence, presence, seconds
from browser_app.rating.record import Floats, Ints, Record


@dataclass(frozen=True)
class Lineups:
    """The line-ups of rounds first to last - 1 (a round's index here counts from ``first``).

    Rows are appearances with a share in some team. ``net`` is the share in the first team less that in the second,
    w_A − w_B for who changed team; it means something in rounds of two teams only.

    Attributes:
        start: rows of round i are start[i]:start[i + 1].
        row: the appearance (in the record) and slot its place in lists of skills.
        shift: what the squad adds to the performance.
        manned: teams with anybody on them. net_square: Σ net². net_shift: Σ net·shift; one a round.
        shares: share of the round by appearance and team, eq. (5).
    """

    start: Sequence[int]
    row: Ints
    slot: Sequence[int]
    net: Sequence[float]
    shift: Floats | None
    manned: Sequence[int]
    net_square: Sequence[float]
    net_shift: Sequence[float]
    shares: Presence

    def team_shares(self, first: int, last: int, teams: int) -> Floats:
        """Share of each row of rounds first to last - 1 in each team; ``teams`` is the most any of them has."""
        rows = self.row[self.start[first] : self.start[last]]
        shares = np.zeros((len(rows), teams))
        if len(rows):
            bounds = np.array((rows[0], rows[-1] + 1), np.int32)  # of another type, all shares would be copied
            a, b = np.searchsorted(self.shares.appearance, bounds)
            place = np.searchsorted(rows, self.shares.appearance[a:b])
            shares[place, self.shares.team[a:b]] = self.shares.amount[a:b]
        return shares

    def shifts(self, i: int) -> list[float]:
        """The squad's share in the performance of each row of round i."""
        rows = slice(self.start[i], self.start[i + 1])
        if self.shift is None:
            return [0.0] * (rows.stop - rows.start)
        shifts: list[float] = self.shift[rows].tolist()
        return shifts


def as_played(record: Record, slots: Ints, shift: Floats | None, first: int, last: int) -> Lineups:
    """Everybody with Σ stays / duration, at most 1 for each player, on the team he was on, eq. (5)."""
    stayed = presence(record, record.stays, seconds, first, last)
    duration = record.duration[record.round_of_appearance[stayed.appearance]]
    return _lineups(record, slots, shift, first, last, stayed._replace(amount=stayed.amount / duration))


def as_forecast(record: Record, slots: Ints, shift: Floats | None, longest: Ints, first: int, last: int) -> Lineups:
    """Everybody for the whole round on the team he was longest on."""
    rows = record.appearance_start[[first, last]]
    appearance = (np.flatnonzero(longest[rows[0] : rows[1]] >= 0) + rows[0]).astype(np.int32)
    shares = Presence(appearance, longest[appearance], np.ones(len(appearance)))
    return _lineups(record, slots, shift, first, last, shares)


def _lineups(record: Record, slots: Ints, shift: Floats | None, first: int, last: int, shares: Presence) -> Lineups:
    new = np.flatnonzero(np.diff(shares.appearance, prepend=-1))
    row = shares.appearance[new]
    signed = np.where(shares.team == 0, shares.amount, -shares.amount)
    net = np.add.reduceat(signed, new) if len(new) else signed
    start = np.searchsorted(row, record.appearance_start[first : last + 1])
    rounds = record.round_of_appearance[row] - first
    shift = None if shift is None else shift[row]
    return Lineups(
        start=start.tolist(),
        row=row,
        slot=slots[row].tolist(),
        net=net.tolist(),
        shift=shift,
        manned=_manned(record, shares, first, last),
        net_square=np.bincount(rounds, net * net, last - first).tolist(),
        net_shift=[0.0] * (last - first) if shift is None else np.bincount(rounds, net * shift, last - first).tolist(),
        shares=shares,
    )


def _manned(record: Record, shares: Presence, first: int, last: int) -> list[int]:
    start = record.team_start[first : last + 1] - record.team_start[first]
    manned = np.zeros(start[-1], np.int64)
    manned[start[record.round_of_appearance[shares.appearance] - first] + shares.team] = 1
    counts: list[int] = np.add.reduceat(manned, start[:-1]).tolist()
    return counts
