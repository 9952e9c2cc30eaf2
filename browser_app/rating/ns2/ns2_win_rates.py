"""Win rates of race, map and round size, as an advantage in the NS2 rating."""

import math
from typing import TypeAlias

from browser_app.rating.circumstances import NO_CIRCUMSTANCE, SIZE_CLASSES, CircumstanceCode, PartMapping
from browser_app.rating.record.player_slots import RecordMapping
from browser_app.rating.record.round_record import RoundRecord

WinTallies: TypeAlias = dict[int, tuple[float, int]]
"""Wins of the first team and rounds, by circumstance."""


class CircumstanceWinRates:
    """Win rates of the first team by race, map and size; a draw is half a win.

    Each level is shrunk by a Beta prior to the one above, the top to ½: the rate is (wins + strength · rate above) /
    (rounds + strength), so never 0 or 1. An unknown race or map counts as a race or map of its own.
    """

    def __init__(self, record: RoundRecord, strength: float) -> None:
        self._strength = strength
        self._code = code = CircumstanceCode(record)
        sizes = SIZE_CLASSES * code.modes
        # dividing a circumstance by these gives its race; race and map; race, map and size
        divisors = ((len(record.maps) + 1) * sizes, sizes, code.modes)
        self._levels = tuple((divisor, WinTallies()) for divisor in divisors)

    def log_odds(self, circumstance: int) -> float:
        """Return F, the log-odds of the first team's win rate; 0 without sides."""
        if circumstance == NO_CIRCUMSTANCE:
            return 0.0
        won, lost, strength = 0.5, 0.5, self._strength
        for parts, tallies in self._levels:
            wins, rounds = tallies.get(circumstance // parts, (0.0, 0))
            won = (wins + strength * won) / (rounds + strength)
            lost = (rounds - wins + strength * lost) / (rounds + strength)
        return math.log(won / lost)

    def learn(self, circumstance: int, outcome: float, chance: float) -> None:  # noqa: ARG002 (the rate alone counts)
        """Count a round with sides: 1 the first team won, 0 it lost, ½ a draw."""
        if circumstance == NO_CIRCUMSTANCE:
            return
        for parts, tallies in self._levels:
            wins, rounds = tallies.get(circumstance // parts, (0.0, 0))
            tallies[circumstance // parts] = wins + outcome, rounds + 1

    def transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> "CircumstanceWinRates":
        """Return the win rates for the races and maps that another record has."""
        theirs, parts = CircumstanceWinRates(record, self._strength), PartMapping(mapping)
        for (divisor, tallies), (their_divisor, moved) in zip(self._levels, theirs._levels, strict=True):
            for quotient, tally in tallies.items():
                translated = parts.translate(self._code.decode(quotient * divisor))
                if translated is not None:
                    moved[theirs._code.encode_parts(translated) // their_divisor] = tally
        return theirs
