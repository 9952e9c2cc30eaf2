"""Explanation of one round's rating change in the model's terms.

Everything is the player's own: chances and outcomes are of the team he was longest on, right (positive) is good for
him, ratings and changes are as displayed (ns2: points; see ``RatingRun.unit``). Names are stable keys; the window
words them.

Terms, whose sum is ``total``; the chance is a function of that, ``link``:

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
field        logit     Σ T t (s + T o) / Σ t of the time on the field
commanders   logit     Σ T c χ / Σ c of the time in the chair
circumstance logit     F, the log-odds of the side's win rate in these circumstances so far
ratings      mean      the chance of one player with the mean rating against another with theirs, less ½
spread       mean      what comparing pairs one by one makes of it: the chance bends, its mean is not that of the mean
pings        mean      what the lower pings are expected to add (elo-xonstat)
skills       probit    the means' difference times the mean number of players, in standard deviations c
numbers      probit    the difference in numbers times the mean skill, in c
squads       probit    what those who came together add, in c
============ ========= =========================================================================================

Parts, whose sum is the change (``parts``), and what else moved (``also``). A part with factors is their product:

============ ===================================================================================================
part         factors
============ ===================================================================================================
result       ns2: points × rate × surprise × share. elo-blog: k × share × surprise. elo-xonstat: k × time × gain.
             xonstat-go: variance × pull. trueskill(2): share × variance × v × per_c (more than two teams: none)
floor        what the rating would have fallen below its floor (elo-xonstat, xonstat-go)
counts       what kills and deaths taught beyond the result (trueskill2)
quits        what quits taught beyond result and counts (trueskill2)
experience   what skill gains by a match whatever happens (trueskill2)
offset       also: the side's offset, as it counts for the player's side. points × c × surprise × whole (ns2)
commander    also: the commander skill. points × chair_rate × surprise × chair_share (ns2)
sd           also: the rating's standard deviation (xonstat-go, trueskill, trueskill2)
============ ===================================================================================================

============ ===================================================================================================
factor       what it is
============ ===================================================================================================
points       displayed points of one unit of s: 50
rate         c + a / √(sum + epsilon), the sum of squared gradients with this round's in it
c            the constant part of the rate, all of an offset's
surprise     what happened less what was expected: 1, ½ or 0 less the chance (elo-blog: meaned over the opponents)
share        ns2: of all time on the field, weighted, own side less other side. Else: of the round, likewise
whole        like share, with own side and other side added
chair_rate   like rate, with the commander's own sum. chair_share: like share, of all time in the chair
k            points at stake for somebody with so many rounds
time         the share of ten minutes alive, at most 1
gain         mean over the duels of what each was worth
variance     σ² before the round, idle time in it
pull         Σ over the duels of weight × (scored − expected) / c
v            how far off the result was, v(t/c, ε/c) of TrueSkill, negative for what was worse than expected
per_c        1 / c
============ ===================================================================================================

Notes are numbers to recalculate by hand:

=============== ================================================================================================
note            what it is
=============== ================================================================================================
a, c, epsilon   ns2: parts of the rate. c of trueskill(2): standard deviation of the difference of performances
sum             ns2: squared gradients with this round's in them, sum_before without; chair_sum, chair_sum_before
whole_weight    ns2: weighted time of this whole round, of an endless one's: what a share of 1 is
mean_own        the members' mean value, weighted with their shares (elo-…, xonstat-go: of those rated, each once);
                mean_other of all who are against them
rounds_own      the members' shares together, "player-rounds" (ns2: on the field); rounds_other of the other team
games           elo-…: rounds the player has behind him in the mode
opponents       how many duels there were; the divisor of their mean
alive           elo-xonstat: seconds that counted. xonstat-go: share of the round
floor           no rating falls below
sd_before       standard deviation of the rating; sd_after
idle_variance   trueskill(2): how much of the variance is from idle time
t, margin       trueskill(2): mean of the difference of performances, and ε; squads: what they add to t
v, w            trueskill(2): what the result teaches of mean and variance
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
    """One summand of the model's total: ``amount`` in its units, ``alone`` the chance by this term alone."""

    name: str
    amount: float
    chance_alone: float


@dataclass(frozen=True, slots=True)
class ChangeFactor:
    """One factor of a change."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class ChangePart:
    """One part of a change, in displayed units; where it has factors it is their product."""

    name: str
    change: float
    factors: tuple[ChangeFactor, ...] = ()

    @classmethod
    def product(cls, name: str, **factors: float) -> "ChangePart":
        """A part by its factors."""
        return cls(name, math.prod(factors.values()), tuple(ChangeFactor(*factor) for factor in factors.items()))


@dataclass(frozen=True, slots=True)
class ExplanationTitles:
    """A rating system's titles of what its explanations name, marked for translation.

    Attributes:
        terms: titles of the terms, by name.
        parts: titles of the parts of a change, by name; "sd" has none, as a note gives it before and after.
        factors: texts of the factors with the placeholder ``{value}``, by name.
        compared: what is compared in each pair of players; "result" is that of their teams.
    """

    terms: Mapping[str, str]
    parts: Mapping[str, str]
    factors: Mapping[str, str]
    compared: Literal["result", "score", "score rate"] = "result"


@dataclass(frozen=True, slots=True)
class PairComparison:
    """The player against one other, of systems that compare in pairs.

    Attributes:
        id, name: whom. mate: whether they were on one team.
        expected: the player's chance, pings included. scored: what he made of it, 0 to 1.
        gain: what that was worth; ``surprise`` and ``gain`` are means of it, ``pull`` the sum. It is weight × (scored −
            expected), but for elo-xonstat's rules for who was expected to win: winning narrowly costs him nothing, and
            of not winning he pays (2 scored − 1) × the chance without pings.
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
    """Somebody on a team in the round: once for the field, once for the chair, on each team he was on.

    Attributes:
        value: his rating before the round, as it counts there: on this side, in the chair.
        share: of a whole round's time, weighted as the model does.
        counts: whether the system rated him in this round.
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
    """One round of one player.

    Attributes:
        system: its name. player: his id. team: the one he was longest on, an index into ``teams``.
        probability: what the update compared with the outcome. outcome: 1 won, 0 lost, ½ drawn (shared first place).
        share: of a whole round's time the player was there, weighted as the model does, chair and field, any team.
        change: of the rating.
        terms, total, link: why the chance is what it is. parts: why the change is. also: what else changed.
        if_won, if_lost: the change had the player's team come first alone, or last, all else as it was; of two teams
            one of them is ``change`` after a decision. Of systems that go by scores the other one is the change had
            all duels with opponents gone the other way, and both are None after a draw.
        if_whole: the change had he been there from beginning to end, the chance unchanged; None: cannot be told.
        teams: in side order, who was there.
        duels: whom the player was compared with, where that is how the system works.
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
        """Those of the first part, the result's; their product is the change where there is no other part."""
        return self.parts[0].factors if self.parts else ()

    @property
    def if_opposite_result(self) -> float | None:
        """The change had the outcome been the other; None after a draw, which has two others."""
        return self.if_lost if self.outcome == 1.0 else self.if_won if self.outcome == 0.0 else None


def without_learning(explanation: RatingExplanation) -> RatingExplanation:
    """The same of a run that rounds teach nothing more: why the chance was what it was."""
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
