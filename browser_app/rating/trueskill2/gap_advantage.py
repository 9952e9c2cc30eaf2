"""Advantage of the first-named team, as a part of the gap of two performances."""

import math

from browser_app.rating.circumstances import LearnedAdvantage, encode_circumstances
from browser_app.rating.record.player_slots import RecordMapping
from browser_app.rating.record.round_record import RoundRecord

LOG_ODDS_PER_SD = 1.702
"""Φ(x) differs from the logistic function of 1.702 x by less than 0.01 (D. C. Haley, 1952)."""


class GapAdvantage:
    """F, learned online, in the units of the gap.

    Log-odds are those between teams of equal and known skill, so F counts β √(Σ net²) / 1.702 in the gap, which also
    makes it independent of β and of the number of players.
    """

    def __init__(self, record: RoundRecord, effects: LearnedAdvantage) -> None:
        self._effects = effects
        self._circumstance = encode_circumstances(record)

    def in_gap(self, k: int, noise: float) -> tuple[float, float]:
        """Return mean and variance of what is added to the gap of round k.

        `noise` is β² Σ net².
        """
        mean, var = self._effects.advantage(int(self._circumstance[k]))
        scale = math.sqrt(noise) / LOG_ODDS_PER_SD
        return scale * mean, scale * scale * var

    def learn(self, k: int, noise: float, gradient: float, curvature: float) -> None:
        """Learn from round k's `result_derivatives` by the gap."""
        scale = math.sqrt(noise) / LOG_ODDS_PER_SD
        self._effects.apply_derivatives(int(self._circumstance[k]), scale * gradient, scale * scale * curvature)

    def transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> "GapAdvantage":
        """Return the advantage in another record."""
        return GapAdvantage(record, self._effects.transfer_to(record, mapping))
