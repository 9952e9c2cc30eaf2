"""Rounds of two teams with positive counts as input of their closed form."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record.round_record import Floats, Ints, RoundRecord
from browser_app.rating.trueskill2.inference.counted_teams import CountedPlayer, CountKind, summarise_counts
from browser_app.rating.trueskill2.inference.performance_evidence import count_variance
from browser_app.rating.trueskill2.trueskill2_model import MINUTE_S, ModeModel


@dataclass(frozen=True, slots=True)
class CountedRounds:
    """Counts of some rounds.

    Attributes:
        has_counts: whether a round has counts that its mode's model uses.
        has_zeros: whether one of them is 0 or less, which has no closed form.
        players: one per row of the line-ups; those of rounds without a closed form are not used.
    """

    has_counts: NDArray[np.bool_]
    has_zeros: NDArray[np.bool_]
    players: Sequence[CountedPlayer]


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
    is_counted, is_zero = np.zeros(len(rows), np.bool_), np.zeros(len(rows), np.bool_)
    kinds = []
    for column in dict.fromkeys(column for model in models for column in model.counts):
        of_mode = [model.counts.get(column) for model in models]
        count = np.where(np.array([each is not None for each in of_mode])[mode], getattr(record, column)[rows], np.nan)
        is_counted |= ~np.isnan(count)
        is_zero |= count <= 0.0
        wp, wo, v, b = (
            np.array([getattr(each, name) if each else 1.0 for each in of_mode])[mode]
            for name in ("wp", "wo", "v", "b")
        )
        minutes = share * duration
        weight = np.divide(1.0, np.sqrt(count_variance(v, minutes)), out=np.zeros(len(rows)), where=count > 0.0)
        expected = np.divide(wo * minutes, own_side, out=np.zeros(len(rows)), where=own_side > 0.0)
        surplus = np.where(count > 0.0, count, 0.0) - b * minutes
        kinds.append(CountKind(wp * minutes * weight, expected * weight, surplus * weight))
    return CountedRounds(
        np.bincount(rounds[is_counted], minlength=last - first) > 0,
        np.bincount(rounds[is_zero], minlength=last - first) > 0,
        summarise_counts(net, kinds),
    )
