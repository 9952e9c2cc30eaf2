"""Explanation of one round's rating change in the terms of the model.

Everything is seen from the player's side: chances and outcomes are of the team with most of the player's time, positive
is good for the player. Ratings and changes are as displayed (ns2: points; see `RatingRun.points_per_unit`). Names are
stable keys; a rating system declares their titles (`ExplanationTitles`).

Terms, whose sum is `total`; the chance is a function of that, `link`:

========== ============== ========================================================================================
link       system         chance
========== ============== ========================================================================================
logit      ns2            1 / (1 + e^−total)
mean       elo-…, …-go    ½ + total: means over all pairs of two players across the teams have no simpler form
probit     trueskill(2)   Φ(total − m) / (Φ(total − m) + Φ(−total − m)), m = notes["margin"] / notes["c"]
none       more than two teams: no terms, and the chance is that of being alone in first place
========== ============== ========================================================================================

============ ========= =========================================================================================
term         link      amount
============ ========= =========================================================================================
field        logit     Σ T t (s + T o) / Σ t over the time on the field
commanders   logit     Σ T c χ / Σ c over the commanders' time
circumstance logit     F, the log-odds of the side in these circumstances, by earlier rounds
ratings      mean      the chance of one player with the mean rating against another with theirs, less ½
spread       mean      the difference made by comparing pairs one by one (the chance is not linear in the ratings)
pings        mean      the expected effect of lower pings (elo-xonstat)
skills       probit    difference of the means times the mean number of players, in standard deviations c
numbers      probit    difference in numbers times the mean skill, in c
squads       probit    effect of squads, in c
circumstance probit    advantage of the side in these circumstances, by earlier rounds, in c
circumstance mean      what that advantage changes in the chance
============ ========= =========================================================================================

Parts, whose sum is the change (`parts`), and other changes (`side_effects`). A part with factors is their product:

============ ===================================================================================================
part         factors
============ ===================================================================================================
result       ns2: points × rate × surprise × share. elo-blog: k × share × surprise. elo-xonstat: k × time × gain.
             xonstat-go: variance × gradient. trueskill(2): share × variance × v × per_c (more than two teams: none)
floor        by how much the rating would have fallen below its floor (elo-xonstat, xonstat-go)
counts       effect of kills and deaths beyond the result (trueskill2)
quits        effect of quits beyond result and counts (trueskill2)
experience   what skill gains by any round (trueskill2)
offset       side effect: the side's offset, as it counts for the player's side. points × c × surprise × whole (ns2)
commander    side effect: the commander skill. points × commander_rate × surprise × commander_share (ns2)
sd           side effect: the rating's standard deviation (xonstat-go, trueskill, trueskill2)
============ ===================================================================================================

=============== ================================================================================================
factor          meaning
=============== ================================================================================================
points          displayed points of one unit of s: 50
rate            c + a / √(sum + epsilon), the sum of squared gradients including this round's
c               the constant part of the rate, all of an offset's
surprise        outcome less expectation: 1, ½ or 0 less the chance (elo-blog: averaged over the opponents)
share           ns2: of all time on the field, weighted, own side less other side. Else: of the round
whole           like share, with own side and other side added
commander_rate  like rate, with the commander's own sum. commander_share: like share, of all commander time
k               points at stake, which fall with the number of rounds
time            share of ten minutes alive, at most 1
gain            mean over the pair comparisons of what each was worth
variance        σ² before the round, idle time included
gradient        Σ over the pair comparisons of weight × (scored − expected) / c
v               how far off the result was, v(t/c, ε/c) of TrueSkill, negative if worse than expected
per_c           1 / c
=============== ================================================================================================

Notes are numbers to recalculate by hand:

=============== ================================================================================================
note            meaning
=============== ================================================================================================
a, c, epsilon   ns2: parts of the rate. c of trueskill(2): standard deviation of the difference of performances
sum             ns2: squared gradients including this round's, sum_before without; commander_sum and
                commander_sum_before likewise
whole_weight    ns2: weighted time of this whole round, as a share of an endless one: a share of 1
mean_own        mean value of the own team, weighted with the shares (elo-…, xonstat-go: of rated players, each
                once); mean_other: of all opponents
rounds_own      sum of the own team's shares, "player-rounds" (ns2: on the field); rounds_other: of the other team
games           elo-…: earlier rounds of the player in the mode
opponents       number of pair comparisons, the divisor of their mean
alive           elo-xonstat: seconds that counted. xonstat-go: share of the round
floor           lowest possible rating
sd_before       standard deviation of the rating; sd_after
idle_variance   trueskill(2): the part of the variance that is from idle time
t, margin       trueskill(2): mean of the difference of performances, and ε; squads, advantage: parts of t, the latter
                by circumstances
v, w            trueskill(2): how the result moves mean and variance
variance_share  trueskill(2): the player's part of c²
=============== ================================================================================================
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

Link: TypeAlias = Literal["logit", "mean", "probit", "none"]


@dataclass(frozen=True, slots=True)
class ExplanationTerm:
    """One summand of the model's total.

    Attributes:
        name: key.
        amount: in the model's units.
        chance_alone: the chance by this term alone.
    """

    name: str
    amount: float
    chance_alone: float


@dataclass(frozen=True, slots=True)
class ChangeFactor:
    """One factor of a rating change."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class ChangePart:
    """One part of a change, in displayed units: the product of its factors, if any."""

    name: str
    change: float
    factors: tuple[ChangeFactor, ...] = ()

    @classmethod
    def product(cls, name: str, **factors: float) -> "ChangePart":
        """Create a part from its factors."""
        return cls(name, math.prod(factors.values()), tuple(ChangeFactor(*factor) for factor in factors.items()))


@dataclass(frozen=True, slots=True)
class ExplanationTitles:
    """Titles of what a rating system's explanations name, marked for translation.

    Attributes:
        terms: titles of the terms, by name.
        parts: titles of the parts of a change, by name; "sd" has none, as notes give its values.
        factors: texts of the factors with the placeholder `{value}`, by name.
        compared: what is compared in each pair of players; "result" is that of their teams.
    """

    terms: Mapping[str, str]
    parts: Mapping[str, str]
    factors: Mapping[str, str]
    compared: Literal["result", "score", "score rate"] = "result"


@dataclass(frozen=True, slots=True)
class PairComparison:
    """Comparison of the player with one other, in systems that compare pairs.

    Attributes:
        id, name: the other player.
        is_teammate: whether both were on one team.
        expected: the player's chance, pings included.
        scored: result of the comparison, 0 to 1.
        gain: contribution to the change; `surprise` and `gain` are its mean, `gradient` is its sum. It is
            weight × (scored − expected), except for elo-xonstat's favourites: they lose nothing by winning narrowly,
            and for not winning they lose (2 scored − 1) × the chance without pings.
        weight: 1, or the lesser of both players' shares of the round over c (xonstat-go).
    """

    id: str
    name: str | None
    is_teammate: bool
    expected: float
    scored: float
    gain: float
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class ExplainedPlayer:
    """A player in one role (field or commander) on one team of the round.

    Attributes:
        id, name: the player.
        team: name of the team.
        value: rating before the round, as it counts there: on this side, as commander.
        share: of a whole round's time, weighted as the model does.
        is_commander: whether this is the commander time.
        is_rated: whether the system rated the player in this round.
    """

    id: str
    name: str | None
    team: str
    value: float
    share: float
    is_commander: bool = False
    is_rated: bool = True


@dataclass(frozen=True, slots=True)
class RatingExplanation:
    """Explanation of one round for one player.

    Attributes:
        system: name of the rating system.
        player: id.
        team: the team with most of the player's time, an index into `teams`.
        probability: the chance that the update compared with the outcome.
        outcome: 1 won, 0 lost, ½ drawn (shared first place).
        share: of a whole round's time that the player was present on any team, weighted as the model does.
        change: of the rating.
        terms, total, link: how the chance comes about.
        parts: how the change comes about.
        if_won, if_lost: the change if the player's team had been first alone, or last, with all else equal. After a win
            or loss of two teams, one of them is `change`. In systems that compare scores the other one is the change
            if all comparisons with opponents had gone the other way, and both are None after a draw.
        if_full_round: the change if the player had been present from start to end, at the same chance; None if unknown.
        teams: the players, in side order.
        side_effects: other changes.
        pair_comparisons: the comparisons, in systems that compare pairs.
        notes: numbers to recalculate by hand.
    """

    system: str
    player: str
    team: int
    probability: float
    outcome: float
    share: float
    change: float
    terms: tuple[ExplanationTerm, ...]
    total: float | None
    link: Link
    parts: tuple[ChangePart, ...]
    if_won: float | None
    if_lost: float | None
    if_full_round: float | None
    teams: tuple[tuple[ExplainedPlayer, ...], ...]
    side_effects: tuple[ChangePart, ...] = ()
    pair_comparisons: tuple[PairComparison, ...] = ()
    notes: Mapping[str, float] = field(default_factory=dict)

    @property
    def factors(self) -> tuple[ChangeFactor, ...]:
        """Factors of the first part, the result; their product is its change."""
        return self.parts[0].factors if self.parts else ()

    @property
    def if_opposite_result(self) -> float | None:
        """The change with the opposite outcome; None after a draw."""
        return self.if_lost if self.outcome == 1.0 else self.if_won if self.outcome == 0.0 else None


def without_learning(explanation: RatingExplanation) -> RatingExplanation:
    """Return the explanation without any change, for runs that learn from no round."""
    return replace(
        explanation,
        change=0.0,
        parts=(),
        side_effects=(),
        pair_comparisons=(),
        if_won=0.0,
        if_lost=0.0,
        if_full_round=0.0,
    )
