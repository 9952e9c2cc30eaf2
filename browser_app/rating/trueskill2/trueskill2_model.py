"""Resolved TrueSkill 2 model of one mode.

Equation numbers are those of "TrueSkill 2: An improved Bayesian skill rating system" (MSR-TR-2018-8).
N(m, v) has the variance v throughout; times are in minutes.
"""

from collections.abc import Mapping
from dataclasses import dataclass

MINUTE_S = 60.0

COUNT_COLUMNS: Mapping[str, str] = {
    "kill": "kills",
    "death": "deaths",
    "score": "score",
    "assist": "assists",
    "objective": "objectives",
}
"""Kinds of counts, as parameters name them, and the record's columns, which are also the fields of `ModeModel`."""


@dataclass(frozen=True, slots=True)
class CountModel:
    """Counts of one kind, eq. (9), with T = minutes played.

    count ~ max(0, N((wp·perf + wo·opponents + b)·T, v·T)). Below a second T counts as one in the variance, see
    `count_variance`. The paper has no intercept b per minute; without it m0 must be both the mean count's scale and a
    teammate's value.
    """

    wp: float
    wo: float
    v: float
    b: float = 0.0


@dataclass(frozen=True, slots=True)
class QuitModel:
    """Quits, eqs. (12)-(13).

    P(quit | d) = pu + (1 − pu)·pr·Φ((m − d)/√v), d = own performance less the opponents'.

    Attributes:
        m, v, pu, pr: see above.
        finishing_counts: whether finishing is evidence, too, of 1 − P(quit | d). False in the paper's online
            form, so that finishing is not rewarded; but then skills fall with every quit and nothing makes up for it.
    """

    m: float
    v: float
    pu: float = 0.0
    pr: float = 1.0
    finishing_counts: bool = False


@dataclass(frozen=True, slots=True)
class BaseSkillModel:
    """A player's base skill, shared by all modes, eqs. (14)-(16).

    With its weight w in a mode, eq. (20). base ~ N(0, v); it drifts by gamma2 per round and tau2 per idle minute; skill
    = w·base + the mode's offset.
    """

    v: float
    gamma2: float
    tau2: float
    w: float


@dataclass(frozen=True, slots=True)
class ModeModel:
    """Model of one mode.

    Attributes:
        m0, v0: first skill, eq. (1); with `base` the first offset of the mode, eq. (17).
        gamma2: variance added by a round, eqs. (2), (18).
        tau2: variance added by an idle minute, eqs. (3), (19).
        beta2: variance of a performance about the skill, eq. (4).
        draw_margin: performances of teams no further apart than this are a draw.
        squad_offset: what a squad of 1, 2, … adds to each performance, eq. (7); the last entry applies to larger ones.
        experience_offset: what skill gains by a round after 0, 1, … rounds, eq. (8); the last entry applies to later
            ones.
        kills, deaths, score, assists, objectives, quits, base: the extras; None if off.
    """

    m0: float
    v0: float
    gamma2: float
    tau2: float
    beta2: float
    draw_margin: float
    squad_offset: tuple[float, ...] = ()
    experience_offset: tuple[float, ...] = ()
    kills: CountModel | None = None
    deaths: CountModel | None = None
    score: CountModel | None = None
    assists: CountModel | None = None
    objectives: CountModel | None = None
    quits: QuitModel | None = None
    base: BaseSkillModel | None = None

    @property
    def counts(self) -> dict[str, CountModel]:
        """Models of the counts that are on, by column of the record."""
        models = {column: getattr(self, column) for column in COUNT_COLUMNS.values()}
        return {column: model for column, model in models.items() if model is not None}
