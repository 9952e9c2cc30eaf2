"""Who came together: the squad's share in a performance."""

from collections.abc import Sequence

import numpy as np

from browser_app.rating.record import Floats, Ints, Record
from browser_app.rating.trueskill2.model import Model


def squad_sizes(record: Record, team: Ints) -> Ints:
    """How many of an appearance's squad, itself counted, are on its team; 1 for who is alone or on no team (-1)."""
    sizes = np.ones(len(record.player), np.int32)
    rows = np.flatnonzero((record.squad >= 0) & (team >= 0))
    if len(rows):
        keys = np.stack([record.round_of_appearance[rows], team[rows], record.squad[rows]])
        _, squad, size = np.unique(keys, axis=1, return_inverse=True, return_counts=True)
        sizes[rows] = size[squad.reshape(-1)]
    return sizes


def squad_shifts(record: Record, team: Ints, models: Sequence[Model]) -> Floats:
    """Eq. (7): what its squad adds to the performance of each appearance.

    Args:
        record: the rounds.
        team: the team of each appearance; who changed team counts with the squad on his longest one.
        models: one a mode of the record, at least one of them with offsets.
    """
    longest = max(len(model.squad_offset) for model in models)
    table = np.zeros((len(models), longest))
    for row, model in zip(table, models, strict=True):
        offsets = model.squad_offset
        row[: len(offsets)] = offsets
        row[len(offsets) :] = offsets[-1] if offsets else 0.0
    place = np.minimum(squad_sizes(record, team), longest) - 1
    shifts: Floats = table[record.mode[record.round_of_appearance], place]
    return shifts
