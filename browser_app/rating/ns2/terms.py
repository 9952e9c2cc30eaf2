"""The two sums of a round's logit, as the coefficients of everybody's skills."""

from typing import NamedTuple

import numpy as np

from browser_app.rating.ns2.declared import Settings
from browser_app.rating.presence import Presence, field_presence, longest_team, presence
from browser_app.rating.record import Floats, Ints, Offsets, Record


class Terms(NamedTuple):
    """Coefficients of one term of rounds first to last - 1, one row a player and round, ascending by round.

    Over a round Σ whole = 1, unless the round has no rows: then the term is absent.

    Attributes:
        start: ``start[i]:start[i + 1]`` are the rows of round first + i.
        player: index into the record's players.
        signed: (t¹ − t²) / Σt, what the skill is multiplied by: T t / Σt for who kept to one team.
        whole: (t¹ + t²) / Σt, what the offset is multiplied by (T · T = 1).
    """

    start: Offsets
    player: Ints
    signed: Floats
    whole: Floats


def field_terms(record: Record, settings: Settings, first: int, last: int) -> Terms:
    """Time on the field, less the chair unless that counts as field time (the article, "The Basic Model")."""
    there = field_presence(record, settings.field, first, last, chairs_count=settings.chair is None)
    return _terms(record, there, first, last)


def chair_terms(record: Record, settings: Settings, first: int, last: int) -> Terms:
    """Time in the chair (the article, "Special treatment for commanders"); no rows where that is field time."""
    if settings.chair is None:
        return _terms(record, _NOBODY, first, last)
    return _terms(record, presence(record, record.chairs, settings.chair, first, last), first, last)


def expected_terms(record: Record, first: int, last: int) -> Terms:
    """What can be expected beforehand: everybody in the field for the whole round, on the team he was longest on."""
    team = longest_team(record, first, last)
    on = np.flatnonzero(team >= 0).astype(np.int32)
    there = Presence(on + np.int32(record.appearance_start[first]), team[on], np.ones(len(on)))
    return _terms(record, there, first, last)


_NOBODY = Presence(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))


def _terms(record: Record, there: Presence, first: int, last: int) -> Terms:
    within = record.round_of_appearance[there.appearance] - first
    whole = there.amount / np.bincount(within, there.amount, last - first)[within]
    signed = np.where(there.team == 0, whole, -whole)
    player = record.player[there.appearance]
    switched = np.flatnonzero(np.diff(there.appearance) == 0)
    if len(switched):  # who was on both teams has one row
        rows = np.delete(np.arange(len(player)), switched + 1)
        within, player = within[rows], player[rows]
        whole, signed = np.add.reduceat(whole, rows), np.add.reduceat(signed, rows)
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(within, minlength=last - first))])
    return Terms(start, player, signed, whole)
