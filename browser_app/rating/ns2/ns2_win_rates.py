"""Win rates of race, map and round size, as a bias of the NS2 rating."""

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record.player_slots import NOT_FOUND, RecordMapping
from browser_app.rating.record.round_record import Ints, RoundRecord
from browser_app.rating.record.team_presence import compute_presence, stint_seconds

WinTallies: TypeAlias = dict[int, tuple[float, int]]
"""Wins of the first team and rounds, by circumstance."""

_SIZE_LIMITS = np.array([6, 11, 16])  # most players of a small, medium and large round; more are the fourth size
_SIZES = len(_SIZE_LIMITS) + 1


def count_lasting_players(record: RoundRecord, first: int, last: int) -> Ints:
    """Return the number of players present for half the round or more, on any team, for rounds first to last - 1."""
    start = int(record.appearance_start[first])
    present = compute_presence(record, record.stays, stint_seconds, first, last)
    stayed = np.bincount(present.appearance - start, present.amount, int(record.appearance_start[last]) - start)
    within = record.round_of_appearance[start : start + len(stayed)] - first
    long = stayed >= record.duration[first:last][within] / 2
    return np.bincount(within[long], minlength=last - first).astype(np.int32)


def circumstance_keys(record: RoundRecord, players: Ints, first: int, last: int) -> NDArray[np.int64]:
    """Return first team's race, map and size of rounds first to last - 1 as one number each.

    ``players`` is the number of players in each of these rounds.
    """
    race = record.team_race[record.team_start[first:last]].astype(np.int64) + 1
    place = record.map[first:last].astype(np.int64) + 1
    circumstance: NDArray[np.int64] = (race * (len(record.maps) + 1) + place) * _SIZES
    return circumstance + np.searchsorted(_SIZE_LIMITS, players)


class CircumstanceWinRates:
    """Win rates of the first team by race, map and size; a draw is half a win.

    Each level is shrunk by a Beta prior to the one above, the top to ½: the rate is (wins + strength · rate above) /
    (rounds + strength), so never 0 or 1. An unknown race or map counts as a race or map of its own.
    """

    def __init__(self, record: RoundRecord, strength: float, tallies: Sequence[WinTallies] = ()) -> None:
        self._strength = strength
        self._per_race = (len(record.maps) + 1) * _SIZES
        # dividing a circumstance by these gives its race; race and map; race, map and size
        self._levels = tuple(zip((self._per_race, _SIZES, 1), tallies or ({}, {}, {}), strict=True))

    def logit(self, circumstance: int) -> float:
        """Return F, the logit of the first team's win rate in a circumstance."""
        won, lost, strength = 0.5, 0.5, self._strength
        for parts, tallies in self._levels:
            wins, rounds = tallies.get(circumstance // parts, (0.0, 0))
            won = (wins + strength * won) / (rounds + strength)
            lost = (rounds - wins + strength * lost) / (rounds + strength)
        return math.log(won / lost)

    def add(self, circumstance: int, outcome: float) -> None:
        """Count a round: 1 the first team won, 0 it lost, ½ a draw."""
        for parts, tallies in self._levels:
            wins, rounds = tallies.get(circumstance // parts, (0.0, 0))
            tallies[circumstance // parts] = wins + outcome, rounds + 1

    def transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> "CircumstanceWinRates":
        """Return the win rates for another record's races and maps, without those it does not have."""
        places = {0: 0} | {old + 1: new + 1 for new, old in enumerate(mapping.maps) if old != NOT_FOUND}
        races = {0: 0} | {old + 1: new + 1 for new, old in enumerate(mapping.races) if old != NOT_FOUND}
        moved: list[WinTallies] = []
        per_race = (len(record.maps) + 1) * _SIZES
        for (parts, tallies), new_parts in zip(self._levels, (per_race, _SIZES, 1), strict=True):
            moved.append({})
            for quotient, tally in tallies.items():
                race, within = divmod(quotient * parts, self._per_race)
                place, size = divmod(within, _SIZES)
                if race in races and place in places:
                    moved[-1][(races[race] * per_race + places[place] * _SIZES + size) // new_parts] = tally
        return CircumstanceWinRates(record, self._strength, moved)
