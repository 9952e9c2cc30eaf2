"""Every rating system on one record: which one predicts best, and with how much doubt."""

from collections.abc import Mapping
from dataclasses import dataclass

from browser_app.rating.record import Floats, Ints
from browser_app.rating.scores import Bin

ROLLING = 150
"""Rounds of the rolling log loss."""


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One system or baseline; means over what it said, None where it said nothing.

    Attributes:
        name: of the system, or "size" or "constant".
        baseline: whether it knows nobody.
        rounds: scored ones.
        behind: mean log loss less that of the best, on the rounds of which both said something; 0 for the best itself.
        low, high: 95 % of ``behind`` by the bootstrap; None for the best, and where there are too few rounds.
        within_doubt: whether the interval has 0 in it: the lead of the best may be luck.
        calibration: ten bins of the chance that was said.
        slope: of the logit of what came against that of what was said: 1 is right, below 1 too sure of itself, above
            1 too timid; None where it cannot be told.
        slope_sd: its standard error.
    """

    name: str
    baseline: bool
    rounds: int
    log_loss: float | None
    accuracy: float | None
    brier: float | None
    behind: float | None
    low: float | None
    high: float | None
    within_doubt: bool
    calibration: tuple[Bin, ...]
    slope: float | None
    slope_sd: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The back-test of one record, each chance said before its round was known.

    Attributes:
        rows: systems by log loss, the best first, then the baselines; those that said nothing last.
        best: name of the system with least log loss, None where no system was scored.
        second: the next behind it among the systems, None where there is none.
        within: names of systems whose lead or lag cannot be told from luck.
        rounds: of the record. mine: whether only rounds with me were scored.
        rolling_round: scored rounds so far (1, 2, …) at each point of the curves.
        rolling: mean log loss of the last 150 scored rounds by name; NaN until there are so many.
    """

    rows: tuple[SystemRow, ...]
    best: str | None
    second: str | None
    within: tuple[str, ...]
    rounds: int
    mine: bool
    rolling_round: Ints
    rolling: Mapping[str, Floats]
