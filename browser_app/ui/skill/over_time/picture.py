"""What the plot shows at one time."""

from dataclasses import dataclass

from browser_app.player.own_history import OwnHistory
from browser_app.player.sampled_course import SampledCourse
from browser_app.ui.skill.over_time.backdrop import Bound
from browser_app.ui.skill.over_time.trace import Trace


@dataclass(frozen=True, slots=True)
class Overlay:
    """A second rating over the first.

    Attributes:
        key: what it was chosen by. title: whose it is, or which system's.
        course: of the rounds of a history; or what a service said, with no rounds behind it.
        own_scale: it is of another system, whose units say nothing beside the first's: it has an axis of its own.
        history: where the rounds are; None where there are none.
    """

    key: str
    title: str
    course: Trace | SampledCourse
    own_scale: bool
    history: OwnHistory | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A history, its course, where tiers begin, and what is laid over."""

    history: OwnHistory
    trace: Trace
    bounds: tuple[Bound, ...] = ()
    overlay: Overlay | None = None

    @property
    def subject(self) -> tuple[str, str]:
        """Which player's it is, and of which game."""
        return self.history.game, self.history.player

    @property
    def beside(self) -> list[Trace | SampledCourse]:
        """All that the left axis is for."""
        if self.overlay is None or self.overlay.own_scale:
            return [self.trace]
        return [self.trace, self.overlay.course]

    @property
    def sampled(self) -> SampledCourse | None:
        """What is laid over, where a service said it."""
        course = self.overlay.course if self.overlay is not None else None
        return course if isinstance(course, SampledCourse) else None

    @property
    def ends(self) -> tuple[float, float]:
        """The moments of the first and the last that can be pointed at."""
        first, last = self.trace.ends
        if self.sampled is None:
            return first, last
        return min(first, self.sampled.ends[0]), max(last, self.sampled.ends[1])
