"""Data that the pages of My Skill show."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from browser_app.player.own_history import OwnHistory
    from browser_app.player.skill_summary import SkillSummary
    from browser_app.rating.rating_system import RatingRun

OwnSkillSource: TypeAlias = Literal["game", "anchored", "entered", "record"]
"""The game's own number; the latest one in the own record plus the rating changes since; a number that the user
entered; the own record alone, whose level is only assumed.
"""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game with rounds.

    Attributes:
        id: of the game's profile.
        title: for the user.
        rounds: number of rounds.
        own_rounds: number of rounds with the user on a team, at the last count; None until counted.
        is_counted: whether that count includes all rounds and the user's present identities.
    """

    id: str
    title: str
    rounds: int
    own_rounds: int | None
    is_counted: bool = True


@dataclass(frozen=True, slots=True)
class WorkProgress:
    """Progress of a calculation.

    Attributes:
        kind: "import", or the `WorkerJob.kind` of a job.
        done: completed units of its own.
        total: all units; 0 while unknown.
    """

    kind: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class OwnSkill:
    """A skill for the list's skill factor.

    Attributes:
        value: in points on the servers' scale.
        source: where it comes from.
        sd: standard deviation in points, None if unknown.
        known_at: when the game reported it, or when the last own round began (Unix time, s); None if unknown.
    """

    value: float
    source: OwnSkillSource
    sd: float | None = None
    known_at: float | None = None

    def age_s(self, now: float) -> float | None:
        """Return the age of the number at a time (Unix time, s) in s, None if unknown."""
        return None if self.known_at is None else max(0.0, now - self.known_at)


@dataclass(frozen=True)
class SkillState:
    """The user's skill in one game under one system.

    Attributes:
        game: its record.
        system: name of the rating system.
        history: the user's rounds, at least one.
        now: summary of the current skill.
        rated_at: time of the calculation (Unix time, s).
        full_history: whether the ratings are those of all rounds at once, not of the rounds before each.
        run: the system after all rounds, with every player; None until `SkillModel.request_final_run` was called.
    """

    game: GameRecord
    system: str
    history: "OwnHistory"
    now: "SkillSummary"
    rated_at: float
    full_history: bool = False
    run: "RatingRun | None" = None
