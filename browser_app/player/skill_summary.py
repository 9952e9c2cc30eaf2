"""Summary of a player's current skill and its uncertainty."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from browser_app.player.ns2_tiers import SkillTier

Z90 = 1.6448536269514722
"""9 in 10 of a normal distribution lie within so many standard deviations."""

CertaintyLevel: TypeAlias = Literal["unknown", "sure", "fairly sure", "unsure", "guess"]
"""How sure a rating is, for words: by its sd as a share of a newcomer's."""

SdSource: TypeAlias = Literal["", "gradients", "full history"]
"""Whence a standard deviation: "": the system itself keeps it, or there is none; "gradients": an estimate by what the
rounds told (`ns2.information`); "full history": that of the most probable skills given the rounds
(`compute_full_history_uncertainty`).
"""

PartMark: TypeAlias = Literal["", "apart", "offset", "shared", "guess", "unknown"]
"""What to say of a part: "apart": each mode has a rating of its own; "offset": the rating with an offset; "shared": one
rating for all; "guess": a guess so far; "unknown": nothing is known."""


@dataclass(frozen=True, slots=True)
class RecentTrend:
    """The last rounds that were rated, at most 20.

    Attributes:
        rounds: how many they are.
        change: sum of the changes, displayed units.
        expected: wins that were expected from the teams: the sum of the chances, a draw counting half.
    """

    rounds: int
    change: float
    won: int
    lost: int
    drawn: int
    expected: float


@dataclass(frozen=True, slots=True)
class RatingPart:
    """The rating on one team, in the chair or in one mode.

    Attributes:
        kind: what is told apart. name: the team or mode; "" for the chair.
        value: displayed units; None where nothing is known of it.
        sd: standard deviation, None where unknown. low, high: 9 in 10, None alike.
        rounds: in which he was on that team, in that chair, or which were of that mode, with an outcome.
        mark: what to say of it.
        offset: value less the rating, for the mark "offset".
    """

    kind: Literal["team", "chair", "mode"]
    name: str
    value: float | None
    sd: float | None
    low: float | None
    high: float | None
    rounds: int
    won: int
    lost: int
    drawn: int
    mark: PartMark = ""
    offset: float | None = None


@dataclass(frozen=True, slots=True)
class SkillSummary:
    """Where somebody stands; values in displayed units.

    Attributes:
        value: the rating; of a system with one a mode, that of the mode with most rounds (``mode``); for trueskill2
            the skill over all modes, weighted by rounds. None: he was never rated.
        mode: the mode whose rating it is, "" where it is one for all.
        sd: standard deviation, None where unknown: it is said, not taken for 0.
        sd_from: whence it is.
        low, high: 9 times in 10 between, None where sd is.
        doubt: how sure, for words.
        tier, next_tier, to_next: NS2's, by ``effective``; None for other games. ``points_to_next_tier`` in whole
        points.
        effective: what the game counts for the tier, value − 25 / √(sum of squared gradients), at least 0.
        adagrad_sum: that sum.
        rank: 1 for the best of the ``ranked_players`` with 10 or more rated rounds; None where he has fewer.
        rounds: rated ones with him. won, lost, drawn: of these.
        quantiles: of the ratings of the ranked players in that mode: the least, the lower quarter, the middle, the
            upper quarter, the greatest; empty where fewer than four are ranked.
    """

    value: float | None
    mode: str
    sd: float | None
    sd_from: SdSource
    low: float | None
    high: float | None
    doubt: CertaintyLevel
    tier: SkillTier | None
    next_tier: SkillTier | None
    to_next: int | None
    effective: float | None
    adagrad_sum: float | None
    rank: int | None
    ranked_players: int
    rounds: int
    won: int
    lost: int
    drawn: int
    trend20: RecentTrend
    parts: tuple[RatingPart, ...]
    quantiles: tuple[float, ...] = ()


LEAST_CERTAIN: Final = "guess"
_CERTAINTY_LIMITS: tuple[tuple[float, CertaintyLevel], ...] = ((0.1, "sure"), (0.2, "fairly sure"), (0.5, "unsure"))


def find_certainty(sd: float | None, newcomer_sd: float | None) -> CertaintyLevel:
    """A word for a standard deviation, by the share that is left of a newcomer's: a tenth, a fifth, a half, more."""
    if sd is None or not newcomer_sd:
        return "unknown"
    return next((word for most, word in _CERTAINTY_LIMITS if sd <= most * newcomer_sd), LEAST_CERTAIN)


def interval_90(value: float | None, sd: float | None) -> tuple[float | None, float | None]:
    """Between what it lies 9 times in 10; None where that is unknown."""
    return (None, None) if value is None or sd is None else (value - Z90 * sd, value + Z90 * sd)
