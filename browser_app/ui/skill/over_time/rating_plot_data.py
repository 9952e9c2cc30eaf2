"""The data that the rating plot shows at one time."""

from dataclasses import dataclass

from browser_app.player.own_history import OwnHistory
from browser_app.player.skill_sources import SkillSampleSeries
from browser_app.ui.skill.over_time.rating_curve import RatingCurve
from browser_app.ui.skill.over_time.rating_plot_annotations import TierBoundary


@dataclass(frozen=True, slots=True)
class RatingOverlay:
    """A second rating over the first.

    Attributes:
        key: what it was chosen by. title: whose it is, or which system's.
        course: of the rounds of a history; or what a service said, with no rounds behind it.
        own_scale: it is of another system, whose units say nothing beside the first's: it has an axis of its own.
        history: where the rounds are; None where there are none.
    """

    key: str
    title: str
    curve: RatingCurve | SkillSampleSeries
    has_own_scale: bool
    history: OwnHistory | None = None


@dataclass(frozen=True, slots=True)
class RatingPlotData:
    """A history, its course, where tiers begin, and what is laid over."""

    history: OwnHistory
    curve: RatingCurve
    tier_boundaries: tuple[TierBoundary, ...] = ()
    overlay: RatingOverlay | None = None

    @property
    def subject(self) -> tuple[str, str]:
        """Which player's it is, and of which game."""
        return self.history.game, self.history.player

    @property
    def left_axis_curves(self) -> list[RatingCurve | SkillSampleSeries]:
        """All that the left axis is for."""
        if self.overlay is None or self.overlay.has_own_scale:
            return [self.curve]
        return [self.curve, self.overlay.curve]

    @property
    def sampled_overlay(self) -> SkillSampleSeries | None:
        """What is laid over, where a service said it."""
        course = self.overlay.curve if self.overlay is not None else None
        return course if isinstance(course, SkillSampleSeries) else None

    @property
    def time_range(self) -> tuple[float, float]:
        """The moments of the first and the last that can be pointed at."""
        first, last = self.curve.time_range
        if self.sampled_overlay is None:
            return first, last
        return min(first, self.sampled_overlay.time_range[0]), max(last, self.sampled_overlay.time_range[1])
