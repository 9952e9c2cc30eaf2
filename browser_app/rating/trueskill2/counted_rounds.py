"""Rounds of two teams with counts as input of their inference."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record.round_record import Floats, Ints, RoundRecord
from browser_app.rating.trueskill2.inference.counted_teams import CountedPlayer, CountKind, ZeroCount, summarise_counts
from browser_app.rating.trueskill2.inference.performance_evidence import count_variance
from browser_app.rating.trueskill2.trueskill2_model import MINUTE_S, ModeModel


@dataclass(frozen=True, slots=True)
class CountedRounds:
    """Counts of some rounds.

    Attributes:
        has_counts: whether a round has counts that its mode's model uses.
        players: positive counts of each row of the line-ups.
        zeros: counts of 0 or less of each row.
    """

    has_counts: NDArray[np.bool_]
    players: Sequence[CountedPlayer]
    zeros: Sequence[Sequence[ZeroCount]]


def read_counted_rounds(
    record: RoundRecord, models: Sequence[ModeModel], rows: Ints, net: Floats, first: int, last: int
) -> CountedRounds:
    """Return the counts of rounds first to last - 1.

    Args:
        record: the rounds.
        models: one per mode.
        rows: the appearances of the line-ups.
        net: share of each in the first-named team, less that in the second.
        first: index of the first round.
        last: index after the last one.
    """
    rounds = record.round_of_appearance[rows] - first
    mode, duration = record.mode[rounds + first], record.duration[rounds + first] / MINUTE_S
    share = np.abs(net)
    team = 2 * rounds + (net < 0.0)
    own_side = np.bincount(team, share, 2 * (last - first))[team]
    is_counted = np.zeros(len(rows), np.bool_)
    kinds = []
    zeros: list[tuple[ZeroCount, ...]] = [()] * len(rows)
    for column in dict.fromkeys(column for model in models for column in model.counts):
        of_mode = [model.counts.get(column) for model in models]
        count = np.where(np.array([each is not None for each in of_mode])[mode], getattr(record, column)[rows], np.nan)
        is_counted |= ~np.isnan(count)
        wp, wo, v, b = (
            np.array([getattr(each, name) if each else 1.0 for each in of_mode])[mode]
            for name in ("wp", "wo", "v", "b")
        )
        minutes = share * duration
        scale = 1.0 / np.sqrt(count_variance(v, minutes))
        a, always = wp * minutes * scale, b * minutes * scale
        of_total = np.divide(wo * minutes * scale, own_side, out=np.zeros(len(rows)), where=own_side > 0.0)
        for row in np.flatnonzero(count <= 0.0).tolist():
            zeros[row] = (*zeros[row], ZeroCount(float(a[row]), float(of_total[row]), float(always[row])))
        positive = count > 0.0
        kinds.append(CountKind(*(np.where(positive, values, 0.0) for values in (a, of_total, count * scale - always))))
    return CountedRounds(
        np.bincount(rounds[is_counted], minlength=last - first) > 0, summarise_counts(net, kinds), zeros
    )
