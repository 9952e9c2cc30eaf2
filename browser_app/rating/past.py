"""What each appearance of a player had behind it, in columns: the last round before, and how many there were."""

from dataclasses import dataclass

import numpy as np

from browser_app.rating.presence import longest_team, presence, seconds
from browser_app.rating.record import Floats, Ints, Record


@dataclass(frozen=True)
class Past:
    """One entry an appearance, counting appearances on a team in rounds with an outcome, of any mode.

    Attributes:
        team: the team he was longest on (index within its round), -1 for none.
        minutes: on any team.
        before: the last appearance of the same player before this one, -1 for none.
        matches: how many there were before.
    """

    record: Record
    team: Ints
    minutes: Floats
    before: Ints
    matches: Ints


def past_of(record: Record) -> Past:
    """The past of every appearance of a record."""
    team = longest_team(record)
    stayed = presence(record, record.stays, seconds)
    minutes = np.bincount(stayed.appearance, stayed.amount, len(record.player)) / 60.0
    counts = np.flatnonzero((team >= 0) & record.finished[record.round_of_appearance]).astype(np.int32)
    order = counts[np.argsort(record.player[counts], kind="stable")]
    player = record.player[order]
    new = np.concatenate([[True], player[1:] != player[:-1]]) if len(order) else np.zeros(0, np.bool_)
    before = np.full(len(record.player), -1, np.int32)
    before[order[1:]] = np.where(new[1:], -1, order[:-1])
    first = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
    matches = np.zeros(len(record.player), np.int32)
    matches[order] = np.arange(len(order)) - first
    return Past(record, team, minutes, before, matches)
