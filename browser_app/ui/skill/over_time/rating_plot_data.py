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
        key: key of the chosen `OverlayOption`.
        title: text for the legend.
        curve: a rated history, or values sampled from a service.
        has_own_scale: whether it needs its own axis, because it is in another system's units.
        history: the rounds, None for samples.
    """

    key: str
    title: str
    curve: RatingCurve | SkillSampleSeries
    has_own_scale: bool
    history: OwnHistory | None = None


@dataclass(frozen=True, slots=True)
class RatingPlotData:
    """A history, its curve, the tier boundaries and the overlay."""

    history: OwnHistory
    curve: RatingCurve
    tier_boundaries: tuple[TierBoundary, ...] = ()
    overlay: RatingOverlay | None = None

    @property
    def subject(self) -> tuple[str, str]:
        """Player and game of the history."""
        return self.history.game, self.history.player

    @property
    def left_axis_curves(self) -> list[RatingCurve | SkillSampleSeries]:
        """Curves drawn against the left axis."""
        if self.overlay is None or self.overlay.has_own_scale:
            return [self.curve]
        return [self.curve, self.overlay.curve]

    @property
    def sampled_overlay(self) -> SkillSampleSeries | None:
        """The overlay's samples, None if it is a rated history."""
        curve = self.overlay.curve if self.overlay is not None else None
        return curve if isinstance(curve, SkillSampleSeries) else None

    @property
    def time_range(self) -> tuple[float, float]:
        """Times of the first and the last point, including samples."""
        first, last = self.curve.time_range
        if self.sampled_overlay is None:
            return first, last
        return min(first, self.sampled_overlay.time_range[0]), max(last, self.sampled_overlay.time_range[1])
