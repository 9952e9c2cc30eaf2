"""Plain data that the pages of My Skill show."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from browser_app.player.own_history import OwnHistory
    from browser_app.player.skill_summary import SkillSummary
    from browser_app.rating.rating_system import RatingRun

OwnSkillSource: TypeAlias = Literal["typed", "record", "game", "guess"]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game of which there are rounds.

    Attributes:
        id: the game's, as in its profile. title: for people.
        rounds: how many there are. mine: with the user on a team; None until they were counted.
    """

    id: str
    title: str
    rounds: int
    own_rounds: int | None


@dataclass(frozen=True, slots=True)
class WorkProgress:
    """What is being calculated, and how far it is.

    Attributes:
        what: "import", or the word of a job (`job.Job.what`): "rate", "doubt", "count", "explain", "other", "habits",
            "company", "people", "run", "compare" or "fit".
        done, total: in units of its own; total is 0 while nothing can be said.
    """

    kind: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class OwnSkill:
    """A game's number for the list's skill factor, and why it is this one.

    Attributes:
        source: typed by the user; the own record, with at least 10 rounds; the game's own number; or the own record
            where it is no more than a guess so far.
    """

    value: float
    source: OwnSkillSource


@dataclass(frozen=True)
class SkillState:
    """The user in one game under one system.

    Attributes:
        game: its record. system: its name.
        history, now: his rounds (at least one) and where he stands.
        rated_at: when this was calculated (Unix time, s).
        stale: whether rounds, parameters or identities have changed since; it is being calculated anew.
        solving: whether it is being worked out how sure the ratings are, of which there are estimates so far.
        run: the system as it stands after all rounds, knowing everybody but no round; None until it was asked for
            with `SkillPanel.load_final_run`.
    """

    game: GameRecord
    system: str
    history: "OwnHistory"
    now: "SkillSummary"
    rated_at: float
    is_stale: bool
    is_computing_uncertainty: bool = False
    run: "RatingRun | None" = None
