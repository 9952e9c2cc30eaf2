"""Summary of a player's current skill and its uncertainty."""

import math
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from browser_app.player.ns2_tiers import SkillTier
from browser_app.rating.rating_system import Rating
from browser_app.rating.skill_inference import Z90, find_interval_90

MIN_RANKED_ROUNDS: Final = 10
"""Players with fewer rounds are not ranked."""
TREND_ROUNDS: Final = 20
"""Rounds that the recent trend covers."""

CertaintyLevel: TypeAlias = Literal["unknown", "sure", "fairly sure", "unsure", "guess"]
"""How certain a rating is: its standard deviation as a share of a newcomer's."""

SdSource: TypeAlias = Literal["", "gradients"]
"""Source of a standard deviation.

"": the system keeps it, or there is none; "gradients": estimated from the rounds' gradients
(`compute_error_sd`).
"""

PartMark: TypeAlias = Literal["", "apart", "offset", "shared", "guess", "unknown"]
"""Kind of a part of the rating.

"apart": each mode has its own rating; "offset": the rating plus an offset; "shared": the same rating for all parts;
"guess": too few rounds; "unknown": no rating.
"""


@dataclass(frozen=True, slots=True)
class RecentTrend:
    """The last rated rounds, at most `TREND_ROUNDS`.

    Attributes:
        rounds: their number.
        change: sum of the rating changes, displayed units.
        expected: expected wins of the player's teams: the sum of the chances, a draw counting half.
    """

    rounds: int
    change: float
    won: int
    lost: int
    drawn: int
    expected: float


@dataclass(frozen=True, slots=True)
class RatingPart:
    """The rating on one team, as commander, or in one mode.

    Attributes:
        kind: what the part is about.
        name: the team or mode; "" for commanding.
        value: displayed units; None if unknown.
        sd: standard deviation, None if unknown.
        low, high: 90 % interval, None likewise.
        rounds: rounds with an outcome on that team, as commander, or in that mode.
        won, lost, drawn: results of these rounds.
        mark: kind of the value.
        offset: value less the rating, for the mark "offset".
    """

    kind: Literal["team", "commander", "mode"]
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
    """A player's current skill; values in displayed units.

    Attributes:
        value: the rating; of a system with one per mode, that of the mode with most rounds (`mode`); for trueskill2
            the skill over all modes, weighted by rounds. None if never rated.
        mode: the mode of the rating, "" if one rating covers all.
        sd: standard deviation, None (not 0) if unknown.
        sd_from: its source.
        low, high: 90 % interval, None without sd.
        certainty: level of the standard deviation.
        tier, next_tier: NS2's, by `confident_points`; None without them.
        points_to_next_tier: whole points to gain for it, None likewise.
        confident_points: points that the game uses for the tier, value − 25 / √(sum of squared gradients), at least 0,
            or all of them if it did not report that sum; None for other games and with hindsight of all rounds, where
            the level is not the game's.
        adagrad_sum: that sum, None if nothing was deducted.
        anchored: whether the game reported the rating before the first rated round.
        in_game_value: the last in-game skill in the record plus the rating changes since; None unless anchored.
            It is nearer to what servers show than `value` where rounds are missing from the record.
        newcomer_sd: standard deviation of a newcomer's rating, None if unknown.
        last_round_at: start of the last rated round (Unix time, s), None without one.
        is_range_inferred: whether low, high and certainty come from inferred skills, as `sd` is not the rating's error.
        rank: 1 for the best of the `ranked_players` with 10 or more rated rounds; None with fewer rounds.
        rounds: number of the player's rated rounds.
        won, lost, drawn: results of these rounds.
        quantiles: of the ratings of the ranked players in that mode: minimum, lower quartile, median,
            upper quartile, maximum; empty if fewer than four are ranked.
    """

    value: float | None
    mode: str
    sd: float | None
    sd_from: SdSource
    low: float | None
    high: float | None
    certainty: CertaintyLevel
    tier: SkillTier | None
    next_tier: SkillTier | None
    points_to_next_tier: int | None
    confident_points: float | None
    adagrad_sum: float | None
    rank: int | None
    ranked_players: int
    rounds: int
    won: int
    lost: int
    drawn: int
    recent_trend: RecentTrend
    parts: tuple[RatingPart, ...]
    quantiles: tuple[float, ...] = ()
    anchored: bool = False
    in_game_value: float | None = None
    newcomer_sd: float | None = None
    last_round_at: float | None = None
    is_range_inferred: bool = False

    @property
    def has_estimated_sd(self) -> bool:
        """Whether the standard deviation and the interval are estimates."""
        return self.sd_from == "gradients"


LEAST_CERTAIN: Final = "guess"
_CERTAINTY_LIMITS: tuple[tuple[float, CertaintyLevel], ...] = ((0.1, "sure"), (0.2, "fairly sure"), (0.5, "unsure"))


def find_certainty(sd: float | None, newcomer_sd: float | None) -> CertaintyLevel:
    """Classify a standard deviation by its share of a newcomer's.

    The levels are up to a tenth, a fifth, a half, or more.
    """
    if sd is None or not newcomer_sd:
        return "unknown"
    return next((word for most, word in _CERTAINTY_LIMITS if sd <= most * newcomer_sd), LEAST_CERTAIN)


def compute_interval_90(value: float | None, sd: float | None) -> tuple[float | None, float | None]:
    """Return the symmetric 90 % interval, None if unknown."""
    return (None, None) if value is None or sd is None else (value - Z90 * sd, value + Z90 * sd)


def compute_rating_interval_90(rating: Rating, unit: float, inferred: Rating | None = None) -> tuple[float, float]:
    """Return the 90 % interval of a rating in displayed units, NaN if unknown.

    `inferred` is the true skill where it gives the interval (`RatingRun.inferred_skill`).
    """
    low, high = _find_central_interval(rating)
    if inferred is not None:
        low, high = find_interval_90(rating.value, inferred.value, *_find_central_interval(inferred))
    return unit * low, unit * high


def _find_central_interval(rating: Rating) -> tuple[float, float]:
    margin = math.nan if rating.sd is None else Z90 * rating.sd
    return rating.skewed_interval or (rating.value - margin, rating.value + margin)


def compute_error_sd(rating: Rating, inferred: Rating | None) -> float | None:
    """Return the root of the expected squared error of a rating about the true skill.

    None if that was not inferred.
    """
    if inferred is None or inferred.sd is None:
        return None
    return math.hypot(inferred.sd, rating.value - inferred.value)
